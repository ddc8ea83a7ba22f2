"""A chunker made ready to tag and to explain."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Container, Sequence

from perceptag import _core
from perceptag.errors import SettingError
from perceptag.labels.schemes import Span
from perceptag.models.chunker.explain import ChunkExplainer, ChunkExplanation
from perceptag.models.chunker.feature_names import ChunkFeatureNames
from perceptag.models.chunker.margins import chunk_margins, nbest
from perceptag.models.chunker.model import decoder, stored_entries, to_labels, unpack
from perceptag.models.chunker.phrase_rules import NO_RULES, PhraseRules, phrase_rules
from perceptag.models.margins import LIMIT, Margins
from perceptag.models.model import Model
from perceptag.models.protocol import Ranked, ReadyModel
from perceptag.text.sentence import Sentence, has_rules


class ChunkTagger(ReadyModel):
    """Tags sentences with a chunker."""

    offers = frozenset({"rules", "suggest", "nbest", "explain", "outside-score"})

    def __init__(self, model: Model) -> None:
        self.model = model
        recipe = model.recipe
        windows = recipe.own["chunker.word_window"], recipe.own["chunker.phrase_window"]
        self.encoder, layers, self.functions = unpack(model.arrays, model.facts, windows, recipe.own["chunker.degree"])
        self.categories: list[str] = model.facts["categories"]
        words, phrases = map(decoder, self.functions)
        self.reader = self.encoder.reader
        self._names: ChunkFeatureNames | None = None
        self._lock = threading.Lock()
        self.layers = dataclasses.replace(layers, words=words, phrases=phrases, context=recipe.own["chunker.context"])

    def entries(self) -> dict[tuple[str, ...], list[int]]:
        """Return the phrases of the gazetteer with the numbers of their categories."""
        words = self.encoder.vocabularies.word
        return stored_entries(self.model.arrays, words, len(self.categories))

    def set_outside_score(self, score: float) -> None:
        """Set the score of words outside phrases.

        Phrases, and words that pass the filters, must score higher.
        """
        decisions, unit = (max(1.0, function.clock) for function in self.functions)
        self.layers = dataclasses.replace(self.layers, outside=(score * unit, score * decisions))

    def tag(self, sentences: Sequence[Sentence], threads: int = 1) -> list[list[str]]:
        encoded = self.encoder.encode(sentences)
        found = self.layers.recognise_all(encoded, threads)
        if has_rules(sentences):
            for i, (x, s) in enumerate(zip(encoded.sentences(), sentences, strict=True)):
                found[i] = list(nbest(self.layers, x, 1, self._rules(s))[0][1]) if s.rules else found[i]
        return [
            to_labels(self.model.label_set, phrases, len(sentence), self.categories)
            for phrases, sentence in zip(found, sentences, strict=True)
        ]

    def margins_of_batch(
        self,
        sentences: Sequence[Sentence],
        threads: int = 1,  # noqa: ARG002 - phrases are compared in Python, one sentence after the other
    ) -> list[Margins]:
        """The labels of each sentence, and by how much its phrases win."""
        return [self._margins(x, s) for x, s in zip(self._encoded(sentences), sentences, strict=True)]

    def _margins(self, x: _core.ChunkSentence, sentence: Sentence) -> Margins:
        found = chunk_margins(self.layers, x, self._rules(sentence))
        decisions, unit = (max(1.0, function.clock) for function in self.functions)
        words = [
            _finite(margin / unit) if kept_out is None else kept_out / decisions
            for margin, kept_out in zip(found.of_words, found.filters, strict=True)
        ]
        marked = [
            (Span(s, e + 1, self.categories[k]), _finite(margin / unit))
            for (s, e, k), margin in zip(found.phrases, found.of_phrases, strict=True)
        ]
        return Margins(to_labels(self.model.label_set, found.phrases, len(sentence), self.categories), words, marked)

    def _rules(self, sentence: Sentence) -> PhraseRules:
        if not sentence.rules:
            return NO_RULES
        return phrase_rules(sentence, self.categories, max(1.0, self.functions[1].clock))

    def _encoded(self, sentences: Sequence[Sentence]) -> list[_core.ChunkSentence]:
        return self.encoder.encode(sentences).sentences()

    def nbest(
        self,
        sentences: Sequence[Sentence],
        n: int,
        threads: int = 1,  # noqa: ARG002 - lists are made in Python, one sentence after the other
    ) -> list[Ranked]:
        """The n best labellings of each sentence with their scores, the best first."""
        if n < 1:
            raise SettingError(f"n: expected a number from 1, found {n}")
        unit = max(1.0, self.functions[1].clock)
        return [
            [
                (to_labels(self.model.label_set, phrases, len(x), self.categories), score / unit)
                for score, phrases in nbest(self.layers, x, n, self._rules(s))
            ]
            for x, s in zip(self._encoded(sentences), sentences, strict=True)
        ]

    def explain(self, document: Sequence[Sentence]) -> list[ChunkExplanation]:
        """Which phrases were found, which words allowed them, and what contributed to their scores.

        A chunker looks at each sentence alone, even within a document.
        """
        names, label_set = self.feature_names, self.model.label_set
        explainer = ChunkExplainer(self.layers, self.functions, label_set, self.categories, names)
        return [
            explainer.explain(x, s.tokens, self._rules(s))
            for x, s in zip(self._encoded(document), document, strict=True)
        ]

    @property
    def feature_names(self) -> ChunkFeatureNames:
        """The names of the features of phrases, made when they are first needed."""
        with self._lock:
            if self._names is None:
                features = self.layers.features
                self._names = ChunkFeatureNames(self.encoder, features, features.phrase_keys, self.categories)
            return self._names

    def known_words(self) -> Container[str] | None:
        return self.encoder.vocabularies.word if self.encoder.word == self.encoder.form else None


def _finite(margin: float) -> float:
    """Return a margin, or `LIMIT` if rules leave no rival. Kernels of high degree give margins beyond it."""
    return LIMIT if margin == float("inf") else margin
