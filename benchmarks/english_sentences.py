"""Sentences in nine kinds of text, written for `benchmarks.english`: are their names found in raw text?"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import perceptag

FILE = Path(__file__).with_name("english_sentences.txt")
NAME = re.compile(r"\[([^]]+)\]\((PER|ORG|LOC)\)")


class Example(NamedTuple):
    """A sentence with its names: first character, last character, type."""

    kind: str
    text: str
    names: frozenset[tuple[int, int, str]]


def read() -> list[Example]:
    """Read the sentences of the file."""
    examples, kind = [], ""
    for line in FILE.read_text("utf-8").splitlines():
        if line.startswith("## "):
            kind = line[3:]
        elif line and not line.startswith("#"):
            examples.append(parse(kind, line))
    return examples


def parse(kind: str, line: str) -> Example:
    """Return a line without its marks.

    >>> parse("news", "In [Rome](LOC).")
    Example(kind='news', text='In Rome.', names=frozenset({(3, 7, 'LOC')}))
    """
    text, names, end = "", set(), 0
    for match in NAME.finditer(line):
        text += line[end : match.start()]
        names.add((len(text), len(text) + len(match[1]), match[2]))
        text += match[1]
        end = match.end()
    return Example(kind, text + line[end:], frozenset(names))


def show(models: dict[str, perceptag.Pipeline]) -> None:
    """Print for each kind how many names are right, and how many spans are not names."""
    examples = read()
    kinds = dict.fromkeys(example.kind for example in examples)
    print(f"\nnames in {len(examples)} sentences of our own, from raw text: right of all names, + wrong spans")
    print(f"{'':34}" + "".join(f"{name:>22}" for name in models))
    for kind in (*kinds, ""):
        chosen = [example for example in examples if kind in ("", example.kind)]
        cells = [_counted(model, chosen) for model in models.values()]
        print(f"{kind or 'all':34}" + "".join(f"{cell:>22}" for cell in cells))


def _counted(model: perceptag.Pipeline, examples: list[Example]) -> str:
    right = wrong = names = 0
    for example in examples:
        found = {
            (span.start_char, span.end_char, span.label) for span in model(example.text).spans if span.layer == "ner"
        }
        right, wrong = right + len(found & example.names), wrong + len(found - example.names)
        names += len(example.names)
    return f"{right} of {names} ({100 * right / names:.0f} %) + {wrong}"
