"""How good the model is: only the random sample is judged, by models that lack it."""

from __future__ import annotations

import dataclasses

import pytest

from loop_toys import example, examples
from perceptag.workbench.learning.estimating import (
    estimate,
    judging,
    why_not,
)
from perceptag.workbench.learning.messages import Example, Text
from perceptag.workbench.learning.recipes import loop_recipe
from perceptag.workbench.learning.training import Learning, finish

LEARNING = Learning(loop_recipe("spans", settings={"epochs": 3}))


def hard(i: int) -> Example:
    """A sentence that was chosen, whose label cannot be guessed."""
    return Example(Text(1000 + i, [f"odd{i}"]), ["B-PER" if i % 2 else "O"], order=1000 + i)


def test_chosen_sentences_do_not_spoil_the_estimate():
    every = [*examples(60), *(hard(i) for i in range(30))]
    found = estimate(every, LEARNING)
    assert found is not None
    assert found.measure == "f1" and found.sentences == 60
    assert found.low <= found.score <= found.high <= 100
    alone = estimate(examples(60), LEARNING)
    assert alone is not None and found.score > alone.score - 5


def test_an_estimate_needs_a_random_sample():
    assert why_not(examples(19)) == "expected 20 labelled sentences of the random sample or more, found 19"
    assert estimate(examples(19), LEARNING) is None
    assert why_not(examples(20)) == ""


def test_a_model_is_calibrated_by_a_hundred_judged_spans():
    assert finish(judging(examples(40), LEARNING)).calibration is None
    judged = finish(judging(examples(160), LEARNING))
    assert judged.calibration is not None and judged.reliability is not None
    assert judged.reliability.what == "spans"


def test_folds_without_anything_to_learn_give_the_only_label():
    some = [Example(Text(i, ["a"]), ["O"], i, in_sample=True) for i in range(30)]
    found = estimate(some, LEARNING)
    assert (
        found is not None and found.score == 0.0
    )  # there are no spans, so that F1 is not defined: 0, as conlleval says


def test_the_score_is_corrected_by_unlabelled_sentences_within_the_interval():
    every = [*examples(60), *(dataclasses.replace(hard(i), in_sample=True) for i in range(30))]
    alone = finish(judging(every, LEARNING)).estimate
    assert (alone.raw.score, alone.raw.low, alone.raw.high) == (alone.score, alone.low, alone.high)
    assert alone.unlabelled == 0
    easy = [example(i).text.sentence() for i in range(100, 160)]
    odd = [Text(5000 + i, [f"odd{j}" for j in range(i, i + 6)]).sentence() for i in range(60)]
    surer, unsure = (finish(judging(every, LEARNING, some)).estimate for some in (easy, odd))
    assert surer.unlabelled == 60 and surer.raw == alone.raw
    assert alone.low <= unsure.score < surer.score <= alone.high
    by = surer.score - alone.score
    assert surer.high == pytest.approx(min(100.0, alone.high + by))
    assert unsure.high - unsure.low <= alone.high - alone.low + 1e-9


def test_few_labels_are_not_corrected():
    few = examples(30)
    found = finish(judging(few, LEARNING, [example(100).text.sentence()])).estimate
    assert found.score == found.raw.score and found.unlabelled == 0
