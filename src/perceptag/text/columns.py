"""Column files: one token per line, a blank line after each sentence, as in the CoNLL shared tasks.

    -DOCSTART- -X- O O

    EU NNP I-NP I-ORG
    rejects VBZ I-VP O

The first line with a token decides for the whole file. If it contains a tab, single tabs separate the columns
and values may contain spaces; if not, runs of spaces and tabs separate them. No other character does, so a
no-break space is part of its token. A line whose first column is ``-DOCSTART-`` is not a token: it marks the next
sentence as the first of a document, and is written back before it. At the end of a file, before no sentence, it
has no meaning and is dropped. Blank lines beyond the one after a sentence are written back too.

There are no comments unless the caller says how they begin, since any word may be a token. If ``#`` begins them, a
line such as ``# id 7 x`` is a comment if its number of columns is not that of a token: ``# SYM O`` is a token in a file
of three columns. Lines such as ``# sent_id = 7``, as CoNLL-U has them, are comments in any file. If what begins them
has a space, as ``# id``, every such line is a comment. They are written back.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from perceptag._core import ColumnText, SharedValues
from perceptag.errors import DataError, SettingError, brief
from perceptag.system import file_kinds
from perceptag.system.compression import without_ending
from perceptag.system.given_file import in_encoding
from perceptag.system.output_files import Target, text_writer
from perceptag.text.comments import Comments, insert
from perceptag.text.compressed import open_output
from perceptag.text.format import Format, Names
from perceptag.text.lines import Block, PartStream, Source, first_line, paragraphs, whole_paragraphs
from perceptag.text.sentence import Sentence, SentenceLayout
from perceptag.text.separated_fields import (
    check_table,
    check_values,
    fault,
    join_table,
    place,
    split_table,
    table_error,
)
from perceptag.text.token_formats import without_space

_MARK = "-DOCSTART-"
_MARK_LINE = re.compile(rf"{_MARK}(?=[ \t\n])[^\n]*\n\n?")
_BLANKS = re.compile(r"[ \t]+")

_Table = dict[str, list[str]]
_Found = tuple[int, _Table, int, tuple[tuple[int, str], ...]]  # a line, its sentence, blank lines before, comments


@dataclass(frozen=True, slots=True)
class ColumnLayout(SentenceLayout):
    """The layout of a sentence in its column file."""

    separator: str = " "
    marks: tuple[str, ...] = ()  # the -DOCSTART- lines before it, and the blank ones around them
    blank_lines: int = 0  # before it and after its marks, where there is more than the one that ends a sentence
    comments: tuple[tuple[int, str], ...] = ()  # lines, each with the number of tokens before it
    paragraphs: str = ""  # of comments alone, before the sentence

    def without_blank_lines(self) -> ColumnLayout:
        """Return the layout without blank lines before the sentence and its marks."""
        return replace(self, marks=tuple(mark.lstrip("\n") for mark in self.marks), blank_lines=0)

    def with_heading(self, line: str) -> ColumnLayout:
        """Return the layout with a line right before the first token and its comments, unless the line is empty."""
        return replace(self, comments=((0, line), *self.comments)) if line else self

    def line_of(self, token: int) -> int:
        """Return the number of lines between the first token and a token, comments included."""
        return token + sum(0 < before <= token for before, _ in self.comments)


def read_columns(
    source: Source,
    columns: Names | None = None,
    *,
    separator: str | None = None,
    comment: str = "",
    encoding: str = "",
) -> Iterator[Sentence]:
    """Read sentences from a column file, an open stream or, for ``-``, standard input, as they come.

    `columns` names the columns, and every line must have that many. Without it the first line with a token
    decides how many there are: ``form`` comes first, ``label`` last, and ``c1``, ``c2`` … between them.
    A function as `columns` is given that number and returns the names. `separator`, a tab or a space, overrules
    what that line shows. `comment` begins lines that are not tokens. `encoding`: of a file, UTF-8 if none is named.

    >>> import io
    >>> [s.columns for s in read_columns(io.StringIO("The DT\\ndog NN\\n"))]
    [{'form': ['The', 'dog'], 'label': ['DT', 'NN']}]
    """
    return ColumnReader(columns, separator, comment).read(in_encoding(source, encoding))


class ColumnReader:
    """Parses the blocks of one column file. The first token line decides the format."""

    def __init__(self, columns: Names | None = None, separator: str | None = None, comment: str = "") -> None:
        _check_separator(separator)
        self.separator = separator or ""
        self.comments = Comments(comment)
        self.names = [] if columns is None or callable(columns) else _checked_names(columns)
        self.waiting: list[str] = []  # -DOCSTART- lines whose sentence has not come yet
        self._naming = columns if callable(columns) else default_names
        self._first = ""  # the line that decided
        self._values = SharedValues()
        self._next = 1  # the line of the next sentence, if one blank line stands before it
        self._end = 1  # the line after the last one that was read

    def read(self, source: Source) -> Iterator[Sentence]:
        """Yield the sentences of a file."""
        self.begin(source)
        for block in whole_paragraphs(source):
            yield from self.sentences(block)

    def begin(self, source: Source) -> None:
        """Set the state for a part of a file: the line that decides the format, and the number of lines before."""
        self._next = self._end = first_line(source)
        if isinstance(source, PartStream) and source.begin:
            for block in whole_paragraphs(source.name):
                self.look_at(block)
                if self.separator and self.names:
                    return

    def look_at(self, block: Block) -> None:
        """Detect separator and column names, unless they are known."""
        if self.separator and self.names:
            return
        first = _first_token_line(self.comments.lines_that_decide(block.text))
        self.separator = self.separator or ("\t" if "\t" in first else " " if first else "")
        if first and not self.names:
            with self.comments.hinting(first):
                self.names = _checked_names(self._naming(_width(first, self.separator)))
        self._first = self._first or first

    def sentences(self, block: Block) -> Iterator[Sentence]:
        """Yield the sentences of the next block."""
        self.look_at(block)
        plain = ColumnLayout(self.separator) if self.separator == "\t" else None
        self._end = _line_after(block)
        has_comments = self.comments.may_be_in(block.text)
        for part in self._parts(block):
            tables = None if has_comments else self._plain_tables(part)
            found = self._tables(part, has_comments) if tables is None else self._numbered(part.line, tables)
            for line, table, blank_lines, comments in found:
                sentence = Sentence(table, part.source, line, False, plain)
                if self.waiting or blank_lines or comments or self.comments.waiting:
                    sentence.starts_document = bool(self.waiting)
                    before = self.comments.take_waiting()
                    marks = tuple(self.waiting)
                    sentence.layout = ColumnLayout(self.separator, marks, blank_lines, comments, before)
                    self.waiting.clear()
                yield sentence

    def _plain_tables(self, part: Block) -> list[_Table] | None:
        """Return the columns of each sentence of a part, if nothing is unusual there."""
        text = part.text
        if not self.names or not self.separator or text.startswith("\n") or "\n\n\n" in text or _MARK in text:
            return None
        lines = ColumnText(text, self.separator, len(self.names))
        return lines.tables(tuple(self.names), self._values) if lines.is_plain else None

    def _numbered(self, line: int, tables: Iterable[_Table]) -> Iterator[_Found]:
        """Yield the sentences of a regular part with their first lines, starting at `line`."""
        for table in tables:
            blank_lines = max(0, line - self._next)
            self._next = line + len(table[self.names[0]]) + 1
            yield line, table, blank_lines, ()
            line = self._next

    def _tables(self, part: Block, has_comments: bool) -> Iterator[_Found]:
        """Yield the sentences of any part, with comments."""
        separator, names = self.separator, self.names
        for line, text in paragraphs(part):
            rows, comments = self.comments.take(text, separator, len(names)) if has_comments else (text, ())
            blank_lines = max(0, line - self._next)
            self._next = line + text.count("\n") + 2
            if not rows:
                self.comments.waiting += "\n" * blank_lines + text + "\n\n"
                continue
            table = split_table(rows, separator, names)
            if table is None:
                with self.comments.hinting(self._first):
                    table = _split_uneven(rows, separator, names, part.source, line, comments)
            yield line + sum(n == 0 for n, _ in comments), table, blank_lines, comments

    def text_at_end(self) -> str:
        """Return comments and blank lines after the last sentence."""
        return "\n" * self.blank_lines_at_end() + self.comments.take_waiting()

    @property
    def is_between(self) -> bool:
        """Whether marks or comments wait for the next sentence."""
        return bool(self.waiting or self.comments.waiting)

    def is_apart(self, block: Block) -> bool:
        """Return whether more than one blank line stands between the next block and the sentence before it."""
        return block.line > self._next

    def skip(self, block: Block) -> None:
        """Register a block that another reader has consumed."""
        self._end = _line_after(block)
        self._next = self._end + (not block.text.endswith("\n\n"))

    def blank_lines_at_end(self) -> int:
        """Return the number of blank lines after the one that ends the last sentence."""
        return 0 if self.waiting else max(0, self._end - self._next)

    def _parts(self, block: Block) -> Iterable[Block]:
        # One search in the whole block is cheaper than one in each sentence.
        if self.separator == " " and "\t" in block.text:
            block = block._replace(text=block.text.replace("\t", " "))
        return self._cut_at_marks(block) if _MARK in block.text else (block,)

    def _cut_at_marks(self, block: Block) -> Iterator[Block]:
        """Yield what stands between the -DOCSTART- lines of a block, and add each of these lines to `waiting`."""
        source, line, text = block
        start = 0
        for match in _MARK_LINE.finditer(text):
            row = text.rfind("\n", 0, match.start()) + 1
            if not text[row : match.start()].strip(" \t"):
                yield Block(source, line, text[start:row])
                blank_lines = max(0, line + text.count("\n", start, row) - self._next)
                self.waiting.append("\n" * blank_lines + match[0])
                line += text.count("\n", start, match.end())
                start = match.end()
                self._next = line
        yield Block(source, line, text[start:])


def write_columns(sentences: Iterable[Sentence], target: Target, *, separator: str | None = None) -> None:
    """Write sentences to a file, an open stream or, for ``-``, standard output; one call writes one file.

    Columns are written in their order, and all sentences must have the same ones. `separator` is a tab or a
    space; by default it is a tab if the first sentence was read with tabs, else a space. What could not be read
    back unchanged raises `DataError`: empty values, line ends, tabs, and spaces unless tabs separate the columns.
    A document starts with the ``-DOCSTART-`` line it had, or with a new one, filled up with ``O``.
    """
    _check_separator(separator)
    with open_output(target, FORMAT.kind) as stream:
        writer = ColumnWriter(text_writer(stream), separator)
        for sentence in sentences:
            writer.write(sentence)


def asks_for_tabs(target: Target) -> bool:
    """Return whether the name of a file says that tabs separate its columns."""
    return (
        isinstance(target, (str, os.PathLike)) and PurePath(without_ending(os.fspath(target))).suffix.lower() == ".tsv"
    )


class ColumnWriter:
    """Writes the sentences of one column file. The first one decides the columns of all."""

    def __init__(self, put: Callable[[str], None], separator: str | None = None) -> None:
        self.put = put
        self.separator = separator
        self.names: list[str] = []
        self.count = 0  # of sentences written

    def write(self, sentence: Sentence) -> None:
        """Write the next sentence, or raise `DataError` if it cannot be written."""
        self.count += 1
        if self.count == 1:
            self.names = list(sentence.columns)
            self.separator = self.separator or getattr(sentence.layout, "separator", " ")
        elif list(sentence.columns) != self.names:
            message = f"expected the columns of the first sentence ({', '.join(self.names)})"
            raise DataError(f"{message}, found {', '.join(sentence.columns)}", place(sentence, self.count))
        text = _format(sentence, self.separator or " ", self.count)
        if self.count == 1 and text.startswith("\ufeff"):
            text = "\ufeff" + text  # a reader drops the first one, as a byte order mark
        try:
            self.put(text)
        except UnicodeEncodeError:
            check_values(sentence, sentence.columns, "", self.count)
            raise


def _format(sentence: Sentence, separator: str, number: int) -> str:
    try:
        text, same = join_table(sentence.columns.values(), separator)
    except (TypeError, ValueError):
        _check(sentence, separator, number)
        raise
    if not same or _MARK in text or (" " if separator == "\t" else "\t") in text:
        _check(sentence, separator, number)
    layout = sentence.layout
    if not isinstance(layout, ColumnLayout):
        layout = ColumnLayout()
    marks = _marks(sentence, separator) if sentence.starts_document else ""
    blank_lines = "\n" * layout.blank_lines
    return f"{marks}{layout.paragraphs}{blank_lines}{insert(text, layout.comments)}\n\n"


def _check(sentence: Sentence, separator: str, number: int) -> None:
    """Raise `DataError` if the sentence could not be read back unchanged."""
    columns = sentence.columns
    # A file of one column contains no tab that could show that spaces do not separate columns.
    spaces = separator == "\t" and len(columns) > 1
    check_table(sentence, columns, "\n\r\0\t" if spaces else "\n\r\0\t ", number)
    for t, values in enumerate(zip(*columns.values(), strict=True)):
        if _MARK_LINE.match(f"{values[0].lstrip(' ')}\n"):
            raise DataError(f"token {t + 1} is {_MARK}, which marks a document", place(sentence, number, t))
        if not "".join(values).strip(" "):
            raise DataError(f"token {t + 1} has only spaces: a blank line", place(sentence, number, t))


def _marks(sentence: Sentence, separator: str) -> str:
    """Return the -DOCSTART- lines, filled up to the number of columns, as evaluation scripts expect."""
    text = ""
    for mark in getattr(sentence.layout, "marks", ()) or (f"{_MARK}\n\n",):
        line = mark.rstrip("\n")
        missing = len(sentence.columns) - len(_BLANKS.split(line))
        text += line + f"{separator}O" * missing + mark[len(line) :]
    return text


def _checked_names(columns: Sequence[str]) -> list[str]:
    names = list(columns) if isinstance(columns, Iterable) else []
    is_text = not isinstance(columns, str) and not any(fault(name, "\0") for name in names)
    if not is_text or not names or len(set(names)) != len(names) or "" in names:
        raise SettingError(f"columns: expected a list of different names, found {brief(columns)}")
    return names


def _check_separator(separator: str | None) -> None:
    if separator not in (None, " ", "\t"):
        raise SettingError(f"separator: expected a space or a tab, found {brief(separator)}")


def _first_token_line(lines: Iterable[str]) -> str:
    """Return the line that decides the separator and the columns, or an empty string if there is none yet."""
    for line in lines:
        if line and _BLANKS.split(line.strip(" \t"))[0] != _MARK:
            return line
    return ""


def _width(line: str, separator: str) -> int:
    return len(line.split("\t") if separator == "\t" else _single_spaces(line).split(" "))


def default_names(count: int) -> list[str]:
    """Return default names for the columns of a file.

    >>> default_names(1), default_names(4)
    (['form'], ['form', 'c1', 'c2', 'label'])
    """
    middle = [f"c{i}" for i in range(1, count - 1)]
    return ["form", *middle, "label"] if count > 1 else ["form"]


def _split_uneven(
    rows: str, separator: str, names: list[str], source: str, line: int, comments: Sequence[tuple[int, str]]
) -> _Table:
    """Split rows that may have runs of blanks between the columns, or raise `DataError` for the first wrong one.

    The paragraph begins at `line`, and `comments` stand between its rows.
    """
    even = rows if separator == "\t" else _single_spaces(rows)
    table = split_table(even, separator, names)
    if table is None:
        raise table_error(even, separator, names, source, line, _lines_of_rows(rows, line, comments))
    return table


def _lines_of_rows(rows: str, line: int, comments: Sequence[tuple[int, str]]) -> list[int]:
    before = Counter(row for row, _ in comments)
    lines = []
    for row in range(rows.count("\n") + 1):
        line += before[row]
        lines.append(line + row)
    return lines


def _single_spaces(text: str) -> str:
    return "\n".join([_BLANKS.sub(" ", line).strip(" ") for line in text.split("\n")])


def _line_after(block: Block) -> int:
    return block.line + block.text.count("\n")


def _with_column(sentence: Sentence, name: str, values: Sequence[str | None]) -> Sentence:
    sentence.columns[name] = ["_" if value is None else value for value in values]
    return sentence


def from_text(sentence: Sentence) -> Sentence:
    """Return a sentence of running text whose words have no white space inside."""
    columns = {**sentence.columns, "form": [without_space(form) for form in sentence.columns["form"]]}
    return replace(sentence, columns=columns)


FORMAT = Format(
    name="columns",
    kind=file_kinds.COLUMNS,
    title="a column file",
    read=read_columns,
    write=write_columns,
    with_values=_with_column,
    names_columns=False,
    from_text=from_text,
    unit="paragraph",
)
