"""Run what the papers' tables need, judge the papers' statements, and write the report."""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from perceptag._version import __version__
from perceptag.errors import SettingError
from perceptag.models.task import find_labels
from perceptag.reproduce import carreras2003, charts, collins2002, kazama2007, shen2007
from perceptag.reproduce.corpora import CORPORA, NEWS, SHIPPED, Folder
from perceptag.reproduce.experiment import FULL, PUBLISHED, QUICK, Experiment, Protocol
from perceptag.reproduce.html import ReportPage, Section, page
from perceptag.reproduce.run import load_parts
from perceptag.reproduce.schedule import Progress, RunOutcomes, Say, carry_out
from perceptag.reproduce.statements import Gold, GoldPart, Statement, unit_starts
from perceptag.reproduce.tables import PaperTable
from perceptag.reproduce.views import ShownTable, view_statements, view_table
from perceptag.system.output_files import open_output
from perceptag.system.platform.machine import cpu_name
from perceptag.system.plural import plural
from perceptag.text import Sentence
from perceptag.text.documents import digest

PAPERS: dict[str, ModuleType] = {m.PAPER: m for m in (collins2002, carreras2003, kazama2007, shen2007)}
TITLES = {
    "collins2002": "Collins 2002",
    "carreras2003": "Carreras, Màrquez & Padró 2003",
    "kazama2007": "Kazama & Torisawa 2007",
    "shen2007": "Shen, Satta & Joshi 2007",
}
TITLE = "perceptag: the tables of the papers"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for: tables by paper, and the statements about them."""

    tables: dict[str, list[PaperTable]]
    statements: list[Statement]
    protocol: Protocol

    def experiments(self) -> list[Experiment]:
        """Return all experiments of tables and statements."""
        found = [e for listed in self.tables.values() for table in listed for e in table.experiments()]
        return found + [e for s in self.statements for e in s.experiments()]

    def all_tables(self) -> list[PaperTable]:
        """Return the tables of all papers."""
        return [table for listed in self.tables.values() for table in listed]


@dataclass(frozen=True, slots=True)
class ReproductionReport:
    """Everything that was found."""

    facts: dict[str, str]
    summary: ShownTable
    statements: ShownTable
    sections: list[Section]
    runs: ShownTable
    failed: int
    path: Path

    def to_dict(self) -> dict[str, Any]:
        """Return everything except the plots as JSON values; figures are numbers."""
        return {
            "facts": self.facts,
            "summary": self.summary.numbers,
            "statements": self.statements.numbers,
            "tables": {s.anchor: [view.to_dict() for view in s.tables] for s in self.sections},
            "departures": {s.anchor: list(s.departures) for s in self.sections},
            "runs": self.runs.numbers,
            "notes": self.runs.notes,
        }


def wanted(papers: Sequence[str], *, quick: bool = False, published: bool = False, table: str = "") -> Wanted:
    """Return the tables of some papers, all of them or those that `table` means, and their statements.

    "table 2" means the titles that begin with it, or if there are none those that contain it.
    """
    protocol = PUBLISHED if published else QUICK if quick else FULL
    all_tables = {name: PAPERS[name].tables(protocol) for name in papers}
    tables = _named(all_tables, re.compile(rf"{re.escape(table)}\b", re.IGNORECASE).match) if table else all_tables
    tables = tables or _named(all_tables, re.compile(re.escape(table), re.IGNORECASE).search)
    if not tables:
        known = "; ".join(t.title for listed in all_tables.values() for t in listed)
        raise SettingError(f"table: expected a part of a title, found {table!r} (titles: {known})")
    statements = [s for name in tables for s in PAPERS[name].statements(protocol)]
    if table:  # those that these tables give the figures for
        there = {e for listed in tables.values() for t in listed for e in t.experiments()}
        statements = [s for s in statements if set(s.experiments()) <= there]
    return Wanted(tables, statements, protocol)


def _named(tables: dict[str, list[PaperTable]], fits: Callable[[str], object]) -> dict[str, list[PaperTable]]:
    """Return the tables whose titles fit, without papers that have none."""
    found = {name: [t for t in listed if fits(t.title)] for name, listed in tables.items()}
    return {name: listed for name, listed in found.items() if listed}


def make_report(
    asked: Wanted,
    corpora: Folder,
    out: Path,
    *,
    quick: bool,
    jobs: int,
    say: Say,
    progress: Progress = lambda *_: None,
    on: str = "",
) -> ReproductionReport:
    """Run the experiments, judge the statements, write the report to the folder `out`."""
    out.mkdir(parents=True, exist_ok=True)
    outcome = carry_out(asked.experiments(), corpora, out, quick=quick, jobs=jobs, say=say, progress=progress, on=on)
    missing = {name: corpora.missing_part(corpus, "test") for name, corpus in CORPORA.items()}
    sections = [_section(name, listed, outcome, corpora, missing, asked) for name, listed in asked.tables.items()]
    gold = _gold(corpora, out, quick)
    indicative = quick or corpora.is_shipped
    summary, statements = view_statements(asked.statements, outcome, gold, indicative)
    facts = run_facts(corpora, quick, asked.protocol) | corpus_facts(outcome, corpora, quick)
    runs = _view_runs(outcome, quick)
    failed = len(outcome.failed)
    report = ReproductionReport(facts, summary, statements, sections, runs, failed, out / "report.html")
    _write(report)
    return report


def _section(
    name: str,
    tables: Sequence[PaperTable],
    outcome: RunOutcomes,
    corpora: Folder,
    missing: dict[str, str],
    asked: Wanted,
) -> Section:
    told = [_told_of_data(table, corpora) for table in tables]
    views = [view_table(table, outcome, missing) for table in told]
    plots = [charts.of_table(table, outcome.found) for table in told]
    own = charts.of_paper(name, outcome.found, asked.protocol.published)
    return Section(name, TITLES[name], PAPERS[name].DEPARTURES, views, plots, own)


def _told_of_data(table: PaperTable, folder: Folder) -> PaperTable:
    """Return the table with a note on its data if it is not that of the paper."""
    if folder.is_shipped:
        notes = [f"Data: {NEWS}. It is small, and no figure can be compared with the paper's."]
    else:
        sources = [folder.source(CORPORA[name]) for name in dict.fromkeys(e.data for e in table.experiments())]
        notes = [source.note for source in sources if source is not None and source.note]
    return replace(table, notes=(*table.notes, *notes))


def _gold(folder: Folder, out: Path, quick: bool) -> Gold:
    """Return a function from experiments to the gold labels of their sentences, written as their predictions."""

    @cache
    def gold(experiment: Experiment, part: str) -> GoldPart:
        parts = load_parts(experiment, folder, out, quick)
        label_set = find_labels(experiment.configured(quick, CORPORA[experiment.data].label), parts.train)
        sentences = parts.named()[part]
        return GoldPart(label_set.gold(sentences), unit_starts(sentences))

    return gold


def _view_runs(outcome: RunOutcomes, quick: bool) -> ShownTable:
    """Return a table with one line for each run: what it was, and the digest of its model."""
    head = ["recipe", "data", "settings", "dev", "test", "pass", "CPU seconds", "model"]
    rows, numbers, links = [], [], []
    for e, r in sorted(outcome.runs().items(), key=lambda pair: (pair[0].recipe, pair[0].describe(quick), pair[1].key)):
        data = f"{e.data}{', other tags' if e.tags else ''}"
        passes = f"{r.best_epoch} of {max(len(r.curve), r.best_epoch)}"
        test = "–" if r.test is None else f"{r.test.score:.2f}"
        seconds = f"{r.cpu_seconds:,.0f}" if r.cpu_seconds >= 10 else f"{r.cpu_seconds:.2g}"
        dev = f"{r.dev.score:.2f} ({r.dev.interval[0]:.2f}–{r.dev.interval[1]:.2f})"
        rows.append([e.recipe, data, e.describe(quick), dev, test, passes, seconds, r.sha256[:12]])
        numbers.append(
            {
                "key": r.key,
                "recipe": e.recipe,
                "data": e.data,
                "other_tags": bool(e.tags),
                "order": e.order,
                "settings": e.changes(quick),
                "all_settings": r.recipe,
                "score": r.dev.kind,
                "dev": r.dev.score,
                "dev_interval": r.dev.interval,
                "test": None if r.test is None else r.test.score,
                "test_interval": None if r.test is None else r.test.interval,
                "pass": r.best_epoch,
                "passes": max(len(r.curve), r.best_epoch),
                "cpu_seconds": r.cpu_seconds,
                "model_sha256": r.sha256,
            }
        )
        links.append([r.key])
    notes = [f"not run: {e.recipe} on {e.data}: {reason}" for e, reason in outcome.skipped.items()]
    notes += [f"failed: {e.recipe} on {e.data}: {reason}" for e, reason in outcome.failed.items()]
    return ShownTable("Runs", head, rows, list(dict.fromkeys(notes)), numbers, links)


def _write(report: ReproductionReport) -> None:
    shown = ReportPage(TITLE, report.facts, report.summary, report.statements, report.sections, report.runs)
    data = json.dumps(report.to_dict(), indent=1, ensure_ascii=False)
    for path, text in ((report.path, page(shown)), (report.path.with_suffix(".json"), data)):
        with open_output(str(path)) as stream:
            stream.write(text.encode())


def run_facts(folder: Folder, quick: bool, protocol: Protocol) -> dict[str, str]:
    """Return what does not depend on the results."""
    less_data = "" if folder.is_shipped else "a quarter of the training data, "
    orders = "one training order" if len(protocol.orders) == 1 else f"{len(protocol.orders)} training orders"
    full = "as published" if protocol.published else f"full, {orders}"
    return {
        "perceptag": __version__ + _commit(),
        "data": f"{SHIPPED}: {NEWS}" if folder.is_shipped else Path(folder.name).name,
        "kind of run": f"quick: {less_data}few passes, {orders}" if quick else full,
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%d"),
        "machine": f"{cpu_name()}, {os.cpu_count()} cores, {platform.machine()}, {platform.system()}",
        "libraries": f"Python {platform.python_version()}, numpy {np.__version__}",
        "figures": "mean ± standard deviation over training orders, or one run with its 95 % bootstrap interval",
    }


def _commit() -> str:
    """Return the commit of a checkout, or "" for an installed package."""
    here = Path(__file__).resolve().parent
    if not any((folder / ".git").exists() for folder in here.parents[:4]):
        return ""
    try:
        words = ["git", "-C", str(here), "describe", "--always", "--dirty"]
        told = subprocess.run(words, capture_output=True, text=True, timeout=10, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""
    return f", commit {told}"


def corpus_facts(outcome: RunOutcomes, folder: Folder, quick: bool) -> dict[str, str]:
    """Return size, digest and licence of the data of all runs."""
    facts = {}
    for name in dict.fromkeys(e.data for e in outcome.found):
        parts = folder.load(CORPORA[name], quick)
        told = [f"{part}: {_size(sentences)}" for part, sentences in parts.named().items()]
        source = None if folder.is_shipped else folder.source(CORPORA[name])
        licence = "MIT" if source is None else source.licence
        facts[f"data: {name}"] = f"{folder.title(CORPORA[name])}; {'; '.join(told)}; licence: {licence}"
    return facts


def _size(sentences: list[Sentence]) -> str:
    documents = sum(s.starts_document for s in sentences)
    marked = f"{documents:,} documents, " if documents > 1 else ""
    tokens = sum(map(len, sentences))
    size = f"{plural(len(sentences), 'sentence', ',')}, {plural(tokens, 'token', ',')}"
    return f"{marked}{size}, digest {digest(sentences)[:12]}"
