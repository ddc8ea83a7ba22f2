"""Statistics of labelled data: sizes, labels, spans, ambiguous words, unknown words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from perceptag.labels.label_set import labels_of
from perceptag.labels.schemes import detect_scheme, spans, type_name
from perceptag.text.sentence import Sentence

LONG = 5  # tokens: longer spans are counted together


@dataclass(frozen=True, slots=True)
class SpansOfType:
    """How many spans of a type there are, and how long they are."""

    count: int
    tokens: int
    longest: int
    lengths: dict[str, int]  # "1", "2" … "5+"

    @property
    def mean(self) -> float:
        """The mean length in tokens."""
        return self.tokens / self.count


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """Words that have several labels."""

    words: int
    tokens: int
    usual: int  # tokens that have the most frequent label of their word
    examples: list[tuple[str, dict[str, int]]]  # the words with the most tokens of other labels


@dataclass(frozen=True, slots=True)
class Unknown:
    """The words and tokens that do not occur in other data."""

    words: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """The figures of some sentences. Types of spans and ambiguity are left out without labels."""

    name: str
    documents: int
    sentences: int
    tokens: int
    words: int  # different ones
    longest: int  # sentence
    scheme: str = "none"
    labels: dict[str, int] = field(default_factory=dict)  # the most frequent first
    spans: dict[str, SpansOfType] = field(default_factory=dict)
    ambiguity: Ambiguity | None = None
    unknown: Unknown | None = None

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        found = asdict(self)
        if self.ambiguity:
            examples = [{"word": word, "labels": labels} for word, labels in self.ambiguity.examples]
            found["ambiguity"] |= {"examples": examples}
        return found


def statistics(
    sentences: Sequence[Sentence],
    column: str = "",
    *,
    name: str = "",
    known: set[str] | None = None,
    examples: int = 10,
) -> Statistics:
    """Count what is in some sentences. `column` has the labels, if there are any; `known` are words of other data."""
    words = Counter(word for sentence in sentences for word in sentence.tokens)
    given = [labels_of(sentence, column) for sentence in sentences] if column else []
    scheme = detect_scheme(given) if given else "none"
    return Statistics(
        name=name,
        documents=sum(sentence.starts_document for sentence in sentences),
        sentences=len(sentences),
        tokens=sum(words.values()),
        words=len(words),
        longest=max(map(len, sentences), default=0),
        scheme=scheme,
        labels=dict(_by_count(Counter(label for labels in given for label in labels))),
        spans=_spans(given, scheme) if scheme != "none" else {},
        ambiguity=_ambiguity(sentences, given, examples) if column else None,
        unknown=None if known is None else _unknown(words, known),
    )


def words_of(sentences: Sequence[Sentence]) -> set[str]:
    """Return the different words of some sentences."""
    return {word for sentence in sentences for word in sentence.tokens}


def _by_count(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _spans(given: Sequence[Sequence[str]], scheme: str) -> dict[str, SpansOfType]:
    lengths: dict[str, list[int]] = defaultdict(list)
    for labels in given:
        for span in spans(labels, scheme):
            lengths[type_name(span.label)].append(span.end - span.start)
    order = sorted(lengths, key=lambda kind: (-len(lengths[kind]), kind))
    return {kind: _of_type(lengths[kind]) for kind in order}


def _of_type(lengths: Sequence[int]) -> SpansOfType:
    counts = Counter(length_name(length) for length in lengths)
    named = {name: counts[name] for name in LENGTHS}
    return SpansOfType(len(lengths), sum(lengths), max(lengths), named)


LENGTHS = [*map(str, range(1, LONG)), f"{LONG}+"]


def length_name(length: int) -> str:
    """Return the name of a length; all long ones have the same.

    >>> length_name(2), length_name(7)
    ('2', '5+')
    """
    return LENGTHS[min(length, LONG) - 1]


def _ambiguity(sentences: Sequence[Sentence], given: Sequence[Sequence[str]], examples: int) -> Ambiguity:
    uses: dict[str, Counter[str]] = defaultdict(Counter)
    for sentence, labels in zip(sentences, given, strict=True):
        for word, label in zip(sentence.tokens, labels, strict=True):
            uses[word][label] += 1
    several = {word: labels for word, labels in uses.items() if len(labels) > 1}
    others = {word: sum(labels.values()) - max(labels.values()) for word, labels in several.items()}
    first = sorted(several, key=lambda word: (-others[word], word))[:examples]
    return Ambiguity(
        words=len(several),
        tokens=sum(sum(labels.values()) for labels in several.values()),
        usual=sum(max(labels.values()) for labels in uses.values()),
        examples=[(word, dict(_by_count(several[word]))) for word in first],
    )


def _unknown(words: Counter[str], known: set[str]) -> Unknown:
    new = [word for word in words if word not in known]
    return Unknown(len(new), sum(words[word] for word in new))
