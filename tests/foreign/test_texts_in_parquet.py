"""Parquet files whose rows are texts, texts with spans, or words under another name."""

from __future__ import annotations

import datetime
import json
import math
from pathlib import Path

import pytest

from command_line import succeed

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

TEXTS = ["Anna lives in Rome.", "Bob sings."]


def model(folder: Path) -> Path:
    (folder / "train.txt").write_text("Anna B-PER\nlives O\nin O\nRome B-LOC\n. O\n\n" * 5)
    succeed("train", "--train", folder / "train.txt", "-r", "basic-ner", "-m", folder / "a.model")
    return folder / "a.model"


def write(path: Path, **columns: list[object]) -> Path:
    pq.write_table(pa.table(columns), path)
    return path


def test_spans_are_read_as_in_json(tmp_path: Path) -> None:
    spans = [[{"start": 0, "end": 4, "label": "PER"}, {"start": 14, "end": 18, "label": "LOC"}], []]
    path = write(tmp_path / "a.parquet", text=TEXTS, entities=spans, id=[7, 8])
    succeed("convert", path, tmp_path / "a.jsonl", "--tokenizer", "en")
    first, second = map(json.loads, (tmp_path / "a.jsonl").read_text().splitlines())
    assert first["labels"] == ["B-PER", "O", "O", "B-LOC", "O"] and first["id"] == 7
    assert second["labels"] == ["O", "O", "O"]


@pytest.mark.parametrize(("name", "option"), [("text", []), ("body", ["--text", "body"])])
def test_texts_are_tagged_and_their_keys_are_kept(name: str, option: list[str], tmp_path: Path) -> None:
    when, number = [datetime.date(2020, 1, 2), None], [math.nan, 2.5]
    path = write(tmp_path / "a.parquet", **{"when": when, "number": number, name: TEXTS})
    result = succeed("tag", "-m", model(tmp_path), path, "--tokenizer", "en", *option)
    first, second = map(json.loads, result.out.splitlines())
    assert first["ner" if "ner" in first else "labels"][0] == "B-PER"
    assert (first["when"], first["number"], second["when"], second["number"]) == ("2020-01-02", None, None, 2.5)


@pytest.mark.parametrize("way", ["tag", "convert"])
def test_texts_are_written_with_their_ids_and_places(way: str, tmp_path: Path) -> None:
    texts = [{"text": f"{TEXTS[0]} {TEXTS[1]}"}, {"id": 8, "text": TEXTS[1]}]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(one) + "\n" for one in texts))
    common = ("-m", model(tmp_path), "--tokenizer", "en")
    if way == "tag":
        succeed("tag", *common, tmp_path / "a.jsonl", "-o", tmp_path / "b.parquet")
    else:
        succeed("tag", *common, tmp_path / "a.jsonl", "-o", tmp_path / "b.jsonl")
        succeed("convert", tmp_path / "b.jsonl", tmp_path / "b.parquet")
    rows = pq.read_table(tmp_path / "b.parquet").to_pylist()
    assert [(row["id"], row["document_id"], row["text"]) for row in rows] == [
        (None, 1, TEXTS[0]),
        (None, 1, TEXTS[1]),
        ("8", 2, TEXTS[1]),
    ]
    assert rows[1]["offsets"] == [[20, 23], [24, 29], [29, 30]]
    if way == "tag":
        assert [(span["text"], span["start_char"], span["end_char"]) for span in rows[0]["spans"]] == [
            ("Anna", 0, 4),
            ("Rome", 14, 18),
        ]
