"""What other tools send, kept in the project: new sentences are added, and sentences that it has get new labels."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from perceptag.labels.schemes import Span
from perceptag.server.texts import cut_at
from perceptag.workbench.adapters.spans import Cut
from perceptag.workbench.asking import MATCHES
from perceptag.workbench.bench import Bench
from perceptag.workbench.proposing import as_sentence, proposals_of
from perceptag.workbench.transfer import checked_label

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
        sure: list[Any] = [*(proposal.confidence or ())] or [None] * len(proposal.labels)
        tags: Marks = [
            (Span(t, t + 1, label), c) for t, (label, c) in enumerate(zip(proposal.labels, sure, strict=True))
        ]
        found.append(proposal.spans if bench.project.kind == "spans" else tags)
    return found


def cut_text(bench: Bench, text: str) -> list[Cut]:
    """Return the sentences of a text, found by the tokeniser of the project, or at white space."""
    return [Cut(tokens, places) for tokens, places in cut_at(bench.loop.tokenizer, text) if tokens]


def keep(bench: Bench, kept: Sequence[Kept], tool: str, who: str) -> int:
    """Give sentences their labels, and add those that the project has not; return how many have changed."""
    wanted = {tuple(one.tokens): one.labels for one in kept if one.tokens}
    _check(bench, wanted)
    numbers = _numbers(bench, set(wanted))
    new = [tokens for tokens in wanted if tokens not in numbers]
    if new:
        lines = "".join(json.dumps({"tokens": tokens}, ensure_ascii=False) + "\n" for tokens in new)
        name = f"{tool}-{uuid.uuid4().hex[:12]}.jsonl"
        bench.project.import_file(lines.encode(), name=name, format="jsonl", again=True, who=who)
        numbers |= _numbers(bench, set(new))
    changed = 0
    for entry in bench.project.entries(numbers.values()):
        labels = wanted[tuple(entry.tokens)]
        if entry.labels != labels and not entry.sealed:
            key = f"{tool}-{uuid.uuid4()}"
            bench.project.label(entry.id, labels, base=entry.revision, key=key, who=who, source=tool)
            changed += 1
    return changed


def _check(bench: Bench, wanted: dict[tuple[str, ...], list[str]]) -> None:
    """Add labels that are new; what other tools call them is what they are called here."""
    used = {label.removeprefix("B-") for labels in wanted.values() for label in labels if not label.startswith("I-")}
    known = {label.name for label in bench.project.labels()}
    for name in sorted(used - known - {"O"}):
        bench.project.add_label(checked_label(name))


def _numbers(bench: Bench, wanted: set[tuple[str, ...]]) -> dict[tuple[str, ...], int]:
    """Return the numbers of sentences that have these tokens."""
    found: dict[tuple[str, ...], int] = {}
    for tokens in wanted:
        _, places = bench.project.matches(tokens, limit=MATCHES)
        for entry in bench.project.entries(dict.fromkeys(number for number, start in places if start == 0)):
            if tuple(entry.tokens) == tokens:
                found.setdefault(tokens, entry.id)
    return found
