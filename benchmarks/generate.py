"""Generated text, in any amount and with any number of labels, to measure growth.

Words have ranks; the probability falls with a power of the rank, and there is no last rank, so new words keep coming
as they do in real text. A word has a usual label, which its ending suggests, and now and then another one.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

SYLLABLES = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]
ENDINGS = ("", "s", "ed", "ing", "ly", "er", "tion", "al", "ous", "ity", "ment", "able")
# P(rank > r) = (1 + r / HEAD) ^ -TAIL: about as many different words as in English text of the same length.
TAIL, HEAD = 0.6, 85
USUAL = 0.9  # share of tokens with the usual label of their word
LONGEST = 40
MAX_RANK = 50_000_000


def spell(rank: int, label: int) -> str:
    """Return the word of a rank, which no other rank with the same ending has."""
    word = ""
    number = rank
    while True:
        number, syllable = divmod(number, len(SYLLABLES))
        word += SYLLABLES[syllable]
        if not number:
            return word + ENDINGS[label % len(ENDINGS)]


def sentences(tokens: int, labels: int, seed: int) -> Iterator[list[tuple[str, str]]]:
    """Yield sentences of words with labels, with at least `tokens` tokens in total."""
    rng = random.Random(seed)
    made = 0
    while made < tokens:
        sentence = []
        for _ in range(rng.randint(3, LONGEST)):
            rank = min(int(HEAD * (rng.paretovariate(TAIL) - 1)), MAX_RANK)
            usual = rank * 7919 % labels
            label = usual if rng.random() < USUAL else (usual + rng.randint(1, 3)) % labels
            sentence.append((spell(rank, usual), f"L{label}"))
        made += len(sentence)
        yield sentence


def write(path: Path, tokens: int, labels: int, seed: int) -> None:
    """Write a column file."""
    with path.open("w", encoding="utf-8") as out:
        for sentence in sentences(tokens, labels, seed):
            out.writelines(f"{word}\t{label}\n" for word, label in sentence)
            out.write("\n")
