"""Learning by recognition feedback: all functions of the chunker together, from what recognition got wrong.

Read first: reference/chunker.py; machinery: models/chunker/; tables: reproduce/carreras2003.py

Carreras, Màrquez & Padró (2003), "Learning a Perceptron-Based Named Entity Chunker via Online Recognition
Feedback", CoNLL, section 3.1.

    for each pass, for each sentence x with gold phrases y*      one pass is one call of `learn_epoch`
      ŷ = NEch(x)                                                seen = chunker.recognise(x)
      missed, (s,e)_k in y* \\ ŷ:
        if w_B·φ_w(s) <= 0:        w_B += φ_w(s)                 chunker.begin.add(word(s), +1)
        for s < i <= e with w_I·φ_w(i) <= 0:  w_I += φ_w(i)      chunker.inside.add(word(i), +1)
        if all of these were > 0:  w_k += φ_p(s,e)               chunker.score[k].add(phrase(s, e), +1)
      over-predicted, (s,e)_k in ŷ \\ y*:
        w_k -= φ_p(s,e)                                          chunker.score[k].add(phrase(s, e), -1)
        if not gold_B(s):          w_B -= φ_w(s)                 chunker.begin.add(word(s), -1)
        for s < i <= e with not gold_I(i):    w_I -= φ_w(i)      chunker.inside.add(word(i), -1)

Words that a layer lets through wrongly, but that end up in no phrase, are left alone on purpose.

What the paper leaves open: every condition looks at the scores that recognition saw, before any function has
moved; gold_I(i) holds for the words of a phrase after its first one, which is what BI* asks of them; φ_p
has the left context that the phrase was scored with.

A departure: phrases of more than 64 words (`LONGEST_CHUNK`) are no candidates and never score. The paper has no
limit, but then a sentence of T words whose filters let everything through has T² / 2 candidates, in time and in memory.
With it there are at most 64 T for each category. The filters learn from longer gold phrases all the same.

The final functions are votes of all vectors on the way (section 3.2), weighted by the number of decisions that each
survived. Both functions of words decide about every word, all functions of phrases about every candidate, so
each layer needs one clock: tick().
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from perceptag._core import LONGEST_CHUNK, ChunkSentence, Recognition
from perceptag.errors import SettingError
from perceptag.learn.learner import COMMON, Errors, Learner, Setting

if TYPE_CHECKING:
    from perceptag.arrays import Ints

Phrase = tuple[int, int, int]  # (s,e)_k: words s to e, both included, category k


class LearnedFunction(Protocol):
    """One of the learned functions."""

    def add(self, instance: Ints, sign: int, /) -> None:
        """w += sign * instance."""


class TrainableChunker(Protocol):
    """A chunker as feedback needs it: functions, their instances, and recognition."""

    @property
    def begin(self) -> LearnedFunction:
        """w_B."""

    @property
    def inside(self) -> LearnedFunction:
        """w_I."""

    @property
    def score(self) -> Sequence[LearnedFunction]:
        """w_k for each category k."""

    def recognise(self, x: ChunkSentence, /) -> Recognition:
        """NEch(x): the phrases, and the word scores used to find them."""

    def tick(self, x: ChunkSentence, seen: Recognition, /) -> None:
        """Count the decisions about this sentence, for the votes."""

    def word(self, x: ChunkSentence, i: int, /) -> Ints:
        """φ_w(i)."""

    def phrase(self, x: ChunkSentence, seen: Recognition, s: int, e: int, /) -> Ints:
        """φ_p(s,e) with the left context of its score."""


Example = tuple[ChunkSentence, frozenset[Phrase]]


def learn_epoch(chunker: TrainableChunker, examples: Iterable[Example]) -> Errors:
    """Run one pass over sentences with their gold phrases; the sentences with an error are counted."""
    errors = Errors()
    for x, gold in examples:
        seen = chunker.recognise(x)
        chunker.tick(x, seen)
        if frozenset(seen.phrases) != gold:
            errors.sequences += 1
            give_feedback(chunker, x, seen, gold)
    return errors


def give_feedback(chunker: TrainableChunker, x: ChunkSentence, seen: Recognition, gold: frozenset[Phrase]) -> None:
    """Update the functions responsible for the mistakes."""
    predicted, begin, inside = frozenset(seen.phrases), seen.begin, seen.inside

    for s, e, k in sorted(gold - predicted):  # missed
        if begin[s] <= 0:
            chunker.begin.add(chunker.word(x, s), +1)
        blocked = [i for i in range(s + 1, e + 1) if inside[i] <= 0]
        for i in blocked:
            chunker.inside.add(chunker.word(x, i), +1)
        if begin[s] > 0 and not blocked and e - s < LONGEST_CHUNK:
            chunker.score[k].add(chunker.phrase(x, seen, s, e), +1)

    gold_begin = {s for s, _, _ in gold}
    gold_inside = {i for s, e, _ in gold for i in range(s + 1, e + 1)}
    for s, e, k in sorted(predicted - gold):  # over-predicted
        chunker.score[k].add(chunker.phrase(x, seen, s, e), -1)
        if s not in gold_begin:
            chunker.begin.add(chunker.word(x, s), -1)
        for i in range(s + 1, e + 1):
            if i not in gold_inside:
                chunker.inside.add(chunker.word(x, i), -1)


def check(settings: Mapping[str, Any]) -> None:
    """Refuse settings of templates."""
    for key in sorted(COMMON - {"tolerance"}):
        if settings.get(key):
            raise SettingError(f"{key}: the chunker has features of its own and does not use this setting")


LEARNER = Learner(
    name="chunker",
    kind="chunker",
    epoch=learn_epoch,
    source="Carreras, Màrquez and Padró (2003), section 3.1",
    settings=(
        Setting("chunker.degree", 2, "the degree of the polynomial kernel", least=1, most=9),
        Setting(
            "chunker.context",
            "best",
            "what a phrase sees of the phrases to its left",
            choices=("best", "exact", "none"),
        ),
        Setting("chunker.word_window", 3, "words to both sides of a word", least=0, most=5),
        Setting("chunker.phrase_window", 3, "words before and after a phrase", least=0, most=5),
        Setting("chunker.word", "", "the column of words, e.g. lemma; empty: the form"),
        Setting("chunker.columns", ("pos",), "further columns to look at"),
        Setting("chunker.visible", 40, "per cent of the gazetteer that training sees", least=0, most=100),
    ),
    uses=frozenset(),
    check=check,
)
