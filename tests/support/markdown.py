"""The parts of a Markdown page: links, headings, code blocks, spans of code, shell commands, expected output."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_SPAN = re.compile(r"`([^`]+)`")
_ASSIGNMENT = re.compile(r"(\w+)=(.*)")
_PRINTED = re.compile(r"(\w+)=\$\(.*\)")
_ERRORS_ELSEWHERE = re.compile(r"\s2>(?:&1|\s*[^\s;|&]+)")
ARROW = "# →"


@dataclass(frozen=True)
class Page:
    """One file, or the sections of it that need a library of their own, or the rest."""

    path: Path
    only: str = ""  # the title of a section of second level
    without: str = ""

    @property
    def text(self) -> str:
        text = self.path.read_text(encoding="utf-8")
        parts = re.split(r"(?m)^(?=## )", text)
        return "".join(part for part in parts if self._has(part.partition("\n")[0].removeprefix("## ")))

    def _has(self, title: str) -> bool:
        return title == self.only if self.only else not self.without or title != self.without

    def blocks(self, language: str = "") -> list[str]:
        """Return code blocks; those without a language are shell commands, output or drawings."""
        return [code for found, code in _BLOCK.findall(self.text) if found == language]

    def prose(self) -> str:
        """Return everything but the code blocks."""
        return _BLOCK.sub("", self.text)

    def links(self) -> list[str]:
        return _LINK.findall(_SPAN.sub("", self.prose()))

    def spans(self) -> list[str]:
        return [" ".join(span.split()) for span in _SPAN.findall(self.prose())]

    def anchors(self) -> set[str]:
        """Return headings as links name them."""
        return {_slug(title) for title in re.findall(r"^#+ (.+)$", self.prose(), re.MULTILINE)}


def _slug(title: str) -> str:
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def commands(page: Page) -> Iterator[list[str]]:
    """Yield the words of each ``perceptag ...`` command in the code blocks, without the first word."""
    for block in page.blocks():
        variables: dict[str, str] = {}
        for line in _shell_lines(block):
            for words, _ in pipeline(line, variables):
                if words[:1] == ["perceptag"]:
                    yield words[1:]


def _shell_lines(block: str) -> list[str]:
    """Return the lines that are typed: those after a prompt, or all if there is no prompt."""
    lines = block.replace("\\\n", " ").split("\n")
    typed = [line[2:] for line in lines if line.startswith("$ ")]
    return typed or [line for line in lines if line.startswith("perceptag ") or _ASSIGNMENT.match(line)]


def pipeline(line: str, variables: dict[str, str]) -> list[tuple[list[str], bool]]:
    """Return the commands of a line, each with whether it reads the output of the one before; keep assignments."""
    if assignment := _PRINTED.fullmatch(line):  # what a command prints, which is not known here
        variables[assignment[1]] = assignment[1]
        return []
    for name, value in variables.items():
        line = line.replace(f"${name}", value)
    lexer = shlex.shlex(_ERRORS_ELSEWHERE.sub("", line), posix=True, punctuation_chars="|&<>;")
    lexer.whitespace_split = True
    words = list(lexer)
    if len(words) == 1 and (assignment := _ASSIGNMENT.fullmatch(words[0])):
        variables[assignment[1]] = assignment[2]
        return []
    found: list[tuple[list[str], bool]] = [([], False)]
    redirected = False
    for word in words:
        if word in ("|", "||", "&&", "&", ";"):
            found.append(([], word == "|"))
        elif word in ("<", ">"):
            redirected = True
        elif redirected:
            redirected = False
        else:
            found[-1][0].append(word)
    return found


def session(page: Page) -> Iterator[tuple[str, str]]:
    """Yield commands after a prompt, each with the output that the page shows."""
    for block in page.blocks():
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.replace("\\\n", "").partition("\n")  # a shell joins such lines, too
            yield command, shown


def matches(shown: str, text: str) -> bool:
    """Return whether text is what a page shows; … stands for anything, on a line of its own for any lines."""
    pattern = re.escape(_trimmed(shown)).replace("…\\\n", r"(?:.*\n)*").replace("…", ".*")
    return re.fullmatch(pattern, _trimmed(text)) is not None


def _trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").split("\n"))


def statements(block: str) -> Iterator[tuple[ast.stmt, str]]:
    """Yield the statements of a Python block, each with the value that a comment shows: ``# → value``, or below it."""
    lines = block.split("\n")
    for statement in ast.parse(block).body:
        last = statement.end_lineno or statement.lineno
        after = lines[last] if last < len(lines) and lines[last].startswith(ARROW) else ""
        shown = (lines[last - 1] if ARROW in lines[last - 1] else after).partition(ARROW)[2]
        yield statement, shown.strip()
