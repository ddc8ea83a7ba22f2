"""Numbers in figures and in words, as decimal numbers without separators.

The words come from lists of the rule file: ``numbers`` (twenty = 20), ``scales`` (million = 1000000), ``shares``
(third = 3), ``between`` (and, a), ``point`` (as in two point five) and ``until`` (to, as in two to three).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

Words = Mapping[str, Mapping[str, str]]  # lists of the rule file: word -> value

_PART = re.compile(r"\.?\d[\d.,]*|[^\W\d_]+")
_FIGURES = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.?\d+")
_FRACTION = re.compile(r"(?:(\d+)[ -])?(\d+)/(\d+)(?!\S)")
_SIGNS = {"½": "1/2", "¼": "1/4", "¾": "3/4", "⅓": "1/3", "⅔": "2/3", "⅛": "1/8"}
_DASH = r"(?<=[\d½¼¾⅓⅔⅛%])\s*[-–—]\s*(?=[\d.½¼¾⅓⅔⅛])"
_SHORT = re.compile(r"(?<=\d)\s*(k|bn|mn|tn|[mb])\b")
_SCALES = {"k": "thousand", "m": "million", "mn": "million", "b": "billion", "bn": "billion", "tn": "trillion"}


def number_value(text: str, words: Words) -> str | None:
    """Return the number that a text is.

    >>> number_value("1,234.50", {}), number_value("-3", {}), number_value("2 1/2", {})
    ('1234.5', '-3', '2.5')
    """
    found = number_of(text, words)
    return None if found is None else plain(found)


def number_of(text: str, words: Words) -> Decimal | None:
    """Return the number that a text is, or None if it is none."""
    lower = " ".join(text.lower().split())
    for sign, share in _SIGNS.items():
        lower = re.sub(rf"(?<=\d) ?{sign}", f" {share}", lower).replace(sign, share)
    if lower[:1] in ("-", "−", "–", "+") and lower[1:2].isdigit():
        found = number_of(lower[1:], words)
        return found if found is None or lower[0] == "+" else -found
    lower = lower.replace(" /", "/").replace("/ ", "/")
    if fraction := _FRACTION.match(lower):
        whole, upper, below = (int(part or 0) for part in fraction.groups())
        scale = _sum(_PART.findall(lower[fraction.end() :]), words) if fraction.end() < len(lower) else Decimal(1)
        return None if below == 0 or scale is None else (Decimal(whole) + Decimal(upper) / Decimal(below)) * scale
    parts = _PART.findall(_SHORT.sub(lambda found: f" {_SCALES[found[1]]} ", lower))
    point = next((place for place, part in enumerate(parts) if part in words.get("point", {})), None)
    return _sum(parts, words) if point is None else _spoken(parts[:point], parts[point + 1 :], words)


def ends_of(text: str, words: Words) -> list[str]:
    """Return both ends of a range such as ``5-10`` or ``two to three``, or the text if it has one number.

    >>> ends_of("5–10 %", {}), ends_of("two or three", {"until": {"or": ""}}), ends_of("twenty-five", {})
    (['5', '10 %'], ['two', 'three'], ['twenty-five'])
    """
    until = "|".join(map(re.escape, words.get("until", {})))
    pattern = rf"{_DASH}|\s*[-–]?(?:\s|(?<=-))(?:{until})(?:\s|-)\s*" if until else _DASH
    return re.split(pattern, text.strip(), maxsplit=1, flags=re.IGNORECASE)


def _sum(parts: list[str], words: Words) -> Decimal | None:
    """Add up words as in ``two million three hundred and five`` or ``two and a half``."""
    numbers, scales, shares = (words.get(name, {}) for name in ("numbers", "scales", "shares"))
    total, group, last, seen, counted = Decimal(0), Decimal(0), Decimal(1), False, Decimal(0)
    for part in parts:
        value, scale, share = figures(part), _decimal(scales.get(part, "")), _decimal(shares.get(part, ""))
        if value is None:
            value = _decimal(numbers.get(part, ""))
        if value is not None:
            group += value
        elif scale is not None:
            group = (group or Decimal(1)) * scale
            if scale >= 1000:
                total, group, last = total + group, Decimal(0), scale
        elif share:
            # two thirds, two and one half; two and a half, a million and a half
            group += counted / share - counted if counted else last / share
        elif part not in words.get("between", {}):
            return None
        counted = value or Decimal(0)
        seen = seen or part not in words.get("between", {})
    return total + group if seen else None


def _spoken(whole: list[str], after: list[str], words: Words) -> Decimal | None:
    """Return a number whose decimal figures are said one by one: ``two point five``."""
    begin, figures_after = _sum(whole, words), [_sum([part], words) for part in after]
    if begin is None or not after or any(one is None or not 0 <= one <= 9 for one in figures_after):
        return None
    return _decimal(f"{begin}.{''.join(map(str, figures_after))}")


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
