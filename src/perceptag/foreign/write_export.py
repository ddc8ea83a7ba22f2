"""Write texts with character spans in the formats of other tools, and report what is lost.

doccano       JSON lines: {"text": …, "label": [[0, 5, "PER"]]}
label-studio  a JSON list of tasks with an annotation each
spacy         JSON lines of `Doc.to_json()`, with tokens, sentences and entities
brat          a file .ann of spans, and next to it a file .txt, with the text of all documents
"""

from __future__ import annotations

import codecs
import json
import os
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from perceptag.errors import LostLabel, SettingError
from perceptag.foreign.brat import text_file
from perceptag.foreign.marking import MarkedText
from perceptag.foreign.read_export import MISSING
from perceptag.foreign.text_in_parquet import KEPT, knows_text
from perceptag.foreign.texts import without_spaces
from perceptag.labels.schemes import UNNAMED, split_label
from perceptag.system.file_kinds import JSON_LINES, JSON_LIST, SPANS
from perceptag.system.output_files import Target, text_writer
from perceptag.text.columns import ColumnLayout
from perceptag.text.compressed import open_output
from perceptag.text.conllu import ConlluLayout
from perceptag.text.jsonl import JsonLayout
from perceptag.text.parquet_layout import ParquetLayout
from perceptag.text.sentence import Sentence

_OF_TOKENS = {"lemma": "lemma", "upos": "pos", "xpos": "tag", "pos": "tag"}  # column: key of a token in spaCy
_SPACE = re.compile(r"\s")
_OF_SPACE = {"pos": "SPACE", "tag": "_SP"}


def write_foreign(texts: Iterable[MarkedText], target: Target, tool: str) -> None:
    """Write texts in the format of a tool."""
    if tool == "brat":
        return write_brat(texts, target)
    with open_output(target) as stream:
        put = text_writer(stream)
        for piece in _LINES[tool](texts):
            put(piece)
    return None


def kept_columns(tool: str, label: str) -> list[str]:
    """Return the columns that the files of a tool can hold."""
    return ["form", label, *(_OF_TOKENS if tool == "spacy" else ())]


def _shown_columns(sentences: Sequence[Sentence], written: str) -> list[str] | None:
    """Return the columns that are in plain text; None: the format holds all of them."""
    names = list(sentences[0].columns) if sentences else []
    return {"text": names[:1], "inline": [*names[:1], *names[-1:]]}.get(written)


def _doccano(texts: Iterable[MarkedText]) -> Iterator[str]:
    for number, one in enumerate(texts, 1):
        spans = [[span.start, span.end, span.label] for span in one.spans]
        yield _line({"id": number, "text": one.text, "label": spans})


def _label_studio(texts: Iterable[MarkedText]) -> Iterator[str]:
    yield "["
    for number, one in enumerate(texts, 1):
        result = [_region(f"{number}-{n}", span) for n, span in enumerate(one.spans, 1)]
        task = {"id": number, "data": {"text": one.text}, "annotations": [{"result": result}]}
        yield ("\n" if number == 1 else ",\n") + _line(task).rstrip("\n")
    yield "\n]\n"


def _region(name: str, span: Any) -> dict[str, Any]:
    value = {"start": span.start, "end": span.end, "text": span.text, "labels": [span.label]}
    return {"id": name, "from_name": "label", "to_name": "text", "type": "labels", "value": value}


def _spacy(texts: Iterable[MarkedText]) -> Iterator[str]:
    for one in texts:
        tokens = [{"id": n, **token} for n, token in enumerate(_spacy_tokens(one))]
        ents = [{"start": span.start, "end": span.end, "label": span.label} for span in one.spans]
        sents = [{"start": a, "end": b} for a, b in one.sentences]
        yield _line({"text": one.text, "ents": ents, "sents": sents, "tokens": tokens})


def _spacy_tokens(one: MarkedText) -> Iterator[dict[str, Any]]:
    """Yield words, and white space other than a single space, which is a token in spaCy."""
    known = {key: one.columns[column] for column, key in _OF_TOKENS.items() if column in one.columns}
    known = {key: values for key, values in known.items() if len(values) == len(one.words)}
    end = 0
    for number, (start, after) in enumerate(one.words):
        begin = end + one.text.startswith(" ", end) if number else 0
        if begin < start:
            space = one.text[begin:start]
            yield {"start": begin, "end": start, **{key: _OF_SPACE.get(key, space) for key in known}}
        yield {"start": start, "end": after, **{key: values[number] for key, values in known.items()}}
        end = after


def refuse_other_text(texts: Iterable[MarkedText], target: str) -> None:
    """Refuse to replace a text file next to the file of spans that has another text."""
    plain = text_file(target)
    if plain.is_file() and not _is_same_text(plain, texts):
        hint = "'tag --to conllu' keeps all white space of a text; --overwrite replaces the file"
        raise SettingError(f"OUT: {plain} is there with another text, and would be replaced; {hint}")


def _is_same_text(plain: Path, texts: Iterable[MarkedText]) -> bool:
    """Return whether a file has the same text, but for the kind of its white space, and white space at its end."""
    written, there = "".join(map(_in_brat, texts)), plain.read_bytes().decode("utf-8-sig", "replace")
    return _SPACE.sub(" ", written).rstrip() == _SPACE.sub(" ", there).rstrip()


def _in_brat(text: MarkedText) -> str:
    return f"{text.text}\n\n"


def write_brat(texts: Iterable[MarkedText], target: Target) -> None:
    """Write a file of spans and a file of text, whose names differ in their endings only.

    A file that has the text already stays as it is.
    """
    name = os.fspath(target) if isinstance(target, (str, os.PathLike)) else ""
    if not str(name).endswith(".ann"):
        raise SettingError(f"brat: expected a file whose name ends in .ann, found {str(name) or 'a stream'!r}")
    texts = list(texts)
    plain, place, number = text_file(name), 0, 0
    if plain.is_file() and _is_same_text(plain, texts):
        place = int(plain.read_bytes().startswith(codecs.BOM_UTF8))  # brat counts it
    else:
        with open_output(plain) as stream:
            text_writer(stream)("".join(map(_in_brat, texts)))
    with open_output(name) as spans:
        put_span = text_writer(spans)
        for one in texts:
            for number, span in enumerate(one.spans, number + 1):  # noqa: B020 - numbers continue in the next text
                words = " ".join(str(span.text).split("\n"))
                label = without_spaces(span.label)  # a space ends it
                put_span(f"T{number}\t{label} {span.start + place} {span.end + place}\t{words}\n")
            place += len(_in_brat(one))


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"


_LINES: dict[str, Callable[[Iterable[MarkedText]], Iterator[str]]] = {
    "doccano": _doccano,
    "label-studio": _label_studio,
    "spacy": _spacy,
}
WRITTEN = (*_LINES, "brat")
KINDS = {"doccano": JSON_LINES, "label-studio": JSON_LIST, "spacy": JSON_LINES, "brat": SPANS}


_OF_FORMAT = {"tokens", "labels", "document"}  # keys of JSON lines that every format has a place for
_OF_TEXT = {"text", "offsets", "multiword", "paragraph"}  # and those that say how the text of other tools is


class LostParts:
    """What a format or a tool has no place for, of sentences that pass by on their way into its file."""

    def __init__(self, written: str, kept: Sequence[str] | None = None) -> None:
        """`written`: the format or the tool; `kept`: its columns; None: any."""
        self._written, self._kept = written, kept
        self._found: dict[str, None] = {}

    def of(self, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        """Yield the same sentences."""
        before: Sentence | None = None
        for sentence in sentences:
            self._found |= dict.fromkeys(_parts(sentence, self._written, self._kept))
            if self._written == "conllu" and before and _have_wide_space(before, sentence):
                self._found["white space of several characters between sentences"] = None
            before = sentence
            yield sentence

    @property
    def notes(self) -> list[str]:
        """One note on all that was found so far, or none."""
        found = ", ".join(self._found)
        return [LostLabel(f"left out, since {self._written} has no place for it: {found}")] if found else []


_NAMING = ("jsonl", "conllu", "parquet")  # formats in which documents have names


def left_out(sentences: Sequence[Sentence], written: str, label: str = "") -> list[str]:
    """Return notes on what the format or the tool `written` has no place for. `label`: the column of the spans."""
    is_tool = written in WRITTEN
    lost = LostParts(written, kept_columns(written, label) if is_tool else _shown_columns(sentences, written))
    deque(lost.of(sentences), maxlen=0)
    notes = lost.notes
    unknown = sum(sentence.columns.get(label, []).count(MISSING) for sentence in sentences) if is_tool else 0
    if written == "brat":
        names = sorted({y.partition("-")[2] for s in sentences for y in s.columns.get(label, ())})
        called = [(name, without_spaces(name)) for name in names if name != without_spaces(name)]
        notes += [
            f"the label {name!r} is called {new!r}, since names of labels have no spaces in brat"
            for name, new in called
        ]
    if is_tool and any(_is_unnamed(y) for s in sentences for y in s.columns.get(label, ())):
        notes.append(f"spans of labels without a name, such as B and I, are called {UNNAMED}")
    if is_tool and _has_gaps(sentences):
        told = "between sentences of a text, one character of white space becomes a space, several become line ends"
        notes.append(f"{told}; texts are numbered from 1")
    if unknown:
        notes.append(
            f"labels that are not known ({MISSING!r}): {unknown}; in {written} these tokens are outside of spans"
        )
    return notes


def _has_gaps(sentences: Sequence[Sentence]) -> bool:
    """Return whether a text of JSON lines has several sentences: they do not know what stood between them."""
    records = [getattr(sentence.layout, "record", None) or {} for sentence in sentences]
    return any(
        "offsets" in one and "offsets" in other and not sentence.starts_document
        for one, other, sentence in zip(records, records[1:], sentences[1:], strict=False)
    )


def _is_unnamed(label: str) -> bool:
    return label not in ("O", MISSING) and not split_label(label)[1]


def _have_wide_space(before: Sentence, after: Sentence) -> bool:
    """Return whether more than a space stands between two sentences of one text, by their offsets."""
    ends, starts = ((getattr(s.layout, "record", None) or {}).get("offsets") or [] for s in (before, after))
    return bool(ends and starts and not after.starts_document and starts[0][0] - ends[-1][1] > 1)


def _parts(sentence: Sentence, written: str, kept: Iterable[str] | None) -> Iterator[str]:
    layout = sentence.layout
    if sentence.document_name and written not in _NAMING:
        yield "the names of documents"
    if kept is not None:
        columns = ((name, values) for name, values in sentence.columns.items() if name not in kept)
        is_conllu = isinstance(layout, ConlluLayout)  # its columns are there even if they are empty
        yield from (f"the column {name!r}" for name, values in columns if not is_conllu or set(values) != {MISSING})
    if isinstance(layout, JsonLayout) and written != "jsonl":
        passed = _OF_FORMAT | set(sentence.columns)
        passed |= _OF_TEXT if written in WRITTEN else {"text", "offsets"} if written == "conllu" else set()
        passed |= set(KEPT) if written == "parquet" and knows_text(sentence) else set()
        yield from (f"the key {key!r}" for key in layout.record or () if key not in passed)
    if isinstance(layout, ColumnLayout) and (layout.comments or layout.paragraphs) and written != "columns":
        yield "comments"
    if isinstance(layout, ConlluLayout) and written != "conllu":
        passed_lines = ("# newdoc", "# text =") if written in WRITTEN else ("# newdoc",)
        if any(not line.startswith(passed_lines) for _, line in layout.extra):
            yield "comments and other lines of CoNLL-U that are not words"
    if isinstance(layout, ParquetLayout) and layout.rows and written != "parquet":
        fields = layout.rows.fields
        passed_fields = {*fields.names.values(), fields.document}
        if fields.numbers in set(fields.schema.names) - passed_fields:
            yield f"the column {fields.numbers!r} (numbers without names: --label-names O,B-PER,I-PER names them)"
            passed_fields.add(fields.numbers)
        yield from (f"the column {name!r}" for name in fields.schema.names if name not in passed_fields)
