"""A tokeniser made ready: it finds tokens, words and sentences, and labels characters as other models label tokens."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from perceptag import _core
from perceptag.arrays import Bytes, cut, np, offset_view, offsets
from perceptag.errors import ModelError, NotOfferedError, brief, reading_model
from perceptag.features.dataset import SequenceReader
from perceptag.models.model import Model
from perceptag.models.protocol import ABILITIES, ReadyModel
from perceptag.models.tokenizer.characters import BETWEEN, CHARACTER, LABELS, NAMES, text_of
from perceptag.models.tokenizer.known_words import known_words_of
from perceptag.models.tokenizer.multiword import MultiwordTokens
from perceptag.models.tokenizer.packing import Alphabet, Earlier
from perceptag.models.tokenizer.user_rules import FACTS, UserRules, rules_of
from perceptag.models.tokenizer.word_facts import table_of
from perceptag.text.raw_text import parts
from perceptag.text.sentence import Sentence
from perceptag.text.token_places import TokenPlaces
from perceptag.text.tokens import Passage, joined

if TYPE_CHECKING:
    import numpy.typing as npt

    from perceptag.models.margins import Margins

KIND = "tokenizer"
JOINS = "joins"  # the fact whether tokens may have white space inside: whether one of the training data has


class TokenizerModel(ReadyModel):
    """Splits running text into sentences, tokens and words."""

    def __init__(self, model: Model) -> None:
        if not set(model.label_set.names) <= set(NAMES):
            raise ModelError(f"labels: expected some of {', '.join(NAMES)}, found {', '.join(model.label_set.names)}")
        joins = model.facts.get(JOINS)
        if not isinstance(joins, bool):
            raise ModelError(f"facts.{JOINS}: expected true or false, found {brief(joins)}")
        self.model = model
        self.reader = SequenceReader([CHARACTER])
        self.rules = rules_of(model.facts)
        self.multiword = MultiwordTokens.of_facts(model.facts)
        self.words = table_of(model)
        lexicon = known_words_of(model)
        self.alphabet = Alphabet(self.words.native() if self.words else None, lexicon.native() if lexicon else None)
        self.features = Earlier.of(model)
        with reading_model("features"):
            self.segmenter = _core.Segmenter(self.features.keys, self.features.weights, joins)

    # --- running text ---

    def tokenize(self, text: str, start: int = 0) -> Passage:
        """Cut a text into sentences. `start` is its place in a larger one."""
        found: list[Passage] = []
        for part in parts([text]):
            found.append(self.tokenize_part(part, start))
            start += len(part)
        return joined(found)

    def tokenize_part(self, text: str, start: int = 0) -> Passage:
        """The same for a text of at most one long paragraph, as `parts` cuts it."""
        runs = self.alphabet.runs(text, self.rules.paragraphs(text))
        begin, end, kinds, cuts = self.segmenter.tokens(runs, self._changed_labels(text, runs))
        passage = TokenPlaces(text, start, begin, end, cuts).passage(kinds)
        return self.multiword.expanded(passage) if self.multiword else passage

    def _changed_labels(self, text: str, runs: _core.RunText) -> Bytes | None:
        """The labels of a text with the changes that the user wants; None: there are none to make."""
        if not self.rules.changes_labels:
            return None
        labels = self.segmenter.labels(runs)
        self.rules.change(text, labels)
        return labels

    def with_rules(self, rules: UserRules) -> TokenizerModel:
        """Return this model with other rules of the user, which its file will hold."""
        others = {name: value for name, value in self.model.facts.items() if name != FACTS}
        found = copy.copy(self)
        found.model, found.rules = replace(self.model, facts=others | rules.to_facts()), rules
        return found

    # --- characters as tokens ---

    def tag(self, sentences: Sequence[Sentence], threads: int = 1) -> list[list[str]]:  # noqa: ARG002 - one is enough
        """The labels of characters. The sentences are parts of one text."""
        labels = [NAMES[code] for code in self.segmenter.labels(self.alphabet.runs(text_of(sentences))).tolist()]
        return cut(labels, offset_view(map(len, sentences)))

    def margins_of_batch(self, sentences: Sequence[Sentence], threads: int = 1) -> list[Margins]:
        """The labels of characters, and by how much they win; white space always does."""
        from perceptag.models.margins import MarginsOfScores  # texts are cut without it

        text = text_of(sentences)
        scores = self._scores(text, threads)
        labels = self.tag(sentences)
        ids = np.array([NAMES.index(label) for sentence in labels for label in sentence], np.int32)
        begin = offsets([len(s) for s in sentences])
        return MarginsOfScores(self.model.label_set)(scores, ids, begin, labels)

    def _scores(self, text: str, threads: int) -> npt.NDArray[np.float32]:
        """The score of each label of each character, [characters, L + 1]; minus infinity where it is impossible."""
        runs = self.alphabet.runs(text)
        index = _core.KeyIndex(_core.RunText("", _core.Alphabet()), 1, self.features.keys)
        corpus = index.encode(runs, np.array([0, len(text)], np.int64), np.zeros(0, np.uint8))
        weights = _core.Weights(len(LABELS), False, False)
        weights.make_dense(0, len(index))
        weights.set(0, np.asarray(self.features.weights).ravel(), np.zeros(0))
        scores = np.full((len(text), len(NAMES)), -np.inf, np.float32)
        is_white = np.fromiter((c.isspace() for c in text), np.bool_, len(text))
        scores[is_white, NAMES.index(BETWEEN)] = 0
        found = _core.max_marginals(weights, corpus, None, threads)
        scores[~is_white, : len(LABELS)] = found.reshape(-1, len(LABELS))
        return scores

    def known_words(self) -> None:
        """Characters are not words."""

    def not_offered(self, ability: str) -> NotOfferedError:
        """Return the error for an ability of models that tag. (Features are stored as fingerprints, without names.)"""
        return NotOfferedError.by("a tokeniser", ABILITIES[ability].what, "models that tag")
