"""Tables of other libraries: sentences come back, labels are those of `predict`, and what is wrong is named."""

from __future__ import annotations

from typing import Any

import pytest

from perceptag import DataError, SettingError, Tagger
from perceptag.tables import from_sentences, tag, to_sentences
from perceptag.text import Sentence, read, write
from table_toys import made, needs, values

KINDS = [
    pytest.param("arrow"),
    *(pytest.param(kind, marks=pytest.mark.doors) for kind in ("pandas", "polars", "datasets")),
]
X = [["The", "dog", "barks"], [], ["A", "cat"], ["It", "sleeps"]]
Y = [["DT", "NN", "VBZ"], [], ["DT", "NN"], ["PRP", "VBZ"]]


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return Tagger("collins-pos", epochs=3).fit([x for x in X if x], [y for y in Y if y])


@pytest.mark.parametrize("kind", KINDS)
def test_fit_and_further_columns(kind: str) -> None:
    frame = made(kind, tokens=X * 2, tags=Y * 2)
    tagger = Tagger("collins-pos", epochs=3).fit(to_sentences(frame, labels="tags"))
    assert tagger.predict(X[:1]) == Y[:1]
    reader = Tagger(templates=("pos[0]", "bias"), learner="perceptron", epochs=2)
    reader.fit(to_sentences(frame, labels="tags", columns={"pos": "tags"}))
    assert values(tag(reader, frame, labels="new", columns={"pos": "tags"}), "new")[0] == Y[0]


@pytest.mark.parametrize("kind", KINDS)
def test_tokens_that_are_not_text_are_named_by_row_and_column(kind: str, tagger: Tagger) -> None:
    for words, found in (
        ([["a"], ["b", None]], "token 1: column 'w': expected text, found None"),
        ([[1]], "token 0: .*found 1"),
    ):
        with pytest.raises(DataError, match=rf"row {len(words) - 1}, {found}"):
            tag(tagger, made(kind, w=words), "w")


@pytest.mark.parametrize("kind", KINDS)
def test_ids_of_sentences_may_begin_again_in_each_document(kind: str) -> None:
    rows = made(kind, d=["x", "x", "y", "y"], s=[1, 1, 1, 2], w=["a", "b", "c", "d"])
    found = [(one.tokens, one.starts_document) for one in to_sentences(rows, "w", by="s", document="d")]
    assert found == [(["a", "b"], True), (["c"], True), (["d"], False)]


def test_columns_of_arrow_without_a_type(tagger: Tagger) -> None:
    pa = needs("arrow")
    assert values(tag(tagger, pa.table({"tokens": [[], None]})), "labels") == [[], None]
    frame = pa.table({"tokens": [None, ["A"]], "pos": [["X"], ["Y"]]})
    assert values(tag(tagger, frame, columns=["pos"]), "labels") == [None, ["DT"]]


@pytest.mark.doors
def test_datasets_have_class_labels(tmp_path: Any, tagger: Tagger) -> None:
    needs("datasets")
    frame = from_sentences([Sentence({"form": x, "label": y}) for x, y in zip(X, Y, strict=True)], "datasets")
    assert frame.features["labels"].feature.names == ["DT", "NN", "PRP", "VBZ"]
    assert next(iter(frame["labels"])) == [0, 1, 3]
    shuffled = frame.shuffle(seed=1).with_format("numpy")
    assert sorted(s.columns["label"] for s in to_sentences(shuffled, labels="labels")) == sorted(Y)
    path = tmp_path / "x.parquet"
    frame.to_parquet(path)
    sentences = list(read(path))
    assert [s.columns["label"] for s in sentences] == Y
    with pytest.raises(SettingError, match="labels"):  # numbers, of which the names are written nowhere else
        write(sentences, path)


@pytest.mark.doors
def test_files_are_read_by_other_libraries(tmp_path: Any) -> None:
    pandas, polars = needs("pandas"), needs("polars")
    path, target = tmp_path / "x.parquet", tmp_path / "y.parquet"
    for frame in (pandas.DataFrame({"tokens": X}, index=[7, 7, 8, 9]), polars.DataFrame({"tokens": X})):
        frame.to_parquet(path) if hasattr(frame, "to_parquet") else frame.write_parquet(path)
        sentences = list(read(path))
        for sentence in sentences:
            sentence.columns["label"] = sentence.tokens
        write(sentences, target)
        assert polars.read_parquet(target)["labels"].to_list() == X
        assert [list(v) for v in pandas.read_parquet(target)["labels"]] == X
    assert list(pandas.read_parquet(target).columns) == ["tokens", "labels"]


@pytest.mark.doors
def test_odd_columns_of_pandas(tagger: Tagger) -> None:
    pandas = needs("pandas")
    numbered = pandas.DataFrame([[1, "A"], [1, "cat"]])
    assert values(tag(tagger, numbered, 1, by=0), "labels") == ["DT", "NN"]  # type: ignore[call-overload]
    ids = pandas.DataFrame({"s": pandas.array([1, None], dtype="Int64"), "w": ["a", "b"]})
    with pytest.raises(DataError, match=r"row 1: column 's': expected the id of a sentence, found None; .ffill\(\)"):
        to_sentences(ids, "w", by="s")
    with pytest.raises(SettingError, match="by: expected the name of a column, found 5"):
        to_sentences(ids, "w", by=5)  # type: ignore[arg-type]
    with pytest.raises(DataError, match=r"row 0, token 0: column 'w': expected text, found NUL in 'a"):
        to_sentences(pandas.DataFrame({"w": [["a\0"]]}), "w")


def test_text_of_arrow_that_is_not_utf8(tagger: Tagger) -> None:
    pa = needs("arrow")
    words = pa.ListArray.from_arrays(pa.array([0, 1]), pa.array([b"\xff"]).view(pa.string()))
    with pytest.raises(DataError, match="column 'tokens': expected text in UTF-8, found the byte 0xFF"):
        tag(tagger, pa.table({"tokens": words}))


@pytest.mark.doors
def test_an_index_stays(tagger: Tagger) -> None:
    frame = needs("pandas").DataFrame({"tokens": X}, index=[7, 7, 8, 9])
    found = tag(tagger, frame)
    assert list(found.index) == [7, 7, 8, 9] and found["labels"].iloc[2] == ["DT", "NN"]


@pytest.mark.parametrize("kind", KINDS)
def test_no_column_takes_the_place_of_another(kind: str, tagger: Tagger) -> None:
    needs(kind)
    sentences = [Sentence({"form": ["a"], "tokens": ["b"], "label": ["c"]})]
    for names, twice in (({}, "tokens"), ({"tokens": "w", "labels": "w"}, "w"), ({"tokens": "w", "by": "w"}, "w")):
        with pytest.raises(SettingError, match=f"expected different names of columns, found '{twice}' twice"):
            from_sentences(sentences, kind, **names)
    frame = from_sentences(sentences, kind, tokens="form")
    for columns, message in (
        ({"form": "tokens"}, "expected further columns, found 'form', which is that of `tokens`"),
        ("tokens", r"expected a list of names, such as \['tokens'\], found 'tokens'"),
    ):
        with pytest.raises(SettingError, match=f"columns: {message}"):
            to_sentences(frame, "form", columns=columns)
    with pytest.raises(SettingError, match="labels: expected the name of a new column, found 0"):
        tag(tagger, frame, "form", 0)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="row 0: column 'tokens': expected an id, such as a number or a string, found "):
        to_sentences(frame, "form", document="tokens")
