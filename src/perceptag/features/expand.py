"""Short forms of templates: several written as one.

form[-2..2]                     form[-2], form[-1], form[0], form[1], form[2]
prefix1..4[0]                   prefix1[0], prefix2[0], prefix3[0], prefix4[0]
pos[0] * y0 | y-1 y0            pos[0] and pos[0] * y-1 y0
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from perceptag.errors import SettingError

_RANGE = re.compile(r"([+-]?\d+)\.\.([+-]?\d+)")
_MOST = 100


def expand(text: str) -> Iterator[str]:
    """Write out the short forms in a template.

    >>> list(expand("suffix2..3[-1..0] * y0 | y-1 y0"))[:3]
    ['suffix2[-1] * y0', 'suffix2[-1] * y-1 y0', 'suffix2[0] * y0']
    """
    match = _RANGE.search(text)
    if match:
        first, last = int(match[1]), int(match[2])
        if not first <= last < first + _MOST:
            raise SettingError(f"template {text!r}: expected a range that goes up, found {match[0]!r}")
        for number in range(first, last + 1):
            yield from expand(text[: match.start()] + str(number) + text[match.end() :])
    elif "|" in text:
        left, _, right = text.partition("*")
        for crossing in right.split("|"):
            yield f"{left.strip()} * {crossing.strip()}"
    else:
        yield text
