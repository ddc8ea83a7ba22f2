"""Dropout of observed features: in each pass, each token loses some of them.

Wang, Wang, Wager, Liang and Manning (2013), "Feature Noising for Log-linear Structured Prediction", EMNLP [D13-1117]:
each feature of a token is left out with the same probability, independently of the others. They optimise the
expected loss; here a perceptron meets other noise in every pass.

Which features are left out is a function of a seed, the number of the sequence and the place of the feature in it, by
SplitMix64 of Steele, Lea and Flood (2014), "Fast Splittable Pseudorandom Number Generators", figure 17.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Row = TypeVar("Row")
_WORD = 2**64 - 1


def mixed(z: int) -> int:
    """Return the number of 64 bits that SplitMix64 makes of a number.

    >>> f"{mixed(0):x}"
    'e220a8397b1dcdaf'
    """
    z = z + 0x9E3779B97F4A7C15 & _WORD
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _WORD
    return z ^ z >> 31


def thinned(tokens: Sequence[Sequence[Row]], rate: float, seed: int, number: int) -> list[list[Row]]:
    """Return the features of the tokens of a sequence without those that are left out.

    `number`: of the sequence in all of the data. Spans that have features follow the tokens, in the order of their
    first words, then of their lengths.
    """
    start, place, kept = mixed(mixed(seed) ^ number), 0, []
    for rows in tokens:
        kept.append([row for i, row in enumerate(rows) if mixed(start + place + i & _WORD) >> 11 >= int(rate * 2**53)])
        place += len(rows)
    return kept
