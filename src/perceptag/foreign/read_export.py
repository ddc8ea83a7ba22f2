"""Read an export: detect its tool, and return sentences with tokens and labels."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice
from typing import Any

from perceptag.errors import DataError, LostLabel, SettingError, brief
from perceptag.foreign import (
    bare_texts,
    doccano,
    label_studio,
    mentions,
    plain_spans,
    prodigy,
    spacy,
    token_lists,
)
from perceptag.foreign.fitting import fit
from perceptag.foreign.json_records import Record, record_in, records, with_text_under
from perceptag.foreign.texts import (
    EMPTY,
    AnnotatorSpans,
    ForeignSentence,
    ForeignText,
    ForeignToken,
    keys_of,
    without_spaces,
)
from perceptag.text.lines import Source, name_of, whole_lines
from perceptag.text.list_names import OTHER_TAGS, TAGS
from perceptag.text.text_layout import TextLayout, sentences_of
from perceptag.text.tokens import Passage

TOOLS: dict[str, Any] = {
    tool.NAME: tool
    for tool in (
        label_studio,
        spacy,
        prodigy,
        plain_spans,
        mentions,
        doccano,
        token_lists,
        bare_texts,
    )
}  # the most particular first

_FIRST = 100  # lines
Tokenize = Callable[[str], Sequence[Sequence[ForeignToken]]]  # a text: its sentences


@dataclass(slots=True)
class ForeignFile:
    """The sentences of an export, and what was noticed."""

    tool: str
    sentences: list[ForeignSentence]
    notes: list[str]
    texts: int = 0  # records, or sentences if the file has tokens
    is_cut: bool = False  # texts were cut into tokens here


def foreign_tool(data: bytes, text_key: str = "") -> str | None:
    """Return the tool of a file; None if it is not one of `TOOLS`. `text_key`: see `read_foreign`."""
    if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"{", b"["):
        return None
    try:
        found = records(data, "")
    except DataError:  # the first lines show whose file it is; reading it says which one is wrong
        found = _first_records(data)
    is_list = data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")
    return _tool(with_text_under(found, text_key), is_list)


def _first_records(data: bytes) -> list[Record]:
    """Return the records before the first line that is not one; of a few lines, as they show whose file it is."""
    found: list[Record] = []
    for line in islice(data.split(b"\n", _FIRST), _FIRST):
        try:
            found += records(line, "") if line.strip() else []
        except DataError:  # noqa: PERF203 - of a few lines
            break
    return found


def _tool(found: Sequence[Record], is_list: bool = False) -> str | None:
    """Return the tool of the first record that shows it; lines with tokens as strings are perceptag's own.

    Texts without labels are a file of their own only if no record has labels. Records without a text are refused where
    they are read.
    """
    for record in found:
        if _is_own(record.value):
            return token_lists.NAME if is_list else None
        mine = [name for name, tool in TOOLS.items() if tool is not bare_texts and tool.is_mine(record.value)]
        if mine:
            return mine[0]
    has_texts = any(bare_texts.is_mine(record.value) for record in found)
    is_bare = has_texts and not any(bare_texts.has_lists(record.value) for record in found)
    return bare_texts.NAME if is_bare else None


def _is_own(record: dict[str, Any]) -> bool:
    tokens = record.get("tokens")
    has_tokens = isinstance(tokens, list) and all(isinstance(token, str) for token in tokens)
    tags = (record.get(key) for key in (*TAGS, *OTHER_TAGS))
    has_numbers = any(isinstance(some, list) and some and isinstance(some[0], int) for some in tags)
    return has_tokens and not has_numbers


def words_of(tokenizer: Any) -> Tokenize:
    """Return a function that tokenises texts with a `Tokenizer`, or with that of a `Pipeline`."""
    cut: Callable[[str], Passage] | None = getattr(getattr(tokenizer, "tokenizer", tokenizer), "tokenize", None)
    if cut is None:
        raise SettingError(f"tokenizer: expected a Tokenizer, or a Pipeline that has one, found {brief(tokenizer)}")

    def tokenize(text: str) -> list[list[ForeignToken]]:
        found = []
        for sentence in sentences_of(cut(text)):
            assert isinstance(sentence.layout, TextLayout)
            places = zip(sentence.tokens, sentence.layout.places(), strict=True)
            found.append([ForeignToken(word, start, end) for word, (start, end) in places])
        return found

    return tokenize


def read_foreign(
    data: bytes,
    name: str,
    tool: str | None = None,
    tokenize: Tokenize | None = None,
    *,
    keeps_all: bool = True,
    label_names: Sequence[str] = (),
    label: str = "",
    text_key: str = "",
) -> ForeignFile:
    """Read the export of a tool; without its name, detect the tool.

    `tokenize` cuts texts that come without tokens. A span that does not fit the tokens is noted with its place; its
    sentence gets no labels, and the spans that fit become its draft. Without `keeps_all` the caller has no place for
    comments and for labels of further people, and notes say so. `label_names` are those of labels that are numbers,
    `label` the list of tags that the user means, `text_key` the key of the texts if it is not a usual one.
    """
    found = with_text_under(records(data, name), text_key)
    chosen = tool or _tool(found)
    if chosen is None:
        raise DataError(f"expected an export of {', '.join(TOOLS)}, found another file", name)
    if chosen not in TOOLS:
        raise SettingError(f"format: expected {', '.join(TOOLS)}, found {brief(tool)}")
    if chosen == token_lists.NAME:
        return fit_texts(token_lists.read(found, label_names, label), chosen, name)
    return fit_texts(TOOLS[chosen].read(found), chosen, name, tokenize, keeps_all=keeps_all)


def fit_texts(
    given: Iterable[ForeignText | ForeignSentence],
    tool: str,
    name: str,
    tokenize: Tokenize | None = None,
    *,
    keeps_all: bool = True,
) -> ForeignFile:
    """Return the sentences of texts with labels for their tokens; what is a sentence already stays as it is."""
    found = ForeignFile(tool, [], [])
    lost: dict[str, None] = {}
    for number, item in enumerate(given):
        found.texts += 1
        lost |= dict.fromkeys(item.left_out)
        if isinstance(item, ForeignSentence):
            found.sentences.append(item)
            found.notes += item.notes
            continue
        text = _renamed(item, found.notes)
        if "\0" in text.text:
            raise DataError("expected text, found a NUL character", text.where)
        if text.comments and not keeps_all:
            found.notes.append(LostLabel(f"{text.where}: left out: comments ({len(text.comments)})"))
        found.is_cut |= text.tokens is None
        made = list(sentences_in(text, number, tokenize, found.notes, keeps_all))
        if not made:
            found.notes.append(LostLabel(f"{text.where}: left out: a text without words"))
        found.sentences += made
    if not found.sentences:
        raise DataError("expected at least one text, found none", name)
    if lost:
        found.notes.append(LostLabel(f"left out, since sentences have no place for it: {', '.join(map(repr, lost))}"))
    found.notes = list(dict.fromkeys(found.notes))
    return found


def _renamed(text: ForeignText, notes: list[str]) -> ForeignText:
    """Replace white space in the labels of a text."""

    def rename(reading: AnnotatorSpans) -> AnnotatorSpans:
        return replace(reading, spans=[replace(s, label=_without_spaces(s.label, notes)) for s in reading.spans])

    return replace(text, first=rename(text.first), others=[rename(other) for other in text.others])


def _without_spaces(label: str, notes: list[str]) -> str:
    new = without_spaces(label)
    if new != label:
        notes.append(f"the label {label!r} is called {new!r}, since names of labels have no spaces")
    return new


def sentences_in(
    text: ForeignText, number: int, tokenize: Tokenize | None, notes: list[str], keeps_all: bool = True
) -> Iterator[ForeignSentence]:
    """Yield the sentences of a text with the first person's labels, and others' where they differ."""
    cut, readings = _cut(text, tokenize), (text.first, *text.others)
    fitted = [(reading.who, fit(text.text, cut, reading)) for reading in readings]
    notes += text.notes
    for who, found in fitted:
        end = f"left out of those by {_person(who)}" if text.others else "imported without labels"
        notes += [LostLabel(f"{text.where}: {fault}; its sentence is {end}") for fault in found.faults]
    for n, sentence in enumerate(cut):
        labelled = [(who, labels) for who, found in fitted if (labels := found.labels[n]) is not None]
        who, labels = labelled[0] if labelled else (text.first.who, None)
        others = [(other, y) for other, y in labelled[1:] if y != labels]
        if others:
            names = ", ".join(_person(other) for other, _ in others)
            end = "are kept as second readings" if keeps_all else "are left out"
            told = f"{text.where}: sentence {n + 1}: other labels by {names} {end}"
            notes.append(told if keeps_all else LostLabel(told))
        yield ForeignSentence(
            text.where,
            number,
            [piece.text for piece in sentence],
            [(piece.start, piece.end) for piece in sentence],
            labels,
            fitted[0][1].drafts[n] if labels is None else None,
            who,
            others,
            text.comments if n == 0 else [],
            text.text[sentence[0].start : sentence[-1].end],
            about=text.about,
            is_unmarked=text.first.said == EMPTY and not text.others,
            document_name=text.name,
        )


def _person(who: str) -> str:
    return who or "somebody"


def _cut(text: ForeignText, tokenize: Tokenize | None) -> list[Sequence[ForeignToken]]:
    """Return the sentences of a text: all of it if it has tokens of its own. Tokens of white space are left out."""
    if text.tokens is None and tokenize is None:
        raise SettingError(f"{text.where}: the text has no tokens: expected a tokeniser, found none")
    found: Iterable[Sequence[Any]] = (
        _at_borders(text.tokens, text.borders) if text.tokens is not None else tokenize(text.text) if tokenize else []
    )
    return [kept for sentence in found if (kept := [piece for piece in sentence if piece.text.strip()])]


def _at_borders(tokens: Sequence[ForeignToken], borders: Sequence[int]) -> list[Sequence[ForeignToken]]:
    starts = sorted(borders)
    return [list(some) for _, some in groupby(tokens, lambda piece: bisect_right(starts, piece.start))]


MISSING = "_"


def as_jsonl(sentences: Iterable[ForeignSentence]) -> bytes:
    """Return a file with one sentence a line: tokens, their places in the text, labels, its document."""
    return "".join(json.dumps(_record(s), ensure_ascii=False) + "\n" for s in sentences).encode()


def _record(sentence: ForeignSentence) -> dict[str, object]:
    places = {"text": sentence.text, "offsets": sentence.offsets} if sentence.offsets else {}
    record: dict[str, object] = {**sentence.about, "tokens": sentence.tokens, **places, **sentence.columns}
    labels = sentence.labels or sentence.draft
    if labels is not None:
        record["labels"] = [MISSING if label is None else label for label in labels]
    return record | {"document": sentence.document_name or sentence.document + 1}


class SentenceStream:
    """A stream of bytes: the sentences of a line are there when the line is."""

    def __init__(
        self, source: Source, tokenize: Tokenize, text_key: str = "", note: Callable[[str], object] = str
    ) -> None:
        """`text_key`: the key of the texts, if the user names it; then other keys may be labels. `note` gets losses."""
        self.name = name_of(source)
        self._source, self._tokenize, self._key, self._note = source, tokenize, text_key, note
        self._lines = self.texts()

    def read(self, size: int = -1) -> bytes:
        """Return the sentences of the next text, or of all texts; nothing at the end."""
        return b"".join(self._lines) if size < 0 else next(self._lines, b"")

    def texts(self) -> Iterator[bytes]:
        """Yield the sentences of each text."""
        lost: dict[str, None] = {}
        for number, record in enumerate(self._records()):
            [text] = bare_texts.read([record])
            lost |= dict.fromkeys(text.left_out)
            made = list(sentences_in(text, number, self._tokenize, []))
            if made:
                yield as_jsonl(made)
            else:
                self._note(LostLabel(f"note: {text.where}: left out: a text without words"))
        if lost:
            told = f"left out, since sentences have no place for it: {', '.join(map(repr, lost))}"
            self._note(LostLabel(f"note: {told}"))

    def _records(self) -> Iterator[Record]:
        for block in whole_lines(self._source):
            for number, line in enumerate(block.text.split("\n"), block.line):
                if line.strip():
                    found = record_in(line, f"{block.source}:{number}")
                    yield _with_text(found, self._key) if self._key else _bare(found)


def _with_text(record: Record, key: str) -> Record:
    if named := with_text_under([record], key):
        return named[0]
    raise DataError(f"--text: expected a key {key!r}, found {keys_of(record.value)}", record.where)


def _bare(record: Record) -> Record:
    if bare_texts.has_lists(record.value):
        raise DataError("expected a text without labels, as before, found lists or objects", record.where)
    return record
