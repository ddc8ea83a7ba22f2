"""The correction of a score by unlabelled sentences, against the reference that looks at one item at a time."""

from __future__ import annotations

import random

import pytest

from perceptag.labels.schemes import spans
from perceptag.models.calibration import Calibration, fit_calibration
from perceptag.models.margins import Margins
from perceptag.workbench.learning.estimate_correction import LEAST_CORRECTED, corrected_score
from reference.estimate_correction import Probabilities, corrected_accuracy, corrected_f1


def drawn(rng: random.Random, sure: float, tags: bool = False) -> tuple[Margins, list[str]]:
    """A sentence of single-word spans, or of tags, and its right labels: a small margin is often wrong."""
    labels, gold, margins = [], [], []
    for _ in range(rng.randint(1, 8)):
        label = rng.choice(["x", "y"] if tags else ["O", "O", "B-PER"])
        margin = rng.uniform(0, sure)
        other = {"O": "B-PER", "B-PER": "O", "x": "y", "y": "x"}[label]
        labels.append(label)
        margins.append(margin)
        gold.append(label if rng.random() < 0.4 + margin / 4 else other)
    marked = [] if tags else [(span, margins[span.start]) for span in spans(labels, "IOB2")]
    return Margins(labels, margins, marked), gold


def probabilities(found: Margins, curves: Calibration) -> Probabilities:
    if curves.spans is None:
        return Probabilities(curves.tokens(found.tokens))
    outside = [m for label, m in zip(found.labels, found.tokens, strict=True) if label == "O"]
    return Probabilities(curves.spans([m for _, m in found.spans]), curves.tokens(outside))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("tags", [False, True])
def test_it_is_what_the_reference_says(seed: int, tags: bool) -> None:
    rng, scheme = random.Random(seed), "none" if tags else "IOB2"
    held, gold = map(list, zip(*(drawn(rng, 2.0, tags) for _ in range(120)), strict=True))
    pool = [drawn(rng, 2.4, tags)[0] for _ in range(200)]
    curves = fit_calibration(held, gold, scheme)
    sample, there = ([probabilities(m, curves) for m in some] for some in (held, pool))
    pairs = list(zip(held, gold, strict=True))
    if tags:
        right = sum(a == b for m, labels in pairs for a, b in zip(m.labels, labels, strict=True))
        expected = corrected_accuracy(sample, right, there)
    else:
        right = sum(span in spans(labels, "IOB2") for m, labels in pairs for span, _ in m.spans)
        missed = sum(len(spans(labels, "IOB2")) for labels in gold) - right
        expected = corrected_f1(sample, right, missed, there)
    assert corrected_score(held, gold, pool, scheme) == pytest.approx(expected)


def test_without_enough_there_is_no_correction() -> None:
    one = (Margins(["O", "B-PER"], [1.0, 1.0], [(spans(["O", "B-PER"], "IOB2")[0], 1.0)]), ["O", "B-PER"])
    held, gold = [one[0]] * LEAST_CORRECTED, [one[1]] * LEAST_CORRECTED
    assert corrected_score(held, gold, [one[0]], "IOB2") == pytest.approx(100.0)  # nothing is missed
    assert corrected_score(held[1:], gold[1:], [one[0]], "IOB2") is None
    assert corrected_score(held, gold, [], "IOB2") is None
    assert corrected_score(held, gold, [Margins(["O"], [1.0], [])], "IOB2") is None  # nothing there to judge
    wrong = [["B-PER", "O"]] * LEAST_CORRECTED
    assert corrected_score(held, wrong, [one[0]], "IOB2") == 0.0
