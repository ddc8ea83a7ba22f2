"""How normalised values are made of the words of a span: ``value = "date"`` in a rule names one of these."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from perceptag.rules.number_values import Words

MakeValue: TypeAlias = "Callable[[str, Words], str | None]"


def _later(module: str, name: str) -> MakeValue:
    """Return a function of another module, which is imported when a value is made: spans are found without it."""

    def make(text: str, words: Words) -> str | None:
        function: MakeValue = getattr(import_module(f"perceptag.rules.{module}"), name)
        return function(text, words)

    return make


def text_value(text: str, words: Words) -> str:
    """Return the text itself, with single blanks."""
    del words
    return " ".join(text.split())


def address_value(text: str, words: Words) -> str:
    """Return an e-mail or web address without what leads to it, its host in small letters.

    >>> address_value("mailto:Joe@Example.COM", {}), address_value("WWW.Example.com/A", {})
    ('Joe@example.com', 'http://www.example.com/A')
    """
    del words
    text = "".join(text.split()).strip("<>").removeprefix("mailto:")
    if "@" in text and "://" not in text:
        name, _, host = text.rpartition("@")
        return f"{name}@{host.lower()}"
    scheme, there, rest = text.partition("://")
    if not there:
        scheme, rest = "http", text
    host, slash, path = rest.partition("/")
    return f"{scheme.lower()}://{host.lower()}{slash}{path}"


def phone_value(text: str, words: Words) -> str:
    """Return the digits of a telephone number, with + before the code of a country.

    >>> phone_value("+1 (415) 555-0132 ext. 5", {}), phone_value("0049 30 1234", {})
    ('+14155550132;ext=5', '+49301234')
    """
    del words
    number, _, extension = re.sub(r"(?i)\s*(ext\.?|extension|x)\s*(?=\d+$)", ";", text).partition(";")
    digits = re.sub(r"\D", "", number.replace("(0)", ""))
    if number.strip().startswith("+") or digits.startswith("00"):
        digits = "+" + digits.removeprefix("00")
    return f"{digits};ext={extension}" if extension else digits


def tag_value(text: str, words: Words) -> str:
    """Return the name of a hashtag or of an account, in small letters and without its sign.

    >>> tag_value("#NLProc", {})
    'nlproc'
    """
    del words
    return "".join(text.split()).lstrip("#@").lower()


VALUES: dict[str, MakeValue] = {
    "address": address_value,
    "date": _later("date_values", "date_value"),
    "money": _later("amount_values", "money_value"),
    "number": _later("number_values", "number_value"),
    "percent": _later("amount_values", "percent_value"),
    "phone": phone_value,
    "quantity": _later("amount_values", "quantity_value"),
    "tag": tag_value,
    "text": text_value,
    "time": _later("time_values", "time_value"),
}

# Lists whose words need a whole number for a kind of value, and its range.
NUMBERED: dict[str, dict[str, tuple[int, int]]] = {
    "date": {"months": (1, 12), "weekdays": (1, 7), "ordinals": (1, 31)},
    "time": {"minutes": (0, 59)},
}


def wrong_list(value: str, words: Words) -> str:
    """Return what is wrong with the lists that a kind of value needs, or "".

    >>> wrong_list("date", {"months": {"may": "5", "june": ""}})
    "lists: months: expected a number from 1 to 12 for each word; found '' for 'june'"
    """
    for name, (least, most) in NUMBERED.get(value, {}).items():
        for word, number in words.get(name, {}).items():
            if not (number.isascii() and number.isdigit() and len(number) < 3 and least <= int(number) <= most):
                wanted = f"expected a number from {least} to {most} for each word"
                return f"lists: {name}: {wanted}; found {number!r} for {word!r}"
    return ""
