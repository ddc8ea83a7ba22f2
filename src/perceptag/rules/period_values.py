"""Periods of time longer than a day, in the forms of ISO 8601 and its extension.

    1990s    199X          the 1800s   18XX         the 19th century   18XX
    Q3 2024  2024-Q3       1914-18     1914/1918    44 BC              -0043

The words come from lists of the rule file: ``centuries``, ``quarters``, ``eras`` (bc = -1) and ``ordinals``.
"""

from __future__ import annotations

import re

from perceptag.rules.number_values import Words

_DECADE = re.compile(r"['’]?(\d{4}|\d{2})['’]?s\b")
_YEARS = re.compile(r"(\d{4})\s*[-–—/]\s*(\d{4}|\d{2})")
_QUARTER = re.compile(r"q([1-4])\D*(\d{4})|([1-4])q ?(\d{4})")
_FIGURES = re.compile(r"\d+")
_LETTERS = re.compile(r"[^\W\d_]+")


def period_value(lower: str, words: Words) -> str | None:
    """Return the period that a text in small letters is.

    >>> period_value("1990s", {}), period_value("1998-99", {}), period_value("q3 2024", {}), period_value("2024", {})
    ('199X', '1998/1999', '2024-Q3', None)
    """
    if found := _DECADE.search(lower):
        return _decade(found[1])
    if found := _YEARS.fullmatch(lower):
        return _years(found[1], found[2])
    if found := _QUARTER.fullmatch(lower):
        return f"{found[2] or found[4]}-Q{found[1] or found[3]}"
    return _named(lower, words)


def _decade(year: str) -> str | None:
    """Return a decade; the hundred years of 1800s, but not of 2000s."""
    if len(year) == 2:
        year = f"19{year}"
    if year.endswith("00") and year != "2000":
        return f"{year[:2]}XX"
    return f"{year[:3]}X" if year.endswith("0") else None


def _years(first: str, last: str) -> str | None:
    end = int(last) if len(last) == 4 else int(first[:2] + last)
    end += 100 if len(last) == 2 and end < int(first) else 0  # 1999-00
    return f"{first}/{end}" if int(first) < end else None


def _named(lower: str, words: Words) -> str | None:
    """Return a century, a quarter of a year, or a year of an era."""
    parts, numbers = _LETTERS.findall(lower), [int(figures) for figures in _FIGURES.findall(lower)]
    ordinals = words.get("ordinals", {})
    counted = sum(int(ordinals[part]) for part in parts if part in ordinals)
    if any(part in words.get("centuries", {}) for part in parts):
        tens = sum(int(words.get("numbers", {}).get(part, 0)) for part in parts)
        number = numbers[0] if numbers else counted + tens
        return f"{number - 1:02d}XX" if 1 <= number <= 99 else None
    if any(part in words.get("quarters", {}) for part in parts) and numbers:
        quarter = counted or numbers[0]
        return f"{numbers[-1]:04d}-Q{quarter}" if 1 <= quarter <= 4 else None
    sign = next((words["eras"][part] for part in lower.replace(".", "").split() if part in words.get("eras", {})), "")
    if not sign or len(numbers) != 1 or not numbers[0]:
        return None
    return f"{numbers[0]:04d}" if int(sign) > 0 else f"{'-' * (numbers[0] > 1)}{numbers[0] - 1:04d}"
