"""Precision against recall: a score for the label O, chosen on dev data.

A constant is added to the score of O at every token. Below zero it gives more spans, so a higher recall; above zero
fewer, so a higher precision. The constant with the best F of spans on dev data is kept:

    F_beta = (1 + beta²) · P · R / (beta² · P + R)         beta: how many times as much recall counts as precision

Minkov, Wang, Tomasic and Cohen (2006), "NER Systems that Suit User's Preferences: Adjusting the Recall-Precision
Trade-off for Entity Extraction", NAACL [N06-2024].
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass

from perceptag.arrays import np
from perceptag.errors import SettingError, brief
from perceptag.evaluation.chunks import Counts
from perceptag.evaluation.scoring import MainScore
from perceptag.models.margins import LIMIT, Margins
from perceptag.models.model import Model
from perceptag.models.protocol import ReadyModel
from perceptag.text.documents import split_documents
from perceptag.text.sentence import Sentence

# In units of the margin that wrong labels typically have.
STEPS = (-3.0, -2.0, -1.5, -1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0, 2.0)
FINEST = 16  # a score is a multiple of a power of two that is about this part of it
SMOOTH = (1, 2, 1)  # weights of a score and its neighbours

Labels = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Tried:
    """One score of O, and what it gives on dev data."""

    outside_score: float
    counts: Counts
    labels: list[list[str]]

    def f(self, beta: float) -> float:
        """F_beta, in per cent."""
        return f_beta(self.counts, beta)


def can_choose(labels: Sequence[str], scheme: str, gold: Labels) -> bool:
    """Whether there is something to choose: labels mark spans, some tokens are outside, and dev data has spans."""
    return scheme != "none" and "O" in labels and len(labels) > 1 and any(y != "O" for ys in gold for y in ys)


def f_beta(counts: Counts, beta: float) -> float:
    """The weighted harmonic mean of precision and recall; 0 if both are.

    >>> f_beta(Counts(correct=2, predicted=4, gold=2), 1), f_beta(Counts(correct=2, predicted=4, gold=2), 2)
    (66.66666666666667, 83.33333333333333)
    """
    below = beta * beta * counts.precision + counts.recall
    return (1 + beta * beta) * counts.precision * counts.recall / below if below else 0.0


def try_scores(ready: ReadyModel, dev: Sequence[Sentence], gold: Labels, threads: int = 1) -> list[Tried]:
    """Tag dev data with a score of O for each of `STEPS`. The model keeps one of them."""
    scores = MainScore(gold, ready.model.label_set.outer)
    labels = ready.labels_by_outside_score(dev, threads)
    without = labels(0.0)
    unit = unit_of(*_margins_of_wrong(ready, dev, without, gold, threads))
    steps = [on_grid(step * unit) for step in STEPS]
    inwards = sorted(steps, key=abs, reverse=True)  # the labels between two scores may follow from those at both
    found = {0.0: without, **{step: labels(step) for step in inwards if step}}
    return [Tried(step, scores.chunks(found[step]), found[step]) for step in steps]


def adjust(ready: ReadyModel, data: Sequence[Sentence], gold: Labels, beta: float, threads: int = 1) -> Model:
    """Choose the score of O for the best F on labelled sentences. Afterwards `ready` has the score of the new model."""
    labels = ready.model.label_set
    if isinstance(beta, bool) or not isinstance(beta, (int, float)) or not 0 < beta <= 100:
        raise SettingError(f"beta: expected a number above 0, up to 100, found {brief(beta)}")
    recipe = ready.model.recipe.replace({"recall": beta})
    if not can_choose(labels.names, labels.outer, gold):
        raise SettingError("beta: expected labels that mark spans, and O, found none in the model or in the data")
    tried = try_scores(ready, data, gold, threads)
    best = tried[best_step([t.f(beta) for t in tried])]
    ready.set_outside_score(best.outside_score)
    return dataclasses.replace(ready.model, recipe=recipe.replace({"outside_score": best.outside_score}))


def _margins_of_wrong(
    ready: ReadyModel, dev: Sequence[Sentence], labels: Labels, gold: Labels, threads: int
) -> tuple[list[Margins], Labels]:
    """Margins and gold labels of what the model gets wrong: sentences, or documents if it looks at them.

    `unit_of` needs no others, and margins take several times as long as labels.
    """
    rest = iter(zip(dev, labels, gold, strict=True))
    parts = split_documents(dev) if ready.looks_at_documents() else [[sentence] for sentence in dev]
    rows = [[next(rest) for _ in part] for part in parts]
    wrong = [row for part in rows if any(list(mine) != list(right) for _, mine, right in part) for row in part]
    return ready.margins([sentence for sentence, _, _ in wrong], threads), [right for _, _, right in wrong]


def unit_of(found: Sequence[Margins], gold: Labels) -> float:
    """The margin that wrong labels typically have; 0 if no label is wrong."""
    wrong = [
        abs(margin)
        for mine, right in zip(found, gold, strict=True)
        for label, margin, other in zip(mine.labels, mine.tokens, right, strict=True)
        if label != other and abs(margin) < LIMIT
    ]
    return float(np.median(wrong)) if wrong else 0.0


def on_grid(score: float) -> float:
    """The score rounded to a few binary digits, so that sums with it stay exact.

    >>> on_grid(0.1), on_grid(-1234.5), on_grid(0.0)
    (0.1015625, -1216.0, 0.0)
    """
    if not score:
        return 0.0
    grid = 2.0 ** math.floor(math.log2(abs(score) / FINEST))
    return round(score / grid) * grid


def best_step(values: Sequence[float]) -> int:
    """The step with the best F, given F for each of `STEPS`, that of the neighbours included.

    A lucky value between poor ones is not chosen, and only a step that is better than zero by itself.

    >>> STEPS[best_step([10.0] * 4 + [20.0, 21.0, 20.0, 15.0, 30.0] + [10.0] * 3)]
    0.25
    """
    zero = STEPS.index(0.0)
    best = max(range(len(values)), key=lambda i: (_smoothed(values, i), -abs(STEPS[i])))
    return best if values[best] > values[zero] else zero


def _smoothed(values: Sequence[float], i: int) -> float:
    near = [(w, values[k]) for w, k in zip(SMOOTH, (i - 1, i, i + 1), strict=True) if 0 <= k < len(values)]
    return sum(w * v for w, v in near) / sum(w for w, _ in near)
