"""The n best chunkings of a sentence: the dynamic programme of recognition, with lists instead of single paths.

Every chunking has one derivation, so the n best of a prefix come from the n best of shorter ones. With ``best`` context
scores are those of recognition: in every chunking of the list, a phrase sees the best path to its start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

from perceptag import _core
from perceptag.learn.chunker import Phrase
from perceptag.models.chunker.encoder import left_context
from perceptag.models.chunker.model import Layers

Path = tuple[float, tuple[Phrase, ...]]  # score, phrases from left to right
Link = tuple[Phrase, "Link | None"]  # the last phrase, and those before it, which many paths share
Partial = tuple[float, Link | None]
Score = Callable[[int, int, list[int]], Sequence[float]]


def nbest(layers: Layers, x: _core.ChunkSentence, n: int) -> list[Path]:
    """The n best chunkings of x, or all if there are fewer. The best comes first; it is what recognition finds."""
    seen = layers.recognise(x)
    width = layers.features.phrase_window if layers.context != "none" else 0

    def score(s: int, e: int, left: list[int]) -> Sequence[float]:
        instance = layers.features.phrase(x, s, e, left, layers.gazetteer)
        return [float(value) for value in layers.phrases.score(instance)]

    return search(seen.begin, seen.inside, score, n, layers.context, width, layers.outside)


def search(
    begin: Sequence[float],
    inside: Sequence[float],
    score: Score,
    n: int,
    context: str,
    width: int,
    outside: tuple[float, float] = (0.0, 0.0),
) -> list[Path]:
    """The search itself. If scores are equal, the chunking that recognition prefers comes first."""
    of_word, threshold = outside
    paths: list[list[Partial]] = [[(0.0, None)]]  # for each length of prefix
    for j in range(1, len(begin) + 1):
        found = [(value + of_word, last) for value, last in paths[j - 1]]
        for s in range(j - 1, max(-1, j - 1 - _core.LONGEST_CHUNK), -1):
            if s < j - 1 and inside[s + 1] <= threshold:
                break
            if begin[s] > threshold:
                found += _extended(paths[s], s, j - 1, score, context, width)
        paths.append(_best(found, n, j, width if context == "exact" else 0))
    best = sorted(paths[-1], key=lambda path: -path[0])[:n]
    return [(value, tuple(_from_the_end(last))[::-1]) for value, last in best]


def _from_the_end(last: Link | None) -> Iterator[Phrase]:
    while last is not None:
        phrase, last = last
        yield phrase


def _left_context(s: int, last: Link | None, width: int) -> list[int]:
    return left_context(s, takewhile(lambda phrase: phrase[1] >= s - width, _from_the_end(last)), width)


def _extended(before: Sequence[Partial], s: int, e: int, score: Score, context: str, width: int) -> list[Partial]:
    scores: dict[tuple[int, ...], Sequence[float]] = {}
    extended: list[Partial] = []
    for value, last in before:
        left = _left_context(s, last if context == "exact" else before[0][1], width)
        if tuple(left) not in scores:
            scores[tuple(left)] = score(s, e, left)
        extended += [(value + more, ((s, e, k), last)) for k, more in enumerate(scores[tuple(left)])]
    return extended


def _best(paths: Sequence[Partial], n: int, j: int, width: int) -> list[Partial]:
    """The n best of those paths that later phrases cannot tell apart."""
    alike: dict[tuple[int, ...], list[Partial]] = {}
    for path in paths:
        alike.setdefault(tuple(_left_context(j, path[1], width)), []).append(path)
    return [path for some in alike.values() for path in sorted(some, key=lambda path: -path[0])[:n]]
