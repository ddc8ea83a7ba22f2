"""Copies of paragraphs with strings such as addresses and dates in them, one character at a time.

A sentence is a list of characters with labels; a paragraph is a list of sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from hashlib import blake2b

Characters = list[tuple[str, str]]  # a character and its label


def copies_of(
    paragraphs: Sequence[Sequence[Characters]],
    share: float,
    seed: int,
    patterns: Mapping[str, Sequence[str]],
    values: Mapping[str, Sequence[str]],
    around: Sequence[str],
) -> list[Characters]:
    """Return the sentences of all copies, in the order in which they follow the sentences."""
    made: list[Characters] = []
    for number, paragraph in enumerate(paragraphs):
        draws = numbers(seed, number)
        if next(draws) < Fraction(share):
            for place, sentence in enumerate(paragraph):
                kind = choose(list(patterns), draws)
                spelt = spell(choose(patterns[kind], draws), values, draws)
                pieces = choose(around, draws).replace("{}", spelt).split("|")
                copy = put(sentence, pieces, draws)
                made.append([*copy, *[("\n", "between")] * 2] if place + 1 == len(paragraph) else copy)
    return made


def numbers(seed: int, number: int) -> Iterator[Fraction]:
    """Yield numbers from 0 to 1, which depend on nothing else."""
    count = 0
    while True:
        hexadecimal = blake2b(f"{seed} string {number} {count}".encode(), digest_size=8).hexdigest()
        yield Fraction(int(hexadecimal, 16), 16**16)
        count += 1


def choose(choices: Sequence[str], draws: Iterator[Fraction]) -> str:
    """Return one of some strings."""
    return choices[int(next(draws) * len(choices))]


def spell(pattern: str, values: Mapping[str, Sequence[str]], draws: Iterator[Fraction]) -> str:
    """Return a string that fits a pattern."""
    if not pattern:
        return ""
    if pattern[0] == "{":
        name, _, rest = pattern[1:].partition("}")
        return named(name, values, draws) + spell(rest, values, draws)
    if pattern[0] == "\\":
        return pattern[1] + spell(pattern[2:], values, draws)
    first = str(int(next(draws) * 10)) if pattern[0] == "9" else pattern[0]
    return first + spell(pattern[1:], values, draws)


def named(name: str, values: Mapping[str, Sequence[str]], draws: Iterator[Fraction]) -> str:
    """Return a value of a name: one of a list, ten letters and digits, or a word of one to three syllables."""
    if name in values:
        return choose(values[name], draws)
    if name == "code":
        signs = "abcdefghkmnpqrstuvwxyzABCDEFGHKLMNPQRSTUVWXYZ23456789"
        return "".join([choose(signs, draws) for _ in range(10)])
    word = ""
    for _ in range(1 + int(next(draws) * 3)):
        word += choose(values["consonant"], draws)
        word += choose(values["vowel"], draws)
    return word[0].upper() + word[1:] if name == "Word" else word


def put(sentence: Characters, pieces: Sequence[str], draws: Iterator[Fraction]) -> Characters:
    """Return a sentence with the tokens of a string before one of its tokens."""
    starts = [i for i, (_, label) in enumerate(sentence) if label in ("sentence", "token")]
    places = [i for i in starts if sentence[i][1] == "sentence" or sentence[i - 1][1] == "between"]
    last = starts[-1]
    ends = last > 0 and not sentence[last][0].isalnum() and sentence[last - 1][1] != "between"
    choices = [*places, last, last] if ends else places
    at = choices[int(next(draws) * len(choices))]
    string = [(c, "inside" if i else "token") for piece in pieces for i, c in enumerate(piece)]
    before, behind = sentence[:at], sentence[at:]
    if behind[0][1] == "sentence":
        string[0], behind = (string[0][0], "sentence"), [(behind[0][0], "token"), *behind[1:]]
    if at not in places:
        return [*before, (" ", "between"), *string, *behind]
    return [*before, *string, (" ", "between"), *behind]
