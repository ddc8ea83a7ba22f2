"""``perceptag list``: list the recipes, print one, or list the keys that a recipe may have."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from perceptag.cli.declare import Argument, Option
from perceptag.cli.options import Json
from perceptag.cli.streams import write_json, write_stdout
from perceptag.cli.table import is_terminal, tabled
from perceptag.errors import SettingError, nearest
from perceptag.learn import catalogue
from perceptag.learn.learner import Learner
from perceptag.pipeline.installed import installed
from perceptag.recipe import keys, recipe
from perceptag.recipe import recipe_files as files
from perceptag.system.table import wrapped


def list_recipes_cli(
    name: Annotated[str, Argument("[NAME]", "Print this recipe, to copy and change.")] = "",
    settings: Annotated[
        bool, Option("--settings", "List the keys of recipes instead; with a learner's name, its own keys.")
    ] = False,
    json_: Json = False,
) -> None:
    """List the recipes, or print one."""
    if settings:
        _print_settings(name, json_)
    elif name:
        _point_to_models(name)
        chosen = recipe.load(name)
        write_json(chosen.to_dict()) if json_ else write_stdout(files.find(name).read_text(encoding="utf-8"))
    elif json_:
        write_json(recipes())
    else:
        write_stdout("\n\n".join(_group(title, members) for title, members in grouped(recipes()).items()))


# How a name begins that belongs to a paper; a name that ends in -paper does as well.
_PAPERS = ("collins", "carreras", "kazama", "shen", "rerank")
_START_HERE = ("auto", "pos", "chunk", "ner", "lemma", "tokenize")


def grouped(found: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """The recipes by purpose: to start with, of the papers, and all others."""
    groups: dict[str, list[dict[str, Any]]] = {"Start here": [], "Papers": [], "Variants": []}
    for one in found:
        name = one["name"]
        paper = "Papers" if name.startswith(_PAPERS) or name.endswith("-paper") else "Variants"
        groups["Start here" if name in _START_HERE else paper].append(one)
    groups["Start here"].sort(key=lambda one: _START_HERE.index(one["name"]))
    return groups


def _group(title: str, members: Sequence[dict[str, Any]]) -> str:
    """The recipes of a group, two lines for each, wrapped by word on a terminal."""
    margin = 2 + max(len(r["name"]) for r in members) + 2
    width = shutil.get_terminal_size().columns if is_terminal() else sys.maxsize
    lines = [title]
    for r in members:
        lines += wrapped(f"  {r['name']:{margin - 2}}{r['description']}", width, margin)
        lines += wrapped(f"{'':{margin}}{r['citation']}", width, margin)
    return "\n".join(lines)


def _point_to_models(name: str) -> None:
    """Refuse the name of an installed model, and say which command lists those."""
    ways = {"models": "'perceptag list --models' lists the models", "recipes": "'perceptag list' lists them"}
    if name in ways:
        raise SettingError(f"expected a recipe, found {name!r}; {ways[name]}")
    if name in {model.name for model in installed()} and name not in files.shipped():
        raise SettingError(
            f"expected a recipe, found the installed model {name!r}; 'perceptag list --models {name}' shows it"
        )


def recipes() -> list[dict[str, Any]]:
    """Name, description and citation of every recipe in the package."""
    found = [recipe.load(name) for name in files.shipped()]
    return [{"name": r.name, "description": r.description, "citation": r.citation} for r in found]


def _print_settings(name: str, json_: bool) -> None:
    if name:
        learner = learner_of(name)
        own = keys.described(learner.settings)
        if json_:
            write_json(keys.facts_of(learner) | {"settings": [key.to_dict() for key in own]})
        else:
            facts = "\n".join(f"{fact + ':':15} {value}" for fact, value in keys.facts_of(learner).items())
            write_stdout(f"{facts}\n\n{_table(own)}" if own else facts)
        return
    groups = {"every recipe": keys.common_keys()} | keys.groups_of_learners(catalogue().values())
    if json_:
        write_json({group: [key.to_dict() for key in members] for group, members in groups.items()})
    else:
        write_stdout("\n".join(_table(members, group) for group, members in groups.items()))


def learner_of(name: str) -> Learner:
    """The learner with this name, or the learner of the recipe with this name."""
    if name in catalogue():
        return catalogue()[name]
    if name in files.shipped():
        return recipe.load(name).declaration
    known = [*catalogue(), *files.shipped()]
    raise SettingError(f"there is no learner or recipe {name!r}{nearest(name, known)} (known: {', '.join(known)})")


def _table(members: Iterable[keys.RecipeKey], title: str = "") -> str:
    rows = [(key.key, key.default, key.values, key.text) for key in members]
    return tabled(["key", "default", "values", "meaning"], rows, title)
