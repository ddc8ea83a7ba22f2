"""Margins of the phrases of a chunking, by a search forwards and one backwards over all possible phrases; n best lists.

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

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from perceptag import _core
from perceptag.learn.chunker import Phrase
from perceptag.models.chunker.encoder import left_context
from perceptag.models.chunker.model import Layers
from perceptag.models.chunker.phrase_rules import NO_RULES, PhraseRules

OUTSIDE = -1  # the category of words outside phrases


@dataclass(frozen=True, slots=True)
class ChunkMargins:
    """A chunking and its margins. Different functions score words and phrases, so their units differ."""

    phrases: list[Phrase]
    of_phrases: list[float]
    of_words: list[float]
    filters: list[float | None]  # replaces the margin of a word, unless it is None


def chunk_margins(layers: Layers, x: _core.ChunkSentence, rules: PhraseRules = NO_RULES) -> ChunkMargins:
    """The margins of what recognition finds in x, or of the best chunking under rules."""
    seen = layers.recognise(x)
    phrases = list(nbest(layers, x, 1, rules)[0][1]) if rules else seen.phrases
    pieces = list(_pieces(layers, x, seen, rules))
    best = best_with(pieces, len(seen.begin))
    filters = _filters(seen, layers.outside[1])
    kept_out = [None if rules.forces(t) else f for t, f in enumerate(filters)]
    return ChunkMargins(phrases, *compare(best, phrases, len(seen.begin)), kept_out)


def _pieces(
    layers: Layers, x: _core.ChunkSentence, seen: _core.Recognition, rules: PhraseRules
) -> Iterator[tuple[Phrase, float]]:
    """All pieces that a chunking may consist of, with their scores, from left to right."""
    begin, inside = seen.begin, seen.inside
    outside, threshold = layers.outside
    for s in range(len(begin)):
        if not rules.forces(s):
            yield (s, s, OUTSIDE), outside
        ends = {e: None for first, e, _ in rules.forced if first == s}
        for e in range(s, min(len(begin), s + _core.LONGEST_CHUNK)):
            if begin[s] <= threshold or (e > s and inside[e] <= threshold):
                break
            ends[e] = None
        for e in ends:
            scores = layers.phrases.score(layers.instance(x, seen, s, e)).tolist()
            for k, score in enumerate(rules.adjusted(s, e, scores) if rules else scores):
                if score > float("-inf"):
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
        rivals = [*through, *(best[piece] for piece in starting[p[0]] if piece != p)]
        of_phrases.append(best[p] - max(rivals, default=float("-inf")))
    chosen = {t: phrase for phrase in phrases for t in range(phrase[0], phrase[1] + 1)}
    of_words = []
    for t in range(n):
        s, _, k = chosen.get(t, (t, t, OUTSIDE))
        mine = at[t].pop((k, s == t))
        of_words.append(mine - max(at[t].values(), default=float("-inf")))
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


# Every chunking has one derivation, so the n best of a prefix come from the n best of shorter ones. With ``best``
# context scores are those of recognition: in every chunking of the list, a phrase sees the best path to its start.

Path = tuple[float, tuple[Phrase, ...]]  # score, phrases from left to right
Link = tuple[Phrase, "Link | None"]  # the last phrase, and those before it, which many paths share
Partial = tuple[float, Link | None]
Score = Callable[[int, int, list[int]], Sequence[float]]


def nbest(layers: Layers, x: _core.ChunkSentence, n: int, rules: PhraseRules = NO_RULES) -> list[Path]:
    """The n best chunkings of x, or all if there are fewer. The best comes first.

    Without rules, it is what recognition finds.
    """
    seen = layers.recognise(x)
    width = layers.features.phrase_window if layers.context != "none" else 0

    def score(s: int, e: int, left: list[int]) -> Sequence[float]:
        instance = layers.features.phrase(x, s, e, left, layers.gazetteer)
        return [float(value) for value in layers.phrases.score(instance)]

    return search(seen.begin, seen.inside, score, n, layers.context, width, layers.outside, rules)


def search(
    begin: Sequence[float],
    inside: Sequence[float],
    score: Score,
    n: int,
    context: str,
    width: int,
    outside: tuple[float, float] = (0.0, 0.0),
    rules: PhraseRules = NO_RULES,
) -> list[Path]:
    """The search itself. If scores are equal, the chunking that recognition prefers comes first."""
    of_word, threshold = outside
    paths: list[list[Partial]] = [[(0.0, None)]]  # for each length of prefix

    def ruled(s: int, e: int, left: list[int]) -> Sequence[float]:
        return rules.adjusted(s, e, score(s, e, left))

    for j in range(1, len(begin) + 1):
        found = [] if rules.forces(j - 1) else [(value + of_word, last) for value, last in paths[j - 1]]
        starts = [s for s in _starts(begin, inside, j, threshold) if paths[s]]
        starts += [s for s in rules.starts(j - 1) if s not in starts and paths[s]]
        for s in starts:
            found += _extended(paths[s], s, j - 1, ruled if rules else score, context, width)
        paths.append(_best(found, n, j, width if context == "exact" else 0))
    best = sorted(paths[-1], key=lambda path: -path[0])[:n]
    return [(value, tuple(_from_the_end(last))[::-1]) for value, last in best]


def _starts(begin: Sequence[float], inside: Sequence[float], j: int, threshold: float) -> Iterator[int]:
    """Where phrases may begin that end before word j, from right to left, by the filters of words."""
    for s in range(j - 1, max(-1, j - 1 - _core.LONGEST_CHUNK), -1):
        if s < j - 1 and inside[s + 1] <= threshold:
            break
        if begin[s] > threshold:
            yield s


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
        extended += [
            (value + more, ((s, e, k), last)) for k, more in enumerate(scores[tuple(left)]) if more > float("-inf")
        ]
    return extended


def _best(paths: Sequence[Partial], n: int, j: int, width: int) -> list[Partial]:
    """The n best of those paths that later phrases cannot tell apart."""
    alike: dict[tuple[int, ...], list[Partial]] = {}
    for path in paths:
        alike.setdefault(tuple(_left_context(j, path[1], width)), []).append(path)
    return [path for some in alike.values() for path in sorted(some, key=lambda path: -path[0])[:n]]
