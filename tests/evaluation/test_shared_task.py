"""What the CoNLL 2018 shared task compares."""

from __future__ import annotations

from perceptag.evaluation.shared_task import compared, is_right
from perceptag.evaluation.tokens import evaluate_tokens
from perceptag.text.tokens import Passage, TextSentence, Token


def test_features_that_are_not_universal_and_their_order_do_not_count():
    gold = {"upos": ["X", "X"], "xpos": ["A", "B"], "feats": ["Number=Sing|Case=Nom", "Case=Acc"], "lemma": ["a", "_"]}
    found = {
        "upos": ["X", "X"],
        "xpos": ["A", "A"],
        "feats": ["Case=Nom|Number=Sing|Typo=Yes", "_"],
        "lemma": ["a", "b"],
    }
    text = Passage("a b", 0, [TextSentence([Token("a", 0, 1, ("a",)), Token("b", 2, 3, ("b",))])])
    layers = {name: (compared(gold)[name], compared(found)[name]) for name in compared(gold)}
    counts = evaluate_tokens(text, text, layers).counts
    assert {name: counts[name].correct for name in layers} == {
        **{"UPOS": 2, "XPOS": 1, "UFeats": 1, "AllTags": 1},
        "Lemmas": 2,  # a gold lemma that is "_" is always right
    }


def test_only_gold_lemmas_may_be_missing():
    assert is_right("Lemmas", "_", "a")
    assert not is_right("Lemmas", "a", "_")
    assert not is_right("UPOS", "_", "a")
