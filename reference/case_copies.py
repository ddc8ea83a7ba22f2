"""Copies of training sentences in other case, one sentence and one case at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from hashlib import blake2b

Words = Sequence[str]


def copies_of(sentences: Sequence[Words], shares: Mapping[str, float], seed: int) -> list[tuple[int, list[str]]]:
    """Return the number of the original and the words of each copy, in the order in which they follow the sentences."""
    made = []
    for case in ("lower", "upper", "title"):
        for number, words in enumerate(sentences):
            if draw(seed, case, number) < Fraction(shares.get(case, 0)):
                copy = [in_case(word, case) for word in words]
                if copy != list(words):
                    made.append((number, copy))
    return made


def draw(seed: int, case: str, number: int) -> Fraction:
    """Return a number from 0 to 1, which depends on nothing else."""
    hexadecimal = blake2b(f"{seed} {case} {number}".encode(), digest_size=8).hexdigest()
    return Fraction(int(hexadecimal, 16), 16**16)


def in_case(word: str, case: str) -> str:
    """Return a word in lower case, in upper case, or with its first letter in upper case.

    >>> in_case("paris", "title"), in_case("Paris", "upper"), in_case("WHO", "title")
    ('Paris', 'PARIS', 'WHO')
    """
    if case == "lower":
        return word.lower()
    return word.upper() if case == "upper" else word[:1].upper() + word[1:]
