"""Numbers in figures and in words, as decimal numbers without separators.

The words come from lists of the rule file: ``numbers`` (twenty = 20), ``scales`` (million = 1000000).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

Words = Mapping[str, Mapping[str, str]]  # lists of the rule file: word -> value

_PART = re.compile(r"\.?\d[\d.,]*|[^\W\d_]+")
_FIGURES = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.?\d+")
_FRACTION = re.compile(r"(?:(\d+)[ -])?(\d+)/(\d+)")
_SIGNS = {"½": "1/2", "¼": "1/4", "¾": "3/4", "⅓": "1/3", "⅔": "2/3"}


def number_value(text: str, words: Words) -> str | None:
    """Return the number that a text is.

    >>> number_value("1,234.50", {}), number_value("-3", {}), number_value("2 1/2", {})
    ('1234.5', '-3', '2.5')
    """
    found = number_of(text, words)
    return None if found is None else plain(found)


def number_of(text: str, words: Words) -> Decimal | None:
    """Return the number that a text is, or None if it is none."""
    lower = text.lower().strip()
    for sign, share in _SIGNS.items():
        lower = re.sub(rf"(?<=\d){sign}", f" {share}", lower).replace(sign, share)
    if lower[:1] in "-−–" and lower[1:2].isdigit():
        found = number_of(lower[1:], words)
        return None if found is None else -found
    if fraction := _FRACTION.fullmatch(lower):
        whole, upper, below = (int(part or 0) for part in fraction.groups())
        return None if below == 0 else Decimal(whole) + Decimal(upper) / Decimal(below)
    return _sum(_PART.findall(lower), words)


def _sum(parts: list[str], words: Words) -> Decimal | None:
    """Add up words as in ``two million three hundred and five``."""
    numbers, scales = words.get("numbers", {}), words.get("scales", {})
    total, group, seen = Decimal(0), Decimal(0), False
    for part in parts:
        value = figures(part) or _decimal(numbers.get(part, ""))
        scale = _decimal(scales.get(part, ""))
        if value is not None:
            group += value
            seen = True
        elif scale is not None:
            group = (group or Decimal(1)) * scale
            seen = True
            if scale >= 1000:
                total, group = total + group, Decimal(0)
        elif part not in words.get("between", {}):
            return None
    return total + group if seen else None


def figures(part: str) -> Decimal | None:
    """Return the number that figures are, with commas between thousands."""
    part = part.rstrip(".,")
    return _decimal(part.replace(",", "")) if _FIGURES.fullmatch(part) else None


def _decimal(text: str) -> Decimal | None:
    try:
        return Decimal(text) if text else None
    except InvalidOperation:
        return None


def plain(number: Decimal) -> str:
    """Return a number without an exponent and without zeros at its end.

    >>> plain(Decimal("1E+3")), plain(Decimal("2.50")), plain(Decimal(1) / 3)
    ('1000', '2.5', '0.333333')
    """
    text = f"{number:.6f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
