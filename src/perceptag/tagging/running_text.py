"""Read running text for a pipeline with a tokeniser, and prepare its labelled sentences for writing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

from perceptag.errors import DataError, SettingError
from perceptag.pipeline.layers import Layer
from perceptag.pipeline.pipeline import Pipeline
from perceptag.pipeline.span_dicts import spans_of_sentence
from perceptag.system.compression import without_ending
from perceptag.tagging.naming import format_of
from perceptag.text import Sentence
from perceptag.text.columns import FORMAT as COLUMNS
from perceptag.text.format import Format, FormatLike
from perceptag.text.formats import by_ending
from perceptag.text.jsonl import FORMAT as JSONL
from perceptag.text.lines import Source, name_of
from perceptag.text.plain_text import TEXT
from perceptag.text.text_layout import sentences_of

if TYPE_CHECKING:
    from perceptag.pipeline.text_documents import DocumentRule

ENDING = ".txt"

Note = Callable[[str], object]  # tells the user something


def input_format(opened: Pipeline, source: Source, format_: FormatLike, columns: Sequence[str] | None = None) -> Format:
    """The format of a file. With a tokeniser, standard input and files called .txt are text; others must say so.

    `columns`: the names of columns, which only a column file needs.
    """
    if format_ or opened.tokenizer is None:
        return format_of(source, format_, opened.top.ready.model)
    if columns and by_ending(source) is None:
        return COLUMNS
    if source == "-" or PurePath(without_ending(name_of(source))).suffix.lower() == ENDING:
        return TEXT
    found = by_ending(source)
    if found is None:
        raise SettingError(
            f"--format: expected text or columns, since the model takes both and the name "
            f"{name_of(source)!r} does not tell; of a table, --text NAME names the column of the texts"
        )
    return found


def check_text_use(in_place: bool, keep_given: bool, columns: Sequence[str] | None) -> None:
    """Refuse what makes no sense for running text."""
    if columns:
        raise SettingError("--columns: expected a file of sentences, found running text, which has none")
    if keep_given:
        raise SettingError("--keep-given: expected a file with labels, found running text")
    if in_place:
        raise SettingError("--in-place: running text cannot hold labels; write them to another file")


def document_ends(opened: Pipeline, asked: str, batch: int, read_as: Format, note: Note) -> DocumentRule | None:
    """What ends a document of running text: what the user asks for, or for an answer at once a blank line."""
    if read_as is not TEXT:
        if asked:
            raise SettingError(f"--documents: expected running text, found {read_as.title}, which has its own marks")
        return None
    from perceptag.pipeline.text_documents import BLANK, document_rule  # files of sentences start without it

    try:
        rule = document_rule(asked)
    except SettingError as error:
        raise SettingError(f"--{error}") from None
    if asked or batch > 1:
        return rule
    if not opened.looks_at_documents():
        return rule._replace(at_once=True)
    note("note: --batch 1: every paragraph is labelled as a document of its own; --documents mark waits for marks")
    return document_rule(BLANK)


def read_documents(
    opened: Pipeline, source: Source, write_as: Format, documents: DocumentRule | None = None, note: Note | None = None
) -> Iterator[list[Sentence]]:
    """The sentences of running text, for a format to be written: as they come, but no document is cut.

    With `note`, which gets a message for the user, a file that does not look like running text is noticed.
    """
    if opened.tokenizer is None:
        raise SettingError(
            "--format text: the model has no tokeniser, so it cannot take running text; "
            "--tokenizer en, or 'perceptag pipeline TOKENIZER MODEL', puts one in front of it"
        )
    name = name_of(source)
    for passage in opened.passages(source, documents):
        if note is not None and passage.text.strip():
            look_for_columns(passage.text, name, note)
            note = None
        found = sentences_of(passage, name)
        yield [write_as.from_text(sentence) for sentence in found] if write_as.from_text else found


def read_sentences(opened: Pipeline, source: Source, write_as: Format) -> Iterator[Sentence]:
    """The sentences of running text one by one."""
    return (sentence for part in read_documents(opened, source, write_as) for sentence in part)


def look_for_columns(text: str, name: str, note: Note) -> None:
    """Refuse a file of columns, and warn of one that may be a file with one column."""
    if found := surely_columns(text):
        raise DataError(f"expected running text, found {found}, and --format text takes them as text", name)
    if has_word_lines(text):
        note(f"note: {name}: one word on each line is taken as running text; --format columns reads it as columns")


class Finish(NamedTuple):
    """What a sentence that a pipeline has labelled still needs before it is written."""

    layers: Sequence[Layer]
    column: str  # of the last layer
    format_: Format
    is_text: bool  # the input was running text

    def all(self, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        """The sentences to write."""
        for sentence in sentences:
            if self.is_text:
                sentence.starts_document &= self.format_.with_comments is not None
            knows_text = "offsets" in (getattr(sentence.layout, "record", None) or {})
            is_listed = (
                self.is_text or self.format_.name == JSONL.name or (self.format_.name == "parquet" and knows_text)
            )
            yield self._with_columns(self._with_spans(sentence) if is_listed else sentence)

    def _with_columns(self, sentence: Sentence) -> Sentence:
        """Put labels where the format has a place for them."""
        names = self._names() if self.format_.columns and self.format_.with_labels else []
        for name in names:
            if name not in self.format_.columns:
                assert self.format_.with_labels is not None
                sentence = self.format_.with_labels(sentence, name, sentence.columns[name])
        return sentence

    def _names(self) -> list[str]:
        return [*(layer.name for layer in self.layers[:-1]), self.column]

    def _with_spans(self, sentence: Sentence) -> Sentence:
        """List the spans of all layers with their places in the text, if the format can."""
        marking = [(n, layer) for n, layer in zip(self._names(), self.layers, strict=True) if layer.scheme != "none"]
        if self.format_.with_entry is None or not marking:
            return sentence
        record = getattr(sentence.layout, "record", None) or {}
        listed = record.get("spans") or []
        if not isinstance(listed, list) or not all(map(_is_own, listed)):
            return sentence  # the file has spans of another kind, which stay
        known = {(s["start"], s["end"], s["label"]): s["confidence"] for s in listed if "layer" not in s}
        found: list[dict[str, Any]] = []
        for name, layer in marking:
            sure, named = known if layer is self.layers[-1] else {}, replace(layer, name=name)
            found += spans_of_sentence(sentence, named, named.spans_of(sentence), sure)
        return self.format_.with_entry(sentence, "spans", found)


def _is_own(span: object) -> bool:
    """Return whether this is a span as `tag` lists them, with its layer or its confidence."""
    if not isinstance(span, dict) or "layer" in span:
        return isinstance(span, dict)
    return "confidence" in span and [type(span.get(key)) for key in ("start", "end", "label")] == [int, int, str]


ENOUGH = 10  # lines that tell; fewer may be anything
FEW = 3  # lines that tell if they have tabs or names of spans
SEVERAL = 30  # lines that tell without names of spans
MOST = 200  # lines that are looked at
MARK = "-DOCSTART-"
_LABEL = r"O|[BIESLU]-\S+"


def surely_columns(text: str) -> str:
    """Return what shows that the beginning of a file is not running text, with the format that fits; or ""."""
    lines = _lines(text)
    if lines and lines[0].split()[0] == MARK:
        return f"{MARK}, which marks documents in files of columns; --format columns reads them"
    fields = [line.split("\t") for line in lines if not line.startswith("#")]
    if fields and all(len(row) == 10 and row[0][:1].isdigit() for row in fields):
        return "ten fields, as in CoNLL-U; --format conllu reads them"
    rows = [line.split() for line in lines]
    is_labelled = all(len(row) == len(rows[0]) > 1 and re.fullmatch(_LABEL, row[-1]) for row in rows)
    is_sure = is_labelled and any("-" in row[-1] for row in rows)  # O may be a word
    if len(rows) >= (FEW if is_sure else ENOUGH) and (is_labelled or _end_in_tags(rows)):
        return f"{len(rows[0])} fields on each line, the last of them a label; --format columns reads them"
    are_words = all(len(row) == len(fields[0]) > 1 and all(map(_is_word, row)) for row in fields)
    if len(fields) >= FEW and are_words and 2 * sum(row[0][0].isalpha() for row in fields) > len(fields):
        return f"{len(fields[0])} words separated by tabs on each line; --format columns reads them"
    return ""


def _is_word(cell: str) -> bool:
    return len(cell.split()) == 1


def _end_in_tags(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether rows of one length end in a few capitalised tags, such as NN and VBZ, or in punctuation."""
    if len(rows) < SEVERAL or len({len(row) for row in rows}) > 1 or len(rows[0]) < 2:
        return False
    tags = Counter(row[-1] for row in rows)
    has_letters = sum(count for tag, count in tags.items() if tag[0].isalpha()) > len(rows) / 2
    is_word = any(c.islower() or c.isdigit() for tag in tags for c in tag)
    return has_letters and not is_word and len(tags) <= len(rows) / 3


def has_word_lines(text: str) -> bool:
    """Return whether each line at the beginning of a file is a single word, as in a file with one column."""
    lines = _lines(text)
    return len(lines) >= ENOUGH and all(len(line.split()) == 1 for line in lines)


def _lines(text: str) -> list[str]:
    """Return the first lines that are not blank; the last one may be incomplete."""
    return [line for line in text.splitlines()[:MOST] if line.strip()]
