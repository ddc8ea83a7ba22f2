"""Semi-Markov models: the search for the best segmentation of a sequence, as plainly as possible.

Sarawagi and Cohen (2004), "Semi-Markov Conditional Random Fields for Information Extraction", NIPS 17, equation 4.
A segmentation divides a sequence into labelled segments, without gaps. Scores look at a whole segment (its length, its
words together, the words on both sides) and at the label before it:

    score(y) = sum over segments (s, e, y) of  segment(s, e, y) + edge[label before][y]

A label says how long its segments may be. Words outside of names are segments of length 1.

A linear model over IOBES labels is a special case: `from_lattice` makes two labels of each class, one for segments of
one word (S) and one for longer ones (B, I … I, E), and sums the scores of their words and of the transitions inside.

Among segmentations with equal scores the first in `tie_order` is the best: segments are compared from the last to the
first, the lower label comes first, then the shorter segment.

Models with features of whole spans (`spans.longest`) search over the same scores: `from_spans`. Their kernel,
cpp/src/search/length_states.cpp, gets there by another way, labels that know the length of their span.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from reference.lattice import EdgeTable, Lattice


class Segment(NamedTuple):
    """Words start … end - 1, and the number of their label."""

    start: int
    end: int
    label: int


Segmentation = tuple[Segment, ...]


@dataclass(frozen=True)
class SegmentScores:
    """The scores of all segments of a sequence of T words."""

    T: int
    lengths: Sequence[range]  # of the segments of each label, in increasing order, from 1 at least
    segment: Callable[[Segment], float]
    edge: EdgeTable  # [L+1][L]; row L is that of the start of the sequence

    @property
    def L(self) -> int:
        return len(self.lengths)


def enumerate_segmentations(scores: SegmentScores, start: int = 0) -> Iterator[Segmentation]:
    """Yield every segmentation of the words from `start` on, in no useful order."""
    if start == scores.T:
        yield ()
        return
    for label, lengths in enumerate(scores.lengths):
        for end in (start + length for length in lengths if start + length <= scores.T):
            for rest in enumerate_segmentations(scores, end):
                yield (Segment(start, end, label), *rest)


def segmentation_score(scores: SegmentScores, segments: Segmentation) -> float:
    """Return the score of a segmentation, summed from left to right."""
    total, before = 0.0, scores.L
    for segment in segments:
        total += scores.edge[before][segment.label] + scores.segment(segment)
        before = segment.label
    return total


def tie_order(segments: Segmentation) -> list[tuple[int, int]]:
    """Return the key that orders segmentations with equal scores."""
    return [(label, end - start) for start, end, label in reversed(segments)]


def best_segmentation(scores: SegmentScores) -> tuple[Segmentation, float] | None:
    """Return the best segmentation and its score, or None if no segmentation is possible.

    The search takes O(T · longest · L + T · L²) steps: the best label before a segment depends only on the label and
    the start of the segment, so it is found once for each of them, not again for each length.
    """
    T, L = scores.T, scores.L
    best = [[-inf] * L for _ in range(T + 1)]  # [end][label of the last segment]
    entry = [[(-inf, -1)] * L for _ in range(T)]  # [start][label]: the best score before it with the edge, label before
    back: list[list[int]] = [[0] * L for _ in range(T + 1)]  # where the last segment starts
    for t in range(T):
        for y in range(L):
            before = [(best[t][u] + scores.edge[u][y], u) for u in range(L)] if t else [(scores.edge[L][y], L)]
            entry[t][y] = max(before, key=lambda pair: pair[0])  # the first, that is the lowest label, of equal ones
        end = t + 1
        for y, lengths in enumerate(scores.lengths):
            for start in (end - length for length in lengths if length <= end):  # the shortest first
                value = entry[start][y][0] + scores.segment(Segment(start, end, y))
                if value > best[end][y]:
                    best[end][y], back[end][y] = value, start
    if not T:
        return (), 0.0
    label = max(range(L), key=lambda y: best[T][y])
    return (_follow(back, entry, T, label), best[T][label]) if best[T][label] > -inf else None


def _follow(
    back: Sequence[Sequence[int]], entry: Sequence[Sequence[tuple[float, int]]], end: int, label: int
) -> Segmentation:
    found: list[Segment] = []
    while end:
        start = back[end][label]
        found.append(Segment(start, end, label))
        end, label = start, entry[start][label][1]
    return tuple(reversed(found))


class Letters(NamedTuple):
    """The labels of one class in IOBES."""

    B: int
    I: int  # noqa: E741 - the letter of the scheme
    E: int
    S: int


def _borders(classes: Sequence[Letters], outside: int) -> list[tuple[int, int, int]]:
    """Return for each label of segments the labels of its last and its first word, and its class."""
    found = [(outside, outside, -1)]
    for k, own in enumerate(classes):
        found += [(own.S, own.S, k), (own.E, own.B, k)]
    return sorted(found)


SpanScore = Callable[[int, int, int], float]  # of the words start … end - 1 as a span of class k


def from_lattice(
    lattice: Lattice, classes: Sequence[Letters], outside: int, longest: int, span: SpanScore | None = None
) -> SegmentScores:
    """Return the scores of a lattice of first order over IOBES labels, for names of at most `longest` words.

    Segments have two labels for each class, for one word and for more; the labels of segments are in the order of the
    labels of their last words. `span`: what a segment of a class gets besides the scores of its words.
    """
    borders = _borders(classes, outside)
    assert lattice.edge is not None
    edge = lattice.edge[0]

    def words(segment: Segment) -> list[int]:
        last, first, k = borders[segment.label]
        length = segment.end - segment.start
        return [first] if length == 1 else [first, *[classes[k].I] * (length - 2), last]

    def score(segment: Segment) -> float:
        labels, k = words(segment), borders[segment.label][2]
        nodes = sum(lattice.node[t][y] for t, y in enumerate(labels, segment.start))
        own = span(segment.start, segment.end, k) if span and k >= 0 else 0.0
        return nodes + sum(edge[u][y] for u, y in itertools.pairwise(labels)) + own

    ends = [last for last, _, _ in borders] + [lattice.L]
    between = [[edge[u][first] for _, first, _ in borders] for u in ends]
    lengths = [range(1, 2) if first == last else range(2, longest + 1) for last, first, _ in borders]
    return SegmentScores(lattice.T, lengths, score, between)


def from_spans(
    lattice: Lattice, classes: Sequence[Letters], outside: int, longest: int, span: SpanScore
) -> SegmentScores:
    """Return the same with a score for each span of at most `longest` words; longer ones are possible without."""

    def short(start: int, end: int, k: int) -> float:
        return span(start, end, k) if end - start <= longest else 0.0

    return from_lattice(lattice, classes, outside, max(2, lattice.T), short)


def to_labels(segments: Segmentation, classes: Sequence[Letters], outside: int) -> list[int]:
    """Return the labels of the words of a segmentation that `from_lattice` has the scores of."""
    borders = _borders(classes, outside)
    found: list[int] = []
    for start, end, label in segments:
        last, first, k = borders[label]
        found += [first] if end - start == 1 else [first, *[classes[k].I] * (end - start - 2), last]
    return found
