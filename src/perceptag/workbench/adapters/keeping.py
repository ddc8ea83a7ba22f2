"""What other tools send, kept in the project: new sentences are added, and sentences that it has get new labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perceptag.labels.schemes import Span
from perceptag.server.texts import cut_at
from perceptag.workbench.adapters.spans import Cut
from perceptag.workbench.bench import Bench
from perceptag.workbench.proposing import as_sentence, proposals_of

Marks = list[tuple[Span, float | None]]


@dataclass(frozen=True, slots=True)
class Kept:
    """A sentence with its labels."""

    tokens: list[str]
    labels: list[str]


def proposals_for(bench: Bench, cuts: Sequence[Cut]) -> list[Marks]:
    """Return what the newest model marks in sentences; nothing if there is no model."""
    model = bench.loop.model
    if model is None:
        return [[] for _ in cuts]
    sentences = [as_sentence(cut.tokens, {}, model.opened.inputs) for cut in cuts]
    model.opened.add_lower(sentences)
    found: list[Marks] = []
    for proposal in proposals_of(model, sentences, 1):
        sure = proposal.confidence or [None] * len(proposal.labels)
        tags: Marks = [
            (Span(t, t + 1, label), c) for t, (label, c) in enumerate(zip(proposal.labels, sure, strict=True))
        ]
        found.append(proposal.spans if bench.project.kind == "spans" else tags)
    return found


def cut_text(bench: Bench, text: str) -> list[Cut]:
    """Return the sentences of a text, found by the tokeniser of the project, or at white space."""
    return [Cut(tokens, places) for tokens, places in cut_at(bench.loop.tokenizer, text) if tokens]
