"""What a report says, and what cannot be scored."""

from __future__ import annotations

import json

import pytest

from perceptag.errors import DataError
from perceptag.evaluation import Counts, evaluate, top_confusions


def test_report_of_chunks() -> None:
    gold = [["I-PER", "I-PER", "O", "I-LOC"], ["O"], []]
    predicted = [["B-PER", "I-PER", "O", "I-LOC"], ["B-LOC"], []]
    report = evaluate(gold, predicted, tokens=[["Ann", "Lee", "in", "Rome"], ["Hm"], []], known={"in", "Hm"})
    assert report.render() == (
        "processed 5 tokens with 2 phrases; found: 3 phrases; correct: 2.\n"
        "accuracy:  60.00%; precision:  66.67%; recall: 100.00%; FB1:  80.00\n"
        "              LOC: precision:  50.00%; recall: 100.00%; FB1:  66.67  2\n"
        "              PER: precision: 100.00%; recall: 100.00%; FB1: 100.00  1\n"
        "scheme: gold IOB1, predicted IOB2 (tokens are compared in the latter)\n"
        "repair: conlleval (a label that continues nothing opens a chunk)\n"
        "invalid transitions: 0 in gold, 1 in predicted\n"
        "95 % interval of FB1: 0.00 to 100.00 (1000 bootstrap samples of 3 sentences, seed 0)\n"
        "accuracy on known words:  50.00% of 2 tokens\n"
        "accuracy on unknown words:  66.67% of 3 tokens"
    )
    values = report.to_dict()
    assert json.loads(json.dumps(values)) == values
    assert values["f1"] == values["score"] == 80.0
    assert values["accuracy"] == 60.0
    assert values["per_type"]["LOC"]["precision"] == 50.0
    assert values["unknown_accuracy"] == pytest.approx(200 / 3)
    assert values["scheme"] == {"gold": "IOB1", "predicted": "IOB2"}
    assert values["violations"] == {"gold": 0, "predicted": 1}


def test_report_of_parts_of_speech() -> None:
    report = evaluate([["DT", "NN"], ["VB", "."]], [["DT", "NN"], ["NN", "."]])
    assert report.accuracy == 75.0
    assert report.main_score == ("accuracy", 75.0)
    values = report.to_dict()
    assert [values[key] for key in ("precision", "recall", "f1", "per_type", "chunks")] == [None] * 5
    assert report.render().splitlines()[:3] == ["processed 4 tokens.", "accuracy:  75.00%", "scheme: none"]
    assert report.interval == (50.0, 100.0)


def test_scheme_none_scores_tokens_only() -> None:
    assert evaluate([["B-X"]], [["B-X"]], scheme="none").f1 is None


def test_predictions_without_chunks() -> None:
    report = evaluate([["I-X", "O"]], [["O", "O"]])
    assert (report.gold_scheme, report.predicted_scheme) == ("IOB1", "IOB1")
    assert (report.precision, report.recall, report.f1) == (0.0, 0.0, 0.0)


def test_predictions_that_fit_no_scheme_are_held_against_that_of_gold() -> None:
    report = evaluate([["B-X", "O"]], [["NN", "VB"]], bootstrap=0)
    assert (report.predicted_scheme, report.predicted_violations) == ("IOB2", 2)


@pytest.mark.parametrize(
    ("policy", "chunks"), [("conlleval", Counts(2, 3, 2)), ("scheme", Counts(2, 3, 2)), ("discard", Counts(1, 1, 2))]
)
def test_policies_for_broken_predictions(policy: str, chunks: Counts) -> None:
    gold, predicted = [["B-X", "O"], ["O", "B-Y"]], [["B-X", "I-Y"], ["O", "I-Y"]]
    report = evaluate(gold, predicted, repair=policy, scheme="IOB2", bootstrap=0)
    assert report.chunks == chunks
    assert report.repair == policy
    assert report.predicted_violations == 2
    assert f"repair: {policy} (" in report.render()


def test_policy_strict_names_the_place() -> None:
    with pytest.raises(DataError, match="predicted sentence 1, token 2: expected valid IOB2: I-Y follows B-X"):
        evaluate([["O"], ["O"] * 3], [["O"], ["O", "B-X", "I-Y"]], repair="strict", scheme="IOB2")
    assert evaluate([["B-X"]], [["B-X"]], repair="strict").f1 == 100.0


def test_undefined_scores_are_zero() -> None:
    assert (Counts().precision, Counts().recall, Counts().f1) == (0.0, 0.0, 0.0)
    assert evaluate([["O"]], [["O"]]).f1 == 0.0


def test_top_confusions() -> None:
    gold, predicted = [["A", "A", "B"], ["A", "C"]], [["B", "B", "C"], ["C", "C"]]
    assert top_confusions(gold, predicted, 2) == [("A", "B", 2), ("A", "C", 1)]
    assert top_confusions(gold, gold) == []
