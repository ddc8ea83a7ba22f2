"""Values of options that the Tab key completes. Nothing here is called, or imports anything, unless a shell asks.

Where nothing fits what was typed, bash, zsh and fish complete names of files.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

_FILES = ("train_file", "data")  # options that name data


def recipes() -> list[str]:
    """The names of recipes."""
    from perceptag.recipe.recipe_files import shipped

    return sorted(shipped())


def models() -> list[str]:
    """The names of installed models."""
    from perceptag.pipeline.installed import installed

    return [model.name for model in installed()]


def keys() -> list[str]:
    """The keys of recipes, as ``--set`` takes them."""
    from perceptag.learn import catalogue
    from perceptag.recipe.keys import common_keys, groups_of_learners

    groups = groups_of_learners(catalogue().values()).values()
    return sorted({f"{key.key}=" for some in (common_keys(), *groups) for key in some})


def formats() -> list[str]:
    """The names of file formats."""
    from perceptag.text import FORMATS

    return list(FORMATS)


def schemes() -> list[str]:
    """The schemes of labels."""
    from perceptag.labels.schemes import ALL_SCHEMES

    return ["auto", *ALL_SCHEMES, "none"]


def policies() -> list[str]:
    """How labels that break a scheme are read."""
    from perceptag.evaluation.chunks import POLICIES

    return list(POLICIES)


def engines() -> list[str]:
    """What carries out work."""
    return ["threads", "processes", "ray"]


def columns(ctx: Any) -> list[str]:
    """The columns that the command line names so far, or those of the first sentence of its data."""
    if ctx.params.get("columns"):
        return [name.strip() for name in ctx.params["columns"].split(",")]
    given = [*(ctx.params[name] for name in _FILES if ctx.params.get(name)), *ctx.args]  # words that are not options
    return _columns_of(given[0]) if given else []


def _columns_of(path: str) -> list[str]:
    from perceptag.errors import PerceptagError
    from perceptag.text import read

    if not Path(path).is_file():  # standard input and other streams are for the verb alone
        return []
    try:
        return list(next(iter(read(path))).columns)
    except (PerceptagError, StopIteration):  # the verb itself says what is wrong
        return []
