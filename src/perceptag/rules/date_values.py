"""Dates and times in the forms of ISO 8601.

    5 May 2024      2024-05-05          May 2024    2024-05       1990s    199X
    May 5           --05-05             Friday      XXXX-WXX-5    5-7 May  --05-05/--05-07
    3:45 pm         15:45               noon        12:00

The words come from lists of the rule file: ``months``, ``weekdays`` and ``ordinals`` with their numbers, ``halves`` of
the day (am, pm), ``times`` of the day (noon), ``order`` with ``date = "mdy"`` or ``"dmy"``.
"""

from __future__ import annotations

import re
from calendar import monthrange

from perceptag.rules.number_values import Words, number_of

_YEAR_FIRST = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_YEAR_LAST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})")
_PARTS = re.compile(r"\d+|[^\W\d_]+")
_DECADE = re.compile(r"(?:the )?['’]?(\d{4}|\d{2})['’]?s")
_CLOCK = re.compile(r"(\d{1,2})[:.h](\d{2})(?::(\d{2}))?")
_RANGE = re.compile(r"\b(\d{1,2})\s*(?:-|–|to)\s*(\d{1,2})\b")
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
    if found := _DECADE.fullmatch(lower):
        decade = found[1] if len(found[1]) == 4 else f"19{found[1]}"
        return f"{decade[:3]}X" if decade.endswith("0") else None
    return _in_words(lower, words)


def _in_figures(first: int, second: int, year: str, words: Words) -> str | None:
    is_day_first = first > 12 or (words.get("order", {}).get("date") == "dmy" and second <= 12)
    day, month = (first, second) if is_day_first else (second, first)
    return _date(full_year(year), month, day)


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
    year = next((int(p) for p in parts if p.isdigit() and len(p) == 4), None)
    short = re.search(r"['’](\d{2})\b", lower)
    if year is None and short and month is not None:
        year = full_year(short[1])
        parts = [part for part in parts if part != short[1]]
    if month is None:
        weekday = next((weekdays[part] for part in parts if part in weekdays), None)
        return f"{year:04d}" if year is not None else f"XXXX-WXX-{weekday}" if weekday else None
    if span := _RANGE.search(lower):
        ends = [_date(year, month, int(day)) for day in span.groups()]
        return f"{ends[0]}/{ends[1]}" if all(ends) else None
    days = [int(p) for p in parts if p.isdigit() and len(p) <= 2]
    days += [int(ordinals[part]) for part in parts if part in ordinals]
    if days:
        return _date(year, month, days[0])
    return f"{year:04d}-{month:02d}" if year is not None else f"--{month:02d}"


def _date(year: int | None, month: int, day: int) -> str | None:
    """Return a date that is in the calendar."""
    if not 1 <= month <= 12 or not 1 <= day <= monthrange(2000 if year is None else max(year, 1), month)[1]:
        return None
    return f"{'-' if year is None else f'{year:04d}'}-{month:02d}-{day:02d}"


def time_value(text: str, words: Words) -> str | None:
    """Return a time of the day in 24 hours.

    >>> halves = {"halves": {"pm": "pm", "am": "am"}}
    >>> time_value("3:45 p.m.", halves), time_value("12 am", halves), time_value("15:45:10", {})
    ('15:45', '00:00', '15:45:10')
    """
    lower = " ".join(text.lower().split()).replace(".m", "m").rstrip(".")
    parts = _PARTS.findall(lower)
    times, halves = words.get("times", {}), words.get("halves", {})
    named = next((times[part] for part in parts if part in times), None)
    if named:
        return named
    half = next((halves[part] for part in parts if part in halves), "")
    if found := _CLOCK.search(lower):
        hour, minute, second = int(found[1]), int(found[2]), found[3]
    else:
        told = _told(parts, words)
        if told is None:
            return None
        (hour, minute), second = told, None
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "pm" else 0)
    if hour > 24 or minute > 59 or (second and int(second) > 59):
        return None
    return f"{hour % 24:02d}:{minute:02d}" + (f":{second}" if second else "")


def _told(parts: list[str], words: Words) -> tuple[int, int] | None:
    """Return hour and minute of ``half past three``, ``quarter to four``, ``5 o'clock`` or ``3 pm``."""
    minutes, before = words.get("minutes", {}), words.get("before", {})
    numbers = [number_of(part, words) for part in parts if part not in minutes]
    found = [int(number) for number in numbers if number is not None]
    if not found:
        return None
    share = next((int(minutes[part]) for part in parts if part in minutes), None)
    if share is None and len(found) == 2:
        share, found = found[0], found[1:]
    if share is None:
        return found[0], 0
    if any(part in before for part in parts):
        return ((found[-1] - 2) % 12 + 1, 60 - share)
    return found[-1], share
