"""The named-entity chunker with recognition feedback, slow and obvious.

Carreras, Màrquez & Padró (2003), "Learning a Perceptron-Based Named Entity Chunker via Online Recognition
Feedback", CoNLL. Two classifiers, begin and inside, filter the words. What they accept is scored as a phrase, once
for each category. The chunking with the largest sum of scores wins.

A phrase is (s, e, k): words s to e inclusive, category k. Here everything is a function of positions:
`word(i)` and `phrase(s, e, left)` give instances (sets of features); `left` holds the categories of the words
before s, nearest first, None outside of phrases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from reference.kernel import Instance, VotedPerceptron

Phrase = tuple[int, int, int]
Left = tuple[int | None, ...]
Score = Callable[[int, int, Left], Sequence[float]]  # (s, e, left) -> a score for each category
CONTEXTS = ("best", "exact", "none")


def left_of(s: int, phrases: Sequence[Phrase], width: int) -> Left:
    """Return the categories of the words s-1, s-2, … s-width."""
    of_word = {i: k for start, end, k in phrases for i in range(start, end + 1)}
    return tuple(of_word.get(s - distance) for distance in range(1, width + 1))


LONGEST = 64  # words of a phrase


def is_candidate(s: int, e: int, begin: Sequence[float], inside: Sequence[float]) -> bool:
    """Return the predicate BI* of section 2.2, for phrases that are not too long."""
    return e - s < LONGEST and begin[s] > 0 and all(inside[i] > 0 for i in range(s + 1, e + 1))


@dataclass(slots=True)
class Path:
    """The best chunking of a prefix, and its score."""

    score: float
    phrases: tuple[Phrase, ...] = ()


def recognise(
    begin: Sequence[float], inside: Sequence[float], score: Score, context: str = "none", width: int = 0
) -> list[Path]:
    """Return the best path to every length of prefix (0 … n); the last one is the answer.

    ``none``: scores see no left context. ``best``: scores of phrases that start at s see the phrases on the best
    path to s; the search is exact for these scores. ``exact``: prefixes that the features can distinguish are kept
    apart. If scores are equal, the chunking without the phrase wins, then the later start, then the lower category.
    """
    paths: list[dict[Left, Path]] = [{(): Path(0.0)}]
    for j in range(1, len(begin) + 1):
        here: dict[Left, Path] = {}

        def offer(path: Path, j: int = j, here: dict[Left, Path] = here) -> None:
            signature = left_of(j, path.phrases, width) if context == "exact" else ()
            if signature not in here or path.score > here[signature].score:
                here[signature] = path

        for before in paths[j - 1].values():
            offer(before)
        for s in range(j - 1, -1, -1):
            if not is_candidate(s, j - 1, begin, inside):
                continue
            for before in paths[s].values():
                left = left_of(s, before.phrases, width) if context != "none" else ()
                for k, value in enumerate(score(s, j - 1, left)):
                    offer(Path(before.score + value, (*before.phrases, (s, j - 1, k))))
        paths.append(here)
    return [max(here.values(), key=lambda path: path.score) for here in paths]


def all_chunkings(n: int, categories: int, start: int = 0) -> Iterator[tuple[Phrase, ...]]:
    """Yield every set of phrases without overlap."""
    if start >= n:
        yield ()
        return
    for rest in all_chunkings(n, categories, start + 1):
        yield rest
    for end, k in product(range(start, n), range(categories)):
        for rest in all_chunkings(n, categories, end + 1):
            yield ((start, end, k), *rest)


def chunking_score(phrases: tuple[Phrase, ...], score: Score, width: int) -> float:
    """Return the sum of phrase scores; each depends on the phrases to its left."""
    return sum(score(s, e, left_of(s, phrases, width))[k] for s, e, k in phrases)


@dataclass(slots=True)
class PhraseChunker:
    """The learned functions: begin, inside, and one for each category."""

    categories: int
    degree: int = 2
    context: str = "best"
    width: int = 3
    begin: VotedPerceptron = field(init=False)
    inside: VotedPerceptron = field(init=False)
    scores: list[VotedPerceptron] = field(init=False)

    def __post_init__(self) -> None:
        self.begin, self.inside = VotedPerceptron(self.degree), VotedPerceptron(self.degree)
        self.scores = [VotedPerceptron(self.degree) for _ in range(self.categories)]

    def learn_sentence(
        self,
        words: Sequence[Instance],
        phrase: Callable[[int, int, Left], Instance],
        gold: set[Phrase],
    ) -> set[Phrase]:
        """Recognise a sentence, then give feedback (section 3.1); return what was recognised.

        All conditions use the vectors that recognised the sentence, before any of them changes.
        """
        begin = [self.begin.decide(x) for x in words]
        inside = [self.inside.decide(x) for x in words]
        paths = recognise(
            begin, inside, lambda s, e, left: [f.decide(phrase(s, e, left)) for f in self.scores],
            self.context, self.width,
        )  # fmt: skip
        predicted = set(paths[-1].phrases)

        def seen(s: int, e: int) -> Instance:
            """Return the instance of a phrase with the left context of its score."""
            own = any((s, e) == (start, end) for start, end, _ in predicted)
            path = paths[-1].phrases if own else paths[s].phrases
            return phrase(s, e, left_of(s, path, self.width) if self.context != "none" else ())

        for s, e, k in sorted(gold - predicted):  # missed
            if begin[s] <= 0:
                self.begin.add(words[s], +1)
            for i in range(s + 1, e + 1):
                if inside[i] <= 0:
                    self.inside.add(words[i], +1)
            if is_candidate(s, e, begin, inside):
                self.scores[k].add(seen(s, e), +1)
        gold_begin = {s for s, _, _ in gold}
        gold_inside = {i for s, e, _ in gold for i in range(s + 1, e + 1)}
        for s, e, k in sorted(predicted - gold):  # over-predicted
            self.scores[k].add(seen(s, e), -1)
            if s not in gold_begin:
                self.begin.add(words[s], -1)
            for i in range(s + 1, e + 1):
                if i not in gold_inside:
                    self.inside.add(words[i], -1)
        return predicted
