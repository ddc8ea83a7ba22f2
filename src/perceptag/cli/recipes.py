"""``perceptag recipes``: which there are, and what is in one."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from perceptag.cli.options import Json
from perceptag.cli.streams import guarded, write_json, write_stdout
from perceptag.recipe import recipe


@guarded
def recipes_cli(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="Print this one, to copy and change.")] = "",
    json_: Json = False,
) -> None:
    """List the recipes, or print one."""
    if name:
        chosen = recipe.load(name)
        write_json(chosen.to_dict()) if json_ else write_stdout(recipe.find(name).read_text(encoding="utf-8"))
    elif json_:
        write_json(recipes())
    else:
        found = recipes()
        width = max(len(r["name"]) for r in found)
        write_stdout(
            "\n".join(f"{r['name']:{width}}  {r['description']}\n{'':{width}}  {r['citation']}" for r in found)
        )


def recipes() -> list[dict[str, Any]]:
    """Name, description and citation of every recipe in the package."""
    found = [recipe.load(name) for name in recipe.shipped()]
    return [{"name": r.name, "description": r.description, "citation": r.citation} for r in found]
