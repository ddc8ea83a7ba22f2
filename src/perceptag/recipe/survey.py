"""A first look at training data: its size, its labels and its other columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from perceptag.labels.label_set import labels_of
from perceptag.labels.schemes import count_transitions, keep_types, scheme_of, split_label
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
    filled = [s for s in sentences if len(s)]
    given = [labels_of(s, label) for s in filled]
    transitions = count_transitions(given)
    scheme = scheme_of(transitions)
    if scheme != "none" and keep:
        given = [keep_types(labels, keep) for labels in given]
    tokens = sum(map(len, filled))
    different = set().union(*given)
    outside = sum(labels.count("O") for labels in given)
    words = set().union(*(s.tokens for s in filled))
    return Survey(
        sentences=len(filled),
        tokens=tokens,
        words=len(words),
        labels=len(different),
        scheme=scheme,
        types=() if scheme == "none" else tuple(sorted({split_label(y)[1] for y in different if y != "O"})),
        outside=outside / tokens if tokens else 0.0,
        documents=sum(s.starts_document for s in filled),
        columns=_columns(filled, label, len(words)),
    )


def _columns(sentences: Sequence[Sentence], label: str, words: int) -> dict[str, str]:
    """Return the kinds of the other columns. Columns after the labels are usually derived from the labels."""
    names = list(sentences[0].columns) if sentences else []
    before = frozenset(names[: names.index(label)] if label in names else [])
    kinds = {c: _kind(_values(sentences, c), words) if c in before else AFTER for c in names}
    return {c: kind for c, kind in kinds.items() if c not in ("form", label)}


def _values(sentences: Iterable[Sentence], column: str) -> set[str]:
    return set().union(*(s.columns.get(column, ()) for s in sentences))


def _kind(values: set[str], words: int) -> str:
    """Return the kind of a column: tags are few, and much fewer than words; chunks look like B-NP; the rest is open."""
    if len(values) > MOST_TAGS or len(values) > max(2, words / 2):
        return OPEN
    tagged = [v for v in values if v != "O"]
    chunks = tagged and all(split_label(v)[0] in ("B", "I", "E", "S") and split_label(v)[1] for v in tagged)
    return CHUNKS if chunks else TAGS
