"""Kinds of files, told by how they begin.

    head_of(path) ─▶ Head ─▶ MODEL.fits(head), PAGE.fits(head), …      is it of this kind?
                          ─▶ described(head)                            what is it, in words?

The file is looked at, not read: a damaged file of a kind is still one of that kind.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from perceptag.system.compression import Decompressed, of_file
from perceptag.system.toml import read_toml

HEAD = 1 << 16  # bytes that show what a file is
_MARK = "-DOCSTART-"
_STAMP = re.compile(rb'\A.{7}\0\{"__metadata__":\{"perceptag":"([a-z]+) ', re.DOTALL)
_TENSORS = re.compile(rb"\A.{7}\0\{", re.DOTALL)  # the length of a header, and the header
_DATABASE = b"SQLite format 3\0"
_PARQUET = b"PAR1"
_BLANKS = re.compile("[ \t]+")  # between columns; other white space may be part of a token
_NO_TEXT = re.compile("[\0-\x08\x0e-\x1a\x1c-\x1f]")
_SPAN_OF_BRAT = re.compile(r"[TREAMN*#]\d*\t")
_SEPARATORS = (",", ";", "|")
_RECIPE_KEYS = {"learner", "templates", "features", "epochs", "labels", "unit", "description"}
_OTHERS = {  # how files begin that perceptag never writes
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"%PDF-": "a PDF file",
    b"PK\3\4": "a ZIP archive or an office document",
    b"PK\5\6": "a ZIP archive",
    b"\x7fELF": "a program",
    b"MZ": "a program",
    b"\xd0\xcf\x11\xe0": "an office document",
}


@dataclass(frozen=True)
class Head:
    """The first bytes of a file, decompressed."""

    data: bytes
    is_whole: bool

    @cached_property
    def text(self) -> str | None:
        """The same as text, without a line that is cut off; None if it is not text in UTF-8."""
        data = self.data if self.is_whole else self.data.rpartition(b"\n")[0]
        try:
            text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
        except UnicodeDecodeError:
            return None
        return None if _NO_TEXT.search(text) else text

    @cached_property
    def lines(self) -> list[str]:
        """The lines that are not blank; none if it is not text."""
        return [line for line in (self.text or "").split("\n") if line.strip()]

    @property
    def first_line(self) -> str:
        """The first line that is not blank, without white space around it."""
        return self.lines[0].strip() if self.lines else ""


def head_of(path: Path) -> Head:
    """Return how a file begins."""
    with path.open("rb") as file:
        way = of_file(file, str(path))
        if way is None:
            data = file.read(HEAD + 1)
        else:
            packed, data = Decompressed(file, way, str(path)), b""
            with suppress(OSError):  # a damaged file: what comes before the damage counts
                while len(data) <= HEAD and (piece := packed.read(HEAD)):
                    data += piece
    return Head(data[:HEAD], len(data) <= HEAD)


@dataclass(frozen=True)
class FileKind:
    """A kind of files: its name in messages, and how a file of it begins. Formats with their kinds can be pickled."""

    name: str
    fits: Callable[[Head], bool]


def described(head: Head) -> str:
    """Say what a file seems to be."""
    kind = next((kind for kind in _ALL if kind.fits(head)), None)
    return kind.name if kind else _name_of_other(head)


def _name_of_other(head: Head) -> str:
    begins = (name for begin, name in _OTHERS.items() if head.data.startswith(begin))
    looks = {
        "a file of tensors": bool(_TENSORS.match(head.data)),
        "a database": head.data.startswith(_DATABASE),
        "a file that is not text in UTF-8": head.text is None,
        "JSON": _is_json(head),
        "XML": head.first_line.startswith("<"),
        "a table": _is_separated(head.lines),
    }
    return next(begins, "") or next((name for name, is_one in looks.items() if is_one), "another file")


# --- files of perceptag itself ---


def _is_stamped(kinds: Sequence[bytes], head: Head) -> bool:
    found = _STAMP.match(head.data)
    return found is not None and found[1] in kinds


def _is_project(head: Head) -> bool:
    return head.data.startswith(_DATABASE) and head.data[68:72] == b"ptag"


def _is_recipe(head: Head) -> bool:
    try:
        found = read_toml(head.text or "")
    except ValueError:
        return False
    return not _RECIPE_KEYS.isdisjoint(found)


def _begins(begins: tuple[str, ...], head: Head) -> bool:
    return head.first_line.lower().startswith(begins)


def _is_card(head: Head) -> bool:
    return head.first_line.startswith("# ") and "`perceptag build`" in (head.text or "")


def _is_plot(head: Head) -> bool:
    return head.first_line.startswith(("<svg", "<?xml", "<!--")) and "<svg" in (head.text or "")


MODEL = FileKind("a model", partial(_is_stamped, (b"model", b"pipeline")))
CLASSES = FileKind("word classes", partial(_is_stamped, (b"class",)))
CHECKPOINT = FileKind("a checkpoint", partial(_is_stamped, (b"checkpoint",)))
PROJECT = FileKind("a project", _is_project)
RECIPE = FileKind("a recipe", _is_recipe)
CARD = FileKind("a model card", _is_card)
PAGE = FileKind("an HTML page", partial(_begins, ("<!doctype html", "<html")))
PLOT = FileKind("an SVG image", _is_plot)


# --- sentences ---


def _is_json(head: Head) -> bool:
    return head.first_line.startswith(("{", "["))


def _is_json_lines(head: Head) -> bool:
    try:
        return _is_json(head) and isinstance(json.loads(head.first_line), (dict, list))
    except ValueError:
        return False


def _has_sentences(head: Head) -> bool:
    """Return whether JSON lines begin with a sentence: words under ``tokens``, or a list of them."""
    if not _is_json_lines(head):
        return False
    first = json.loads(head.first_line)
    words = first.get("tokens") if isinstance(first, dict) else first
    return isinstance(words, list) and all(isinstance(word, str) for word in words)


def _is_conllu(head: Head) -> bool:
    words = [line.split("\t") for line in head.lines if not line.startswith("#")]
    return bool(words) and all(len(fields) == 10 for fields in words) and words[0][0][:1].isdigit()


def _is_separated(lines: Sequence[str]) -> bool:
    """Return whether lines are rows of cells with commas or alike between them. In prose, a space is next to them."""
    return len(lines) > 1 and any(
        mark in lines[0]
        and len({line.count(mark) for line in lines}) == 1
        and not any(f"{mark} " in line or f" {mark}" in line for line in lines)
        for mark in _SEPARATORS
    )


def _fields(line: str) -> list[str]:
    return _BLANKS.split(line.strip(" \t\r"))


def _width(head: Head) -> int:
    """Return the number of columns of a column file; 0 if lines differ in it, or the file is something else."""
    lines = [line for line in head.lines if _fields(line)[0] != _MARK]
    if not lines or any(fits(head) for fits in (_is_conllu, _is_json_lines, _is_markup, _has_spans)):
        return 0
    separator = "\t" if "\t" in lines[0] else None
    widths = [len(line.split(separator) if separator else _fields(line)) for line in lines]
    width = next((n for n, line in zip(widths, lines, strict=True) if not line.startswith("#")), widths[0])
    is_even = all(n == width or line.startswith("#") for n, line in zip(widths, lines, strict=True))
    ends = separator or len(lines) > 1 or (head.text or "").endswith("\n\n")  # else one line of words
    return width if is_even and ends and not (width == 1 and _is_separated(lines)) else 0


def _has_columns(least: int, head: Head) -> bool:
    return _width(head) >= least


def _is_parquet(head: Head) -> bool:
    return head.data.startswith(_PARQUET)


def _is_markup(head: Head) -> bool:
    return bool(re.match(r"<[!?a-zA-Z]", head.first_line)) and ">" in (head.text or "")


def _is_plain(head: Head) -> bool:
    others = (_is_conllu, _is_json_lines, _is_markup, _is_recipe)
    is_other = (
        any(fits(head) for fits in others) or head.data.startswith(tuple(_OTHERS)) or head.first_line in ("{", "[")
    )
    is_table = _is_separated(head.lines) or any("\t" in line for line in head.lines)
    return head.text is not None and not is_other and not is_table


def _has_slashes(head: Head) -> bool:
    return _is_plain(head) and all("/" in word for line in head.lines[:200] for word in line.split())


def _is_brat(head: Head) -> bool:
    return bool(head.lines) and all(map(_SPAN_OF_BRAT.match, head.lines))


def _has_spans(head: Head) -> bool:
    """Return whether lines are of brat, and one of them is a span; a token may be ``T``."""
    return _is_brat(head) and any(map(re.compile(r"T\d+\t\S+ \d").match, head.lines))


CONLLU = FileKind("a file of CoNLL-U", _is_conllu)
PARQUET = FileKind("a Parquet file", _is_parquet)
JSON = FileKind("JSON", _is_json)
SENTENCES = FileKind("JSON lines of sentences", _has_sentences)
JSON_LINES = FileKind("JSON lines", _is_json_lines)
JSON_LIST = FileKind("a list in JSON", partial(_begins, ("[",)))
SPANS = FileKind("spans of brat", _is_brat)
LABELLED_COLUMNS = FileKind("a column file", partial(_has_columns, 2))
COLUMNS = FileKind("a column file", partial(_has_columns, 1))
INLINE = FileKind("words with labels", _has_slashes)
TEXT = FileKind("plain text", _is_plain)
ANY_TEXT = FileKind("a file of text", lambda head: head.text is not None)

_ALL = (
    *(
        MODEL,
        CLASSES,
        CHECKPOINT,
        PROJECT,
        CARD,
        PAGE,
        PLOT,
        CONLLU,
        PARQUET,
        SENTENCES,
        JSON_LINES,
        SPANS,
        RECIPE,
    ),
    *(COLUMNS, TEXT),
)
