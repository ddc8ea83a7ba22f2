"""Data frames of Spark: the labels of `predict`, on workers that have loaded the model once."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from perceptag import DataError, Pipeline, SettingError, Tagger
from pipelines import over_documents, pos_tagger
from toys import make_recipe, random_corpus

pytestmark = [pytest.mark.spark, pytest.mark.filterwarnings("default")]  # Spark warns of much that is not ours
X = [["the", "dog"], [], None, ["a", "Cat", "runs"], ["new"]]


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    sql = pytest.importorskip("pyspark.sql")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = sql.SparkSession.builder.master("local[2]").appName("perceptag")
    settings = {"spark.ui.enabled": "false", "spark.driver.memory": "1g", "spark.sql.shuffle.partitions": "2"}
    settings |= {"spark.driver.host": "127.0.0.1", "spark.local.dir": str(tmp_path_factory.mktemp("spark"))}
    for key, value in settings.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    train = random_corpus(1, 40)
    recipe = make_recipe(templates=("form[0]", "suffix1[-1]", "bias * y-1 y0"), epochs=2)
    return Tagger(recipe).fit([s.tokens for s in train], [s.columns["label"] for s in train])


def expected(tagger: Tagger, tokens: list[str] | None) -> list[str] | None:
    return None if tokens is None else tagger.predict([tokens])[0] if tokens else []


def frame(spark: Any, rows: list[Any], schema: str = "n int, tokens array<string>", parts: int = 3) -> Any:
    return spark.createDataFrame(rows, schema).repartition(parts, "n")


def test_labels_are_those_of_predict(spark: Any, tagger: Tagger, tmp_path: Path) -> None:
    from perceptag.spark import tag

    rows = [(i, X[i % len(X)]) for i in range(200)]
    path = tmp_path / "my model"
    tagger.save(path)
    for model in (tagger, Pipeline([tagger]), path):
        found = tag(model, frame(spark, rows))
        assert found.columns == ["n", "tokens", "labels"] and dict(found.dtypes)["labels"] == "array<string>"
        labels = {row.n: row.labels for row in found.collect()}
        assert labels == {n: expected(tagger, tokens) for n, tokens in rows}
    again = tag(tagger, tag(tagger, frame(spark, rows), labels="one"), labels="two")
    assert all(row.one == row.two for row in again.collect())


def test_a_bad_row_is_an_error(spark: Any, tagger: Tagger) -> None:
    from perceptag.spark import tag

    with pytest.raises(
        Exception, match=f"{DataError.__name__}: sentence 0, token 1: column 'form': expected text, found None"
    ):
        tag(tagger, frame(spark, [(0, ["a", None])], parts=1)).collect()


def test_texts_get_spans(spark: Any) -> None:
    from perceptag.spark import tag

    texts = ["London is large. Angela Merkel stayed in London.", None, "", "It rained."]
    rows = [(i, texts[i % len(texts)]) for i in range(20)]
    found = tag(over_documents(), frame(spark, rows, "n int, body string"), text="body", tokens="words")
    assert found.columns == ["n", "body", "spans", "words"]
    assert dict(found.dtypes)["spans"] == "array<struct<start:bigint,end:bigint,label:string,text:string>>"
    for row in found.collect():
        document = None if row.body is None else over_documents()(row.body)
        spans = None if document is None else document.spans
        fields = None if spans is None else [(s.start_char, s.end_char, s.label, s.text) for s in spans]
        assert (row.spans if row.spans is None else [tuple(span) for span in row.spans]) == fields
        assert row.words == (None if document is None else [word.text for word in document.words])
    with pytest.raises(SettingError, match="text: expected a column of type string, found 'n' of type int"):
        tag(over_documents(), frame(spark, rows, "n int, body string"), text="n")
    with pytest.raises(SettingError, match=r"tokens: expected a column of type .*; text='body' is for texts"):
        tag(pos_tagger(), frame(spark, rows, "n int, body string"), tokens="body")
