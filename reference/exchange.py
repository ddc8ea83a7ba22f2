"""Clustering of words by exchange, as Martin, Liermann and Ney (1998) describe it: every move tried out in full.

The log-likelihood of a text under a bigram model of classes g, h of words w:

    F = Σ N(g,h) log N(g,h) − Σ N(g·) log N(g·) − Σ N(·h) log N(·h) + Σ N(·w) log N(·w)
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

RARE, BORDER = "\nrare", "\nborder"  # words that were seen too seldom; what surrounds a sentence

Bigrams = Counter[tuple[str, str]]


def information(n: int) -> int:
    """Return n log n, in bits, as a whole number of units of 2^-20: then sums are exact, and ties are ties.

    >>> information(0), information(1), information(8) >> 20
    (0, 0, 24)
    """
    return round(n * math.log2(n) * 2**20) if n else 0


def vocabulary(sentences: Sequence[Sequence[str]], min_count: int) -> list[str]:
    """Return the words seen often enough, the most frequent first, then by code points."""
    counts = Counter(word for sentence in sentences for word in sentence)
    kept = [word for word in counts if counts[word] >= min_count]
    return sorted(kept, key=lambda word: (-counts[word], word))


def bigrams(sentences: Sequence[Sequence[str]], known: Sequence[str]) -> Bigrams:
    """Count bigrams, with borders around each non-empty sentence."""
    found: Bigrams = Counter()
    for sentence in sentences:
        words = [word if word in known else RARE for word in sentence]
        if words:
            found.update(zip([BORDER, *words], [*words, BORDER], strict=True))
    return found


def likelihood(counts: Bigrams, classes: Mapping[str, int]) -> int:
    """Return F. Rare words and the border have classes of their own, below 0."""
    full = {**classes, RARE: -1, BORDER: -2}
    pairs: Counter[tuple[int, int]] = Counter()
    firsts: Counter[int] = Counter()
    seconds: Counter[int] = Counter()
    words: Counter[str] = Counter()
    for (a, b), n in counts.items():
        words[b] += n
        pairs[full[a], full[b]] += n
        firsts[full[a]] += n
        seconds[full[b]] += n
    tables: list[Counter[Any]] = [pairs, firsts, seconds, words]
    of_pairs, of_firsts, of_seconds, of_words = (sum(map(information, table.values())) for table in tables)
    return of_pairs - of_firsts - of_seconds + of_words


def cluster(sentences: Sequence[Sequence[str]], size: int, min_count: int, passes: int) -> list[dict[str, int]]:
    """Return the class of each word at the start and after each pass."""
    words = vocabulary(sentences, min_count)
    counts = bigrams(sentences, words)
    history = [{word: place % size for place, word in enumerate(words)}]
    for _ in range(passes):
        classes = dict(history[-1])
        for word in words:
            classes[word] = best_class(word, classes, size, counts)
        moved = sum(classes[word] != history[-1][word] for word in words)
        history.append(classes)
        if 1000 * moved < len(words):
            break
    return history


def best_class(word: str, classes: Mapping[str, int], size: int, counts: Bigrams) -> int:
    """Return the class where F is highest: of equal ones its own, or the first. A word alone in its class stays."""
    own = classes[word]
    if list(classes.values()).count(own) == 1:
        return own
    scores = [likelihood(counts, {**classes, word: g}) for g in range(size)]
    return own if scores[own] == max(scores) else scores.index(max(scores))
