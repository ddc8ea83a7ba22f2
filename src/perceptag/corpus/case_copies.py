"""Copies of training sentences in other case, so that a model also knows *berlin*, *PARIS* and *New Rules For Banks*.

A share of the sentences is copied in lower case, in upper case and in title case, as in headlines. The seed and the
position of a sentence decide whether it is copied. Each copy is a document of its own, behind all sentences, and has
the labels of its original. Mayhew, Tsygankova and Roth (2019), "ner and pos when nothing is capitalized", compare this
with other measures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b

from perceptag.text.sentence import Sentence

FORM = "form"


def _title(word: str) -> str:
    return word[:1].upper() + word[1:]


CASES: dict[str, Callable[[str], str]] = {"lower": str.lower, "upper": str.upper, "title": _title}


def with_case_copies(sentences: Sequence[Sentence], shares: Mapping[str, float], seed: int) -> list[Sentence]:
    """Return the sentences, and behind them copies: ``{"lower": 0.5}`` copies every other one in lower case."""
    copies = [
        copy
        for case, change in CASES.items()
        if shares.get(case)
        for number, sentence in enumerate(sentences)
        if is_chosen(seed, case, number, shares[case]) and (copy := _changed(sentence, change)) is not None
    ]
    return [*sentences, *copies]


def is_chosen(seed: int, case: str, number: int, share: float) -> bool:
    """Decide by a hash of seed, case and position, so that a larger share keeps the copies of a smaller one."""
    drawn = blake2b(f"{seed} {case} {number}".encode(), digest_size=8).digest()
    return int.from_bytes(drawn, "big") < share * 2**64


def _changed(sentence: Sentence, change: Callable[[str], str]) -> Sentence | None:
    """Return a copy with other words; None if it would be the same."""
    column = FORM if FORM in sentence.columns else next(iter(sentence.columns))
    words = list(sentence.columns[column])
    others = [change(word) for word in words]
    return None if others == words else Sentence({**sentence.columns, column: others}, starts_document=True)
