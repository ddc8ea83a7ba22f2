"""Comments in column files: recognised by their prefix, and written back in place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from perceptag.errors import DataError, SettingError, brief
from perceptag.text.sentence import Sentence

# As CoNLL-U has them. The name and the sign are separate words, so that a token "#" with its tags is not among them.
_CONLLU = re.compile(r"#[ \t]+(?:[^\W\d][\w.:-]*[ \t]+=(?:[ \t]|$)|new(?:doc|par)(?:[ \t]|$))")
_BLANKS = re.compile(r"[ \t]+")
_SHOWN = re.compile(r"found (?:\d+|none): ['\"]#")  # the end of a message that shows the line
HINT = "; if lines that begin with '#' are comments, use --comment '#' (of convert, where a command does not have it)"


class Comments:
    """Finds the comments of a file by their prefix; without one, every line is a token."""

    def __init__(self, prefix: str = "") -> None:
        if not isinstance(prefix, str) or prefix != prefix.strip() or "\n" in prefix:
            raise SettingError(f"comment: expected a prefix such as '#', found {brief(prefix)}")
        self.prefix = prefix
        self.waiting = ""  # paragraphs of comments whose sentence has not come yet
        self._always = bool(_BLANKS.search(prefix))  # for any number of columns

    def may_be_in(self, text: str) -> bool:
        """Return whether a line of the text begins as comments do."""
        return bool(self.prefix) and (text.startswith(self.prefix) or f"\n{self.prefix}" in text)

    def lines_that_decide(self, text: str) -> Iterator[str]:
        """Yield lines for detecting columns: first those that cannot be comments, then possible tokens."""
        lines = text.split("\n")
        if not self.prefix:
            yield from lines
            return
        yield from (line for line in lines if not line.startswith(self.prefix))
        yield from (line for line in lines if line.startswith(self.prefix) and not self._is_always_one(line))

    def take(self, text: str, separator: str, width: int) -> tuple[str, tuple[tuple[int, str], ...]]:
        """Return the lines of a paragraph that are tokens, and the comments with the number of tokens before each."""
        if not self.may_be_in(text):
            return text, ()
        rows: list[str] = []
        comments: list[tuple[int, str]] = []
        for line in text.split("\n"):
            begins = line.startswith(self.prefix)
            is_comment = begins and (self._is_always_one(line) or _width(line, separator) != width)
            comments.append((len(rows), line)) if is_comment else rows.append(line)
        return "\n".join(rows), tuple(comments)

    def _is_always_one(self, line: str) -> bool:
        """Return whether a line that begins as comments do is one, whatever its number of columns."""
        return self._always or is_conllu_comment(line)

    def take_waiting(self) -> str:
        """Return the paragraphs of comments since the last sentence."""
        found, self.waiting = self.waiting, ""
        return found

    @contextmanager
    def hinting(self, first: str) -> Iterator[None]:
        """Add a hint to an error if the line, or the one that decided the columns, looks like a comment."""
        try:
            yield
        except DataError as error:
            if self.prefix or not (first.startswith("#") or _SHOWN.search(str(error))):
                raise
            raise DataError(str(error).removeprefix(f"{error.where}: ") + HINT, error.where) from None


def is_conllu_comment(line: str) -> bool:
    """Return whether a line is a comment as CoNLL-U has them.

    >>> [is_conllu_comment(line) for line in ("# sent_id = 1", "# newdoc", "# NN O O", "#1 = CD O")]
    [True, True, False, False]
    """
    return _CONLLU.match(line) is not None


def comment_rows(sentences: Iterable[Sentence]) -> Iterator[tuple[Sentence, int]]:
    """Yield the tokens of column files that are rather comments of CoNLL-U, as (sentence, number of the token)."""
    for sentence in sentences:
        columns = list(sentence.columns.values())
        words = columns[0] if columns else []
        for t in (t for t, word in enumerate(words) if word == "#") if "#" in words else ():
            if is_conllu_comment(" ".join(values[t] for values in columns)):
                yield sentence, t


def insert(text: str, comments: Iterable[tuple[int, str]]) -> str:
    """Put comments back between the lines of a sentence.

    >>> insert("a\\nb", [(0, "# x"), (1, "# y")])
    '# x\\na\\n# y\\nb'
    """
    found = list(comments)
    if not found:
        return text
    lines = text.split("\n")
    for before, comment in reversed(found):
        lines.insert(before, comment)
    return "\n".join(lines)


def _width(line: str, separator: str) -> int:
    return len(line.split("\t") if separator == "\t" else _BLANKS.split(line.strip(" \t")))
