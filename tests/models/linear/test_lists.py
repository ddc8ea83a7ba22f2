"""Lists that are read, searched and written in pieces, against the way through sentences."""

from __future__ import annotations

from collections import UserString

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perceptag import Sentence, Tagger, _core
from perceptag.errors import DataError
from perceptag.models.linear import decoder
from perceptag.models.linear.feature_model import FeatureModel
from perceptag.text.inputs import as_sentences
from toys import make_recipe, random_corpus

FORMS = ("form[-1..1]", "suffix2[0]", "shape[0]", "lower.prefix1[1]", "form[0] form[1]", "bias * y-1 y0")
WORDS = st.sampled_from(["dog", "Dog", "a", "new", "never-seen-before", "Ω", "naïve", "日本", "😀", "dog2", ""])
ROWS = st.lists(st.lists(st.tuples(WORDS, st.sampled_from(["N", "V", "é", "?"])), max_size=7), min_size=1, max_size=9)


def trained(templates: tuple[str, ...] = FORMS, **settings_: object) -> Tagger:
    """Phrases whose insides follow a beginning; settings with dots, as a recipe has them, may be among the rest."""
    corpus = random_corpus(3, 40, labels=["O", "B-A", "I-A", "B-B"])
    for sentence in corpus:
        found = sentence.columns["label"]
        for i, label in enumerate(found):
            if label == "I-A" and (not i or found[i - 1] not in ("B-A", "I-A")):
                found[i] = "B-A"
    return Tagger(make_recipe(templates=templates, epochs=2, **settings_)).fit(corpus)


TAGGERS = {
    "names": trained(),
    "pairs": trained(**{"labels.scheme": "IOBES"}),
    "columns": trained((*FORMS, "pos[0]", "pos[-1] form[0]")),
}


def by_sentences(tagger: Tagger, X: list[object]) -> list[list[str]]:
    return FeatureModel.tag(tagger.ready_model, as_sentences(X))


@pytest.mark.parametrize("name", TAGGERS)
@given(rows=ROWS, piece=st.integers(1, 40), threads=st.integers(1, 4), fresh=st.booleans())
@settings(deadline=None, max_examples=40)
def test_any_cutting_gives_the_same_labels(name, rows, piece, threads, fresh):
    tagger = TAGGERS[name]
    columns = [{"pos": [p for _, p in row], "form": [w for w, _ in row], "more": ["x"] * len(row)} for row in rows]
    X = columns if name == "columns" else [sentence["form"] for sentence in columns]
    expected = by_sentences(tagger, X)
    if fresh:  # all words are new
        tagger.ready_model.encoder._types = tagger.ready_model.encoder._fresh_types()
    tagger.threads = threads
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decoder, "PIECE", piece)
        assert tagger.ready_model.tag_lists(X, threads) == expected
        assert tagger.predict(X) == expected
        assert tagger.predict([Sentence(sentence) for sentence in columns]) == expected


def test_words_are_not_kept_in_python():
    """Not even those with other letters than ASCII."""
    tagger = trained()
    tagger.predict([["new", "words"], ["naïve", "words"]])
    (lexicon,) = tagger.ready_model.encoder.current_types().lexicons.values()
    assert list(lexicon) == []
    assert len(lexicon.table) == len(lexicon.types) == 3


class Text(str):
    """A string of somebody else."""


@pytest.mark.parametrize(
    "X",
    [
        [],
        [[]],
        [[], ["dog"], []],
        [("dog", "a")],
        [["dog"], ("a",)],
        [[Text("dog")]],
        [{"form": ("dog",)}],
        [{"form": ["dog"]}, ["a"]],
        [[{"form": "dog"}]],
        [Sentence({"form": ["dog"]}), ["a"]],
        np.array([["dog", "a"]]),
    ],
)
def test_other_sentences_go_the_way_through_sentences(X):
    assert trained_once().predict(X) == by_sentences(trained_once(), X)


@pytest.mark.parametrize(
    "X",
    [
        [["dog"], ["a\0b"]],
        [["dog"], ["\ud800"]],
        [["dog"], ["é\0"]],
        [["dog"], [1]],
        [["dog"], "dog"],
        [["dog"], [UserString("dog")]],
        [{}],
        [{"form": ["dog"], "pos": []}],
        [{"form": ["dog"], "a\0": ["x"]}],
        [{"form": ["dog"], "more": ["\0"]}],
        [{"form": ["dog"], 1: [2]}],
        [{"pos": ["N"]}],
    ],
)
def test_bad_input_is_refused_as_ever(X):
    tagger = trained_once()
    assert tagger.ready_model.tag_lists(X) is None
    with pytest.raises(DataError) as expected:
        by_sentences(tagger, X)
    with pytest.raises(DataError) as found:
        tagger.predict(X)
    assert str(found.value) == str(expected.value)


def trained_once() -> Tagger:
    return TAGGERS["names"]


def test_models_that_need_sentences_do_not_take_lists():
    for settings_ in ({"tag_dictionary": 3}, {"unit": "document"}, {"weights": "voted"}):
        tagger = trained(**settings_)
        assert tagger.ready_model.tag_lists([["dog"]]) is None
        assert tagger.predict([["dog"]]) == by_sentences(tagger, [["dog"]])


def test_the_core_checks_what_belongs_together():
    ready, other = TAGGERS["pairs"].ready_model, trained().ready_model
    types = ready.encoder.current_types()
    (predictor,) = ready.decoder.predictors_of(types)
    lexicon = types.lexicons["form"]
    names, pairs = ready.label_writer.names, ready.label_writer.pairs[1]
    strange = other.encoder.current_types().lexicons["form"].types

    def tag(columns=("form",), lexicons=(lexicon,), numbers=(lexicon.types,), labels=names, table=pairs):
        return _core.tag_lists(predictor, [["dog"]], columns, lexicons, numbers, labels, table, 1, 10)

    assert tag() == TAGGERS["pairs"].predict([["dog"]])
    for wrong in (
        {"columns": ()},
        {"lexicons": ()},
        {"numbers": (strange,)},
        {"labels": names[:1]},
        {"table": pairs[1:]},
        {"table": np.asarray(pairs) - 1},
        {"table": None, "labels": ("O",)},
    ):
        with pytest.raises(ValueError):
            tag(**wrong)
