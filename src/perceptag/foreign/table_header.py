"""The header of a table: which columns it has, and what a row of the table is."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from perceptag.foreign.span_values import ENDS, LABELS, STARTS
from perceptag.foreign.table_rows import LINE_END, content
from perceptag.labels.schemes import is_chunk_set

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
WORD = ("word", "token", "form", "words", "tokens", "tok")
_LABEL = (
    *("tag", "label", "ner", "ner_tag", "ner_tags", "ner_label"),
    *("iob", "bio", "bio_tag", "iob_tag", "gold", "gold_label"),
)
TAG = (*_LABEL, "tags", "labels", "entity")
OTHER_TAG = ("pos", "upos", "xpos", "pos_tag", "postag", "chunk", "chunk_tag")  # labels if there are no others
SENTENCE = (
    *("sentence #", "sentence id", "sentence_id", "sent_id", "sentence", "sent", "sentence_idx", "sentenceid", "sid"),
    *("sentence_no", "sentence_number", "sentence_num", "sentence no", "sent_no", "sentid", "sent_num"),
)
DOCUMENT = ("document", "document_id", "doc_id", "doc", "file", "filename")
TEXT = ("text", "content", "sentence", "sentences")
SPANS = ("entities", "spans", "annotations", "labels", "label", "ner", "tags", "tag")
NOTHING = ("nan", "none", "null", "-")  # what programs write for an empty cell
_CLASS = re.compile(r"[\w+-]+")


class Header(NamedTuple):
    """The separator of a table and the names of its columns, in small letters."""

    separator: str
    names: list[str]
    has_classes: bool = False  # a label is the class of a whole text, such as "positive"
    label: str = ""  # the column of the labels, if the user names it

    def find(self, known: Sequence[str]) -> int | None:
        """Return the number of the first column with one of these names."""
        return next((self.names.index(name) for name in known if name and name in self.names), None)

    @property
    def layout(self) -> str:
        """What a row is: ``tokens``, ``span``, ``text``, ``bare``, or an empty string if this is not a header."""
        has_text = self.find(TEXT) is not None
        if has_text and None not in (self.find(STARTS), self.find(ENDS), self.find(LABELS)):
            return "span"
        if self.find(WORD) is not None and self.has_tags:
            return "tokens"
        if has_text and self.find(SPANS) not in (None, self.find(TEXT)) and not self.has_classes:
            return "text"
        return "tokens" if names_words(self.names) else "bare" if has_text else ""

    @property
    def has_tags(self) -> bool:
        """Whether one of the columns has labels."""
        return self.find((self.label, *TAG, *OTHER_TAG)) is not None


def names_tokens(names: Sequence[str]) -> bool:
    """Return whether these are names of the columns of tokens and their labels, and nothing else.

    >>> [names_tokens(line.split()) for line in ("token tag", "Word POS NER", "word NN", "Token O")]
    [True, True, False, False]
    """
    known = {*WORD, *TAG, *OTHER_TAG, *SENTENCE, *DOCUMENT, "id", "lemma"}
    found = [name.casefold() for name in names]
    header = Header("", found)
    return known.issuperset(found) and found[0] not in TAG and header.layout == "tokens" and header.has_tags


def names_words(names: Sequence[str]) -> bool:
    """Return whether these are names of the columns of a table of tokens that has no labels.

    >>> [names_words(line.split(",")) for line in ("sentence_id,token", "Word,POS,Tag", "Anna,left")]
    [True, False, False]
    """
    found = {name.casefold() for name in names}
    return found <= {*WORD, *SENTENCE, *DOCUMENT, "id", "lemma"} and not found.isdisjoint(WORD)


def header_of(text: str, text_column: str = "", label: str = "") -> Header | None:
    """Return the header in the first line of a text; None if it is not one, or does not have the `text_column`.

    The column of the texts, if the user names it, is called ``text``. That of tokens is called ``word`` if it was
    ``text``. `label` is the column of the labels, if the user names it.
    """
    first = LINE_END.split(content(text), maxsplit=1)[0]
    own, own_label = text_column.strip().casefold(), label.strip().casefold()
    for separator in SEPARATORS:
        names = [name.strip().casefold() for name in next(cells_of([first], separator), [])]
        if own and own not in names:
            continue
        if own not in ("", "text"):
            names = ["text" if name == own else "text_" if name == "text" else name for name in names]
        found = Header(separator, names, label=own_label if own_label in names else "")
        if not own and found.layout in ("text", "bare") and _has_words(text, found):
            found = found._replace(names=[WORD[0] if name == "text" else name for name in names])
        if found.layout == "text" and _has_classes(text, found):
            found = found._replace(has_classes=True)
        if (len(names) > 1 or own) and found.layout and (own or _fits(text, found)):
            return found
    return None


def only_column(text: str) -> str:
    """Return the name of the only column of a table of texts; an empty string if this is something else."""
    name = LINE_END.split(content(text), maxsplit=1)[0].strip().strip('"').casefold()
    return name if name in TEXT else ""


def names_columns(line: str) -> bool:
    """Return whether a line may be a header, by its names alone."""
    cells = (next(cells_of([line], separator), []) for separator in SEPARATORS)
    return any(len(names) > 1 and Header("", [name.strip().casefold() for name in names]).layout for names in cells)


def _fits(text: str, header: Header) -> bool:
    """Return whether the first rows have what the header says: texts, or words alone."""
    if header.layout == "tokens" and not header.has_tags:
        return header.find(TEXT) is None or not _has_texts(text, header)
    return header.layout != "bare" or _has_texts(text, header) or _names_texts(text, header)


def _names_texts(text: str, header: Header) -> bool:
    """Return whether a column is called text, even if most texts are single words. A word may be ``text``, too."""
    if "text" not in header.names or any(name == "_" or name.isdecimal() for name in header.names):
        return False
    column = header.names.index("text")
    return column > 0 or any(len(cells[column].split()) > 1 for cells in _first_rows(text, header))


def cells_of(lines: Iterable[str], separator: str) -> Iterator[list[str]]:
    """Yield the cells of each row of what may be a table; U+FFFD stands for NUL, which csv of Python 3.10 refuses."""
    return csv.reader((line.replace("\0", "\ufffd") for line in lines), delimiter=separator)


def _has_texts(text: str, header: Header) -> bool:
    """Return whether most of the first rows have several words in the column of the texts; a word list has not."""
    column = header.find(TEXT) or 0
    cells = [cells[column] for cells in _first_rows(text, header) if cells[column].strip()]
    return sum(len(cell.split()) > 1 for cell in cells) > len(cells) / 2


def _has_words(text: str, header: Header) -> bool:
    """Return whether the column ``text`` has a word in each row: its label says so, or rows share their sentence."""
    rows = _first_rows(text, header)
    if "text" not in header.names or not header.has_tags or len(rows) < 2:
        return False
    column = header.names.index("text")
    if any(len(cells[column].split()) > 1 for cells in rows):
        return False
    tag, sentence = header.find((header.label, *TAG)), header.find([name for name in SENTENCE if name != "text"])
    are_tags = tag is not None and is_chunk_set(Counter(cells[tag].strip() for cells in rows))
    return are_tags or (sentence is not None and any(a[sentence] == b[sentence] != "" for a, b in pairwise(rows)))


def _has_classes(text: str, header: Header) -> bool:
    """Return whether the labels of the first rows are single words, and neither tags of spans nor of single words."""
    column, spans = header.find(TEXT) or 0, header.find(SPANS) or 0
    cells = [(len(cells[column].split()), cells[spans].strip()) for cells in _first_rows(text, header)]
    labels = {label for _, label in cells if label and label.casefold() not in NOTHING}
    are_words = all(_CLASS.fullmatch(label) for label in labels) and not is_chunk_set(dict.fromkeys(labels, 1))
    return bool(labels) and are_words and not any(words == 1 and label for words, label in cells)


def _first_rows(text: str, header: Header) -> list[list[str]]:
    rows = islice(cells_of(io.StringIO(content(text), newline=""), header.separator), 1, 50)
    return [cells for cells in rows if len(cells) == len(header.names)]
