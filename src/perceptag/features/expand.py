"""Expand short forms of templates.

form[-2..2]                     form[-2], form[-1], form[0], form[1], form[2]
prefix1..4[0]                   prefix1[0], prefix2[0], prefix3[0], prefix4[0]
pos[0] * y0 | y-1 y0            pos[0] and pos[0] * y-1 y0
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from perceptag.errors import SettingError, brief

MAX_EXPANDED = 10_000  # templates that one short form may stand for
MAX_LENGTH = 4096  # characters of a template as it is written
_RANGE = re.compile(r"([+-]?\d+)\.\.([+-]?\d+)")
_MOST = 100


def expand(text: str) -> Iterator[str]:
    """Write out the short forms in a template.

    >>> list(expand("suffix2..3[-1..0] * y0 | y-1 y0"))[:3]
    ['suffix2[-1] * y0', 'suffix2[-1] * y-1 y0', 'suffix2[0] * y0']
    """
    if len(text) > MAX_LENGTH:
        raise SettingError(f"template {brief(text)}…: expected at most {MAX_LENGTH} characters, found {len(text)}")
    matches = list(_RANGE.finditer(text))
    ranges = [_numbers(text, match) for match in matches]
    _check_count(text, [len(numbers) for numbers in ranges])
    cuts = [0, *(place for match in matches for place in match.span()), len(text)]
    between = [text[start:end] for start, end in zip(cuts[::2], cuts[1::2], strict=True)]
    for numbers in product(*ranges):
        ends = [f"{number}{after}" for number, after in zip(numbers, between[1:], strict=True)]
        yield from _crossings("".join([between[0], *ends]))


def _numbers(text: str, match: re.Match[str]) -> range:
    if len(match[0]) <= 2 * _MOST:  # Python refuses to read numbers of thousands of digits
        first, last = int(match[1]), int(match[2])
        if first <= last < first + _MOST:
            return range(first, last + 1)
    raise SettingError(f"template {text!r}: expected an ascending range, found {brief(match[0])}")


def _check_count(text: str, sizes: list[int]) -> None:
    """Count the templates of a short form before it is written out: a short text can stand for any number of them."""
    count = 1 + text.partition("*")[2].count("|")
    for size in sizes:
        count *= size
        if count > MAX_EXPANDED:
            raise SettingError(
                f"template {brief(text, 200)}: expected a short form of at most {MAX_EXPANDED} templates, "
                f"found one of {count} or more"
            )


def _crossings(text: str) -> Iterator[str]:
    if "|" in text:
        left, _, right = text.partition("*")
        for crossing in right.split("|"):
            yield f"{left.strip()} * {crossing.strip()}"
    else:
        yield text
