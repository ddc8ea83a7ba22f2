"""Descriptions of all recipe keys, for the command line and the documentation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from perceptag.learn import catalogue
from perceptag.learn.learner import COMMON, Learner, Setting
from perceptag.recipe.common_settings import SETTINGS


@dataclass(frozen=True, slots=True)
class RecipeKey:
    """One key, described for people."""

    key: str
    default: str
    values: str
    text: str

    def to_dict(self) -> dict[str, Any]:
        """Return a dictionary for JSON."""
        return asdict(self)


def described(settings: Iterable[Setting]) -> list[RecipeKey]:
    """Return the keys of some settings."""
    return [RecipeKey(s.key, _written(s.default), s.limits.removeprefix(", "), s.text) for s in settings]


def common_keys() -> list[RecipeKey]:
    """Return the keys that every recipe may set."""
    return described(SETTINGS.values())


def groups_of_learners(learners: Iterable[Learner]) -> dict[str, list[RecipeKey]]:
    """Return the keys that belong to learners, by the learners that use them."""
    users: dict[Setting, list[str]] = {}
    for learner in learners:
        for setting in learner.settings:
            users.setdefault(setting, []).append(learner.name)
    groups: dict[str, list[Setting]] = {}
    for setting, names in users.items():
        groups.setdefault(", ".join(names), []).append(setting)
    return {names: described(settings) for names, settings in sorted(groups.items())}


def facts_of(learner: Learner) -> dict[str, str]:
    """Return the declaration of a learner without its settings."""
    unused = sorted(COMMON - learner.uses)
    facts = {"learner": learner.name, "kind of model": learner.kind, "source": learner.source}
    facts["weights"] = ", ".join(learner.weights)
    return facts | ({"does not use": ", ".join(unused)} if unused else {})


def _written(value: object) -> str:
    """As a recipe writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return "[" + ", ".join(f'"{v}"' for v in value) + "]"
    return f'"{value}"' if isinstance(value, str) else f"{value:g}"


def as_page() -> str:
    """Return the page of the documentation with all keys; `make generate` writes it."""
    learners = [*catalogue().values()]
    parts = [
        "# All keys of recipes",
        "`perceptag list --settings` prints these keys, `perceptag list --settings crf` those of one learner. A key "
        "with a dot\nbelongs to a table: `crf.l1` is the key `l1` of `[crf]`, in Python `crf_l1`. `make generate` "
        "writes this page.",
        "## Keys of every recipe",
        _table(common_keys()),
        f"Some learners do not use all of them: {_unused(learners)}.",
        "Four more keys of a recipe are not settings of a model: `without`, a list of template groups to leave out, "
        "`add`, a list\nof templates to add, `add_gazetteer`, a list of gazetteers to add, and the table `[tune]` with "
        "the ranges of\n`perceptag tune`.",
        "## Keys of learners",
        *(f"### {names}\n\n{_table(keys)}" for names, keys in groups_of_learners(learners).items()),
        "## Learners",
        "| learner | kind of model | weights | source |\n|---|---|---|---|\n"
        + "\n".join(f"| `{x.name}` | `{x.kind}` | {', '.join(x.weights)} | {x.source} |" for x in learners),
    ]
    return "\n\n".join(parts) + "\n"


def _unused(learners: Iterable[Learner]) -> str:
    return "; ".join(
        f"`{learner.name}` not " + ", ".join(f"`{key}`" for key in sorted(COMMON - learner.uses))
        for learner in learners
        if COMMON - learner.uses
    )


def _table(keys: Iterable[RecipeKey]) -> str:
    rows = [f"| `{k.key}` | `{k.default}` | {k.values} | {_cell(k.text)} |" for k in keys]
    return "\n".join(["| key | default | values | meaning |", "|---|---|---|---|", *rows])


def _cell(text: str) -> str:
    """Return a text for a cell, in which a bar is not the border."""
    return text.replace("|", r"\|")
