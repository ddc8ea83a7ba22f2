"""Complete the values of options. Nothing here is called, or imports anything, unless a shell asks.

Where nothing fits what was typed, bash, zsh and fish complete names of files.
"""

from __future__ import annotations

from pathlib import Path

_FILES = ("train_file",)  # options that name data


class Given:
    """The words that stand before the one to complete: options by the names of their parameters, and arguments."""

    def __init__(self) -> None:
        self.options: dict[str, str] = {}
        self.arguments: list[str] = []


def recipes(_: Given) -> list[str]:
    """The names of recipes."""
    from perceptag.recipe.recipe_files import shipped

    return sorted(shipped())


def models(_: Given) -> list[str]:
    """The names of installed models."""
    from perceptag.pipeline.installed import installed

    return [model.name for model in installed()]


def keys(_: Given) -> list[str]:
    """The keys of recipes, as ``--set`` takes them."""
    from perceptag.learn import catalogue
    from perceptag.recipe.keys import common_keys, groups_of_learners

    groups = groups_of_learners(catalogue().values()).values()
    return sorted({f"{key.key}=" for some in (common_keys(), *groups) for key in some})


def formats(_: Given) -> list[str]:
    """The names of file formats."""
    from perceptag.text import FORMATS

    return list(FORMATS)


def token_formats(_: Given) -> list[str]:
    """The formats of tokens."""
    from perceptag.text.token_formats import WRITERS

    return [*WRITERS, "parquet"]


def line_ends(_: Given) -> list[str]:
    """The meanings of a line end in running text."""
    return ["auto", "space", "sentence", "paragraph"]


def policies(_: Given) -> list[str]:
    """How labels that break a scheme are read."""
    from perceptag.evaluation.chunks import POLICIES

    return list(POLICIES)


def engines(_: Given) -> list[str]:
    """The engines that run work."""
    return ["threads", "processes", "ray"]


def columns(given: Given) -> list[str]:
    """The columns that the command line names so far, or those of the first sentence of its data."""
    if named := given.options.get("columns"):
        return [name.strip() for name in named.split(",")]
    files = [*(given.options[name] for name in _FILES if given.options.get(name)), *given.arguments]
    return _columns_of(files[0]) if files else []


def _columns_of(path: str) -> list[str]:
    from perceptag.errors import PerceptagError
    from perceptag.text import read

    if not Path(path).is_file():  # standard input and other streams are for the command alone
        return []
    try:
        return list(next(iter(read(path))).columns)
    except (PerceptagError, StopIteration):  # the command itself says what is wrong
        return []
