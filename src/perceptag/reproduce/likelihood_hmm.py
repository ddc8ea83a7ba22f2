"""The trigram tagger of Collins (2002), section 2.1, with maximum-likelihood estimates: what the perceptron replaces.

    alpha(x, y, z) = log P(z | x, y)        alpha(t, w) = log P(w | t)

The paper does not say what happens to events that were never seen. Here transitions are interpolated with bigrams,
unigrams and a uniform distribution, by weights that are fixed, and an unknown word is taken for one of the words that
were seen once. Decoding is Viterbi over pairs of tags.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from perceptag.arrays import Floats
from perceptag.text import Sentence

_WEIGHTS = (0.7, 0.2, 0.09, 0.01)  # of trigrams, bigrams, unigrams, and all tags alike
_NEVER = 1e-12  # the probability of a known word with a tag that it never had


def train_hmm(sentences: Sequence[Sentence], label: str) -> Callable[[Sequence[Sentence]], list[list[str]]]:
    """Count, and return a function that tags."""
    tags = sorted({tag for s in sentences for tag in s.columns[label]})
    index = {tag: i for i, tag in enumerate(tags)}
    moves = _transitions(sentences, label, index)
    words, unknown = _emissions(sentences, label, index)

    def tag(given: Sequence[Sentence]) -> list[list[str]]:
        return [[tags[i] for i in _viterbi(moves, [words.get(w, unknown) for w in s.tokens])] for s in given]

    return tag


def _transitions(sentences: Sequence[Sentence], label: str, index: dict[str, int]) -> Floats:
    """Return log P(z | x, y) as an array [x, y, z]; the last x and y stand for the start of a sentence."""
    n = len(index)
    three = np.zeros((n + 1, n + 1, n))
    for s in sentences:
        before = [n, n]
        for tag in s.columns[label]:
            three[before[0], before[1], index[tag]] += 1
            before = [before[1], index[tag]]
    two, one = three.sum(axis=0), three.sum(axis=(0, 1))
    shares = [counts / np.maximum(counts.sum(axis=-1, keepdims=True), 1) for counts in (three, two, one)]
    a, b, c, rest = _WEIGHTS
    logs: Floats = np.log(a * shares[0] + b * shares[1] + c * shares[2] + rest / n)
    return logs


def _emissions(sentences: Sequence[Sentence], label: str, index: dict[str, int]) -> tuple[dict[str, Floats], Floats]:
    """Return log P(w | t) for each word, and that of an unknown word."""
    pairs = Counter((w, t) for s in sentences for w, t in zip(s.tokens, s.columns[label], strict=True))
    words = Counter(w for s in sentences for w in s.tokens)
    of_tag = np.zeros(len(index))
    once = np.ones(len(index))
    for (word, tag), count in pairs.items():
        of_tag[index[tag]] += count
        once[index[tag]] += words[word] == 1
    table = {word: np.full(len(index), _NEVER) for word in words}
    for (word, tag), count in pairs.items():
        table[word][index[tag]] = count / of_tag[index[tag]]
    return {word: np.log(p) for word, p in table.items()}, np.log(once / of_tag)


def _viterbi(moves: Floats, emitted: Sequence[Floats]) -> list[int]:
    """Return the best sequence; `scores[x, y]` is the best score of a labelling that ends in x, y."""
    n = moves.shape[2]
    scores = np.full((n + 1, n + 1), -np.inf)
    scores[n, n] = 0
    pointers = []
    for word in emitted:
        total = scores[:, :, None] + moves  # [x, y, z]
        best = total.argmax(axis=0)
        scores = np.full((n + 1, n + 1), -np.inf)
        scores[:, :n] = np.take_along_axis(total, best[None], axis=0)[0] + word
        pointers.append(best)
    y, z = divmod(int(scores.argmax()), n + 1)
    labels: list[int] = []
    for best in reversed(pointers):
        labels.append(z)
        y, z = int(best[y, z]), y
    return labels[::-1]
