"""Parquet: what is read comes back, other columns stay as they are, and what is wrong is named by row and column."""

from __future__ import annotations

import datetime
import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from command_line import run, succeed
from perceptag import DataError, SettingError
from perceptag.text import Sentence, read, write

NAMES = ["O", "B-PER", "I-PER"]
TAGGED = json.dumps({"info": {"features": {"tags": {"feature": {"names": NAMES, "_type": "ClassLabel"}}}}})


def rows(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return found


def labelled(path: Path, column: str = "label", label: str = "X") -> list[Sentence]:
    """The sentences of a file, with new labels."""
    sentences = list(read(path))
    for sentence in sentences:
        sentence.columns[column] = [label] * len(sentence)
    return sentences


KINDS = {
    "dictionary": pa.list_(pa.dictionary(pa.int8(), pa.string())),
    "large": pa.large_list(pa.large_string()),
    "view": pa.list_(pa.string_view()),
    "fixed": pa.list_(pa.string(), 2),
    "plain": pa.list_(pa.string()),
}


@pytest.mark.parametrize("kind", KINDS)
def test_one_column_more_and_the_others_as_they_were(tmp_path: Path, kind: str) -> None:
    source, target = tmp_path / "in.parquet", tmp_path / "out.parquet"
    table = pa.table(
        {
            "when": pa.array([datetime.datetime(2020, 1, i + 1) for i in range(5)], pa.timestamp("ns")),
            "tokens": pa.array([["a", "b"]] * 4 + [["c", "d"]], KINDS[kind]),
            "vector": pa.array([[0.5], None, [1.5, 2.5], [], [3.0]], pa.list_(pa.float32())),
        }
    ).replace_schema_metadata({"who": "me"})
    pq.write_table(table, source, row_group_size=2)
    write(labelled(source), target)
    found = pq.read_table(target)
    assert found.drop_columns("labels").equals(table, check_metadata=False)
    assert found.schema.metadata[b"who"] == b"me"
    assert found["labels"].to_pylist() == [["X", "X"]] * 5
    places = pq.ParquetFile(target).metadata.row_group(0)
    label = next(c for c in map(places.column, range(places.num_columns)) if c.path_in_schema.startswith("labels"))
    assert label.has_dictionary_page
    write(labelled(target, label="Y"), source)  # a label column that is there is replaced, in its place
    assert pq.read_schema(source).names == found.schema.names and rows(source)[0]["labels"] == ["Y", "Y"]


def test_names_of_columns(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"form": [["a"]], "tokens": [["b"]], "labels": [["c"]], "label": [["d"]]}), path)
    (both,) = read(path)
    assert both.columns == {"form": ["a"], "tokens": ["b"], "labels": ["c"], "label": ["d"]}
    pq.write_table(pa.table({"tokens": [["a"]], "keywords": [["x", "y"]], "labels": [["c"]]}), path)
    (some,) = read(path, columns=["form"])
    assert some.columns == {"form": ["a"]}
    some.columns["label"] = ["new"]
    write([some], tmp_path / "y.parquet")
    assert rows(tmp_path / "y.parquet") == [{"tokens": ["a"], "keywords": ["x", "y"], "labels": ["new"]}]


def test_labels_that_are_numbers(tmp_path: Path) -> None:
    path, target = tmp_path / "x.parquet", tmp_path / "y.parquet"
    table = pa.table({"tokens": [["Ada", "Byron", "sat"]], "tags": [[1, 2, 0]], "size": [[1, 2, 3]]})
    pq.write_table(table.replace_schema_metadata({"huggingface": TAGGED}), path)
    (sentence,) = read(path)
    assert sentence.columns == {"form": ["Ada", "Byron", "sat"], "tags": ["B-PER", "I-PER", "O"]}
    with pytest.raises(SettingError, match=r"would replace column 'tags' of type list<.*int64>, which does not hold"):
        write([sentence], target)
    wrong = pa.table({"tokens": [["a"], ["b"]], "tags": [[0], [3]]}).replace_schema_metadata({"huggingface": TAGGED})
    pq.write_table(wrong, path)
    with pytest.raises(DataError, match=r"row 1, token 0: column 'tags': expected a number from 0 to 2, found 3"):
        list(read(path))


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no tokens": (
        {"words": [["a"]]},
        r"x\.parquet: expected a column 'tokens' or 'form' of type list<string>, found words: list<",
    ),
    "numbers": ({"tokens": [[1]]}, r"x\.parquet: expected a column 'tokens' .*found tokens: list<element: int64>"),
    "a token in each row": (
        {"form": ["a"]},
        r"x\.parquet: expected a column 'tokens' .*found form: string; a table with a token in each row is read in",
    ),
    "null": ({"tokens": [["a"], None]}, r"x\.parquet, row 1: column 'tokens': expected a list of strings, found null"),
    "null token": ({"tokens": [["a"], ["b", None]]}, r"x\.parquet, row 1, token 1: column 'tokens': expected text, fo"),
    "NUL": (
        {"tokens": [["a"], ["b", "\0"]]},
        r"x\.parquet, row 1, token 1: column 'tokens': expected text, found a NUL",
    ),
    "ragged": (
        {"tokens": [["a"], ["b", "c"]], "pos": [["A"], ["B"]]},
        r"x\.parquet, row 1: column 'pos': expected 2 values as in 'tokens', found 1; --columns can leave it out",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_wrong_is_named(tmp_path: Path, name: str) -> None:
    columns, message = BAD[name]
    pq.write_table(pa.table(columns), tmp_path / "x.parquet")
    with pytest.raises(DataError, match=message):
        list(read(tmp_path / "x.parquet"))


def test_damaged_files(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"tokens": [["a"] * 9] * 99}), path)
    data = path.read_bytes()
    for damaged in (b"", b"no such thing", data[:-9], data[:20] + b"\xff" * 40 + data[60:]):
        path.write_bytes(damaged)
        with pytest.raises(DataError, match=r"x\.parquet: cannot read: "):
            list(read(path))
    assert list(read(io.BytesIO(), "parquet")) == []  # but a file is not empty by intention
    with pytest.raises(DataError, match="cannot read: No such file"):
        list(read(tmp_path / "none.parquet"))


def test_verbs_read_and_write_parquet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    table = pa.table({"id": range(6), "tokens": [["The", "dog"], ["A", "cat", "sat"]] * 3})
    tags = [["DT", "NN"], ["DT", "NN", "VBD"]] * 3
    pq.write_table(table.append_column("pos", pa.array(tags)), "train.parquet")
    pq.write_table(table, "new.pq")
    succeed(*("train", "-r", "collins-pos", "--train", "train.parquet", "--dev", "train.parquet"), "-m", "m", "-q")
    assert "100.00" in succeed("eval", "-m", "m", "train.parquet").out
    succeed("tag", "-m", "m", "new.pq", "-o", "out.parquet", "-q")
    assert (
        pq.read_table("out.parquet").drop_columns("pos") == table
        and [r["pos"] for r in rows(Path("out.parquet"))] == tags
    )
    succeed("tag", "-m", "m", "new.pq", "-o", "more.parquet", "--confidence", "--label", "guess")
    more = rows(Path("more.parquet"))
    assert more[0]["guess"] == tags[0] and len(more[1]["confidence"]) == 3
    succeed("tag", "-m", "m", "new.pq", "-o", "lists.parquet", "--nbest", 2)
    assert rows(Path("lists.parquet"))[0]["nbest"][0]["labels"] == tags[0]
    succeed("tag", "-m", "m", "new.pq", "--in-place", "-q")
    assert succeed("tag", "-m", "m", "new.pq", "--to", "columns", "--replace").out.startswith("The DT\ndog NN\n\n")
    pq.write_table(pa.table({"tokens": [["a"], ["b", None]]}), "bad.parquet")
    bad = run("tag", "-m", "m", "bad.parquet", "-o", "out.parquet")
    assert bad.status == 2 and "bad.parquet, row 1, token 1: column 'tokens': expected text, found null" in bad.err
    assert rows(Path("out.parquet"))[0]["pos"] == tags[0]  # as it was
