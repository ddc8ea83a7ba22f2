"""Sentences as the page gets them."""

from __future__ import annotations

from typing import Any

from perceptag.project.records import Entry
from perceptag.workbench.proposing import Proposal

BLIND = ("sealed", "second")  # reasons to show neither labels nor a proposal


def item(
    entry: Entry,
    proposal: Proposal | None = None,
    kind: str = "asked",
    *,
    sampled: str | None = None,
    nbest: bool = True,
) -> dict[str, Any]:
    """Return a sentence with what is proposed for it, and why it is offered."""
    is_blind = kind in BLIND
    shown = None if is_blind or entry.sealed else proposal
    return {
        "id": entry.id,
        "revision": entry.revision,
        "source": entry.source,
        "document": entry.document,
        "tokens": entry.tokens,
        "columns": entry.columns,
        "labels": None if is_blind else entry.labels,
        "draft": None if is_blind else entry.draft,
        "status": entry.status,
        "flagged": entry.flagged,
        "comments": entry.comments,
        "who": None if is_blind else entry.who or None,
        "sampled": "sealed" if entry.sealed else sampled,
        "proposal": None if shown is None else shown.to_dict(nbest),
        "why": {
            "kind": kind,
            "margin": shown.margin if shown else None,
            "confidence": shown.least if shown else None,
        },
    }
