"""Run what the papers' tables need, judge the papers' statements, and write the report."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timezone
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from perceptag._version import __version__
from perceptag.corpus.digest import digest
from perceptag.models.task import find_labels
from perceptag.reproduce import carreras2003, charts, collins2002, kazama2007, shen2007
from perceptag.reproduce.corpora import CORPORA, NEWS, SHIPPED, Folder
from perceptag.reproduce.experiment import Experiment
from perceptag.reproduce.html import Section, page
from perceptag.reproduce.run import load_parts
from perceptag.reproduce.schedule import Progress, RunOutcomes, Say, carry_out
from perceptag.reproduce.statements import Gold
from perceptag.reproduce.tables import PaperTable
from perceptag.reproduce.views import ShownTable, view_statements, view_table
from perceptag.system.output_files import open_output

PAPERS: dict[str, ModuleType] = {m.PAPER: m for m in (collins2002, carreras2003, kazama2007, shen2007)}
TITLES = {
    "collins2002": "Collins 2002",
    "carreras2003": "Carreras, Màrquez & Padró 2003",
    "kazama2007": "Kazama & Torisawa 2007",
    "shen2007": "Shen, Satta & Joshi 2007",
}


@dataclass(frozen=True, slots=True)
class ReproductionReport:
    """Everything that was found."""

    facts: dict[str, str]
    sections: list[Section]
    statements: ShownTable
    runs: ShownTable
    failed: int
    path: Path

    def to_dict(self) -> dict[str, Any]:
        """Return everything except the plots as JSON values."""
        tables = {s.anchor: [asdict(view) for view in s.tables] for s in self.sections}
        return {"facts": self.facts, "tables": tables, "statements": asdict(self.statements), "runs": asdict(self.runs)}


def make_report(
    papers: Sequence[str],
    data: str,
    out: Path,
    *,
    quick: bool,
    jobs: int,
    say: Say,
    progress: Progress = lambda *_: None,
    on: str = "",
) -> ReproductionReport:
    """Run the experiments, judge the statements, write the report to the folder `out`."""
    corpora = Folder(data)  # first: a wrong folder is refused before anything is written
    out.mkdir(parents=True, exist_ok=True)
    modules = {name: PAPERS[name] for name in papers}
    statements = [s for module in modules.values() for s in module.statements()]
    tables = {name: _told_of_data(module.tables(), corpora) for name, module in modules.items()}
    wanted = [e for listed in tables.values() for table in listed for e in table.experiments()]
    wanted += [e for s in statements for e in s.experiments()]
    outcome = carry_out(wanted, data, out, quick=quick, jobs=jobs, say=say, progress=progress, on=on)
    sections = [
        Section(name, TITLES[name], [view_table(t, outcome) for t in listed], charts.of_paper(name, outcome.found))
        for name, listed in tables.items()
    ]
    report = ReproductionReport(
        _facts(corpora, quick) | _corpora(outcome, corpora, quick),
        sections,
        view_statements(statements, outcome, _gold(Folder(data), out, quick)),
        _view_runs(outcome, quick),
        len(outcome.failed),
        out / "report.html",
    )
    _write(report)
    return report


def _told_of_data(tables: Sequence[PaperTable], folder: Folder) -> list[PaperTable]:
    """Return tables that name their data if it is not the data they were made for."""
    told = f"Data: {NEWS}. It is small, and no figure can be compared with the paper's."
    return [replace(table, data=told) if folder.is_shipped else table for table in tables]


def _facts(folder: Folder, quick: bool) -> dict[str, str]:
    less_data = "" if folder.is_shipped else "a quarter of the training data, "
    return {
        "perceptag": __version__,
        "data": f"{SHIPPED}: {NEWS}" if folder.is_shipped else Path(folder.name).name,
        "kind of run": f"quick: {less_data}few passes" if quick else "full",
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%d"),
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}",
        "figures": "seed 0 with the 95 % bootstrap interval over sentences, or mean ± standard deviation over seeds",
    }


def _corpora(outcome: RunOutcomes, folder: Folder, quick: bool) -> dict[str, str]:
    """Return size and digest of the data of all runs."""
    facts = {}
    for name in dict.fromkeys(e.data for e in outcome.found):
        parts = folder.load(CORPORA[name], quick)
        given = {"train": parts.train, "dev": parts.dev, "test": parts.test}
        told = [f"{part} {len(s):,} ({digest(s)[:12]})" for part, s in given.items() if s is not None]
        facts[f"data: {name}"] = f"{folder.title(CORPORA[name])}; sentences (digest): {', '.join(told)}"
    return facts


def _gold(folder: Folder, out: Path, quick: bool) -> Gold:
    """Return a function from experiments to the gold labels of their dev sentences, written as their predictions."""

    @cache
    def gold(experiment: Experiment) -> list[list[str]]:
        parts = load_parts(experiment, folder, out, quick)
        recipe = experiment.configured(quick, CORPORA[experiment.data].label)
        label_set = find_labels(recipe, parts.train)
        return [label_set.gold(s) for s in parts.dev]

    return gold


def _view_runs(outcome: RunOutcomes, quick: bool) -> ShownTable:
    """Return a table with one line for each run: what it was, and the digest of its model."""
    rows = []
    for e, r in ((e, r) for e, r in outcome.found.items() if e.grid is None):
        low, high = r.dev.interval
        data = f"{e.data}{', retagged' if e.retagged else ''}"
        score = f"{r.dev.score:.2f} ({low:.2f} to {high:.2f})"
        rows.append(
            [
                data,
                e.recipe,
                e.describe(quick),
                score,
                str(r.best_epoch),
                str(len(r.curve)),
                f"{r.cpu_seconds:.0f}",
                r.sha256,
            ]
        )
    head = ["data", "recipe", "settings", "dev (95 % interval)", "best pass", "passes", "CPU seconds", "model"]
    notes = [f"not run: {e.recipe} on {e.data}: {reason}" for e, reason in outcome.skipped.items()]
    notes += [f"failed: {e.recipe} on {e.data}: {reason}" for e, reason in outcome.failed.items()]
    return ShownTable("Runs", head, sorted(rows), list(dict.fromkeys(notes)))


def _write(report: ReproductionReport) -> None:
    title = "perceptag: the tables of the papers"
    html = page(title, report.facts, report.sections, report.statements, report.runs)
    for path, text in ((report.path, html), (report.path.with_suffix(".json"), json.dumps(report.to_dict(), indent=1))):
        with open_output(str(path)) as stream:
            stream.write(text.encode())
