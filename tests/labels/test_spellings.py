"""BILOU and BMES: IOBES with other letters, which data keeps on its way through a model."""

from __future__ import annotations

import pytest

from perceptag import Sentence, Tagger, evaluate
from perceptag.labels.schemes import SPELLINGS, convert, repair, spans, violations
from toys import make_recipe

IOB2 = ["O", "B-PER", "I-PER", "I-PER", "B-PER", "O", "B-LOC", "B-LOC", "I-LOC"]
WRITTEN = {
    "BILOU": ["O", "B-PER", "I-PER", "L-PER", "U-PER", "O", "U-LOC", "B-LOC", "L-LOC"],
    "BMES": ["O", "B-PER", "M-PER", "E-PER", "S-PER", "O", "S-LOC", "B-LOC", "E-LOC"],
}
spellings = pytest.mark.parametrize("spelling", SPELLINGS)
WORDS = [list("xabcdxefg"), list("abcxdefgx"), list("dxxefgabc"), list("efgdxabcd")]
KIND = {"a": "PER", "b": "PER", "c": "PER", "d": "PER", "e": "LOC", "f": "LOC", "g": "LOC"}


def sentences(spelling: str) -> list[Sentence]:
    """Chunks abc, d, e and fg."""
    made = []
    for words in WORDS:
        labels = ["O" if w == "x" else f"{'B' if w in 'adef' else 'I'}-{KIND[w]}" for w in words]
        made.append(Sentence({"form": words, "label": convert(labels, spelling, "IOB2")}))
    return made


@spellings
def test_labels_are_converted_both_ways(spelling):
    assert convert(IOB2, spelling, "IOB2") == WRITTEN[spelling]
    assert convert(WRITTEN[spelling], "IOB2", spelling) == IOB2
    assert convert(WRITTEN[spelling], "IOB2") == IOB2
    assert spans(WRITTEN[spelling], spelling) == spans(IOB2, "IOB2")
    assert violations(WRITTEN[spelling], spelling) == []
    assert repair(["O", *WRITTEN[spelling][2:]], spelling)[:3] == ["O", *WRITTEN[spelling][1:2], WRITTEN[spelling][3]]


def test_letters_of_other_spellings_break_a_spelling():
    assert violations(["B-X", "E-X"], "BILOU")[0] == (1, "E-X is not a label of BILOU")
    assert violations(["U-X"], "BMES")[0] == (0, "U-X is not a label of BMES")


@spellings
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"labels.scheme": "IOBES", "constrain": True},
        {"labels.scheme": "IOB2", "constrain": True},
        {"labels.repair": True},
        {"learner": "chunker", "chunker.columns": ()},
    ],
    ids=str,
)
def test_a_model_writes_what_its_data_writes(spelling, settings, tmp_path):
    data = sentences(spelling)
    common = {} if "learner" in settings else {"templates": ("form[0]", "form[-1]", "form[1]", "bias * y-1 y0")}
    tagger = Tagger(make_recipe(epochs=8, **common | settings)).fit(data)
    assert tagger.model_.label_set.outer == spelling
    tagger.save(str(tmp_path / "m"))
    loaded = Tagger.load(str(tmp_path / "m"))
    assert loaded.predict([s.tokens for s in data]) == [s.columns["label"] for s in data]
    assert loaded.predict_spans([s.tokens for s in data]) == [spans(s.columns["label"], spelling) for s in data]


@spellings
def test_labels_that_are_withheld_leave_the_spelling(spelling):
    from perceptag.models.confident import Confident
    from perceptag.tagging.confidence import withhold

    labels = WRITTEN[spelling]
    found = [(span, 0.9 if span.label == "PER" else 0.1) for span in spans(labels, spelling)]
    shown = withhold(Confident(labels, [0.9] * len(labels), found), 0.5, spelling)
    assert shown.labels == [*labels[:5], "O", "O", "O", "O"]


@spellings
def test_scores_are_those_of_the_chunks(spelling):
    gold, found = [WRITTEN[spelling]], [["O", *WRITTEN[spelling][1:5], "O", "O", "O", "O"]]
    report = evaluate(gold, found, scheme=spelling, repair="scheme", bootstrap=0)
    assert (report.precision, report.recall) == (100.0, 50.0)
    assert evaluate(gold, found, repair="scheme", bootstrap=0).f1 == report.f1


@spellings
def test_training_continues_in_the_same_spelling(spelling):
    tagger = Tagger("collins-np", epochs=1, templates=["form[0]", "bias * y-1 y0"], warm_start=True)
    tagger.fit(sentences(spelling))
    tagger.fit([Sentence({"form": ["x"], "label": ["O"]})])
    assert tagger.model_.label_set.outer == spelling
