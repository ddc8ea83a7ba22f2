"""Features that are numbers: attributes whose values count more or less than 1.

features.valued[0]      each feature of a list, with its amount: perceptag.text.feature_lists
price.amount[0]         a column that holds a number

Such a feature adds its amount times its weight to a score, and an update adds its amount times the step to the weight.
Amounts are multiples of 1/64 from -16 to 16, so that these sums stay exact.
"""

from __future__ import annotations

from perceptag.errors import DataError, brief
from perceptag.text.feature_lists import checked, rounded, with_amounts

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
