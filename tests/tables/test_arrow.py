"""Columns of Arrow: the labels of `predict`, nulls and chunks kept, and clear refusals."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import perceptag.arrow
from perceptag import DataError, Pipeline, SettingError, Tagger
from toys import make_recipe, random_corpus

WORDS = ("the", "dog", "saw", "a", "Cat", "runs", "x-1", "2002", "Über", "new")


@pytest.fixture(scope="module")
def taggers() -> dict[str, Tagger]:
    """Models that are tagged by types, and models that need sentences."""
    train = random_corpus(1, 40)
    chunks = [["B-X", "I-X", "O", "B-Y", "I-Y", "O"][: len(s)] for s in train]
    words = [s.tokens for s in train]
    common = {"templates": ("form[0]", "suffix1[-1]", "bias * y-1 y0"), "epochs": 2}
    return {
        "tags": Tagger(make_recipe(**common)).fit(words, [s.columns["label"] for s in train]),
        "spans": Tagger(make_recipe(**common, **{"labels.scheme": "IOBES"})).fit(words, chunks),
        "tag dictionary": Tagger(make_recipe(**common, tag_dictionary=2)).fit(
            words, [s.columns["label"] for s in train]
        ),
        "guided": Tagger("shen-pos-a", epochs=1).fit(words, [s.columns["label"] for s in train]),
    }


@pytest.mark.parametrize("name", ["tags", "spans", "tag dictionary", "guided"])
@given(st.lists(st.one_of(st.none(), st.lists(st.sampled_from(WORDS), max_size=5)), max_size=8))
def test_labels_are_those_of_predict(taggers: dict[str, Tagger], name: str, sentences: list[Any]) -> None:
    tagger = taggers[name]
    expected = [None if s is None else tagger.predict([s])[0] if s else [] for s in sentences]
    for kind in (
        pa.list_(pa.string()),
        pa.large_list(pa.large_string()),
        pa.list_(pa.dictionary(pa.int8(), pa.string())),
    ):
        found = perceptag.arrow.tag(tagger, pa.array(sentences, kind))
        assert found.to_pylist() == expected
        assert found.type == pa.list_(pa.dictionary(pa.int32(), pa.string()))


def test_chunks_and_slices_stay(taggers: dict[str, Tagger]) -> None:
    tagger, rows = taggers["tags"], [["the", "dog"], ["a"], None, [], ["Cat", "runs", "new"], ["saw"]]
    whole = pa.array(rows)
    chunked = pa.chunked_array([whole.slice(0, 2), whole.slice(2, 0), whole.slice(2)])
    found = perceptag.arrow.tag(tagger, chunked, threads=2)
    assert [len(chunk) for chunk in found.chunks] == [2, 0, 4]
    assert found.to_pylist() == perceptag.arrow.tag(tagger, whole).to_pylist()
    assert perceptag.arrow.tag(tagger, whole.slice(3, 2)).to_pylist() == [[], tagger.predict([rows[4]])[0]]
    assert perceptag.arrow.tag(tagger, pa.chunked_array([], pa.list_(pa.string()))).to_pylist() == []
    fixed = pa.array([["the", "dog"], None, ["a", "Cat"]], pa.list_(pa.string(), 2))
    assert perceptag.arrow.tag(tagger, fixed).to_pylist()[1] is None


def test_further_columns_and_layers() -> None:
    train = random_corpus(1, 40)
    pos = Tagger(make_recipe(templates=("form[0]", "bias"), **{"labels.column": "pos"}, epochs=2))
    pos.fit([{"form": s.tokens, "pos": s.columns["pos"]} for s in train])  # type: ignore[misc]
    top = Tagger(make_recipe(templates=("form[0]", "pos[0]", "bias * y-1 y0"), epochs=2)).fit(train)
    words, tags = [s.tokens for s in train], [s.columns["pos"] for s in train]
    table = pa.table({"words": words, "pos": tags})
    rows = [{"form": w, "pos": p} for w, p in zip(words, tags, strict=True)]
    assert perceptag.arrow.tag(top, table["words"], columns={"pos": table["pos"]}).to_pylist() == top.predict(rows)
    both = Pipeline({"pos": pos, "label": top})
    assert perceptag.arrow.tag(both, table["words"]).to_pylist() == [s.columns["label"] for s in both.tag(words)]
    with pytest.raises(SettingError, match="columns: expected 'pos', which the model reads, found form"):
        perceptag.arrow.tag(top, table["words"])
    shorter = [tags[0], [*tags[1], "X"], *tags[2:]]
    with pytest.raises(DataError, match=rf"sentence 1: expected {len(words[1])} values in column 'pos', one for each"):
        perceptag.arrow.tag(top, table["words"], columns={"pos": pa.array(shorter)})


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ([["a"]], "form: expected an array of pyarrow, found 'list'"),
        (pa.array(["a"]), r"form: expected a column of type list<string>, found string"),
        (pa.array([[1]]), r"form: expected a column of type list<string>, found list<"),
        (pa.array([["a"], ["b", None]]), r"sentence 1, token 1: column 'form': expected text, found None"),
    ],
)
def test_other_columns_are_refused(taggers: dict[str, Tagger], column: Any, message: str) -> None:
    with pytest.raises((DataError, SettingError), match=message):
        perceptag.arrow.tag(taggers["tags"], column)


def test_models_that_look_at_documents_are_refused() -> None:
    tagger = Tagger("ner", epochs=1, inner_folds=0, margins=1).fit([["Ada", "slept"]] * 4, [["B-PER", "O"]] * 4)
    with pytest.raises(SettingError, match="expected one that looks at single sentences, found one that looks at doc"):
        perceptag.arrow.tag(tagger, pa.array([["Ada"]]))
