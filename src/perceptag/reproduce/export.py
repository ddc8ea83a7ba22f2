"""Write the recipes and the models of one row of a table, to use them or to look at them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from perceptag.errors import SettingError, nearest
from perceptag.models.model_file import to_bytes
from perceptag.recipe.toml_writer import to_toml
from perceptag.reproduce.corpora import Folder
from perceptag.reproduce.experiment import Experiment
from perceptag.reproduce.run import prepared, train
from perceptag.reproduce.schedule import Say, carry_out
from perceptag.reproduce.tables import PaperRow, PaperTable
from perceptag.system.file_kinds import MODEL, RECIPE
from perceptag.system.output_files import open_output
from perceptag.system.replacing import refuse_other_kind


def find_row(tables: Sequence[PaperTable], name: str) -> PaperRow:
    """Return the row of this name. It must be in one table only; ``--table`` chooses one."""
    rows = [(table, row) for table in tables for row in table.rows if row.name.lower() == name.lower()]
    if not rows:
        known = dict.fromkeys(row.name for table in tables for row in table.rows)
        raise SettingError(f"export: there is no row {name!r}{nearest(name, known)} (rows: {'; '.join(known)})")
    if len({row.runs() for _, row in rows}) > 1:
        where = "; ".join(table.title for table, _ in rows)
        raise SettingError(f"export: {name!r} is a row of several tables: choose one with --table ({where})")
    if not rows[0][1].runs():
        raise SettingError(f"export: the row {name!r} has a figure of the paper only, nothing is trained for it")
    return rows[0][1]


def export_row(
    row: PaperRow, folder: Folder, out: Path, *, quick: bool, jobs: int, say: Say, overwrite: bool = False
) -> list[Path]:
    """Train what the row needs, choose on dev as the table does, and write recipe and model of its first order."""
    first = [run for run in row.runs() if run.order == 0]
    outcome = carry_out(first, folder, out, quick=quick, jobs=jobs, say=say)
    written: list[Path] = []
    for run in first:
        if run not in outcome.found:
            raise SettingError(f"export: {row.name!r}: {outcome.reason(run)}")
        written += _write(row.name, outcome.chosen(run), outcome.found[run].sha256, folder, out, quick, overwrite)
    return written


def _write(
    name: str, chosen: Experiment, sha256: str, folder: Folder, out: Path, quick: bool, overwrite: bool
) -> list[Path]:
    """Train a run again, check that it gives the model of the table, and write it."""
    if chosen.rival:
        raise SettingError(f"export: {name!r}: {chosen.recipe} is not a recipe, and has no model file")
    recipe, parts, _ = prepared(chosen, folder, out, quick)
    data, digest = to_bytes(train(chosen, recipe, parts).model())
    if digest != sha256:
        raise SettingError(
            f"export: {name!r}: expected the model {sha256[:12]} of the table, found {digest[:12]}; "
            f"has perceptag changed since that run? Take another --output"
        )
    stem = re.sub(r"[^a-z0-9]+", "-", f"{name} {chosen.data}".lower()).strip("-")
    target = out / "export"
    target.mkdir(parents=True, exist_ok=True)
    head = [f"{name}: {chosen.describe(quick)}", f"model sha256 {digest}"]
    for path, content, kind in (
        (target / f"{stem}.toml", to_toml(recipe, head=head).encode(), RECIPE),
        (target / f"{stem}.model", data, MODEL),
    ):
        refuse_other_kind("--output", str(path), kind, overwrite=overwrite)
        with open_output(str(path)) as stream:
            stream.write(content)
    return [target / f"{stem}.toml", target / f"{stem}.model"]
