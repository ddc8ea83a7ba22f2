"""The sealed set: sentences that were labelled without proposals, and that no model has learned from.

Each look at its score is written down: the more often it decides something, the less it says.
"""

from __future__ import annotations

from typing import Any

from perceptag.evaluation import evaluate
from perceptag.project.project import Project
from perceptag.project.records import LABELLED
from perceptag.server.problems import Problem
from perceptag.workbench.proposing import InUse, propose

OPENED = "sealed"  # the kind of event


def opened(project: Project, model: InUse | None, who: str, key: str = "") -> dict[str, Any]:
    """Score a model on the sealed set, and write that down; the same key again is the same look."""
    for event in project.events(OPENED):
        if key and event.data.get("key") == key:
            return _shown(event.data)
    gold = [entry for entry in project.sealed_entries() if entry.status == LABELLED]
    if model is None or not model.version:
        raise Problem(409, "sealed: expected a model of this project, found none yet")
    if not gold:
        raise Problem(409, "sealed: expected labelled sentences in the sealed set, found none")
    found = [proposal.labels for proposal in propose(model, gold, nbest=1)]
    scheme = "IOB2" if project.kind == "spans" else "none"
    report = evaluate([entry.labels or [] for entry in gold], found, scheme=scheme)
    measure, score = report.main_score
    low, high = report.interval or (score, score)
    about = {"measure": measure, "score": score, "low": low, "high": high}
    about |= {"sentences": len(gold), "version": model.version}
    project.record(OPENED, who, about | ({"key": key} if key else {}))
    return about


def _shown(about: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in about.items() if name != "key"}


def sealed_set(project: Project) -> dict[str, Any]:
    """Return what is known of the sealed set without opening it."""
    counts, events = project.counts(), project.events(OPENED)
    scores = [{"at": event.at, "who": event.who, **_shown(event.data)} for event in events]
    return {
        "sentences": counts.sealed,
        "labelled": counts.sealed_labelled,
        "opened": len(scores),
        "scores": scores,
    }
