"""Which sentence the model is least sure of."""

from __future__ import annotations

from collections.abc import Sequence

from perceptag.workbench.findings import PoolScores
from perceptag.workbench.learning.messages import PoolScore

WORDS = {1: ["a", "b"], 2: ["c", "d"], 3: ["c", "d"], 4: ["e", "f"], 5: ["g", "h"]}


def tokens(numbers: Sequence[int]) -> dict[int, list[str]]:
    return {number: WORDS[number] for number in numbers}


def scored(*numbers: int) -> PoolScores:
    found = PoolScores()
    found.add(PoolScore(number, float(number), None) for number in numbers)
    return found


def test_what_is_labelled_is_not_chosen_nor_what_is_like_it() -> None:
    scores = scored(1, 2, 3, 4)
    scores.labelled([(2, WORDS[2])])
    assert scores.chosen(2, set(), tokens) == [1, 4]
    scores.add([PoolScore(2, 0.0, None)])  # it was undone
    assert scores.ranked()[0] == 2
    scores.labelled([(2, WORDS[2])])
    assert 2 not in scores.ranked()
