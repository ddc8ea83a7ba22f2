"""Scripts that make a known lemma have a head start, which is chosen on dev data."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptag import Sentence, Tagger
from perceptag.errors import ModelError
from perceptag.models.lemmatizer.known_lemmas import FACT, KnownLemmas, chosen_head_start, head_start_of
from perceptag.models.lemmatizer.script_index import ScriptIndex
from perceptag.models.lemmatizer.tagger import Lemmatizer
from perceptag.models.margins import LIMIT

SCRIPTS = ["is go", "lower …", "lower … ed>", "lower … ed>e"]
LEMMAS = {("Bake", "VERB"): "bake", ("hoped", "VERB"): "hope", ("goes", "VERB"): "go", ("bak", "NOUN"): "bak"}
NONE = -math.inf


def test_known_are_lemmas_with_the_first_tag_and_no_constants():
    known = KnownLemmas(LEMMAS, ScriptIndex(SCRIPTS))
    rows = [("baked", "VERB"), ("baked", "NOUN"), ("walked", "VERB")]
    scores = np.zeros((3, 4), np.float32)
    assert known.mask(rows, scores).tolist() == [[False, False, False, True], [False, False, True, False], [False] * 4]


def test_scores_out_of_reach_and_impossible_scripts_have_no_head_start():
    known = KnownLemmas(LEMMAS, ScriptIndex(SCRIPTS))
    scores = np.array([[NONE, 5, 4, 1]], np.float32)
    assert known.favoured([("baked", "VERB")], scores, 3).tolist() == scores.tolist()
    assert known.favoured([("baked", "VERB")], scores, 3, math.inf).tolist() == [[NONE, 5, 4, 4]]
    assert known.favoured([("baked", "VERB")], scores, 5).tolist() == [[NONE, 5, 4, 6]]


WORD = st.tuples(st.lists(st.integers(-9, 9), min_size=3, max_size=3), st.lists(st.booleans(), min_size=3, max_size=3))


@given(words=st.lists(st.tuples(WORD, st.integers(0, 2), st.integers(1, 3)), min_size=1, max_size=8))
def test_no_head_start_is_right_more_often_than_the_chosen_one(words):
    scores = np.array([row for (row, _), _, _ in words], np.float32)
    mask = np.array([known for (_, known), _, _ in words])
    right = [Counter({gold: count}) for _, gold, count in words]

    def number_right(head_start: float) -> int:
        chosen = (scores + np.where(mask, np.float32(head_start), 0)).argmax(axis=1).tolist()
        return sum(counts[script] for counts, script in zip(right, chosen, strict=True))

    found = chosen_head_start(scores, mask, right)
    assert found >= 0
    assert number_right(found) == max(number_right(quarters / 4 + 0.125) for quarters in range(4 * 40)) or (
        number_right(found) == number_right(0) and found == 0
    )


@pytest.mark.parametrize("value", [-1, math.inf, math.nan, True, "5", None, 1e39, pytest.param(10**400, id="huge")])
def test_a_model_with_another_head_start_is_refused(value):
    assert head_start_of({}) == 0
    with pytest.raises(ModelError, match=f"facts.{FACT}: expected a number from 0 to 1e\\+20"):
        head_start_of({FACT: value})


def sentence(*words: str) -> Sentence:
    rows = [word.split("/") for word in words]
    return Sentence({"form": [r[0] for r in rows], "upos": ["VERB"] * len(rows), "lemma": [r[1] for r in rows]})


def test_a_lemmatizer_prefers_lemmas_that_it_knows(tmp_path):
    """Most words lose *ed*; *hoped* is *hope*, since the data has *hope*."""
    plain = [f"{stem}ed/{stem}" for stem in ("walk", "talk", "bark", "jump", "ask", "help", "want", "need")]
    known = [f"{stem}e/{stem}e" for stem in ("hop", "bak", "lik", "us", "smil", "clos", "danc", "mov")]
    train = [sentence(*plain, *known, "liked/like", "used/use", "baked/bake")]
    dev = [sentence("hoped/hope", "smiled/smile", "looked/look", "closed/close")]
    tagger = Tagger("lemma", epochs=4).fit(train, dev=dev)
    assert tagger.model_.facts[FACT] > 0
    tagger.save(tmp_path / "model")
    asked = [sentence("danced/_", "moved/_", "looked/_", "hope/_")]
    for one in (tagger, Tagger.load(tmp_path / "model")):
        assert one.predict(asked) == [["dance", "move", "look", "hope"]]
    [margins] = Lemmatizer(tagger.model_).margins_of_batch(asked)
    assert margins.labels == ["dance", "move", "look", "hope"]
    assert margins.tokens[3] == LIMIT
    assert all(0 < margin < LIMIT for margin in margins.tokens[:3])
