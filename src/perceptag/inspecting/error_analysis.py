"""Analyse the errors of a model by kind, label, word, shape and length.

labels of tokens    each wrong label is an error
labels of spans     spans that only one side has are joined where they overlap; each group is one error:

    missed      a span in the data where the model has none          type       the same words, another type
    invented    a span of the model where the data has none          boundary   the same type, other words
    several     anything else, such as another type and other words
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from perceptag.evaluation import Report
from perceptag.evaluation.scoring import schemes_of
from perceptag.features.attributes import short_shape
from perceptag.inspecting import regions as compared
from perceptag.inspecting.regions import Region, regions, units
from perceptag.inspecting.statistics import LENGTHS, length_name
from perceptag.labels.schemes import Span
from perceptag.text.sentence import Sentence

OUTSIDE = "O"
KINDS = {
    compared.MISSING: "invented",  # the review calls a span missing if the model has it and the data lacks it
    compared.SPURIOUS: "missed",
    compared.WRONG_TYPE: "type",
    compared.WRONG_BORDER: "boundary",
    compared.OTHER: "several",
    compared.WRONG_LABEL: "label",
}
KINDS_OF_SPANS = ("boundary", "type", "missed", "invented", "several")


class Rate(NamedTuple):
    """How many there are of something, and how many of them are wrong."""

    name: str
    number: int
    wrong: int

    @property
    def share(self) -> float:
        """The share that is wrong, in per cent."""
        return 100 * self.wrong / self.number if self.number else 0.0


class Confusion(NamedTuple):
    """How often a label is taken for another one; O stands for "not a span"."""

    right: str
    found: str
    times: int


@dataclass(frozen=True, slots=True)
class Error:
    """Tokens `start` to `end` of a sentence, what is right there, and what the model has found."""

    start: int
    end: int
    kind: str
    right: tuple[Span, ...]
    found: tuple[Span, ...]

    def confusions(self) -> list[tuple[str, str]]:
        """Return pairs of labels, right and found: of each right span with the one that covers most of it, or O."""
        missed = [(span.label, _covering(span, self.found)) for span in self.right]
        invented = [(OUTSIDE, span.label) for span in self.found if _covering(span, self.right) == OUTSIDE]
        return [pair for pair in missed + invented if pair[0] != pair[1]]


@dataclass(frozen=True, slots=True)
class WrongSentence:
    """A sentence with errors; `right` has the spans that the model has found, too (of spans only)."""

    number: int
    errors: list[Error]
    right: list[Span] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ErrorAnalysis:
    """Everything that was found. Rates are of gold spans, or of tokens if labels do not mark spans."""

    report: Report
    of_spans: bool
    kinds: dict[str, dict[str, int]]  # of spans: for each type how many errors of each kind
    confusions: list[Confusion]
    by_label: list[Rate]
    by_known: list[Rate]
    by_shape: list[Rate]
    by_length: list[Rate]  # of spans
    by_word: list[Rate]
    sentences: list[WrongSentence]

    @property
    def errors(self) -> int:
        """How many errors there are."""
        return sum(len(sentence.errors) for sentence in self.sentences)

    @property
    def unit(self) -> str:
        """The unit that rates count: spans or tokens."""
        return "spans" if self.of_spans else "tokens"

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        rates = ("by_label", "by_known", "by_shape", "by_length", "by_word")
        listed = {name: [rate._asdict() for rate in getattr(self, name)] for name in rates}
        return {
            "score": self.report.to_dict(),
            "unit": self.unit,
            "errors": self.errors,
            "kinds": self.kinds,
            "confusions": [confusion._asdict() for confusion in self.confusions],
            **listed,
            "sentences": [asdict(sentence) for sentence in self.sentences],
        }


def analyse(
    sentences: Sequence[Sentence],
    gold: Sequence[Sequence[str]],
    predicted: Sequence[Sequence[str]],
    report: Report,
    known: Container[str] | None = None,
) -> ErrorAnalysis:
    """Find the errors of predicted labels. `known` are the words of the training data; `report` has the scores."""
    schemes, _ = schemes_of(gold, predicted, "auto")
    of_spans = schemes[0] != "none"
    sides = [(units(g, schemes[0]), units(p, schemes[1])) for g, p in zip(gold, predicted, strict=True)]
    wrong = [_wrong(number, *side, of_spans) for number, side in enumerate(sides)]
    uses = [use for sentence, side in zip(sentences, sides, strict=True) for use in _uses(sentence.tokens, *side)]
    lengths = _rates(uses, lambda use: length_name(len(use.words))) if of_spans else []
    return ErrorAnalysis(
        report=report,
        of_spans=of_spans,
        kinds=_kinds(wrong) if of_spans else {},
        confusions=_confusions(wrong),
        by_label=_rates(uses, lambda use: use.span.label),
        by_known=[] if known is None else _rates(uses, lambda use: _knows(use.words, known, of_spans)),
        by_shape=_rates(uses, lambda use: " ".join(map(short_shape, use.words))),
        by_length=sorted(lengths, key=lambda rate: LENGTHS.index(rate.name)),
        by_word=[rate for rate in _rates(uses, lambda use: " ".join(use.words)) if rate.wrong],
        sentences=[sentence for sentence in wrong if sentence.errors],
    )


class _Use(NamedTuple):
    words: tuple[str, ...]
    span: Span
    is_right: bool


def _uses(tokens: Sequence[str], right: Sequence[Span], found: Sequence[Span]) -> list[_Use]:
    same = {*found}
    return [_Use(tuple(tokens[span.start : span.end]), span, span in same) for span in right]


def _wrong(number: int, right: Sequence[Span], found: Sequence[Span], of_spans: bool) -> WrongSentence:
    if of_spans:
        places: Iterable[Region] = regions(right, found)
    else:
        pairs = zip(right, found, strict=True)
        places = (Region(g.start, g.end, (g,), (p,)) for g, p in pairs if g != p)
    errors = [Error(r.start, r.end, KINDS[r.kind(of_spans)], r.given, r.suggested) for r in places]
    return WrongSentence(number, errors, sorted({*right} & {*found}) if of_spans else [])


def _kinds(sentences: Iterable[WrongSentence]) -> dict[str, dict[str, int]]:
    """Count the errors of each type; that of the data, or that of the model if the data has no span there."""
    counts: Counter[tuple[str, str]] = Counter()
    for sentence in sentences:
        for error in sentence.errors:
            counts[(error.right or error.found)[0].label, error.kind] += 1
    types = Counter[str]()
    for (kind, _), times in counts.items():
        types[kind] += times
    order = sorted(types, key=lambda kind: (-types[kind], kind))
    return {kind: {error: counts[kind, error] for error in KINDS_OF_SPANS} for kind in order}


def _confusions(sentences: Iterable[WrongSentence]) -> list[Confusion]:
    """Count pairs of labels; the most frequent come first."""
    counts = Counter(pair for sentence in sentences for error in sentence.errors for pair in error.confusions())
    different = [Confusion(*pair, times) for pair, times in counts.items()]
    return sorted(different, key=lambda confusion: (-confusion.times, confusion))


def _covering(span: Span, others: Sequence[Span]) -> str:
    """Return the label of the span that has most tokens in common with this one, or O. The others are in order."""
    first = bisect_right(others, span.start, key=lambda other: other.end)
    near = others[first : first + span.end - span.start]  # no more can touch it, since they have no token in common
    touching = (other for other in near if other.start < span.end)
    best = max(touching, key=lambda other: min(span.end, other.end) - max(span.start, other.start), default=None)
    return best.label if best else OUTSIDE


def _rates(uses: Iterable[_Use], name: Callable[[_Use], str]) -> list[Rate]:
    """Count by name; those with the most errors come first."""
    numbers: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for use in uses:
        key = name(use)
        numbers[key] += 1
        wrong[key] += not use.is_right
    rates = [Rate(key, number, wrong[key]) for key, number in numbers.items()]
    return sorted(rates, key=lambda rate: (-rate.wrong, -rate.number, rate.name))


def _knows(words: Iterable[str], known: Container[str], of_spans: bool) -> str:
    is_known = all(word in known for word in words)
    if of_spans:
        return "all words seen in training" if is_known else "a word not seen in training"
    return "seen in training" if is_known else "not seen in training"
