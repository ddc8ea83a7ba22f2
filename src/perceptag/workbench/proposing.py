"""What the newest model proposes for a sentence: labels, how sure it is, and the next best labellings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from perceptag.errors import NotOfferedError
from perceptag.labels.schemes import Span, convert, keep_types, spans
from perceptag.models.confident import with_confidence
from perceptag.models.margins import LIMIT, Margins
from perceptag.pipeline.pipeline import Pipeline
from perceptag.project.records import Entry
from perceptag.server.tagging import lists_of
from perceptag.text.sentence import Sentence
from perceptag.workbench.learning.messages import MISSING

BEST = 10  # labellings that are listed
MUCH = 400  # tokens of a sentence from which on only the best labelling is listed


@dataclass(frozen=True, slots=True)
class InUse:
    """The model that proposes."""

    version: int  # 0: a model that the project began with
    digest: str
    opened: Pipeline
    calibrated: bool
    types: frozenset[str] | None = None  # of spans that it may propose; None: all

    def written(self, labels: Sequence[str]) -> list[str]:
        """Return labels as the project has them."""
        found = in_iob2(labels, self.opened.top.scheme)
        return found if self.types is None or self.opened.top.scheme == "none" else keep_types(found, self.types)

    def may(self, label: str) -> bool:
        """Return whether it may propose spans of a type."""
        return self.types is None or label in self.types


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a model says of one sentence."""

    labels: list[str]
    spans: list[tuple[Span, float | None]]
    confidence: list[float] | None  # of each token
    margin: float | None  # of the weakest token
    nbest: list[dict[str, Any]]
    version: int
    rules: Mapping[tuple[int, int, str], str] = field(default_factory=dict)  # names of rules that say a span

    @property
    def least(self) -> float | None:
        """The confidence of the weakest token."""
        return min(self.confidence, default=None) if self.confidence else None

    def to_dict(self, nbest: bool = True) -> dict[str, Any]:
        """Return it as JSON has it."""
        found: dict[str, Any] = {
            "labels": self.labels,
            "spans": [self._span(span, confidence) for span, confidence in self.spans],
            "confidence": self.confidence,
            "version": self.version,
        }
        return found | ({"nbest": self.nbest} if nbest else {})

    def _span(self, span: Span, confidence: float | None) -> dict[str, Any]:
        found = {"start": span.start, "end": span.end, "label": span.label, "confidence": confidence}
        rule = self.rules.get((span.start, span.end, span.label))
        return found if rule is None else found | {"rule": rule}


def propose(model: InUse, entries: Sequence[Entry], nbest: int = BEST) -> list[Proposal]:
    """Return what a model says of sentences. Labels of a draft are kept, and the rest is the best that agrees."""
    sentences = [as_sentence(entry.tokens, entry.columns, model.opened.inputs) for entry in entries]
    model.opened.add_lower(sentences)
    found: list[Proposal | None] = [None] * len(entries)
    drafts = [i for i, entry in enumerate(entries) if entry.draft is not None]
    for i, proposal in zip(drafts, _given(model, [sentences[i] for i in drafts], entries, drafts), strict=True):
        found[i] = proposal
    free = [i for i in range(len(entries)) if found[i] is None]
    for i, proposal in zip(free, proposals_of(model, [sentences[i] for i in free], nbest), strict=True):
        found[i] = proposal
    return [proposal for proposal in found if proposal is not None]


def as_sentence(tokens: list[str], further: Mapping[str, list[str]], needed: Sequence[str]) -> Sentence:
    """Return a sentence as a model reads it: by itself."""
    columns = {"form": tokens, **further}
    columns |= {name: [MISSING] * len(tokens) for name in needed if name not in columns}
    return Sentence(columns, starts_document=True)


def proposals_of(model: InUse, sentences: Sequence[Sentence], nbest: int) -> list[Proposal]:
    """Return what a model says of sentences that have all columns."""
    layer = model.opened.top
    margins = layer.ready.margins(sentences)
    lists = _lists(model, sentences, nbest)
    known = layer.calibration()
    sure = list(with_confidence(known, margins)) if known is not None else [None] * len(margins)
    found = []
    for m, c, best in zip(margins, sure, lists, strict=True):
        labels = model.written(m.labels)
        sure_of: list[tuple[Span, float | None]] = list(c.spans) if c is not None else [(s, None) for s, _ in m.spans]
        marked = [(span, confidence) for span, confidence in sure_of if model.may(span.label)]
        confidence = c.tokens if c is not None else None
        listed = best or [{"labels": labels, "score": None}]
        found.append(Proposal(labels, marked, confidence, weakest(m), listed, model.version))
    return found


def _given(model: InUse, sentences: Sequence[Sentence], entries: Sequence[Entry], chosen: Sequence[int]) -> Any:
    layer = model.opened.top
    marks = [entries[i].draft or [] for i in chosen]
    try:
        tagged = layer.ready.tag_given(sentences, marks) if sentences else []
    except (NotOfferedError, ValueError):  # a label that the model has not seen yet
        tagged = layer.ready.tag(sentences)
    found = []
    for draft, labels in zip(marks, tagged, strict=True):
        whole = with_draft(model.written(labels), draft, layer.scheme)
        marked: list[tuple[Span, float | None]] = []
        if layer.scheme != "none":
            marked += [(span, None) for span in spans(whole, "IOB2")]
        found.append(Proposal(whole, marked, None, None, [{"labels": whole, "score": None}], model.version))
    return found


def with_draft(labels: Sequence[str], draft: Sequence[str | None], scheme: str) -> list[str]:
    """Return labels in which those of a draft are kept; what is left of a span that they cut begins a span."""
    found = [label if given is None else given for label, given in zip(labels, draft, strict=True)]
    if scheme == "none":
        return found
    for t, label in enumerate(found):
        before = found[t - 1] if t else "O"
        if label.startswith("I-") and before[2:] != label[2:]:
            found[t] = f"B-{label[2:]}"
    return found


def _lists(model: InUse, sentences: Sequence[Sentence], nbest: int) -> list[list[dict[str, Any]]]:
    layer = model.opened.top
    found: list[list[dict[str, Any]]] = [[] for _ in sentences]
    short = [i for i, sentence in enumerate(sentences) if 0 < len(sentence) <= MUCH]
    if nbest < 2 or not short or "nbest" not in layer.ready.offers:
        return found
    lists = lists_of(layer.ready, [sentences[i] for i in short], nbest)
    for i, best in zip(short, lists, strict=True):
        found[i] = _different([{"labels": model.written(one["labels"]), "score": one["score"]} for one in best])
    return found


def _different(best: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return labellings without those that look like one before them, since a type is not shown."""
    seen: set[tuple[str, ...]] = set()
    return [one for one in best if not (tuple(one["labels"]) in seen or seen.add(tuple(one["labels"])))]  # type: ignore[func-returns-value]


def in_iob2(labels: Sequence[str], scheme: str) -> list[str]:
    """Return labels as projects have them."""
    return list(labels) if scheme in ("none", "IOB2") else convert(labels, "IOB2", scheme)


def weakest(margins: Margins) -> float | None:
    """Return the margin of the weakest token; None if there is no rival."""
    found = min(margins.tokens, default=LIMIT)
    return found if found < LIMIT else None
