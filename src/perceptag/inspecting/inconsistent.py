"""Find the same words with different labels.

    spans   words that are a span of one type somewhere, and a span of another type or outside spans elsewhere
    tags    a word between the same two neighbours with different tags

Words inside a longer span say nothing about what they are alone: the China of "Bank of China" does not count. Groups
come first in which the neighbours are the same as well, since then the guidelines, or one of the labels, must be wrong.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from perceptag.inspecting.labelled import LabelledData, labelled
from perceptag.inspecting.regions import written
from perceptag.inspecting.suspects import chosen_recipe, contributions, reason, strongest, trained
from perceptag.labels.schemes import Span
from perceptag.models.explanation import Contribution
from perceptag.models.protocol import ReadyModel
from perceptag.text.sentence import Sentence

EXAMPLES = 5  # for each label
OUTSIDE = "O"
_BORDER = ""  # in place of a neighbour


class Use(NamedTuple):
    """One occurrence of some words: sentence and first token, both from 0, and the words around them."""

    sentence: int
    start: int
    around: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Side:
    """One of the labels that the same words have, with the first occurrences and the features that speak for it."""

    label: str
    count: int
    examples: tuple[Use, ...]
    reasons: tuple[Contribution, ...] = ()


@dataclass(frozen=True, slots=True)
class Inconsistency:
    """Words with different labels; the most frequent label comes first."""

    words: tuple[str, ...]
    sides: tuple[Side, ...]
    same_neighbours: int  # occurrences whose neighbours are also seen with another label

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        return {
            "words": list(self.words),
            "same_neighbours": self.same_neighbours,
            "sides": [
                {
                    "label": side.label,
                    "count": side.count,
                    "examples": [{"sentence": use.sentence, "start": use.start} for use in side.examples],
                    "reasons": [reason(c, c.weight) for c in side.reasons],
                }
                for side in self.sides
            ],
        }


class Inconsistencies(NamedTuple):
    """The first groups of words, and how many there are in all."""

    groups: list[Inconsistency]
    total: int


_Uses = dict[tuple[str, ...], dict[str, list[Use]]]  # words: label: occurrences, by places in the data


def inconsistent(sentences: Sequence[Sentence], column: str, *, limit: int = 100, threads: int = 1) -> Inconsistencies:
    """Return words that have different labels in `column`; at most `limit` groups, or all if that is 0.

    One model is trained on all sentences, to say what speaks for each label.
    """
    data = labelled(sentences, column)
    uses = _uses_of_spans(data) if data.of_spans else _uses_of_tokens(data)
    groups = [_group(words, sides) for words, sides in uses.items() if len(sides) > 1]
    groups.sort(key=lambda group: (-group.same_neighbours, -sum(side.count for side in group.sides[1:]), group.words))
    listed = groups[: limit or None]
    if listed:
        model = trained(chosen_recipe("", data.sentences, column, data.of_spans), data.sentences, threads)
        listed = [_explained(group, model, data) for group in listed]
    return Inconsistencies(listed, len(groups))


# --- occurrences ---


def _uses_of_tokens(data: LabelledData) -> _Uses:
    """Return each word between its neighbours."""
    uses: _Uses = defaultdict(lambda: defaultdict(list))
    for place, sentence in enumerate(data.sentences):
        for t, label in enumerate(sentence.columns[data.column]):
            around = _around(sentence.tokens, t, t + 1)
            uses[around[0], sentence.tokens[t], around[1]][label].append(Use(place, t, around))
    return uses


def _uses_of_spans(data: LabelledData) -> _Uses:
    """Return the words of all spans, wherever they are a span or outside spans."""
    uses: _Uses = defaultdict(lambda: defaultdict(list))
    for place, (sentence, given) in enumerate(zip(data.sentences, data.given, strict=True)):
        for span in given:
            words = tuple(sentence.tokens[span.start : span.end])
            uses[words][span.label].append(Use(place, span.start, _around(sentence.tokens, span.start, span.end)))
    lengths: dict[str, set[int]] = defaultdict(set)  # of spans, by their first word
    for words in uses:
        lengths[words[0]].add(len(words))
    for place, sentence in enumerate(data.sentences):
        for start, end in _outside(sentence.tokens, data.given[place], lengths):
            words = tuple(sentence.tokens[start:end])
            if words in uses:
                uses[words][OUTSIDE].append(Use(place, start, _around(sentence.tokens, start, end)))
    return uses


def _outside(tokens: Sequence[str], given: Sequence[Span], lengths: dict[str, set[int]]) -> Iterator[tuple[int, int]]:
    """Yield where words outside spans could be the words of a span."""
    taken = {t for span in given for t in range(span.start, span.end)}
    for start, word in enumerate(tokens):
        for length in lengths.get(word, ()):
            if start + length <= len(tokens) and taken.isdisjoint(range(start, start + length)):
                yield start, start + length


def _around(tokens: Sequence[str], start: int, end: int) -> tuple[str, str]:
    return tokens[start - 1] if start else _BORDER, tokens[end] if end < len(tokens) else _BORDER


# --- groups ---


def _group(words: tuple[str, ...], found: dict[str, list[Use]]) -> Inconsistency:
    """Make a group of the occurrences of some words; examples with neighbours of another label come first."""
    labels_around = Counter(around for uses in found.values() for around in {use.around for use in uses})
    close = sum(labels_around[use.around] > 1 for uses in found.values() for use in uses)
    sides = [
        Side(label, len(uses), tuple(sorted(uses, key=lambda use: labels_around[use.around] < 2)[:EXAMPLES]))
        for label, uses in sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
    ]
    return Inconsistency(words, tuple(sides), close)


def _explained(group: Inconsistency, model: ReadyModel, data: LabelledData) -> Inconsistency:
    """Add what speaks for each side at its first example; number sentences as in the user's data."""
    length = len(group.words) if data.of_spans else 1
    sides = []
    for side in group.sides:
        reasons = strongest(contributions(model, data, *_given(side, data, length)), 1)
        numbered = tuple(use._replace(sentence=data.numbers[use.sentence]) for use in side.examples)
        sides.append(Side(side.label, side.count, numbered, reasons))
    return Inconsistency(group.words, tuple(sides), group.same_neighbours)


def _given(side: Side, data: LabelledData, length: int) -> tuple[int, list[str | None], int]:
    """Return the place of the first example, the labels of its words there, and its first token."""
    use = side.examples[0]
    labels: list[str | None] = [None] * len(data.sentences[use.sentence])
    words = [Span(0, length, side.label)] if side.label != OUTSIDE or not data.of_spans else []
    labels[use.start : use.start + length] = written(words, length, data.inside)
    return use.sentence, labels, use.start
