"""Gold and predicted labels in different span schemes: scores, dev data and calibration."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import succeed
from perceptag import Tagger, evaluate
from perceptag.evaluation import top_confusions
from perceptag.labels.schemes import convert, keep_types

SPANS = ["B-PER", "I-PER", "O", "B-LOC", "B-LOC"]
NAMES = ["IOB1", "IOB2", "IOBES", "BILOU"]
X = [["Ann", "Lee", "saw", "Rome"], ["Bob", "met", "Eve", "Ray"], ["We", "like", "Oslo", "."]] * 8
Y = [["B-PER", "I-PER", "O", "B-LOC"], ["B-PER", "O", "B-PER", "B-PER"], ["O", "O", "B-LOC", "O"]] * 8


def in_scheme(scheme: str) -> list[list[str]]:
    return [convert(labels, scheme, "IOB2") for labels in Y]


@pytest.mark.parametrize("gold", NAMES)
@pytest.mark.parametrize("predicted", NAMES)
def test_equal_spans_have_equal_tokens_in_every_scheme(gold: str, predicted: str) -> None:
    sides = [[convert(SPANS, scheme, "IOB2")] for scheme in (gold, predicted)]
    report = evaluate(*sides, tokens=[["a", "b", "c", "d", "e"]], known={"a", "d"}, repair="scheme", bootstrap=0)
    assert (report.f1, report.accuracy) == (100, 100)
    assert report.known is not None and report.known.recall == 100
    assert top_confusions(*sides) == []
    assert ("compared in" in report.render()) == (report.gold_scheme != report.predicted_scheme)


def test_labels_of_no_scheme_are_compared_as_they_are() -> None:
    assert evaluate([["I-PER", "I-PER", "_"]], [["B-PER", "I-PER", "O"]], bootstrap=0).correct_tokens == 2


def test_labels_that_seem_to_mark_spans_are_noted() -> None:
    assert "predicted labels such as 'B_PER'" in evaluate([["B-PER", "I-PER"]], [["B_PER", "I_PER"]]).notes[0]
    assert evaluate([["B-PER", "I_PER"]], [["O", "O"]]).notes[0].startswith("gold labels such as 'I_PER' seem")
    assert not evaluate([["B-PER", "NN"]], [["B-PER", "O"]]).notes
    assert not evaluate([["DT", "NN"]], [["DT", "B_x"]]).notes


@pytest.mark.parametrize(("mine", "other"), [("IOB2", "IOB1"), ("IOB1", "IOB2"), ("IOB2", "IOBES"), ("IOBES", "IOB2")])
def test_confidence_by_data_in_another_scheme(mine: str, other: str) -> None:
    model = Tagger("ner", epochs=3).fit(X, in_scheme(mine), dev=(X, in_scheme(mine)))
    expected = model.predict_confidence(X[:3])
    also = Tagger("ner", epochs=3).fit(X, in_scheme(mine), dev=(X, in_scheme(other)))
    assert also.predict_confidence(X[:3]) == expected
    assert model.calibrate(X, in_scheme(other)).predict_confidence(X[:3]) == expected
    assert model.reliability(X, in_scheme(other)) == model.reliability(X, in_scheme(mine))
    assert model.calibrate(X, in_scheme(other), beta=1).evaluate(X, in_scheme(other)).accuracy == 100


def test_dev_data_in_another_scheme_with_kept_types() -> None:
    model = Tagger("ner", epochs=3, labels_keep=("PER",)).fit(X, Y, dev=(X, in_scheme("IOBES")))
    assert model.evaluate(X, [keep_types(labels, "PER") for labels in in_scheme("IOBES")]).accuracy == 100


def test_eval_reads_gold_labels_of_another_scheme(tmp_path: Path) -> None:
    Tagger("ner", epochs=3).fit(X, Y, dev=(X, in_scheme("IOBES"))).save(tmp_path / "a.model")
    rows = (
        "".join(f"{x} {y}\n" for x, y in zip(*pair, strict=True)) for pair in zip(X, in_scheme("IOBES"), strict=True)
    )
    (tmp_path / "gold.txt").write_text("\n".join(rows))
    scored = succeed("eval", "-m", tmp_path / "a.model", tmp_path / "gold.txt").out
    assert "accuracy: 100.00%" in scored and "scheme: gold IOBES, predicted IOB2" in scored
    found = json.loads(succeed("eval", "-m", tmp_path / "a.model", tmp_path / "gold.txt", "--confidence", "--json").out)
    assert found["reliability"]["ece"] < 0.1
