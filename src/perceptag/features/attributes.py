"""Attributes: what a feature may look at in one column value.

An attribute is a function of one string. It returns a value, several values, or None if there is none (a prefix
longer than the word, a flag that is false). It runs once per distinct column value, so it may be slow.

Names as written in templates: ``lower``, ``prefix3``, ``shape`` … look at the column ``form``; ``pos.prefix1``
looks at the column ``pos``; ``lower.suffix3`` composes two of them, from left to right.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from perceptag.errors import DataError, SettingError, brief, nearest
from perceptag.text.feature_lists import checked, rounded, separated, with_amounts

# Features that are numbers have values that count more or less than 1:
#
#     features.valued[0]      each feature of a list, with its amount: perceptag.text.feature_lists
#     price.amount[0]         a column that holds a number
#
# Such a feature adds its amount times its weight to a score, and an update adds its amount times the step to the
# weight. Amounts are multiples of 1/64 from -16 to 16, so that these sums stay exact.

MISSING = ("", "_", "-")  # values of a column without a number


class Amounts(dict[str, float]):
    """Values of an attribute, each with its amount."""


def valued(value: str) -> Amounts:
    """Return the features of a list, their amounts rounded; one that counts 0 is none.

    >>> valued("bias\\x1flength\\x1e0.4\\x1fsmall\\x1e0.001")
    {'bias': 1.0, 'length': 0.40625}
    """
    found = ((name, rounded(amount)) for name, amount in with_amounts(value).items())
    return Amounts((name, amount) for name, amount in found if amount)


def amount(value: str) -> Amounts | None:
    """Return the number that a column holds, rounded; nothing where it has none.

    >>> amount("0.4"), amount("_")
    ({'number': 0.40625}, None)
    """
    if value in MISSING:
        return None
    try:
        number = float(value)
    except ValueError:
        raise DataError(f"amount: expected a number, or nothing or _ or -, found {brief(value)}") from None
    found = rounded(checked(number, value))
    return Amounts({"number": found}) if found else None


Value = str | None | Iterable[str] | Amounts
Attribute = Callable[[str], Value]


def _flag(test: Callable[[str], object]) -> Attribute:
    """Return an attribute with the value "1" where `test` holds, and no value elsewhere."""
    return lambda value: "1" if test(value) else None


def shape(value: str) -> str:
    """Replace capitals by X, other letters by x, digits by d; keep the rest.

    >>> shape("McDonald's-99")
    "XxXxxxxx'x-dd"
    """
    return "".join(map(_shape_of, value))


@lru_cache(maxsize=4096)
def _shape_of(c: str) -> str:
    return "X" if c.isupper() else "x" if c.isalpha() else "d" if c.isdigit() else c


def short_shape(value: str) -> str:
    """Return the shape with each run of one kind written once.

    >>> short_shape("McDonald's-99")
    "XxXx'x-d"
    """
    return re.sub(r"(.)\1+", r"\1", shape(value), flags=re.DOTALL)


def _letters(value: str) -> list[str]:
    return [c for c in value if c.isalpha()]


def _digit_and(mark: str) -> Callable[[str], bool]:
    return lambda value: mark in value and any(c.isdigit() for c in value)


PLAIN: dict[str, Attribute] = {
    "lower": str.lower,
    "shape": shape,
    "shortshape": short_shape,
    "digit": _flag(lambda v: any(map(str.isdigit, v))),
    "upper": _flag(lambda v: any(map(str.isupper, v))),
    "hyphen": _flag(lambda v: "-" in v),
    "capital": _flag(lambda v: v[:1].isupper()),
    "allcaps": _flag(lambda v: bool(_letters(v)) and all(c.isupper() for c in _letters(v))),
    "alllower": _flag(lambda v: bool(_letters(v)) and all(c.islower() for c in _letters(v))),
    "number": _flag(lambda v: any(c.isdigit() for c in v) and all(c.isdigit() or c in ".,-/:" for c in v)),
    "alphanumeric": _flag(lambda v: any(c.isalpha() for c in v) and any(c.isdigit() for c in v)),
    # the word forms of Bikel, Schwartz and Weischedel (1999)
    "twodigits": _flag(lambda v: len(v) == 2 and v.isdigit()),
    "fourdigits": _flag(lambda v: len(v) == 4 and v.isdigit()),
    "othernumber": _flag(lambda v: v.isdigit() and len(v) not in (2, 4)),
    "digithyphen": _flag(_digit_and("-")),
    "digitslash": _flag(_digit_and("/")),
    "digitcomma": _flag(_digit_and(",")),
    "digitperiod": _flag(_digit_and(".")),
    "capperiod": _flag(lambda v: len(v) == 2 and v[0].isupper() and v[1] == "."),
    "punctuation": _flag(lambda v: bool(v) and not any(c.isalnum() for c in v)),
    "length": lambda v: str(min(len(v), 20)),
    "each": separated,
    "valued": valued,
    "amount": amount,
}


def _prefix(n: int) -> Attribute:
    return lambda value: value[:n] if len(value) >= n else None


def _suffix(n: int) -> Attribute:
    return lambda value: value[-n:] if len(value) >= n else None


COUNTED: dict[str, Callable[[int], Attribute]] = {"prefix": _prefix, "suffix": _suffix}


def known_names() -> list[str]:
    """Return the names of all built-in attributes, for messages and documentation."""
    return [*PLAIN, *(f"{name}{n}" for name in COUNTED for n in range(1, 10))]


def is_known(name: str) -> bool:
    """Return whether `name` is a built-in attribute.

    >>> is_known("suffix3"), is_known("mine")
    (True, False)
    """
    counted = re.fullmatch(r"([a-z]+)[1-9]", name)
    return name in PLAIN or (counted is not None and counted[1] in COUNTED)


def find(name: str, extra: Mapping[str, Attribute] | None = None) -> Attribute:
    """Return the attribute of that name; `extra` holds those written by the user.

    >>> find("suffix2")("dog")
    'og'
    >>> find("suffix4")("dog") is None
    True
    """
    if extra and name in extra:
        return extra[name]
    if name in PLAIN:
        return PLAIN[name]
    counted = re.fullmatch(r"([a-z]+)([1-9])", name)
    if counted and counted[1] in COUNTED:
        return COUNTED[counted[1]](int(counted[2]))
    known = [*known_names(), *(extra or ())]
    raise SettingError(f"unknown attribute {name!r}{nearest(name, known)} (known: {', '.join(known)})")


def compose(names: Iterable[str], extra: Mapping[str, Attribute] | None = None) -> Attribute:
    """Chain attributes by name, left to right: ``["lower", "suffix3"]``. No name: the value itself.

    >>> compose(["lower", "suffix2"])("DOG")
    'og'
    """
    steps = [find(name, extra) for name in names]
    if len(steps) < 2:
        return steps[0] if steps else lambda value: value

    def run(value: str) -> Value:
        values: list[str] = [value]
        for step in steps:
            values = [result for one in values for result in as_values(step(one))]
        return values if len(values) != 1 else values[0]

    return run


def as_values(result: Value) -> list[str]:
    """Return the result of an attribute as a list without repetitions.

    >>> as_values(None), as_values("a"), as_values(["a", "b", "a"])
    ([], ['a'], ['a', 'b'])
    """
    if result is None:
        return []
    if isinstance(result, str):
        return [result]
    values = list(result) if isinstance(result, Iterable) else [result]
    if not all(isinstance(value, str) for value in values):
        raise DataError(f"attribute: expected a string, several strings, or None; found {brief(result)}")
    return list(dict.fromkeys(values))
