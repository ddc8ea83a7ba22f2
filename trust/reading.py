"""Line ends do not change what is read, and what is written is read back unchanged."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from perceptag import DataError, Sentence
from perceptag.text import (
    CONLLU_COLUMNS,
    read_columns,
    read_conllu,
    read_jsonl,
    write_columns,
    write_conllu,
    write_jsonl,
)
from perceptag.text.conllu import ConlluLayout
from trust import samples
from trust.counts import Tallies, Tally

ENDS = {"LF": b"\n", "CRLF": b"\r\n", "CR": b"\r"}
MARK = "\ufeff".encode()


def check(quick: bool) -> Tallies:
    """Try variants of real files, chunks of any size, and sentences that Hypothesis makes."""
    yield variants()
    yield chunk_sizes(range(1, 65, 9 if quick else 1))
    number = 500 if quick else 5_000
    for name, (strategy, reader, writer) in FORMATS.items():
        yield round_trips(name, strategy, reader, writer, number)
    yield surrogates()


def texts() -> dict[str, tuple[bytes, Callable[..., Any]]]:
    """Return files to vary: the shipped corpus, and the same sentences in the other formats."""
    sentences = list(samples.sentences(60))
    trees, lines = io.BytesIO(), io.BytesIO()
    write_conllu([_tree(s) for s in sentences], trees)
    write_jsonl(sentences, lines)
    found: dict[str, tuple[bytes, Callable[..., Any]]] = {
        path.name: (path.read_bytes(), read_columns) for path in sorted(samples.CORPUS.glob("*.txt"))
    }
    odd = "a\u2028b X\nc\u0085d Y\n\u00a0 Z\n\n\x0b\x0c W\n".encode()
    return found | {
        "CoNLL-U": (trees.getvalue(), read_conllu),
        "JSONL": (lines.getvalue(), read_jsonl),
        "odd": (odd, read_columns),
    }


def _tree(sentence: Sentence) -> Sentence:
    empty = ["_"] * len(sentence)
    return Sentence({name: sentence.columns["form"] if name == "form" else list(empty) for name in CONLLU_COLUMNS})


def variants() -> Tally:
    """Vary line ends, the byte order mark, and the end of the last line."""
    tally = Tally("line ends x byte order mark x final newline")
    for name, (data, reader) in texts().items():
        body = data.rstrip(b"\n")
        expected = list(reader(io.BytesIO(body + b"\n")))
        for end_name, end in ENDS.items():
            for mark in (b"", MARK):
                for final in (b"", end, end + end):
                    varied = mark + body.replace(b"\n", end) + final
                    found = list(reader(io.BytesIO(varied)))
                    same = found == expected and [s.line for s in found] == [s.line for s in expected]
                    tally.check(same, f"{name}: {end_name}, {'mark' if mark else 'no mark'}, {final!r}")
    return tally


class Drip(io.RawIOBase):
    """A stream that returns `size` bytes at a time, as a pipe may."""

    def __init__(self, data: bytes, size: int) -> None:
        self.data, self.size, self.at = data, size, 0

    def read(self, _: int = -1) -> bytes:
        part = self.data[self.at : self.at + self.size]
        self.at += self.size
        return part


def chunk_sizes(sizes: range) -> Tally:
    """Read the first sentences of each file in chunks of each size, with each kind of line end."""
    tally = Tally("chunks of 1 to 64 bytes are read as the whole file")
    for name, (data, reader) in texts().items():
        blank = b"\n" if reader is read_jsonl else b"\n\n"  # what follows a sentence
        cut = data[: data.rfind(blank, 0, 4000) + len(blank)] if len(data) > 4000 else data
        expected = list(reader(io.BytesIO(cut)))
        for end in ENDS.values():
            varied = cut.replace(b"\n", end)
            for size in sizes:
                tally.check(list(reader(Drip(varied, size))) == expected, f"{name}, {size} bytes, {end!r}")
    return tally


# --- there and back ---

# Characters that confuse readers: separators of other standards, marks, joiners, astral planes, special spaces.
ODD = "\u2028\u2029\u0085\x0b\x0c\x1c\x1d\x1e\ufeff\u00a0\u200b\u200d\u202e\u0301\u3000\U0001f600\U0010ffff\x7f"
ODD += "#-_.=|\\\"'"
PLAIN = st.characters(exclude_categories=["Cs"], exclude_characters="\0\t\n\r ")
VALUES = st.text(st.one_of(st.sampled_from(ODD), PLAIN), min_size=1, max_size=8)
WILD = VALUES | st.text(max_size=3)  # including values that cannot be written


def _sentences(columns: list[str], values: st.SearchStrategy[str], least: int) -> st.SearchStrategy[list[Sentence]]:
    def sentence(rows: list[tuple[str, ...]], starts: bool) -> Sentence:
        return Sentence({name: [row[i] for row in rows] for i, name in enumerate(columns)}, starts_document=starts)

    rows = st.lists(st.tuples(*[values] * len(columns)), min_size=least, max_size=4)
    return st.lists(st.builds(sentence, rows, st.booleans()), max_size=4)


@st.composite
def _trees(draw: st.DrawFn) -> list[Sentence]:
    """Draw sentences of CoNLL-U with comments, multiword tokens and empty nodes among the words."""
    found = []
    for _ in range(draw(st.integers(0, 2))):
        rows = draw(st.lists(st.tuples(*[VALUES] * len(CONLLU_COLUMNS)), min_size=1, max_size=3))
        columns = {name: [row[i] for row in rows] for i, name in enumerate(CONLLU_COLUMNS)}
        layout = ConlluLayout(len(rows), tuple(_extra(draw, len(rows))))
        found.append(Sentence(columns, starts_document=draw(st.booleans()), layout=layout))
    return found


def _extra(draw: st.DrawFn, words: int) -> Iterator[tuple[int, str]]:
    rest = "\t_" * (len(CONLLU_COLUMNS) - 1)
    for before in range(words + 1):
        match draw(st.integers(0, 5)):
            case 0:
                yield before, f"# c {draw(VALUES)}"
            case 1:
                yield before, f"{before}.1\t{draw(VALUES)}{rest}"
            case 2 if before + 2 <= words:
                yield before, f"{before + 1}-{words}\t{draw(VALUES)}{rest}"


FORMATS: dict[str, tuple[st.SearchStrategy[list[Sentence]], Callable[..., Any], Callable[..., None]]] = {
    "columns": (_sentences(["form", "label"], VALUES, 1), lambda s: read_columns(s, ["form", "label"]), write_columns),
    "CoNLL-U": (_trees(), read_conllu, write_conllu),
    "columns, also wild": (
        _sentences(["form", "label"], WILD, 0),
        lambda s: read_columns(s, ["form", "label"]),
        write_columns,
    ),
    "JSONL": (_sentences(["form", "pos", "label"], VALUES | st.just(""), 0), read_jsonl, write_jsonl),
}


def round_trips(name: str, strategy: st.SearchStrategy[list[Sentence]], reader: Any, writer: Any, number: int) -> Tally:
    """Check that what is written is read back; what cannot be written is refused and leaves nothing."""
    tally = Tally(f"parse(write(x)) == x: {name}")
    refused = 0

    @settings(
        max_examples=number, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )
    @given(strategy)
    def attempt(sentences: list[Sentence]) -> None:
        nonlocal refused
        stream = io.BytesIO()
        try:
            writer(sentences, stream)
        except DataError as error:
            refused += 1
            tally.check(name.endswith("wild"), f"refused: {error}")
            return
        found = list(reader(io.BytesIO(stream.getvalue())))
        same = found == sentences and list(map(_other_lines, found)) == list(map(_other_lines, sentences))
        tally.check(same, f"{sentences}, {found}")

    attempt()
    tally.note = f"{refused:,} of them refused by the writer"
    return tally


def _other_lines(sentence: Sentence) -> list[tuple[int, str]]:
    """Return the lines of a CoNLL-U sentence that are not words, except the one that starts a document."""
    layout = sentence.layout
    return [line for line in layout.extra if line != (0, "# newdoc")] if isinstance(layout, ConlluLayout) else []


def surrogates() -> Tally:
    """Check that lone surrogates are refused."""
    tally = Tally("lone surrogates are refused by every writer and reader")
    for text in ("\ud800", "a\udfffb", "\udc80"):
        sentence = Sentence({name: [text] for name in CONLLU_COLUMNS})
        for writer in (write_columns, write_conllu, write_jsonl):
            tally.add(
                _refusal(lambda writer=writer, sentence=sentence: writer([sentence], io.BytesIO()), writer.__name__)
            )
        escaped = json.dumps({"tokens": [text]}).encode()
        tally.add(_refusal(lambda escaped=escaped: list(read_jsonl(io.BytesIO(escaped))), "JSONL"))
        raw = text.encode("utf-8", "surrogatepass") + b" X\n"
        tally.add(_refusal(lambda raw=raw: list(read_columns(io.BytesIO(raw))), "columns"))
    return tally


def _refusal(use: Callable[[], object], name: str) -> str | None:
    try:
        use()
    except DataError:
        return None
    return f"{name}: accepted"
