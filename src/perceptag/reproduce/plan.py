"""What would be run, and how long it would take, before anything is run."""

from __future__ import annotations

from collections.abc import Iterable

from perceptag.reproduce.corpora import CORPORA, Folder
from perceptag.reproduce.experiment import Experiment
from perceptag.reproduce.report import Wanted
from perceptag.reproduce.schedule import missing_data, needed
from perceptag.reproduce.views import NOTHING, ShownTable
from perceptag.system.visible import duration

_SHIPPED_SHARE = 0.03  # of the time that the papers' corpora take
_QUICK_SHARE = 0.25  # of the training data


def view_plan(asked: Wanted, folder: Folder, quick: bool) -> ShownTable:
    """Show for each table how many models it needs, and an estimate of their CPU time; a run counts once."""
    rows = []
    counted: set[Experiment] = set()
    lacking: dict[str, None] = {}
    for table in asked.all_tables():
        told = _counts(table.experiments(), folder, quick, counted, lacking)
        rows.append([table.paper, table.title, *told])
    further = [e for s in asked.statements for e in s.experiments()]
    rows.append(["", "Statements, in addition", *_counts(further, folder, quick, counted, lacking)])
    total = sum(_seconds(run, folder, quick) for run in counted)
    rows.append(["", "all", str(len(counted)), duration(total)])
    notes = [
        "CPU time is an estimate from runs on another machine, good to a factor of two or three. Models that --output "
        "has already are not trained again."
    ]
    return ShownTable(
        "Plan", ["paper", "table", "models", "CPU time"], rows, notes + [f"{NOTHING} {r}" for r in lacking]
    )


def _counts(
    experiments: Iterable[Experiment], folder: Folder, quick: bool, counted: set[Experiment], lacking: dict[str, None]
) -> tuple[str, str]:
    new: list[Experiment] = []
    for experiment in needed(list(experiments)):
        if reason := missing_data(experiment, folder):
            lacking[reason] = None
            continue
        new += [run for run in experiment.alternatives(quick) if run not in counted and run not in new]
    counted.update(new)
    return str(len(new)), duration(sum(_seconds(run, folder, quick) for run in new)) if new else NOTHING


def _seconds(run: Experiment, folder: Folder, quick: bool) -> float:
    seconds = run.cost * (_SHIPPED_SHARE if folder.is_shipped else 1)
    if not quick:
        return seconds
    label = CORPORA[run.data].label
    passes = run.configured(True, label).epochs / run.configured(False, label).epochs
    return seconds * min(1, passes) * (1 if folder.is_shipped else _QUICK_SHARE)
