"""Training of tokenisers: the learners of linear models, over the characters of the training text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from perceptag import _core
from perceptag.models.linear.mixing import mixed_passes
from perceptag.models.linear.orders import ordered_passes
from perceptag.models.linear.trainer import LinearTrainer, Vectors, check_units
from perceptag.models.model import Arrays
from perceptag.models.task import Task
from perceptag.models.tokenizer.characters import BETWEEN, LABELS, NAMES, codes_of, has_joined, text_of
from perceptag.models.tokenizer.known_words import KnownWords, WordFolds, known_words_of, needs_known_words
from perceptag.models.tokenizer.model import JOINS, KIND
from perceptag.models.tokenizer.multiword import MultiwordTokens
from perceptag.models.tokenizer.packing import Alphabet, Earlier, pack
from perceptag.models.tokenizer.word_facts import WordTable, count_words, table_of
from perceptag.models.trainer import check_kind
from perceptag.text.sentence import Sentence

_NONE = np.zeros(0, np.uint8)
# Settings of features and labels, which are fixed here, and of choices that a tokeniser does not have.
FIXED = (
    *("templates", "attributes", "gazetteer", "tag_dictionary", "constrain", "labels_keep", "labels_repair"),
    *("labels_missing", "recall", "margins", "inner_folds", "classes", "augment_lower"),
    *("augment_upper", "augment_title", "spans_longest"),
)


class TokenizerTrainer(LinearTrainer):
    """A `Trainer` for recipes with ``unit = "text"``. One sequence is a sentence: its characters without white space.

    Everything that happens between two passes is that of linear models; the features are those of characters.
    """

    def __init__(self, task: Task) -> None:
        check_units(task, "unit = 'text'", "a tokeniser", FIXED)
        check_kind(task, KIND)
        self.task = task
        self.multiword = MultiwordTokens.of_sentences(task.train)
        self.words = words_for(task)
        self.lexicon = known_words_for(task)
        self.alphabet = Alphabet(
            self.words.native() if self.words else None, self.lexicon.native() if self.lexicon else None
        )
        earlier = Earlier.of(task.start) if task.start else None
        text, begin = self._training_text(task.train, task.copies)
        first = earlier.keys if earlier else np.zeros(0, np.uint64)
        self.index = self._find_keys(text, first)
        codes = codes_of(task.train)
        self.joins = has_joined(codes)
        corpus = self.index.encode(text, begin, codes)
        self.weights = self._make_weights(corpus, earlier)
        self.learner = task.recipe.declaration
        self.dictionary = None
        self.learner_state = self._make_state()
        self.active = corpus.active
        self.sequences = self.learned = [corpus[i] for i in range(len(corpus))]
        self.mixed = mixed_passes(task, self.weights, corpus)
        self.orders = ordered_passes(task.recipe, self.weights, task.threads)
        self.snapshots: Vectors = []
        self.wrong_labels: list[int] = []
        self.latent = {}  # every label is known
        self.dev_corpus = self._encode_dev()

    @property
    def L(self) -> int:
        """The number of labels that the core knows."""
        return len(LABELS)

    def _find_keys(self, text: _core.RunText, first: npt.NDArray[np.uint64]) -> _core.KeyIndex:
        """The features that are frequent enough. What a sentence and its copy have in common counts once."""
        cutoff, copies = max(1, self.task.recipe.cutoff), self.task.copies
        if copies:
            first = _core.KeyIndex(self._training_text(self.task.train[:-copies])[0], cutoff, first).keys
        return _core.KeyIndex(text, cutoff + bool(copies), first)

    def _text(self, sentences: Sequence[Sentence]) -> tuple[_core.RunText, Any]:
        """The text of all sentences, and where each begins."""
        begin = np.cumsum([0, *map(len, sentences)], dtype=np.int64)
        return self.alphabet.runs(text_of(sentences)), begin

    def _training_text(self, sentences: Sequence[Sentence], copies: int = 0) -> tuple[_core.RunText, Any]:
        """The same for training data, in which a word is known only if it occurs elsewhere, too."""
        text, begin = self._text(sentences)
        if self.lexicon and not self.task.start:
            for first, last, others in WordFolds(sentences, copies).known_words():
                text.match_words(others.native(), int(begin[first]), int(begin[last]))
        return text, begin

    def _make_weights(self, corpus: _core.Corpus, earlier: Earlier | None) -> _core.Weights:
        """Zero weights, or those of an earlier model, whose features come first."""
        weights, rows = _core.Weights(self.L, False, False), len(self.index)
        weights.make_dense(0, rows)
        if self.task.recipe.support == "gold" and not earlier:
            support = _core.count_support(corpus, 0, rows, self.L)
            weights.make_compact(0, support.begin, support.codes)
        if earlier:
            w = np.zeros((rows, self.L), np.float32)
            w[: len(earlier.keys)] = earlier.weights
            weights.set(0, w.ravel(), np.zeros(w.size))
        return weights

    def _encode_dev(self) -> _core.Corpus | None:
        if self.task.dev is None:
            return None
        text, begin = self._text(self.task.dev)
        return self.index.encode(text, begin, _NONE)

    def tag_dev(self, snapshot: Vectors) -> list[list[str]]:
        assert self.dev_corpus is not None and self.task.dev is not None
        ids = iter(_core.decode(snapshot[0], self.dev_corpus, None, self.task.threads).tolist())
        return [
            [BETWEEN if c.isspace() else NAMES[next(ids)] for c in sentence.columns["form"]]
            for sentence in self.task.dev
        ]

    def pack(self, snapshot: Vectors) -> tuple[Arrays, dict[str, Any]]:
        known = [table.to_arrays() for table in (self.words, self.lexicon) if table]
        return {**pack(self.index, snapshot[0]), **{name: array for some in known for name, array in some.items()}}, {
            "kind": KIND,
            JOINS: self.joins,
            **self.multiword.to_facts(),
        }


def words_for(task: Task) -> WordTable | None:
    """Return what the model to continue from, or plain text and lists, tell of words; None: features do not ask."""
    recipe = task.recipe
    if task.start is not None:
        return table_of(task.start)
    if not (recipe.tokens_patterns or recipe.tokens_text or recipe.tokens_abbreviations):
        return None
    return WordTable.of_counts(count_words(recipe.tokens_text, recipe.tokens_abbreviations))


def known_words_for(task: Task) -> KnownWords | None:
    """Return the words of the model to continue from, or of the training data; None: spaces separate words."""
    if task.start is not None:
        return known_words_of(task.start)
    if not needs_known_words(task.train):
        return None
    return KnownWords.of_words(WordFolds(task.train, task.copies).words())
