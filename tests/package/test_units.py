"""Scores are in per cent, probabilities from 0 to 1; `Tagger.score` is a fraction, as scikit-learn expects."""

from __future__ import annotations

import pytest

from perceptag import Tagger, compare, evaluate

X = [["the", "dog", "barks"], ["a", "cat", "sleeps"]]
Y = [["D", "N", "V"], ["D", "N", "V"]]
WRONG = [["D", "N", "V"], ["D", "N", "N"]]


def test_scores_are_in_per_cent_and_only_score_is_a_fraction():
    reports = []
    tagger = Tagger("collins-pos", epochs=4).fit(X, Y, dev=(X, WRONG), callbacks=[reports.append])
    assert tagger.score(X, WRONG) == pytest.approx(5 / 6)
    report = tagger.evaluate(X, WRONG)
    assert report.accuracy == report.to_dict()["accuracy"] == report.to_dict()["score"] == 100 * 5 / 6
    assert evaluate(WRONG, Y, tokens=X, known={"the"}).to_dict()["known_accuracy"] == 100
    assert compare(WRONG, Y, WRONG, rounds=9).difference == 100 - 100 * 5 / 6
    assert reports[-1].dev_kept == tagger.model_.manifest["curve"][-1]["dev_kept"] == 100 * 5 / 6
    assert "dev accuracy 83.33 %" in repr(tagger)
