"""Labels under several scores of the label O, without searching every sentence under each of them.

    score of a labelling under o  =  its score under 0  +  o · (number of its tokens that are O)

So each labelling is a straight line over o, and the best ones are the upper envelope of all lines: a labelling that is
the best one at two scores is the best one between them. Only sentences whose labels differ at two scores are searched
again between them. Sums must have no rounding and equal scores one order, as in the search with one vector of weights
on a grid.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from itertools import compress
from typing import TYPE_CHECKING

from perceptag.arrays import Ints, np, offset_view
from perceptag.text.sentence import Sentence

if TYPE_CHECKING:
    from perceptag.models.linear.tagger import LinearTagger


class OutsideScores:
    """Labels of the same sentences under one score of O after the other. The model keeps the last one."""

    def __init__(self, ready: LinearTagger, sentences: Sequence[Sentence], threads: int) -> None:
        self._ready, self._sentences, self._threads = ready, sentences, threads
        self._begin = offset_view(map(len, sentences))
        self._found: dict[float, Ints] = {}  # label ids of all tokens by score

    def labels(self, score: float) -> list[list[str]]:
        """Return the labels under one score."""
        self._ready.set_outside_score(score)
        if score not in self._found:
            self._found[score] = self._search(score)
        return self._ready.label_writer(self._found[score], self._begin)

    def _search(self, score: float) -> Ints:
        known = sorted(self._found)
        place = bisect(known, score)
        if place in (0, len(known)):
            return self._ids(self._sentences)
        below, above = self._found[known[place - 1]], self._found[known[place]]
        owners = np.repeat(np.arange(len(self._sentences)), np.diff(self._begin))
        is_open = np.zeros(len(self._sentences), bool)
        is_open[owners[below != above]] = True
        found: Ints = below.copy()
        if is_open.any():
            found[is_open[owners]] = self._ids(list(compress(self._sentences, is_open)))
        return found

    def _ids(self, sentences: Sequence[Sentence]) -> Ints:
        found: Ints = np.asarray(self._ready.label_ids(sentences, self._threads))
        return found
