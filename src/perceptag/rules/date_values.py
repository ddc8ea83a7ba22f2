"""Dates in the forms of ISO 8601.

    5 May 2024      2024-05-05          May 2024    2024-05       1990s        199X
    May 5           --05-05             Friday      XXXX-WXX-5    5-7 May      --05-05/--05-07

The words come from lists of the rule file: ``months``, ``weekdays`` and ``ordinals`` with their numbers, ``order`` with
``date = "mdy"`` or ``"dmy"``; `period_values` has those of decades, centuries and quarters.
"""

from __future__ import annotations

import re
from calendar import monthrange
from itertools import pairwise

from perceptag.rules.number_values import Words
from perceptag.rules.period_values import period_value

_YEAR_FIRST = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_YEAR_LAST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})")
_PARTS = re.compile(r"\d+|[^\W\d_]+")
_DATE_TIME = re.compile(r"(\d{4}-\d\d-\d\d)t([\d:.]+) ?(z|[-+]\d\d:?\d\d)?")
_MONTH_DAY = re.compile(r"(\d{1,2}) ?/ ?(\d{1,2})")
_RANGE = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)?\s*(?:-|–|—|to)\s*(\d{1,2})(?:st|nd|rd|th)?\b")
_LAST_SHORT_YEAR = 68  # 68 is 2068, 69 is 1969, as POSIX has it


def date_value(text: str, words: Words) -> str | None:
    """Return a date, or as much of one as a text has.

    >>> date_value("2024/5/3", {}), date_value("3/25/99", {}), date_value("1990s", {}), date_value("2023-02-30", {})
    ('2024-05-03', '1999-03-25', '199X', None)
    """
    lower = " ".join(text.lower().replace(",", " ").split())
    if found := _YEAR_FIRST.fullmatch(lower):
        return _date(int(found[1]), int(found[2]), int(found[3]))
    if found := _YEAR_LAST.fullmatch(lower):
        return _in_figures(int(found[1]), int(found[3]), found[4], words)
    if found := _MONTH_DAY.fullmatch(lower):
        return _in_figures(int(found[1]), int(found[2]), "", words)
    if found := _DATE_TIME.fullmatch(lower):
        return f"{found[1]}T{found[2]}{(found[3] or '').upper()}" if date_value(found[1], words) else None
    return period_value(lower, words) or _in_words(lower, words)


def _in_figures(first: int, second: int, year: str, words: Words) -> str | None:
    is_day_first = first > 12 or (words.get("order", {}).get("date") == "dmy" and second <= 12)
    day, month = (first, second) if is_day_first else (second, first)
    return _date(full_year(year) if year else None, month, day)


def full_year(year: str) -> int:
    """Return a year of two or four figures.

    >>> full_year("1999"), full_year("07"), full_year("85")
    (1999, 2007, 1985)
    """
    number = int(year)
    return number if len(year) > 2 else number + (2000 if number <= _LAST_SHORT_YEAR else 1900)


def _in_words(lower: str, words: Words) -> str | None:
    months, weekdays, ordinals = (words.get(name, {}) for name in ("months", "weekdays", "ordinals"))
    parts = _PARTS.findall(lower)
    month = next((int(months[part]) for part in parts if part in months), None)
    year = next((int(p) for p in parts if p.isdecimal() and 3 <= len(p) <= 4), None)
    short = re.search(r"['’](\d{2})\b|(?<=[^\W\d_]-)(\d{2})$", lower)  # '99, 15-Jan-99
    if year is None and short and month is not None:
        year = full_year(short[1] or short[2])
        parts = parts[:-1]
    if month is None:
        weekday = next((weekdays[part] for part in parts if part in weekdays), None)
        return f"{year:04d}" if year is not None else f"XXXX-WXX-{weekday}" if weekday else None
    if span := _RANGE.search(lower):
        ends = [_date(year, month, int(day)) for day in span.groups()]
        return f"{ends[0]}/{ends[1]}" if all(ends) else None
    days = [int(p) for p in parts if p.isdecimal() and len(p) <= 2]
    days += [int(ordinals[part]) + _tens(before, words) for before, part in pairwise(["", *parts]) if part in ordinals]
    if days:
        return _date(year, month, days[0])
    return f"{year:04d}-{month:02d}" if year is not None else f"--{month:02d}"


def _tens(part: str, words: Words) -> int:
    """Return 20 for the first word of ``twenty-first``."""
    return int(words.get("numbers", {}).get(part, 0))


def _date(year: int | None, month: int, day: int) -> str | None:
    """Return a date that is in the calendar."""
    if not 1 <= month <= 12 or not 1 <= day <= monthrange(2000 if year is None else max(year, 1), month)[1]:
        return None
    return f"{'-' if year is None else f'{year:04d}'}-{month:02d}-{day:02d}"
