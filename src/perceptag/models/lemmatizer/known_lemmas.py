"""A head start for scripts that make a known lemma: *voulez* is rather *vouloir* than *vouler*.

Known are the lemmas of the training data, each with the first tag of its word. A script that makes the same lemma of
every word has no head start. Every word of the training data has a known lemma, so the head start cannot be learned
from it; it is chosen on dev data.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from perceptag.errors import ModelError, brief
from perceptag.labels.edit_scripts import CONSTANT
from perceptag.models.lemmatizer.dictionary import Row
from perceptag.models.lemmatizer.script_index import ScriptIndex
from perceptag.models.model import HEAVIEST

FACT = "known_lemmas"
Scores = npt.NDArray[np.float32]  # [words, scripts]; minus infinity where a script cannot be applied


class KnownLemmas:
    """Which scripts make a known lemma of a word, and how much that counts."""

    def __init__(self, lemmas: Mapping[Row, str], index: ScriptIndex) -> None:
        self._known = {(row[1:2], lemma) for row, lemma in lemmas.items()}
        self._index = index
        self._depends = np.array([script.case != CONSTANT for script in index.scripts], np.bool_)

    def mask(self, rows: Sequence[Row], scores: Scores, reach: float = math.inf) -> npt.NDArray[np.bool_]:
        """Return where a script makes a known lemma, among those whose scores are within reach of the best one."""
        found = np.zeros(scores.shape, np.bool_)
        lowest = np.maximum(scores.max(axis=1, keepdims=True) - np.float32(reach), np.finfo(np.float32).min)
        for i, script in zip(
            *(places.tolist() for places in np.nonzero((scores >= lowest) & self._depends)), strict=True
        ):
            row = rows[i]
            found[i, script] = (row[1:2], self._index.lemma(script, row[0])) in self._known
        return found

    def favoured(self, rows: Sequence[Row], scores: Scores, head_start: float, reach: float | None = None) -> Scores:
        """Return the scores with the head start; by default only where it can change the best script."""
        mask = self.mask(rows, scores, head_start if reach is None else reach)
        return np.where(mask, scores + np.float32(head_start), scores)


def chosen_head_start(scores: Scores, mask: npt.NDArray[np.bool_], right: Iterable[Mapping[int, int]]) -> float:
    """Return the smallest head start with the most right lemmas.

    `right` says for each word of the dev data how often a script is right. As the head start grows, one word after the
    other takes its best known lemma.
    """
    known = np.where(mask, scores, -np.inf)
    first, second = scores.argmax(axis=1).tolist(), known.argmax(axis=1).tolist()
    gaps = (scores.max(axis=1) - known.max(axis=1)).tolist()
    turns = sorted(
        (gap, counts.get(b, 0) - counts.get(a, 0))
        for gap, a, b, counts in zip(gaps, first, second, right, strict=True)
        if 0 < gap < math.inf
    )
    best = gained = 0
    chosen = 0.0
    for number, (gap, gain) in enumerate(turns):
        gained += gain
        following = turns[number + 1][0] if number + 1 < len(turns) else 2 * gap
        if gained > best and following > gap:
            best, chosen = gained, (gap + following) / 2
    return chosen


def head_start_of(facts: Mapping[str, object]) -> float:
    """Return the head start of a model, which may say anything; 0 if it says nothing."""
    found = facts.get(FACT, 0)
    if isinstance(found, bool) or not isinstance(found, (int, float)) or not 0 <= found <= HEAVIEST:
        raise ModelError(f"facts.{FACT}: expected a number from 0 to {HEAVIEST:g}, found {brief(found)}")
    return float(found)
