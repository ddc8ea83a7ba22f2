"""The search over segmentations finds what trying all of them finds, and contains the linear model."""

from __future__ import annotations

import random
from itertools import pairwise, product
from math import inf

import pytest

from perceptag.labels.schemes import spans
from reference.lattice import Lattice, plain, score
from reference.semi_markov import (
    Letters,
    Segment,
    SegmentScores,
    best_segmentation,
    enumerate_segmentations,
    from_lattice,
    segmentation_score,
    tie_order,
)

NAMES = ("O", "B-X", "I-X", "E-X", "S-X", "B-Y", "I-Y", "E-Y", "S-Y")


def random_scores(rng: random.Random, values: list[float]) -> SegmentScores:
    """Scores of up to six words; few different values make many ties."""
    T = rng.randint(0, 6)
    lengths = [
        range(1, 2),
        *(range(low := rng.randint(1, 2), low + rng.randint(1, 4)) for _ in range(rng.randint(0, 2))),
    ]
    table: dict[Segment, float] = {}
    edge = [[rng.choice(values) for _ in lengths] for _ in range(len(lengths) + 1)]
    return SegmentScores(T, lengths, lambda own: table.setdefault(own, rng.choice(values)), edge)


@pytest.mark.parametrize("seed", range(150))
@pytest.mark.parametrize("values", [[0.0, 1.0], [-2.0, 0.0, 1.0, 3.0], [-inf, -1.0, 0.0, 1.0]], ids=str)
def test_the_search_equals_enumeration_and_its_rule_for_ties(seed, values):
    scores = random_scores(random.Random(seed), values)
    every = [y for y in enumerate_segmentations(scores) if segmentation_score(scores, y) > -inf]
    found = best_segmentation(scores)
    if not every:
        assert found is None
        return
    best = min(every, key=lambda y: (-segmentation_score(scores, y), tie_order(y)))
    assert found == (best, segmentation_score(scores, best))


def test_segmentations_are_all_and_different():
    scores = SegmentScores(3, [range(1, 2), range(1, 3)], lambda _: 0.0, [[0.0, 0.0]] * 3)
    found = list(enumerate_segmentations(scores))
    # Words one by one, each with two labels: 8; a pair and a word: 2 places, 2 labels of the word: 4.
    assert len(found) == len(set(found)) == 12
    assert all(y[0].start == 0 and y[-1].end == 3 for y in found)
    assert all(a.end == b.start for y in found for a, b in pairwise(y))


def test_of_equal_segmentations_the_lower_label_wins_then_the_shorter_segment():
    equal = [[0.0, 0.0, 0.0]] * 4
    words = SegmentScores(3, [range(1, 2), range(1, 3), range(1, 3)], lambda _: 0.0, equal)
    assert best_segmentation(words) == ((Segment(0, 1, 0), Segment(1, 2, 0), Segment(2, 3, 0)), 0.0)
    names = SegmentScores(3, [range(4, 5), range(1, 3), range(1, 3)], lambda _: 0.0, equal)
    assert best_segmentation(names) == ((Segment(0, 1, 1), Segment(1, 2, 1), Segment(2, 3, 1)), 0.0)


def test_a_sequence_that_no_segmentation_covers_has_none():
    assert best_segmentation(SegmentScores(3, [range(2, 3)], lambda _: 0.0, [[0.0]] * 2)) is None


def random_lattice(rng: random.Random) -> Lattice:
    L, T = len(NAMES), rng.randint(1, 4)
    values = [-2.0, -1.0, 0.0, 1.0, 2.0]
    node = [[rng.choice(values) for _ in range(L)] for _ in range(T)]
    return plain(L, node, [[rng.choice(values) for _ in range(L)] for _ in range(L + 1)])


def allowed(labels: tuple[int, ...], longest: int) -> bool:
    """Whether labels are correct IOBES, and no name is longer than `longest`."""
    names = [NAMES[y] for y in labels]
    written = ["O"] * len(names)
    for start, end, name in ((s.start, s.end, s.label) for s in spans(names, "IOBES")):
        letters = "S" if end - start == 1 else "B" + "I" * (end - start - 2) + "E"
        written[start:end] = [f"{letter}-{name}" for letter in letters]
        if end - start > longest:
            return False
    return written == names


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("longest", [2, 4])
def test_a_linear_model_over_iobes_is_a_special_case(seed, longest):
    lattice = random_lattice(random.Random(seed))
    letters = [Letters(1, 2, 3, 4), Letters(5, 6, 7, 8)]
    every = [y for y in product(range(lattice.L), repeat=lattice.T) if allowed(y, longest)]
    segments = from_lattice(lattice, letters, 0, longest)
    found = best_segmentation(segments)
    assert found is not None
    assert found[1] == max(score(lattice, y) for y in every)
    assert len(every) == len(list(enumerate_segmentations(segments)))
