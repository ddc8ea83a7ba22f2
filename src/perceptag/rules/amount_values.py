"""Amounts of money, percentages and quantities: a number, or the two ends of a range, with its currency or its unit.

The words come from lists of the rule file: ``signs``, ``codes`` and ``currencies`` (€, eur and euros = EUR),
``hundredths`` of a currency (cents = USD), ``units`` (kilometres = km) and ``unit_signs`` (m = m).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal

from perceptag.rules.number_values import Words, ends_of, number_of, plain

_DECIMAL_COMMA = re.compile(r"(\d{1,3}(?:\.\d{3})*),(\d{2})")
_UNITS = ("units", "day", "grams", "dotted_units", "unit_signs")
_FEET_AND_INCHES = re.compile(r"(\d+)\s*(?:ft|feet|foot|['’′]),?\s*([\d.]+\s*[½¼¾]?)\s*(?:in|inch|inches|[\"”″])")


def money_value(text: str, words: Words) -> str | None:
    """Return an amount, or a range of amounts, and the code of its currency.

    >>> lists = {"signs": {"$": "USD", "€": "EUR"}, "scales": {"million": "1000000"}}
    >>> money_value("$1.5m", lists), money_value("$5-10 million", lists), money_value("€5,50", lists)
    ('1500000 USD', '5000000/10000000 USD', '5.5 EUR')
    """
    rest, code = text.lower(), ""
    for name in ("signs", "codes", "currencies"):
        rest, found = _without(rest, words.get(name, {}))
        code = found or code
    hundredth = not code
    if hundredth:
        rest, code = _without(rest, words.get("hundredths", {}))
    if comma := _DECIMAL_COMMA.fullmatch(rest):
        rest = f"{comma[1].replace('.', '')}.{comma[2]}"
    ends = _ends(rest, words) if code else None
    return f"{_written([end / 100 for end in ends] if hundredth else ends)} {code}" if ends else None


def percent_value(text: str, words: Words) -> str | None:
    """Return a percentage, or a range of percentages, as figures with the sign.

    >>> percent_value("12.50 %", {"percent": {"%": ""}}), percent_value("5–7%", {"percent": {"%": ""}})
    ('12.5%', '5/7%')
    """
    rest = text.lower()
    for word in sorted(words.get("percent", {}), key=len, reverse=True):
        rest = rest.replace(word, " ")
    ends = _ends(rest, words)
    return f"{_written(ends)}%" if ends else None


def quantity_value(text: str, words: Words) -> str | None:
    """Return a number, or a range, with the short name of its unit.

    >>> lists = {"units": {"kilometres": "km", "second": "s"}}
    >>> quantity_value("5 kilometres", lists), quantity_value("2-3-second", lists), quantity_value("5 ft 10 in", {})
    ('5 km', '2/3 s', '5 ft 10 in')
    """
    stripped = text.strip()
    if tall := _FEET_AND_INCHES.fullmatch(stripped.lower()):
        inches = number_of(tall[2], words)
        return None if inches is None else f"{tall[1]} ft {plain(inches)} in"
    units = {unit: short for name in _UNITS for unit, short in words.get(name, {}).items()}
    for unit in sorted(units, key=len, reverse=True):
        is_there = stripped.endswith(unit) or stripped.lower().endswith(unit)
        ends = _ends(stripped[: -len(unit)].rstrip(" -–"), words) if is_there else None
        if ends:
            return f"{_written(ends)} {units[unit]}"
    return None


def _ends(text: str, words: Words) -> list[Decimal] | None:
    """Return a number or both ends of a range; a scale at the end counts for both, as in ``5-10 million``."""
    parts = ends_of(text, words)
    found = [number_of(part, words) for part in parts]
    numbers = [number for number in found if number is not None]
    if len(numbers) < len(parts):
        return None
    if len(numbers) == 2 and numbers[0] < 1000 <= numbers[1]:
        first = re.search(r"[\d.,]+", parts[1])
        scale = numbers[1] / Decimal(first[0].replace(",", "")) if first and re.search(r"[a-z]", parts[1]) else 1
        numbers[0] *= scale
    return numbers


def _written(numbers: list[Decimal]) -> str:
    return "/".join(map(plain, numbers))


def _without(text: str, names: Mapping[str, str]) -> tuple[str, str]:
    """Return a text in small letters without the names of a currency, and the code of the longest, or an empty one."""
    for name in sorted(names, key=len, reverse=True):
        edges = (r"(?<![a-z])" if name[0].isalpha() else "", r"(?![a-z])" if name[-1].isalpha() else "")
        pattern = re.escape(name.lower()).join(edges)
        if re.search(pattern, text):
            return re.sub(rf"\s*{pattern}\s*", " ", text).strip(), names[name]
    return text, ""
