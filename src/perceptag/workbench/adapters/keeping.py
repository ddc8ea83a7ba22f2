"""What other tools send, kept in the project: new sentences are added, and sentences that it has get new labels.

Labels that people gave here stay, and sealed sentences are left alone: neither is for another tool to change.
"""

from __future__ import annotations

import json
import uuid
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from perceptag.labels.schemes import Span, spans_to_labels
from perceptag.project.records import NEW, Entry
from perceptag.server.access import Person
from perceptag.server.log_lines import log
from perceptag.server.problems import HttpProblem
from perceptag.server.request_body import cut_at
from perceptag.workbench.adapters.xmi import Annotation
from perceptag.workbench.bench import Bench
from perceptag.workbench.proposing import as_sentence, proposals_of
from perceptag.workbench.transfer_routes import checked_label

Marks = list[tuple[Span, float | None]]
Tokens = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToolLabels:
    """A sentence with its labels."""

    tokens: list[str]
    labels: list[str]


@dataclass(slots=True)
class Told:
    """How many sentences have got labels, how many have those of people and kept them, and how many are sealed."""

    learned: int = 0
    others: int = 0
    sealed: int = 0

    def to_dict(self) -> dict[str, int]:
        """Return it as JSON has it; what did not happen is not named."""
        left = {"kept_labels_of_people": self.others, "sealed": self.sealed}
        return {"learned": self.learned, **{name: number for name, number in left.items() if number}}


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


async def keep(bench: Bench, kept: Sequence[ToolLabels], tool: str, person: Person) -> Told:
    """Give sentences their labels, and add those that the project has not."""
    wanted = {tuple(one.tokens): one.labels for one in kept if one.tokens}
    keeping = LabelTransfer(bench, wanted, tool, person)
    await bench.read(keeping.look)
    told = await bench.write(keeping.write)
    if told.others or told.sealed:
        log(event="adapter", tool=tool, **told.to_dict())
    return told


class LabelTransfer:
    """Labels of a tool on their way into the project."""

    def __init__(self, bench: Bench, wanted: dict[Tokens, list[str]], tool: str, person: Person) -> None:
        self.bench, self.wanted, self.tool, self.person = bench, wanted, tool, person
        self._numbers: dict[Tokens, list[int]] = {}
        self._looked_upto = 0
        self._has_added = False

    def look(self) -> None:
        """Find the sentences that the project has; those that others add meanwhile are found by the next look."""
        last, _ = self.bench.project.find(limit=0)
        for tokens, numbers in self.bench.project.with_tokens(self.wanted, self._looked_upto).items():
            known = self._numbers.setdefault(tokens, [])
            known += [number for number in numbers if number not in known]
        self._looked_upto = last

    def write(self) -> Told:
        """Add what is new; the learner is told even if the client is gone."""
        self.look()
        told = Told()
        try:
            self._add_new()
            entries = {e.id: e for e in self.bench.project.entries(n for some in self._numbers.values() for n in some)}
            for tokens, numbers in self._numbers.items():
                self._label([entries[number] for number in numbers], self.wanted[tokens], told)
        finally:
            if self._has_added:
                self.bench.loop.imported()
            elif told.learned:
                self.bench.loop.changed()
        return told

    def _add_new(self) -> None:
        """Add sentences and labels that are new; what other tools call a label is what it is called here."""
        new = [tokens for tokens in self.wanted if tokens not in self._numbers]
        names = self._new_names()
        if (new or names) and not self.person.may("admin"):
            found = f"{len(new)} new sentences and {len(names)} new labels"
            raise HttpProblem(
                403, f"role: expected admin, who may add sentences and labels, found {self.person.role}, and {found}"
            )
        for name in names:
            self.bench.project.add_label(name, who=self.person.name)
        if new:
            lines = "".join(json.dumps({"tokens": tokens}, ensure_ascii=False) + "\n" for tokens in new)
            name = f"{self.tool}-{uuid.uuid4().hex[:12]}.jsonl"
            self.bench.project.import_file(
                lines.encode(), name=name, format="jsonl", again=True, sampled=False, who=self.person.name
            )
            self._has_added = True
            self.look()

    def _new_names(self) -> list[str]:
        labels = {label for labels in self.wanted.values() for label in labels if not label.startswith("I-")}
        known = {label.name for label in self.bench.project.labels()}
        return [checked_label(name) for name in sorted({y.removeprefix("B-") for y in labels} - known - {"O"})]

    def _label(self, copies: Sequence[Entry], labels: list[str], told: Told) -> None:
        """Label the first of the sentences that have the same tokens, if it may be labelled."""
        entry = copies[0]
        if any(one.sealed for one in copies):
            told.sealed += 1
        elif entry.labels == labels:
            return
        elif not self._is_free(entry):
            told.others += 1
        else:
            key = f"{self.tool}-{uuid.uuid4()}"
            self.bench.project.label(
                entry.id, labels, base=entry.revision, key=key, who=self.person.name, source=self.tool
            )
            told.learned += 1

    def _is_free(self, entry: Entry) -> bool:
        """Return whether only this tool has labelled a sentence."""
        if entry.status == NEW:
            return True
        (last,) = self.bench.project.history(entry.id, before=entry.revision + 1, limit=1)
        return last.source == self.tool


Offsets = Sequence[tuple[int, int]]  # of tokens in a text


@dataclass(frozen=True, slots=True)
class Cut:
    """A sentence of a text."""

    tokens: list[str]
    offsets: list[tuple[int, int]]


def labels_of(cut: Cut, marked: Sequence[Annotation], kind: str) -> list[str] | None:
    """Return the labels of a sentence whose spans fit its tokens; None if one of them does not, or they overlap."""
    begins = {begin: t for t, (begin, _) in enumerate(cut.offsets)}
    ends = {end: t + 1 for t, (_, end) in enumerate(cut.offsets)}
    found: list[Span] = []
    for one in sorted(marked, key=lambda a: a.begin):
        start, end = begins.get(one.begin), ends.get(one.end)
        if start is None or end is None or start >= end or (found and found[-1].end > start) or not one.label:
            return None
        found.append(Span(start, end, one.label))
    if kind == "spans":
        return spans_to_labels(found, len(cut.tokens), "IOB2")
    tags = {s.start: s.label for s in found}
    return [tags[t] for t in range(len(cut.tokens))] if len(tags) == len(found) == len(cut.tokens) else None


def marks_of(cut: Cut, spans: Sequence[tuple[Span, float | None]]) -> Iterator[Annotation]:
    """Yield spans of tokens as spans of characters."""
    for span, confidence in spans:
        yield Annotation(cut.offsets[span.start][0], cut.offsets[span.end - 1][1], span.label, confidence)


class AnnotationIndex:
    """The annotations of a text, to be looked up by sentence."""

    def __init__(self, annotations: Iterable[Annotation]) -> None:
        self._sorted = sorted(annotations, key=lambda a: a.begin)
        self._begins = [a.begin for a in self._sorted]
        self._farthest = list(accumulate(self._sorted, _farther))

    def inside(self, cut: Cut) -> list[Annotation]:
        """Return the annotations that begin in a sentence, and one that reaches into it from before, if there is one.

        One is enough: the sentence does not fit it, however many others there are.
        """
        if not cut.offsets:
            return []
        begin, end = cut.offsets[0][0], cut.offsets[-1][1]
        first, last = bisect_left(self._begins, begin), bisect_left(self._begins, end)
        return [a for a in (*self._farthest[max(0, first - 1) : first], *self._sorted[first:last]) if a.end > begin]


def _farther(one: Annotation, other: Annotation) -> Annotation:
    return one if one.end >= other.end else other
