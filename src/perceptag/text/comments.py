"""Comments in column files: recognised by their prefix, and written back in place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from perceptag.errors import DataError, SettingError, brief

_BLANKS = re.compile(r"[ \t]+")
_SHOWN = re.compile(r"found (?:\d+|none): ['\"]#")  # the end of a message that shows the line
HINT = "; if lines that begin with '#' are comments, say --comment '#'"


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
        if not self._always:
            yield from (line for line in lines if line.startswith(self.prefix))

    def take(self, text: str, separator: str, width: int) -> tuple[str, tuple[tuple[int, str], ...]]:
        """Return the lines of a paragraph that are tokens, and the comments with the number of tokens before each."""
        if not self.may_be_in(text):
            return text, ()
        rows: list[str] = []
        comments: list[tuple[int, str]] = []
        for line in text.split("\n"):
            is_comment = line.startswith(self.prefix) and (self._always or _width(line, separator) != width)
            comments.append((len(rows), line)) if is_comment else rows.append(line)
        return "\n".join(rows), tuple(comments)

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
