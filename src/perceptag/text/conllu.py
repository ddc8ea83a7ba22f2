"""CoNLL-U, the format of Universal Dependencies (https://universaldependencies.org/format.html).

Tokens are the syntactic words, the lines whose id is a whole number. Their columns are those of the format
except the id, which is always 1, 2, 3 …. Comments, multiword lines (``3-4``) and empty nodes (``8.1``) are kept in the
layout of the sentence and written back where they were. ``# newdoc`` marks the first sentence of a document.

Text without a fault is read natively, many lines at once. If there is a fault, `sentences_by_lines` reads the block
again, line by line, and says what is wrong where.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

from perceptag._core import ConlluText, SharedValues
from perceptag.errors import DataError, SettingError, nearest
from perceptag.system import file_kinds
from perceptag.system.output_files import Target, text_writer
from perceptag.text.compressed import open_output
from perceptag.text.conllu_spaces import escape
from perceptag.text.format import Format, Names
from perceptag.text.lines import Block, Source, paragraphs, whole_paragraphs
from perceptag.text.sentence import Sentence, SentenceLayout
from perceptag.text.separated_fields import (
    check_table,
    check_values,
    join_table,
    place,
    short,
    split_table,
    table_error,
)
from perceptag.text.text_layout import TextLayout
from perceptag.text.token_formats import form_of, misc_of

CONLLU_COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
_NAMES = ("id", *CONLLU_COLUMNS)
_NEWDOC = re.compile(r"#[ \t]*newdoc(?:[ \t]|$)")
_NAME = re.compile(r"#[ \t]*newdoc[ \t]+id[ \t]*=[ \t]*(.*)")
_ID = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9})|\.([0-9]{1,9}))?")


@dataclass(frozen=True, slots=True)
class ConlluLayout(SentenceLayout):
    """The non-word lines of a sentence, each with the number of words before it."""

    length: int  # words in the sentence
    extra: tuple[tuple[int, str], ...]

    def line_of(self, token: int) -> int:
        """Count the words and the other lines between the first word and `token`."""
        first, last = (bisect_right(self.extra, n, key=itemgetter(0)) for n in (0, token))
        return token + last - first


def read_conllu(source: Source, columns: Names | None = None) -> Iterator[Sentence]:
    """Read sentences from a CoNLL-U file, an open stream or, for ``-``, standard input, as they come.

    All nine columns are kept. `columns` may name those that the caller needs; an unknown name is a `SettingError`.
    """
    check_names(columns)
    values = SharedValues()
    for block in whole_paragraphs(source):
        yield from sentences_of(block, values)


def check_names(columns: Names | None) -> None:
    """Refuse columns that CoNLL-U does not have."""
    for name in () if columns is None or callable(columns) else columns:
        if name not in CONLLU_COLUMNS:
            expected = f"expected some of {', '.join(CONLLU_COLUMNS)}"
            raise SettingError(f"columns: CoNLL-U has no {name!r}; {expected}{nearest(name, CONLLU_COLUMNS)}")


def sentences_of(block: Block, values: SharedValues) -> Iterator[Sentence]:
    """Read the sentences of whole paragraphs; equal values are one object."""
    text = ConlluText(block.text)
    if not text.is_plain:
        yield from sentences_by_lines(block)
    for columns, line, starts, extra in text.sentences(CONLLU_COLUMNS, values):
        layout = ConlluLayout(len(columns["form"]), extra)
        name = _document_name(extra) if starts else ""
        yield Sentence(columns, block.source, block.line + line, starts, layout, document_name=name)


def sentences_by_lines(block: Block) -> Iterator[Sentence]:
    """Read the same in plain Python, or raise `DataError` for the first wrong line."""
    for line, text in paragraphs(block):
        yield _parse(text, block.source, line)


def write_conllu(sentences: Iterable[Sentence], target: Target) -> None:
    """Write sentences to a file, an open stream or, for ``-``, standard output; one call writes one file.

    Columns that a sentence does not have are written as ``_``. Columns that CoNLL-U does not have raise
    `DataError`, and so do values that could not be read back: empty ones, tabs and line ends.
    """
    with open_output(target, FORMAT.kind) as stream:
        put = text_writer(stream)
        for number, sentence in enumerate(sentences, 1):
            text = _format(sentence, number)
            try:
                put(text)
            except UnicodeEncodeError:
                check_values(sentence, sentence.columns, "", number)
                raise


def with_comments(sentence: Sentence, comments: Iterable[str]) -> Sentence:
    """Return the sentence with more comments, before its own."""
    extra = sentence.layout.extra if isinstance(sentence.layout, ConlluLayout) else ()
    added = tuple((0, comment) for comment in comments)
    return replace(sentence, layout=ConlluLayout(len(sentence), added + extra))


CONFIDENCE = "Confidence"  # of a label, in misc


def with_feature(sentence: Sentence, name: str, values: Sequence[str | None]) -> Sentence:
    """Return the sentence with ``name=value`` in its column misc, replacing an old value; None removes it.

    >>> s = Sentence({"form": ["a", "b"], "misc": ["SpaceAfter=No|X=1", "X=2"]})
    >>> with_feature(s, "X", ["3", None]).columns["misc"]
    ['SpaceAfter=No|X=3', '_']
    """
    misc = sentence.columns.get("misc", ["_"] * len(sentence))
    return replace(
        sentence,
        columns={**sentence.columns, "misc": [_set(m, name, v) for m, v in zip(misc, values, strict=True)]},
    )


def _set(features: str, name: str, value: str | None) -> str:
    others = [f for f in features.split("|") if f != "_" and not f.startswith(f"{name}=")]
    return "|".join([*others, *([] if value is None else [f"{name}={value}"])]) or "_"


def from_text(sentence: Sentence) -> Sentence:
    """Return a sentence of running text with its text as a comment, its tokens, and white space in misc."""
    layout = sentence.layout
    assert isinstance(layout, TextLayout)
    befores = [layout.before, *[""] * len(layout.tokens)]
    misc = [misc_of(token, b, a) for token, b, a in zip(layout.tokens, befores, layout.after, strict=False)]
    extra = [
        (0, row) for row in (*(["# newpar"] if layout.starts_paragraph else []), f"# text = {form_of(layout.text)}")
    ]
    of_words = [entry for entry, token in zip(misc, layout.tokens, strict=True) for _ in token.words]
    for number, first, end in layout.several():
        row = f"{first + 1}-{end}\t{form_of(layout.tokens[number].text)}" + "\t_" * 7 + f"\t{misc[number]}"
        extra.append((first, row))
        of_words[first:end] = ["_"] * (end - first)
    columns = {**sentence.columns, "misc": of_words}
    return replace(sentence, columns=columns, layout=ConlluLayout(len(sentence), tuple(extra)))


def _parse(text: str, source: str, line: int) -> Sentence:
    words, extra = _sort_rows(text.split("\n"), source, line)
    if not words:
        raise DataError("expected at least one word, a line whose id is a whole number; found none", f"{source}:{line}")
    table = split_table("\n".join(words), "\t", _NAMES)
    assert table is not None, "the rows were checked"
    del table["id"]
    comments = [row for before, row in extra if before == 0]
    starts = any(map(_NEWDOC.match, comments))
    layout = ConlluLayout(len(words), tuple(extra))
    return Sentence(table, source, line + len(comments), starts, layout, document_name=_document_name(extra))


def _document_name(extra: Iterable[tuple[int, str]]) -> str:
    """Return the name of a document in its comment ``# newdoc id = d-17``, or an empty string."""
    found = (_NAME.match(row) for before, row in extra if before == 0)
    return next((match[1].rstrip() for match in found if match), "")


def _sort_rows(rows: list[str], source: str, line: int) -> tuple[list[str], list[tuple[int, str]]]:
    """Separate the words from the other lines, and check the ids."""
    words: list[str] = []
    extra: list[tuple[int, str]] = []
    end = (0, line)  # of the longest multiword range, and its line
    part = 0  # of the last empty node since the last word
    for number, row in enumerate(rows, line):
        if row.startswith("#"):
            extra.append((len(words), row))
        elif row.count("\t") != len(CONLLU_COLUMNS) or "\t\t" in row or row[0] == "\t" or row[-1] == "\t":
            raise _row_error(row, source, number)
        elif row.startswith(f"{len(words) + 1}\t"):
            words.append(row)
            part = 0
        else:
            last, part = _check_id(row.partition("\t")[0], len(words), part, f"{source}:{number}")
            end = max(end, (last, number))
            extra.append((len(words), row))
    if end[0] > len(words):
        message = f"the range ends at word {end[0]}, but the sentence has {len(words)}"
        raise DataError(message, f"{source}:{end[1]}")
    return words, extra


def _row_error(row: str, source: str, number: int) -> DataError:
    """Return the error for a row with other than ten columns; a word alone is a row of another format."""
    error = table_error(row, "\t", _NAMES, source, number)
    if len(row.split()) == 1 and "\t" not in row:
        error.args = (f"{error}; format 'columns' has a word on each line",)
    return error


def _check_id(text: str, words: int, part: int, where: str) -> tuple[int, int]:
    """Check the id of a range or an empty node; return the end of the range, and the part of the node."""
    match = _ID.fullmatch(text)
    if match is None:
        raise DataError(f"expected an id such as 3, 3-4 or 3.1, found {short(text)}", where)
    first, last, dot = (int(group) if group else 0 for group in match.groups())
    if match[2] and first == words + 1 and last > first:
        return last, part
    if match[3] and first == words and dot > part:
        return 0, dot
    expected = f"{words + 1}, {words + 1}-… or {words}.{part + 1}"
    raise DataError(f"ids must be consecutive: expected {expected}, found {text!r}", where)


def _format(sentence: Sentence, number: int) -> str:
    columns = _all_columns(sentence, number)
    try:
        text, same = join_table(columns.values(), "\t")
    except (TypeError, ValueError):
        check_table(sentence, columns, "", number)
        raise
    if not same:
        check_table(sentence, columns, "\n\r\0\t", number)
    layout = sentence.layout if isinstance(sentence.layout, ConlluLayout) else None
    if layout and layout.length != len(sentence):
        message = f"expected the {layout.length} words that were read, found {len(sentence)}"
        raise DataError(f"{message}; remove the layout of the sentence", place(sentence, number))
    words = text.split("\n")
    rows: list[str] = []
    done = 0  # words that are among the rows
    for before, row in _with_newdoc(layout.extra if layout else (), sentence):
        rows += [*words[done:before], row]
        done = max(done, before)
    return "\n".join([*rows, *words[done:]]) + "\n\n"


def _all_columns(sentence: Sentence, number: int) -> dict[str, Sequence[str]]:
    expected = f"expected form and any of {', '.join(CONLLU_COLUMNS[1:])}"
    if "form" not in sentence.columns or not sentence.columns.keys() <= set(CONLLU_COLUMNS):
        found = ", ".join(sentence.columns)
        raise DataError(f"not the columns of CoNLL-U: {expected}, found {found}", place(sentence, number))
    length = len(sentence)
    columns: dict[str, Sequence[str]] = {"id": _IDS[:length] if length <= len(_IDS) else _ids(length)}
    for name in CONLLU_COLUMNS:
        columns[name] = sentence.columns.get(name, ["_"] * length)
    return columns


def _ids(length: int) -> list[str]:
    return [str(number) for number in range(1, length + 1)]


_IDS = _ids(1000)  # most sentences are shorter


def _with_newdoc(extra: Iterable[tuple[int, str]], sentence: Sentence) -> list[tuple[int, str]]:
    """Make the comments say whether the sentence starts a document, and which one."""
    starts, name = sentence.starts_document, " ".join(sentence.document_name.split())  # a comment is one line
    lines = [(before, row) for before, row in extra if starts or before or not _NEWDOC.match(row)]
    if starts and not any(before == 0 and _NEWDOC.match(row) for before, row in lines):
        lines.insert(0, (0, f"# newdoc id = {name}" if name else "# newdoc"))
    return lines


def _with_misc(sentence: Sentence, name: str, values: Sequence[str | None]) -> Sentence:
    return with_feature(sentence, name.capitalize(), values)


def _with_labels(sentence: Sentence, name: str, labels: Sequence[str]) -> Sentence:
    """Put labels into misc, as ``NER=B-PER``."""
    columns = {column: values for column, values in sentence.columns.items() if column != name}
    return with_feature(replace(sentence, columns=columns), name.upper(), [escape(label) for label in labels])


FORMAT = Format(
    name="conllu",
    kind=file_kinds.CONLLU,
    endings=(".conllu",),
    title="CoNLL-U",
    read=read_conllu,
    write=write_conllu,
    with_values=_with_misc,
    columns=CONLLU_COLUMNS,
    label_columns=("upos", "xpos"),
    with_comments=with_comments,
    with_labels=_with_labels,
    from_text=from_text,
    unit="paragraph",
)
