"""Amounts of money, percentages and quantities: a number with its currency or its unit.

The words come from lists of the rule file: ``currencies`` (€ = EUR), ``hundredths`` of a currency (cents = USD),
``units`` (kilometres = km).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from perceptag.rules.number_values import Words, number_of, plain

_SCALED = re.compile(r"(?<=\d)\s*(bn|mn|tn|[kmb])\b", re.IGNORECASE)
_SHORT = {"k": "thousand", "m": "million", "mn": "million", "b": "billion", "bn": "billion", "tn": "trillion"}


def money_value(text: str, words: Words) -> str | None:
    """Return an amount and the code of its currency.

    >>> money_value("$1.5m", {"currencies": {"$": "USD"}, "scales": {"million": "1000000"}})
    '1500000 USD'
    """
    rest, code = _without(text, words.get("currencies", {}))
    hundredth = not code
    if hundredth:
        rest, code = _without(text, words.get("hundredths", {}))
    number = number_of(_SCALED.sub(lambda found: f" {_SHORT[found[1].lower()]}", rest), words) if code else None
    if number is None:
        return None
    return f"{plain(number / 100 if hundredth else number)} {code}"


def percent_value(text: str, words: Words) -> str | None:
    """Return a percentage as figures with the sign.

    >>> percent_value("12.50 %", {"percent": {"%": ""}})
    '12.5%'
    """
    rest = text.lower()
    for word in sorted(words.get("percent", {}), key=len, reverse=True):
        rest = rest.replace(word, " ")
    number = number_of(" ".join(rest.split()), words)
    return None if number is None else f"{plain(number)}%"


def quantity_value(text: str, words: Words) -> str | None:
    """Return a number with the short name of its unit.

    >>> quantity_value("5 kilometres", {"units": {"kilometres": "km"}})
    '5 km'
    """
    units = words.get("units", {})
    for pattern in (r"([^\W\d_][^\d]*)$", r"([^\d\s][^\d]*)$", r"(\S+)$"):
        found = re.search(pattern, text.strip())
        name = " ".join(found[1].split()) if found else ""
        for known in (name, name.lower(), name.rstrip("."), name.split(" ")[-1], name.lower().split(" ")[-1]):
            number = number_of(text.strip()[: -len(known)].rstrip(" -"), words) if known in units else None
            if number is not None:
                return f"{plain(number)} {units[known]}"
    return None


def _without(text: str, names: Mapping[str, str]) -> tuple[str, str]:
    """Return a text without the name of a currency, and the code of that name; "" if there is none."""
    lower = text.lower()
    for name in sorted(names, key=len, reverse=True):
        edge = r"\b" if name[0].isalnum() else ""
        end = r"\b" if name[-1].isalnum() else ""
        pattern = rf"(?:(?<=\d)|{edge}){re.escape(name.lower())}{end}" if edge else re.escape(name.lower())
        if found := re.search(pattern, lower):
            return f"{lower[: found.start()]} {lower[found.end() :]}".strip(), names[name]
    return lower, ""
