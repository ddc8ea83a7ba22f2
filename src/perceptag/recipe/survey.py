"""A first look at training data: its size, its labels and its other columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain

from perceptag.labels.label_set import labels_of
from perceptag.labels.schemes import Transitions, count_transitions, keep_types, scheme_of, split_label
from perceptag.text.sentence import Sentence

MOST_TAGS = 200  # a column with more different values is not a set of tags
TAGS, CHUNKS, OPEN, AFTER = "tags", "chunks", "open", "after the labels"  # kinds of columns


@dataclass(frozen=True, slots=True)
class Survey:
    """The facts about training data that decide which recipe is chosen."""

    sentences: int
    tokens: int
    words: int  # different ones
    labels: int  # different ones
    scheme: str  # of the labels; "none": they do not mark spans
    types: tuple[str, ...] = ()  # of spans
    outside: float = 0.0  # share of the tokens outside spans
    documents: int = 0  # marked ones
    columns: dict[str, str] = field(default_factory=dict)  # the kind of each column except words and labels


def survey(sentences: Sequence[Sentence], label: str, keep: Sequence[str] = ()) -> Survey:
    """Survey training data. `label` is the column of the labels; of spans only the types in `keep` count.

    >>> survey([Sentence({"form": ["in", "Rome"], "ner": ["O", "B-LOC"]})], "ner").types
    ('LOC',)
    """
    return count(sentences, label).survey(label, keep)


@dataclass(slots=True)
class SurveyCounts:
    """What a survey is made of. The counts of the parts of the data add up to those of all of it."""

    sentences: int = 0
    documents: int = 0
    labels: Counter[str] = field(default_factory=Counter)
    transitions: Transitions = field(default_factory=Counter)
    words: set[str] = field(default_factory=set)
    names: tuple[str, ...] = ()  # of the columns of the first sentence
    values: dict[str, set[str]] = field(default_factory=dict)  # of each column; of many, some

    def add(self, other: SurveyCounts) -> None:
        """Add the counts of the next part."""
        self.sentences += other.sentences
        self.documents += other.documents
        self.labels.update(other.labels)
        self.transitions.update(other.transitions)
        self.words |= other.words
        self.names = self.names or other.names
        for column in self.names:
            known = self.values.get(column, set())
            self.values[column] = known if len(known) > MOST_TAGS else known | other.values.get(column, set())

    def survey(self, label: str, keep: Sequence[str] = ()) -> Survey:
        """The survey of what has been counted."""
        scheme = scheme_of(self.transitions)
        labels = self.labels
        if scheme != "none" and keep:
            labels = Counter()
            for y, n in self.labels.items():
                labels[keep_types([y], keep)[0]] += n
        tokens = sum(labels.values())
        return Survey(
            sentences=self.sentences,
            tokens=tokens,
            words=len(self.words),
            labels=len(labels),
            scheme=scheme,
            types=() if scheme == "none" else tuple(sorted({split_label(y)[1] for y in labels if y != "O"})),
            outside=labels["O"] / tokens if tokens else 0.0,
            documents=self.documents,
            columns=self._kinds(label),
        )

    def _kinds(self, label: str) -> dict[str, str]:
        """The kinds of the other columns. Columns after the labels are usually derived from the labels."""
        before = frozenset(self.names[: self.names.index(label)] if label in self.names else [])
        kinds = {c: _kind(self.values[c], len(self.words)) if c in before else AFTER for c in self.names}
        return {c: kind for c, kind in kinds.items() if c not in ("form", label)}


def count(sentences: Sequence[Sentence], label: str) -> SurveyCounts:
    """Count what a survey needs in some sentences."""
    filled = [s for s in sentences if len(s)]
    given = [labels_of(s, label) for s in filled]
    names = tuple(filled[0].columns) if filled else ()
    return SurveyCounts(
        sentences=len(filled),
        documents=sum(s.starts_document for s in filled),
        labels=Counter(chain.from_iterable(given)),
        transitions=count_transitions(given),
        words=set().union(*(s.tokens for s in filled)),
        names=names,
        values={c: _values(filled, c) for c in names},
    )


def _values(sentences: Iterable[Sentence], column: str) -> set[str]:
    """The values of a column; only some of them if they are too many to be tags."""
    found: set[str] = set()
    for s in sentences:
        found.update(s.columns.get(column, ()))
        if len(found) > MOST_TAGS:
            break
    return found


def _kind(values: set[str], words: int) -> str:
    """Return the kind of a column: tags are few, and much fewer than words; chunks look like B-NP; the rest is open."""
    if len(values) > MOST_TAGS or len(values) > max(2, words / 2):
        return OPEN
    tagged = [v for v in values if v != "O"]
    chunks = tagged and all(split_label(v)[0] in ("B", "I", "E", "S") and split_label(v)[1] for v in tagged)
    return CHUNKS if chunks else TAGS
