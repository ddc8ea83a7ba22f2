"""The files that `make speed` trains on and tags."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

SHIPPED = Path(__file__).resolve().parent.parent / "src" / "perceptag" / "data"
COLUMNS = {"pos": "form,xpos", "chunk": "form,pos,chunk", "ner": "form,pos,chunk,ner"}
TRAINING = {"chunk": "conll2000/train.txt", "ner": "conll2003/eng.train"}
TOKENS = {"pos": 10_000, "chunk": 8_000, "ner": 8_000, "text": 300_000, "lines": 60_000, "raw": 15_000}
NEW = 10  # in copies of the text, one word of so many is a new one
Rows = list[list[str]]


def write_data(folder: Path, data: str | None) -> None:
    """Write all files: to train on, to tag in four formats, and one line to start with."""
    folder.mkdir()
    bank = Path(data, "ewt/en_ewt-ud-train.conllu") if data else SHIPPED / "text-train.conllu"
    original = list(read_rows(bank, "\t"))
    _write(folder / "pos.txt", _columns(first(original, TOKENS["pos"])))
    for name, path in TRAINING.items():
        source, number = Path(data, path) if data else SHIPPED / "train.txt", COLUMNS[name].count(",") + 1
        sentences = first(list(read_rows(source, None)), TOKENS[name])
        _write(folder / f"{name}.txt", [[row[:number] for row in rows] for rows in sentences])
    text = first(original[::-1], TOKENS["text"])  # from the end, so that many words are new to the model
    _write(folder / "text.conllu", text, "\t")
    _write(folder / "text.txt", _columns(text))
    lines = [json.dumps({"tokens": _words(rows)}) for rows in first(text, TOKENS["lines"])]
    (folder / "text.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    raw = [" ".join(_words(rows)) for rows in first(text, TOKENS["raw"])]
    paragraphs = [" ".join(raw[i : i + 5]) for i in range(0, len(raw), 5)]
    (folder / "raw.txt").write_text("\n\n".join(paragraphs) + "\n", encoding="utf-8")
    (folder / "raw-line.txt").write_text("Angela Merkel visited London.\n", encoding="utf-8")
    _write(folder / "line.txt", [[["Angela", "_"], ["Merkel", "_"], ["sleeps", "_"], [".", "_"]]])


def read_rows(path: Path, separator: str | None) -> Iterator[Rows]:
    """Yield the tokens of each sentence as rows; ranges and empty nodes of CoNLL-U, and comments, are left out."""
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        rows = [line.split(separator) for line in block.splitlines() if not (separator and line.startswith("#"))]
        rows = [row for row in rows if row and row[0] != "-DOCSTART-" and (not separator or row[0].isdecimal())]
        if rows:
            yield rows


def first(sentences: list[Rows], tokens: int) -> list[Rows]:
    """Return sentences of so many tokens: copies with new words once all have been taken."""
    taken = 0
    found: list[Rows] = []
    for rows in (_copy(rows, number) for number in count() for rows in sentences):
        if taken >= tokens:
            break
        found.append(rows)
        taken += len(rows)
    return found


def _copy(rows: Rows, number: int) -> Rows:
    """Return a sentence with new words, which no other copy has; the first copy is the sentence itself."""
    if not number or len(rows[0]) != 10:
        return rows
    return [
        [row[0], f"{row[1]}{number}" if i % NEW == number % NEW else row[1], *row[2:]] for i, row in enumerate(rows)
    ]


def _columns(sentences: list[Rows]) -> list[Rows]:
    return [[[row[1].replace(" ", "_"), row[4]] for row in rows] for rows in sentences]


def _words(rows: Rows) -> list[str]:
    return [row[1] for row in rows]


def _write(path: Path, sentences: list[Rows], separator: str = " ") -> None:
    text = "".join("".join(separator.join(row) + "\n" for row in rows) + "\n" for rows in sentences)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_data(Path(sys.argv[1]), os.environ.get("PERCEPTAG_DATA"))
