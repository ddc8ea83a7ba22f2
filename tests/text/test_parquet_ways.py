"""The short way of tagging Parquet and the general one give the same table, and the same refusals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perceptag import DataError, Pipeline, Tagger
from perceptag.tagging import parquet_files
from perceptag.tagging.job import BATCH, TagFileOptions
from perceptag.tagging.tag_file import tag_file

WORDS = st.sampled_from(["the", "dog", "A", "cat", "Über", "", "x y"])


@pytest.fixture(scope="module")
def opened() -> Pipeline:
    templates = ("form[0]", "suffix1[-1]", "bias * y-1 y0")
    tagger = Tagger(templates=templates, learner="perceptron", epochs=2)
    return Pipeline([tagger.fit([["the", "dog"], ["A", "cat"]] * 3, [["DT", "NN"]] * 6)])


def both(opened: Pipeline, source: Path) -> list[Any]:
    """The tables, or the messages, of both ways."""
    found: list[Any] = []
    for batch in (BATCH, BATCH - 1):  # the second lets it go the general way
        target = source.with_name("out.parquet")
        try:
            tokens = tag_file(opened, str(source), str(target), TagFileOptions(batch=batch))
            found.append((tokens, pq.read_table(target).combine_chunks()))
        except DataError as error:
            found.append(str(error))
    return found


@settings(max_examples=30)
@given(st.lists(st.lists(WORDS, max_size=4), min_size=1, max_size=9), st.booleans(), st.integers(1, 4))
def test_tables_are_the_same(
    opened: Pipeline, tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]], labelled: bool, size: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "in.parquet"
    table = pa.table({"n": range(len(rows)), "tokens": pa.array(rows, pa.list_(pa.string())), "z": [[0.5]] * len(rows)})
    if labelled:
        table = table.append_column("labels", pa.array([["NN"] * len(row) for row in rows], pa.list_(pa.string())))
    pq.write_table(table, path, row_group_size=size)
    short, general = both(opened, path)
    assert short == general and short[0] == sum(map(len, rows))


@pytest.mark.parametrize(
    "columns",
    [
        {"tokens": pa.array([["the", "dog"]], pa.large_list(pa.large_string()))},
        {"tokens": pa.array([["the", "dog"]], pa.list_(pa.dictionary(pa.int8(), pa.string())))},
        {"sentence_id": [1, 1, 2], "token": ["the", "dog", "cat"]},
    ],
)
def test_tables_of_other_types_are_the_same(opened: Pipeline, tmp_path: Path, columns: dict[str, Any]) -> None:
    pq.write_table(pa.table(columns), tmp_path / "in.parquet")
    short, general = both(opened, tmp_path / "in.parquet")
    assert short == general and isinstance(short, tuple)


@pytest.mark.parametrize(
    "columns",
    [
        {"tokens": [["a"], None]},
        {"tokens": [["a"], ["b", None]]},
        {"tokens": [["a"], ["b", "\0"]]},
        {"tokens": [["a", "b"], ["c"]], "pos": [["A", "B"], ["C", "D"]]},
        {"tokens": [["a", "b"], ["c", "d"]], "labels": [["some", "words"], ["and", "more"]]},
        {"form": [["a"]], "sentence": [1], "tokens": [["b", "c"]]},
    ],
)
def test_refusals_are_the_same(opened: Pipeline, tmp_path: Path, columns: dict[str, Any]) -> None:
    pq.write_table(pa.table(columns), tmp_path / "in.parquet")
    short, general = both(opened, tmp_path / "in.parquet")
    assert short == general and "in.parquet, row " in short


def test_a_file_without_rows_keeps_its_columns(opened: Pipeline, tmp_path: Path) -> None:
    empty = pa.table({"n": pa.array([], pa.int8()), "tokens": pa.array([], pa.list_(pa.string()))})
    pq.write_table(empty, tmp_path / "in.parquet")
    assert tag_file(opened, str(tmp_path / "in.parquet"), str(tmp_path / "out.parquet")) == 0
    assert pq.read_schema(tmp_path / "out.parquet").names == ["n", "tokens", "labels"]


def test_the_short_way_is_taken(opened: Pipeline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pq.write_table(pa.table({"tokens": [["the", "dog"]]}), tmp_path / "in.parquet")
    taken = []
    monkeypatch.setattr(parquet_files, "_write", lambda writer, tables: taken.append(list(tables)) or 7)
    assert tag_file(opened, str(tmp_path / "in.parquet"), str(tmp_path / "out.parquet")) == 7 and len(taken) == 1
