"""By how much the phrases of a chunking win: a search forwards and one backwards over all possible phrases.

    forwards[j]   the best score of words 0 … j-1          backwards[j]   of words j … n-1
    A piece is a phrase (s, e, k) or a word outside. The best score of a chunking that has it is
    forwards[s] + its score + backwards[e + 1].

A chunking without a phrase has another piece at the first word of the phrase, so the best such chunking is its rival.
A word that the filters keep out of all phrases has no rival: its margin is how far the weakest of these filters is
below what it must beat.

Phrases are scored with the left context that recognition saw. With ``exact`` context a phrase may have several; then it
is the one of the best path.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from perceptag import _core
from perceptag.learn.chunker import Phrase
from perceptag.models.chunker.model import Layers

OUTSIDE = -1  # the category of words outside phrases


@dataclass(frozen=True, slots=True)
class ChunkMargins:
    """A chunking and its margins. Different functions score words and phrases, so their units differ."""

    phrases: list[Phrase]
    of_phrases: list[float]
    of_words: list[float]
    filters: list[float | None]  # replaces the margin of a word, unless it is None


def chunk_margins(layers: Layers, x: _core.ChunkSentence) -> ChunkMargins:
    """The margins of what recognition finds in x."""
    seen = layers.recognise(x)
    pieces = list(_pieces(layers, x, seen))
    best = best_with(pieces, len(seen.begin))
    return ChunkMargins(seen.phrases, *compare(best, seen.phrases, len(seen.begin)), _filters(seen, layers.outside[1]))


def _pieces(layers: Layers, x: _core.ChunkSentence, seen: _core.Recognition) -> Iterator[tuple[Phrase, float]]:
    """All pieces that a chunking may consist of, with their scores, from left to right."""
    begin, inside = seen.begin, seen.inside
    outside, threshold = layers.outside
    for s in range(len(begin)):
        yield (s, s, OUTSIDE), outside
        for e in range(s, min(len(begin), s + _core.LONGEST_CHUNK)):
            if begin[s] <= threshold or (e > s and inside[e] <= threshold):
                break
            for k, score in enumerate(layers.phrases.score(layers.instance(x, seen, s, e)).tolist()):
                yield (s, e, k), score


def best_with(pieces: Sequence[tuple[Phrase, float]], n: int) -> dict[Phrase, float]:
    """The best score of a chunking with each piece; pieces are sorted by their first words."""
    forwards, backwards = [0.0] + [float("-inf")] * n, [float("-inf")] * n + [0.0]
    for (s, e, _), score in pieces:
        forwards[e + 1] = max(forwards[e + 1], forwards[s] + score)
    for (s, e, _), score in reversed(pieces):
        backwards[s] = max(backwards[s], score + backwards[e + 1])
    return {piece: forwards[piece[0]] + score + backwards[piece[1] + 1] for piece, score in pieces}


def compare(best: dict[Phrase, float], phrases: Sequence[Phrase], n: int) -> tuple[list[float], list[float]]:
    """Margins of phrases and of words. The rival of a word has another category, or begins or does not begin there."""
    at = _best_of_labels(best, n)
    starting: list[list[Phrase]] = [[] for _ in range(n)]
    for piece in best:
        starting[piece[0]].append(piece)
    of_phrases = []
    for p in phrases:
        through = [score for (_, begins), score in at[p[0]].items() if not begins]
        of_phrases.append(best[p] - max([*through, *(best[piece] for piece in starting[p[0]] if piece != p)]))
    chosen = {t: phrase for phrase in phrases for t in range(phrase[0], phrase[1] + 1)}
    of_words = []
    for t in range(n):
        s, _, k = chosen.get(t, (t, t, OUTSIDE))
        mine = at[t].pop((k, s == t))
        of_words.append(mine - max(at[t].values(), default=mine))
    return of_phrases, of_words


def _best_of_labels(best: dict[Phrase, float], n: int) -> list[dict[tuple[int, bool], float]]:
    """For each word the best score of the pieces that cover it, by category and whether they begin there."""
    ending: list[list[Phrase]] = [[] for _ in range(n)]
    for piece in best:
        ending[piece[1]].append(piece)
    at: list[dict[tuple[int, bool], float]] = [{} for _ in range(n)]
    reaching: dict[tuple[int, int], float] = {}  # by first word and category, of the pieces that reach word t
    for t in reversed(range(n)):
        for piece in ending[t]:
            s, _, k = piece
            reaching[s, k] = max(best[piece], reaching.get((s, k), best[piece]))
        for (s, k), score in reaching.items():
            at[t][k, s == t] = max(score, at[t].get((k, s == t), score))
        reaching = {(s, k): score for (s, k), score in reaching.items() if s < t}
    return at


def _filters(seen: _core.Recognition, threshold: float) -> list[float | None]:
    """By how much the filters keep a word out of all phrases; None where they do not.

    A phrase covers a word if it begins there, or if it covers the word before and continues. A way into a phrase is as
    good as its weakest filter, and the best way counts.
    """
    found: list[float | None] = []
    cover = float("-inf")
    for begin, inside in zip(seen.begin, seen.inside, strict=True):
        cover = max(begin, min(inside, cover))
        found.append(threshold - cover if cover <= threshold else None)
    return found
