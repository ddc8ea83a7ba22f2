"""``perceptag list --models``: list the installed models."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from perceptag.cli import completing
from perceptag.cli.declare import Argument, Option
from perceptag.cli.options import Json
from perceptag.cli.streams import write_json, write_stderr, write_stdout
from perceptag.cli.table import Table, render, tabled
from perceptag.errors import ModelError, SettingError
from perceptag.pipeline.installed import ABOUT, installed, path_of

LANGUAGES = "languages"  # the folder in a copy of the repository


def list_models_cli(
    name: Annotated[str, Argument("[NAME]", "Only this model.", complete=completing.models)] = "",
    verbose: Annotated[bool, Option("--verbose", "Show all figures: by kind of text and by case.")] = False,
    languages: Annotated[
        str,
        Option("DIR", "Also list the files LANG.toml of this folder, for 'perceptag build'; with their data or not."),
    ] = LANGUAGES,
    json_: Json = False,
) -> None:
    """List the installed models.

    --model takes them by name. They are installed as packages, such as perceptag-en. Each SHA-256 is checked. The files
    LANG.toml of a folder, if there are any, follow with what 'perceptag build' lacks for them.
    """
    if languages != LANGUAGES and not Path(languages).is_dir():
        raise SettingError(f"--languages: expected a folder, found none: {languages}")
    found = models(name)
    if json_:
        write_json(found)
    elif not found:
        write_stdout("no model is installed; --model takes files")
    else:
        table = Table(["name", *ABOUT, "MB", "sha256"], numbers=(1 + len(ABOUT),))
        for row in found:
            size = f"{row['bytes'] / 1e6:.1f}"
            table.add(row["name"], *(row[key] for key in ABOUT), size, row["sha256"][:16])
        write_stdout(render(table))
        for row in found if verbose else ():
            for what, rows in row["figures"].items():
                write_stdout(f"\n{row['name']}: {what}\n\n{_shown(rows)}")
    if not json_ and not name:
        _show_buildable(Path(languages))


def _show_buildable(folder: Path) -> None:
    from perceptag.building.language_file import buildable  # only here: training takes long to import

    if found := buildable(folder):
        rows = [(one.name, f"perceptag build {one.file}", one.missing or "nothing") for one in found]
        write_stdout(f"\n{tabled(['to build', 'with', 'missing'], rows)}")


def _shown(rows: dict[str, dict[str, float]]) -> str:
    columns = list(dict.fromkeys(name for row in rows.values() for name in row))
    table = Table(["data", *columns], numbers=range(1, 1 + len(columns)))
    for data, row in rows.items():
        table.add(data, *(f"{row[name]:.2f}" if name in row else "" for name in columns))
    return render(table)


def models(name: str = "") -> list[dict[str, Any]]:
    """Name, task, data, licence, accuracy, figures, size and digest of every installed model, or of one."""
    if name and name not in {model.name for model in installed()}:
        path_of(name)  # which says what is installed
        raise SettingError(f"{name}: expected the name of an installed model, found a file")
    found = []
    for model in (model for model in installed() if name in ("", model.name)):
        try:
            size, sha = model.size_and_digest()
        except (ModelError, SettingError) as error:
            write_stderr(f"warning: {error}")  # the others can be used
            continue
        about = {**model.about(), "figures": model.figures()}
        found.append({"name": model.name, **about, "file": str(model.path), "bytes": size, "sha256": sha})
    return found
