"""A lemmatizer made ready: the dictionary first, then the best edit script that can be applied to the word.

Scripts that make a known lemma have a head start.

What it says depends on a word and its tags alone, so it is worked out once for each of them.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Container, Iterable, Sequence
from itertools import chain

from perceptag.arrays import Ints, cut, np
from perceptag.errors import DataError, ModelError, NotOfferedError
from perceptag.features.fixed_encoder import TypedColumns
from perceptag.labels.label_set import LabelSet
from perceptag.models.given import restrict_to
from perceptag.models.lemmatizer.dictionary import LemmaDictionary, Row
from perceptag.models.lemmatizer.known_lemmas import KnownLemmas, head_start_of
from perceptag.models.lemmatizer.script_index import ScriptIndex
from perceptag.models.linear.tagger import LinearTagger
from perceptag.models.margins import LIMIT, Margins
from perceptag.models.model import Model
from perceptag.models.protocol import ABILITIES, Attributes, ReadyModel, TopWeights
from perceptag.text.sentence import Sentence

KIND, WORDS = "lemmatizer", "form"
AT_ONCE = 1_000  # words that are searched together
MOST_WORDS = 200_000  # that are remembered


class Lemmatizer(ReadyModel):
    """Gives words their lemmas."""

    offers = frozenset({"top-weights"})

    def __init__(self, model: Model, attributes: Attributes | None = None) -> None:
        self.model = model
        self.linear = LinearTagger(_linear(model), attributes)
        self.reader = self.linear.reader
        self.columns = columns_first_words(self.reader.columns)
        if self.reader.given != list(self.reader.columns):
            raise ModelError(f"templates: expected columns of the data alone, found {', '.join(self.reader.columns)}")
        try:
            self.index = ScriptIndex(model.label_set.names)
        except DataError as error:
            raise ModelError(f"labels: {error}") from error
        self.dictionary = LemmaDictionary.from_arrays(model.arrays, len(self.columns))
        self.known = KnownLemmas(self.dictionary.lemmas, self.index)
        self.head_start = head_start_of(model.facts)
        self._found: dict[Row, str] = {}

    def tag(self, sentences: Sequence[Sentence], threads: int = 1) -> list[list[str]]:
        """The lemmas of each sentence."""
        data = self.reader.read(sentences)
        rows = rows_of(data.columns, self.columns)
        found = self._lemmas(dict.fromkeys(rows), threads)
        return cut([found[row] for row in rows], data.begin)

    def _lemmas(self, rows: Iterable[Row], threads: int) -> dict[Row, str]:
        """The lemmas of different words with their tags."""
        if len(self._found) > MOST_WORDS:
            self._found = {}
        known = self._found
        found = {row: known.get(row) or self.dictionary.find(row) for row in rows}
        others = [row for row, lemma in found.items() if lemma is None]
        for first in range(0, len(others), AT_ONCE):
            some = others[first : first + AT_ONCE]
            for row, script in zip(some, self._scripts(some, threads), strict=True):
                known[row] = found[row] = self.index.lemma(script, row[0])
        return {row: lemma or "" for row, lemma in found.items()}

    def _scripts(self, rows: Sequence[Row], threads: int) -> list[int]:
        restricted, words = self._restricted(rows)
        found: list[int]
        if self.head_start:
            scores = restricted.mean_max_marginals(restricted.reader.read(words), threads)
            found = self.known.favoured(rows, scores, self.head_start).argmax(axis=1).tolist()
        else:
            found = restricted.label_ids(words, threads).tolist()
        return found

    def _restricted(self, rows: Sequence[Row]) -> tuple[LinearTagger, list[Sentence]]:
        """The model that only gives scripts that can be applied, and words as sentences."""
        masks = [[frozenset(self.index(row[0]))] for row in rows]
        words = [word_sentence(self.columns, row) for row in rows]
        model, held = restrict_to(self.linear, words, masks, frozenset(), words=False)
        assert isinstance(model, LinearTagger)
        return model, held

    def margins_of_batch(self, sentences: Sequence[Sentence], threads: int = 1) -> list[Margins]:
        """The lemmas, and by how much their scripts win; words of the dictionary have no rival."""
        data = self.reader.read(sentences)
        rows = rows_of(data.columns, self.columns)
        others = [row for row in dict.fromkeys(rows) if self.dictionary.find(row) is None]
        wins = dict(zip(others, self._wins(others, threads), strict=True)) if others else {}
        margins = cut([wins.get(row, LIMIT) for row in rows], data.begin)
        return [Margins(y, own, []) for y, own in zip(self.tag(sentences, threads), margins, strict=True)]

    def _wins(self, rows: Sequence[Row], threads: int) -> list[float]:
        """By how much the best script of each word wins."""
        restricted, words = self._restricted(rows)
        if not self.head_start:
            return [margins.tokens[0] for margins in restricted.margins_of_batch(words, threads)]
        scores = restricted.mean_max_marginals(restricted.reader.read(words), threads)
        favoured = np.sort(self.known.favoured(rows, scores, self.head_start, math.inf), axis=1)
        second = favoured[:, -2] if favoured.shape[1] > 1 else np.full(len(rows), -np.inf)
        found: list[float] = np.minimum(favoured[:, -1] - second, LIMIT).tolist()
        return found

    # --- running text as numbers ---

    takes_typed_text = True

    def tag_types(
        self, columns: TypedColumns, begin: Ints, threads: int = 1, documents: Ints | None = None
    ) -> tuple[Sequence[str], Ints]:
        del begin, documents
        numbers = np.stack([columns[name][1] for name in self.columns])
        different, which = np.unique(numbers, axis=1, return_inverse=True)
        values = [columns[name][0] for name in self.columns]
        rows = [tuple(own[i] for own, i in zip(values, row, strict=True)) for row in different.T.tolist()]
        lemmas = self._lemmas(dict.fromkeys(rows), threads)
        names = {lemma: i for i, lemma in enumerate(dict.fromkeys(lemmas.values()))}
        return list(names), np.array([names[lemmas[row]] for row in rows], np.int32)[which.ravel()]

    # --- what it looks at ---

    def known_words(self) -> Container[str] | None:
        return {row[0] for row in self.dictionary.lemmas}

    def top_weights(self, n: int) -> TopWeights:
        return self.linear.top_weights(n)

    def not_offered(self, ability: str) -> NotOfferedError:
        return NotOfferedError.by("a lemmatizer", ABILITIES[ability].what, "models that label sequences")


def columns_first_words(columns: Sequence[str]) -> list[str]:
    """Return the columns that a lemmatizer reads, the words first."""
    return list(dict.fromkeys([WORDS, *columns]))


def rows_of(columns: dict[str, Sequence[Sequence[str]]], names: Sequence[str]) -> list[Row]:
    """Return the words and tags of all tokens."""
    return list(zip(*(chain.from_iterable(columns[name]) for name in names), strict=True))


def word_sentence(columns: Sequence[str], row: Row, **more: str) -> Sentence:
    """Return a word with its tags as a sentence."""
    return Sentence({name: [value] for name, value in (*zip(columns, row, strict=True), *more.items())})


def scripts_as_labels(label_set: LabelSet) -> LabelSet:
    """Return the label set of the linear model inside a lemmatizer, whose labels are the scripts."""
    return dataclasses.replace(label_set, inner="none")


def _linear(model: Model) -> Model:
    return dataclasses.replace(
        model, label_set=scripts_as_labels(model.label_set), facts={**model.facts, "kind": "linear"}
    )
