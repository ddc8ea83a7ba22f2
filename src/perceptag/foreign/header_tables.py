"""Tables with a header, separated by commas, semicolons, tabs or bars, in one of six layouts.

Sentence #,Word,POS,Tag       a token in each row; the sentence is named in its first row, or in all of them,
Sentence: 1,Anna,NNP,B-PER    or ends at an empty row
,sings,VBZ,O

text,start,end,label          a span in each row; rows with the same text (and id) are one text
Anna sings,0,4,PER

text,entities                 a text in each row, and its spans or names as JSON or as Python writes them
Anna sings,"[(0, 4, 'PER')]"

sentence,tags                 words separated by spaces in each row, and as many tags, in a list or by spaces
Anna sings,B-PER O

tokens,ner_tags               a sentence in each row, its tokens and its tags as lists in JSON or in Python
"['Anna', 'sings']","['B-PER', 'O']"

id,text,author                a text without labels in each row
1,Anna sings,me
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, groupby

from perceptag.errors import DataError, LostLabel, brief
from perceptag.foreign import bare_texts, label_studio, mentions, plain_spans, token_lists
from perceptag.foreign.json_records import Record
from perceptag.foreign.span_values import ENDS, LABELS, STARTS, WORDS
from perceptag.foreign.table_header import DOCUMENT, NOTHING, SENTENCE, SPANS, TAG, TEXT, WORD, Header, header_of
from perceptag.foreign.table_rows import Row, literal, rows_of
from perceptag.foreign.texts import (
    AnnotatorSpans,
    CharacterSpan,
    ForeignSentence,
    ForeignText,
    knowing,
    label,
)
from perceptag.labels.schemes import is_chunk_set
from perceptag.system.plural import plural
from perceptag.text.number_labels import name_of_number

NAME, TITLE = "table", "table with a header"
OUTSIDE = "O"
_LONG = 100  # words of a sentence: longer ones are hardly meant
_RESERVED = {"form", "label", "document", "tokens", "labels"}
_BRACKETS = re.compile(r"\[.*[\s,].*\]", re.DOTALL)
_SEPARATED = re.compile(r"\s*[,;]\s*")


def read_texts(text: str, name: str, text_column: str) -> Iterator[ForeignText]:
    """Read only the texts of a table; its other cells are what is known about them."""
    header = header_of(text, text_column)
    assert header is not None, "the caller has looked at it"
    return _bare_texts(rows_of(text, header.separator, header.names, name), header)


def read(
    text: str, name: str, label_names: Sequence[str] = (), text_column: str = "", label: str = ""
) -> Iterator[ForeignText | ForeignSentence]:
    """Read all texts or sentences of a table that has a header.

    `label_names` are those of tags that are numbers, `text_column` is the column of the texts if the user names it.
    The tags of tokens in the column `label`, if the user names it, keep their name.
    """
    header = header_of(text, text_column, label)
    if header is None:
        raise DataError("expected a header such as word,tag or text,start,end,label, found another line", f"{name}:1")
    rows = rows_of(text, header.separator, header.names, name, has_words=header.layout == "tokens")
    if header.layout == "tokens":
        first = next(rows, None)
        rows = chain([first] if first else [], rows)
        if first is not None and _has_lists(first, header):
            return _listed_sentences(rows, header, label_names)
        has_sentences = first is not None and _words_in(first, header) > 1
        if has_sentences:
            return _texts(rows, header, WORD, TAG)
        table = list(rows)
        if header.find(SENTENCE) is not None:
            sentences = _sentences(table, header, label_names)
        elif _numbers_sentences(table, header):
            names = [SENTENCE[0], *header.names[1:]]
            told = f"rows with the same {header.names[0]!r} are taken for one sentence"
            sentences = _told(_sentences(table, header._replace(names=names), label_names), told)
        else:
            sentences = map(_noted, _sentences(table, header, label_names))
        return (_called(one, label) for one in sentences) if header.label else sentences
    if header.layout == "text":
        return _texts(rows, header)
    return _texts_by_spans(rows, header) if header.layout == "span" else _bare_texts(rows, header)


def _sentences(table: Sequence[Row], header: Header, label_names: Sequence[str]) -> Iterator[ForeignSentence]:
    word, sentence, document = (header.find(known) for known in (WORD, SENTENCE, DOCUMENT))
    tag = header.find((header.label, *TAG))
    others = {n: name for n, name in enumerate(header.names) if n not in (word, tag, sentence, document) and name}
    found: ForeignSentence | None = None
    last, last_document, number = "", "", -1
    says_outside = _says_outside(table, header, word, tag)
    done: set[tuple[str, str]] = set()
    for row in table:
        here, of = row.get(sentence), row.get(document)
        if not row.get(word):
            is_inside = found is not None and here and here == last
            if any(map(str.strip, row.cells)) and (row.get(tag) or is_inside):
                raise DataError(f"expected a word in column {header.names[word or 0]!r}, found none", row.where)
            if found and (not any(map(str.strip, row.cells)) or (here and here != last)):
                yield found
                found = None
            last = here or last
            continue
        if found and ((here and here != last) or (of and of != last_document)):
            yield found
            found = None
        if found is None:
            number += document is None or of != last_document or number < 0
            columns: dict[str, list[str]] = {name: [] for name in others.values() if name not in _RESERVED}
            found = ForeignSentence(row.where, number, [], [], None if tag is None else [], columns=columns)
            found.document_name = of
            found.left_out += [name for name in others.values() if name in _RESERVED]
            if here and (of, here) in done:
                told = f"sentence {brief(here)} has rows further up, too: it is read as another sentence"
                found.notes.append(LostLabel(f"{row.where}: {told}"))
            done.add((of, here))
        last, last_document = here or last, of or last_document
        _refuse_several(row, header, word or 0)
        found.tokens.append(row.get(word))
        if found.labels is not None:
            found.labels.append(_label(row, tag, header, label_names))
        if not row.get(tag) and says_outside:  # in other tables no tag at all means outside
            found.notes.append(f"{row.where}: no tag in column {header.names[tag or 0]!r}: taken as {OUTSIDE}")
        for n, name in others.items():
            if name in found.columns:
                found.columns[name].append(row.get(n) or "_")
    if found:
        yield found


def _numbers_sentences(rows: Sequence[Row], header: Header) -> bool:
    """Return whether the first column, under any name, seems to number sentences, most of which have several rows.

    The rows of each value follow each other, and no row is empty, which would end a sentence.
    """
    values = [row.get(0) for row in rows]
    values = values[:-1] if values and not values[-1] else values  # behind the last line end
    if 0 in (header.find(WORD), header.find((header.label, *TAG)), header.find(DOCUMENT)) or not all(values):
        return False
    runs = [value for value, _ in groupby(values)]
    return 1 < len(runs) == len(set(runs)) and 2 * len(runs) <= len(values)


def _told(sentences: Iterator[ForeignSentence], note: str) -> Iterator[ForeignSentence]:
    """Add a note to the first sentence."""
    for number, sentence in enumerate(sentences):
        if not number:
            sentence.notes.append(f"{sentence.where}: {note}")
        yield sentence


def _noted(sentence: ForeignSentence) -> ForeignSentence:
    """Note a sentence that is probably several, of a table that does not name its sentences."""
    if len(sentence.tokens) > _LONG:
        told = f"a sentence of {plural(len(sentence.tokens), 'word', ',')}"
        hint = "a column such as sentence_id, or an empty row, begins another one"
        sentence.notes.append(LostLabel(f"{sentence.where}: {told}: {hint}"))
    return sentence


def _called(sentence: ForeignSentence, label: str) -> ForeignSentence:
    """Give the labels of a sentence a name of their own."""
    sentence.columns[label], sentence.labels = sentence.labels or [], None
    return sentence


def _label(row: Row, tag: int | None, header: Header, names: Sequence[str]) -> str:
    value = row.get(tag)
    if names and value:
        return name_of_number(value, names, header.names[tag or 0], row.where)
    return value or OUTSIDE


def _says_outside(rows: Sequence[Row], header: Header, word: int | None, tag: int | None) -> bool:
    """Return whether a table has the tag O; refuse one of tags of words in which a few words have none.

    In tables without O a word without a tag is outside of all spans: most words are.
    """
    tags = Counter(row.get(tag) for row in rows if row.get(word)) if tag is not None else Counter[str]()
    without = tags.pop("", 0)
    if OUTSIDE not in tags and 0 < 2 * without < tags.total() and not is_chunk_set(tags):
        row = next(row for row in rows if row.get(word) and not row.get(tag))
        raise DataError(f"expected a tag in column {header.names[tag or 0]!r}, found none", row.where)
    return OUTSIDE in tags


def _refuse_several(row: Row, header: Header, word: int) -> None:
    """Refuse a row of several words, and one whose first quotation mark is closed in another row."""
    if (words := _words_in(row, header)) > 1:
        raise DataError(f"expected one word and its tag, as in the first row, found {words} of each", row.where)
    if "\n" in row.cells[word] or "\r" in row.cells[word]:
        expected = 'a word; the quotation mark before it is closed in another row: as a word it is written as """"'
        raise DataError(f"expected {expected}; found {brief(row.cells[word])}", row.where)


def _words_in(row: Row, header: Header) -> int:
    """Return the number of words in a row that has a tag for each of them; 0 if it has more or fewer tags."""
    words, tags = (row.get(header.find(known)).split() for known in (WORD, TAG))
    return len(words) if len(words) == len(tags) else 0


def _has_lists(row: Row, header: Header) -> bool:
    """Return whether a row has a list of tokens or of tags; the token ``[1]`` is not one."""
    tokens, tags = (literal(row.get(header.find(known)), row.where) for known in (WORD, TAG))
    if tokens is None and tags is None:  # [Anna, sings], which is refused with the form that is expected
        return all(_BRACKETS.fullmatch(row.get(header.find(known))) for known in (WORD, TAG))
    return isinstance(tags, list) or (isinstance(tokens, list) and all(isinstance(token, str) for token in tokens))


def _listed_sentences(rows: Iterator[Row], header: Header, names: Sequence[str]) -> Iterator[ForeignSentence]:
    """Read rows that have a list of tokens and, in most tables, a list of tags."""
    word, tag = header.find(WORD) or 0, header.find(TAG)
    for number, row in enumerate(row for row in rows if any(map(str.strip, row.cells))):
        tokens, tags = _list_in(row, header, word), literal(row.get(tag), row.where)
        if tag is None:
            yield _with_further_lists(ForeignSentence(row.where, number, tokens, [], None), row, header, (word,))
            continue
        if isinstance(tags, list) and tags and all(isinstance(one, int) for one in tags):
            tags = token_lists.labels_of(tags, header.names[tag], names, row.where)
        else:
            tags = _list_in(row, header, tag)
        if len(tokens) != len(tags):
            raise DataError(
                f"{header.names[tag]!r}: expected {plural(len(tokens), 'tag')}, found {len(tags)}", row.where
            )
        yield _with_further_lists(ForeignSentence(row.where, number, tokens, [], tags), row, header, (word, tag))


def _with_further_lists(made: ForeignSentence, row: Row, header: Header, read: Sequence[int | None]) -> ForeignSentence:
    """Give a sentence what other cells have: lists of strings with one for each token are columns."""
    others = {}
    for name, cell in _others(row, header, read).items():
        value = literal(cell, row.where)
        are_texts = isinstance(value, list) and all(isinstance(one, str) and one for one in value)
        if are_texts and len(value) == len(made.tokens) and name not in _RESERVED:
            made.columns[name] = value
        else:
            others[name] = cell if value is None else value
    return knowing(made, others)


def _others(row: Row, header: Header, read: Sequence[int | None]) -> dict[str, str]:
    """Return the cells of the columns that are not read."""
    return {name or f"column{n + 1}": row.get(n) for n, name in enumerate(header.names) if n not in read}


def _list_in(row: Row, header: Header, column: int) -> list[str]:
    value = literal(row.get(column), row.where)
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        expected = "a list of strings, such as ['Anna', 'sings']"
        raise DataError(f"{header.names[column]!r}: expected {expected}, found {brief(row.get(column))}", row.where)
    return value


def _texts_by_spans(rows: Iterator[Row], header: Header) -> Iterator[ForeignText]:
    text, start, end, name = (header.find(known) for known in (TEXT, STARTS, ENDS, LABELS))
    own = header.find([key for key in ("id", "text_id", *DOCUMENT) if key in header.names])
    shown = header.find([key for key in WORDS if key not in TEXT])
    found: dict[tuple[str, str], ForeignText] = {}
    for row in rows:
        if not any(map(str.strip, row.cells)):
            continue
        content = row.cells[text or 0]
        key, about = (row.get(own), content), _others(row, header, (text, start, end, name, shown))
        one = found.get(key)
        if one is None:
            one = found[key] = knowing(ForeignText(row.where, content, AnnotatorSpans("", [])), about)
        _drop_other(one, about)
        if not row.get(start) and not row.get(end) and not row.get(name):
            continue  # a text without spans
        begin, stop = (_number(row.get(start), "start", row.where), _number(row.get(end), "end", row.where))
        one.first.spans.append(CharacterSpan(begin, stop, label(row.get(name), row.where), row.get(shown) or None))
    yield from found.values()


def _drop_other(text: ForeignText, about: Mapping[str, str]) -> None:
    """Leave out what rows of one text say differently: it is about their spans."""
    differing = [name for name, value in text.about.items() if about[name] != value]
    for name in differing:
        del text.about[name]
    text.left_out += differing


def _number(cell: str, what: str, where: str) -> int:
    if not cell.removesuffix(".0").isdecimal():
        raise DataError(f"{what}: expected a number of characters, found {brief(cell)}", where)
    return int(cell.removesuffix(".0"))


def _texts(
    rows: Iterator[Row], header: Header, of: Sequence[str] = TEXT, tagged: Sequence[str] = SPANS
) -> Iterator[ForeignText | ForeignSentence]:
    text, spans = header.find(of), header.find(tagged)
    has_tags = False
    for number, row in enumerate(row for row in rows if any(map(str.strip, row.cells))):
        content, cell = row.cells[text or 0], row.get(spans)
        if not content.strip():
            yield bare_texts.open_text(row.where, content)  # which is noted
            continue
        cell = "" if cell.casefold() in NOTHING else cell
        empty = f"{row.where}: nothing in column {header.names[spans or 0]!r}: taken as {OUTSIDE}"
        value = literal(cell, row.where)
        words, tags = content.split(), _SEPARATED.split(cell) if value is None else value
        tags = cell.split() if value is None and len(tags) != len(words) else tags
        if cell and isinstance(tags, list) and len(words) == len(tags) and all(map(_is_tag, tags)):
            has_tags = True
            yield _with_further_lists(ForeignSentence(row.where, number, words, [], tags), row, header, (text, spans))
        elif has_tags and not cell:
            outside = ForeignSentence(row.where, number, words, [], [OUTSIDE] * len(words), notes=[LostLabel(empty)])
            yield _with_further_lists(outside, row, header, (text, spans))
        elif isinstance(value, (list, dict)) or not cell:
            record = Record(row.where, {"text": content, "entities": value or []})
            readers = (label_studio, mentions)
            reader = next((one for one in readers if one.is_mine(record.value)), plain_spans)
            for one in reader.read([record]):
                one.notes += [] if cell else [LostLabel(empty)]
                yield knowing(one, _others(row, header, (text, spans)))
        else:
            expected = f"{plural(len(words), 'tag')}, one for each word, or a list of spans"
            raise DataError(f"{header.names[spans or 0]!r}: expected {expected}, found {brief(cell)}", row.where)


def _is_tag(value: object) -> bool:
    """Return whether a value can be a tag. That of ``Bob: PER`` is not one, the tag ``:`` of punctuation is."""
    return isinstance(value, str) and not (len(value) > 1 and value.endswith((":", ",", ";", "=")))


def _bare_texts(rows: Iterator[Row], header: Header) -> Iterator[ForeignText]:
    column = header.find(TEXT) or 0
    for row in rows:
        if any(map(str.strip, row.cells)):
            text = bare_texts.open_text(row.where, row.cells[column])
            yield knowing(text, _others(row, header, (column,)))
