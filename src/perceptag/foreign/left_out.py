"""What a conversion cannot keep: notes for users, so that nothing is lost without a word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from perceptag.foreign.as_jsonl import MISSING
from perceptag.foreign.texts import without_spaces
from perceptag.foreign.writing import WRITTEN, kept_columns
from perceptag.text.conllu import ConlluLayout
from perceptag.text.jsonl import JsonLayout
from perceptag.text.parquet_layout import ParquetLayout
from perceptag.text.sentence import Sentence

_OF_FORMAT = {"tokens", "labels", "document"}  # keys of JSON lines that every format has a place for
_OF_TEXT = {"text", "offsets", "multiword", "paragraph"}  # and those that say how the text of other tools is


def left_out(sentences: Sequence[Sentence], written: str, label: str = "") -> list[str]:
    """Return notes on what the format or the tool `written` has no place for. `label`: the column of the spans."""
    kept = kept_columns(written, label) if written in WRITTEN else None
    found = dict.fromkeys(what for sentence in sentences for what in _parts(sentence, written, kept))
    notes = [f"left out, since {written} has no place for it: {', '.join(found)}"] if found else []
    unknown = sum(sentence.columns.get(label, []).count(MISSING) for sentence in sentences) if kept else 0
    if written == "brat":
        names = sorted({y.partition("-")[2] for s in sentences for y in s.columns.get(label, ())})
        called = [(name, without_spaces(name)) for name in names if name != without_spaces(name)]
        notes += [
            f"the label {name!r} is called {new!r}, since names of labels have no spaces in brat"
            for name, new in called
        ]
    if unknown:
        notes.append(
            f"labels that are not known ({MISSING!r}): {unknown}; in {written} these tokens are outside of spans"
        )
    return notes


def _parts(sentence: Sentence, written: str, kept: Iterable[str] | None) -> Iterator[str]:
    layout = sentence.layout
    if kept is not None:
        yield from (f"the column {name!r}" for name in sentence.columns if name not in kept)
    if isinstance(layout, JsonLayout) and written != "jsonl":
        passed = _OF_FORMAT | set(sentence.columns) | (_OF_TEXT if kept is not None else set())
        yield from (f"the key {key!r}" for key in layout.record or () if key not in passed)
    if isinstance(layout, ConlluLayout) and written != "conllu":
        passed_lines = ("# newdoc", "# text =") if kept is not None else ("# newdoc",)
        if any(not line.startswith(passed_lines) for _, line in layout.extra):
            yield "comments and other lines of CoNLL-U that are not words"
    if isinstance(layout, ParquetLayout) and layout.origin and written != "parquet":
        fields = layout.origin.fields
        passed_fields = {*fields.names.values(), fields.document, "sentence_id"}
        yield from (f"the column {name!r}" for name in fields.schema.names if name not in passed_fields)
