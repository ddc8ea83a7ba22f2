"""Times of the day in the forms of ISO 8601.

    3:45 pm    15:45      half past three    03:30      6:00-6:30 pm    18:00/18:30
    noon       12:00      5 p.m. EST         17:00-05:00

The words come from lists of the rule file: ``halves`` of the day (am, pm, evening), ``times`` of the day (noon),
``zones`` (est = "-05:00"), ``numbers``, ``minutes`` (quarter = 15) and ``before`` (to, as in a quarter to three).
"""

from __future__ import annotations

import re

from perceptag.rules.number_values import Words, number_of

_CLOCK = re.compile(r"(\d{1,2}) ?[:.h] ?(\d{2})(?: ?: ?(\d{2}))?")
_PARTS = re.compile(r"\d+|[^\W\d_]+")
_OFFSET = re.compile(r"(?<=gmt|utc) ?([+-]) ?(\d{1,2}):?(\d{2})?$")
_DASH = re.compile(r"(?<=[\dm])\s*[-–—]\s*(?=\d)")


def time_value(text: str, words: Words) -> str | None:
    """Return a time of the day in 24 hours, or both ends of a range.

    >>> halves = {"halves": {"pm": "pm", "am": "am"}}
    >>> time_value("3:45 p.m.", halves), time_value("12 am", halves), time_value("15:45:10", {})
    ('15:45', '00:00', '15:45:10')
    >>> time_value("10-2 pm", halves), time_value("6:00-6:30 pm", halves)
    ('10:00/14:00', '18:00/18:30')
    >>> time_value("17:00 GMT+3", {"zones": {"gmt": "Z"}})
    '17:00+03:00'
    """
    lower = re.sub(r"\. ?m\b\.?", "m", " ".join(text.lower().split())).rstrip(".")
    offset = _OFFSET.search(lower)
    lower = lower[: offset.start()] if offset else lower
    parts = _PARTS.findall(lower)
    zones = words.get("zones", {})
    zone = f"{offset[1]}{int(offset[2]):02d}:{offset[3] or '00'}" if offset else ""
    zone = zone or next((zones[part] for part in parts if part in zones), "")
    begin, *end = _DASH.split(lower, maxsplit=1)
    found = _range(begin, end[0], words) if end else _time(lower, words)
    return None if found is None else found + zone


def _range(begin: str, end: str, words: Words) -> str | None:
    """Return both ends; the beginning has the half of the day of the end if it has none and comes first with it."""
    last, half = _time(end, words), _half(end, words)
    same, plain = _time(f"{begin} {half}", words), _time(begin, words)
    is_same = half and not _half(begin, words) and same is not None and last is not None and same < last
    first = same if is_same else plain
    return None if first is None or last is None else f"{first}/{last}"


def _half(text: str, words: Words) -> str:
    halves = words.get("halves", {})
    return next((halves[part] for part in _PARTS.findall(text) if part in halves), "")


def _time(lower: str, words: Words) -> str | None:
    parts, times = _PARTS.findall(lower), words.get("times", {})
    named = next((times[part] for part in parts if part in times), None)
    if named:
        return named
    if found := _CLOCK.search(lower):
        hour, minute, second = int(found[1]), int(found[2]), found[3]
    else:
        told = _told(parts, words)
        if told is None:
            return None
        (hour, minute), second = told, None
    if half := _half(lower, words):
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
    if share is None and len(found) > 1:
        share, found = sum(found[:-1]), found[-1:]  # twenty-five past three
    if share is None:
        return found[0], 0
    if any(part in before for part in parts):
        return ((found[-1] - 2) % 12 + 1, 60 - share)
    return found[-1], share
