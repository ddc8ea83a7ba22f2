"""Training of lemmatizers: the learners of linear models, over the different words of the training data.

A word with its tags is one sequence, however often the data has it: what is to be learned is the lemmas of words that
the data does not have. Words whose script no other word has are left to the dictionary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from perceptag import _core
from perceptag.arrays import Ints
from perceptag.errors import ModelError, SettingError
from perceptag.features.dataset import Dataset, SequenceReader
from perceptag.features.template import Template
from perceptag.labels.edit_scripts import script_of
from perceptag.labels.label_set import labels_of
from perceptag.models.lemmatizer.dictionary import LemmaDictionary, Row
from perceptag.models.lemmatizer.known_lemmas import FACT, KnownLemmas, Scores, chosen_head_start
from perceptag.models.lemmatizer.script_index import ScriptIndex
from perceptag.models.lemmatizer.tagger import (
    KIND,
    WORDS,
    columns_first_words,
    rows_of,
    scripts_as_labels,
    word_sentence,
)
from perceptag.models.linear.encoded_task import EncodedTask, read_templates
from perceptag.models.linear.trainer import LinearTrainer, Vectors, check_units, encode_parts
from perceptag.models.model import Arrays
from perceptag.models.task import Task
from perceptag.text.sentence import Sentence

# Settings of sequences, and of labels of other kinds.
UNUSED = (
    *("tag_dictionary", "constrain", "labels_missing", "gazetteer", "unit", "margins", "inner_folds"),
    *("recall", "augment_lower", "augment_upper", "augment_title", "spans_longest"),
)


class EncodedWords(EncodedTask):
    """Words, each of which may have only the scripts that can be applied to it."""

    def _find_closed(self, data: Dataset) -> Ints:
        index = ScriptIndex(self.task.label_set.names)
        self.dictionary, found = index.restrict(chain.from_iterable(data.columns[WORDS]))
        return found


class LemmaTrainer(LinearTrainer):
    """A `Trainer` for recipes with ``labels.scheme = "edits"``. One sequence is a word with its tags."""

    def __init__(self, task: Task) -> None:
        check_units(task, "labels.scheme = 'edits'", "a lemmatizer", UNUSED)
        if task.start is not None:
            raise ModelError("a lemmatizer (labels.scheme = 'edits') is trained on all of its data, not from a model")
        self.columns = columns_first_words(_columns_of(read_templates(task)))
        lemmas = chain.from_iterable(labels_of(s, task.label_set.column) for s in task.train)
        self.lemmas = LemmaDictionary.of(self._rows(task.train), lemmas)
        words = replace(task, train=self._words(task), dev=None, label_set=scripts_as_labels(task.label_set))
        super().__init__(words, encode_parts(words, encode=EncodedWords))
        self.sequences_in_a_pass = len(self.sequences)
        self.index = ScriptIndex(task.label_set.names)
        self.heldout = list(task.dev or ())
        self.heldout_rows = self._rows(self.heldout)
        self.unknown = [row for row in dict.fromkeys(self.heldout_rows) if self.lemmas.find(row) is None]
        self.unknown_words = self._encode(self.unknown)
        self.known = KnownLemmas(self.lemmas.lemmas, self.index)
        self.right = self._right_scripts(chain.from_iterable(labels_of(s, task.label_set.column) for s in self.heldout))

    def _rows(self, sentences: Sequence[Sentence]) -> list[Row]:
        return rows_of(SequenceReader(self.columns).read(sentences).columns, self.columns)

    def _words(self, task: Task) -> list[Sentence]:
        """The words whose script is among those of the model, each with its script as its label."""
        scripts, column = frozenset(task.label_set.names), task.label_set.column
        found = ((row, script_of(row[0], lemma)) for row, lemma in self.lemmas.lemmas.items())
        return [word_sentence(self.columns, row, **{column: script}) for row, script in found if script in scripts]

    def _encode(self, rows: Sequence[Row]) -> tuple[_core.Corpus, _core.TagDictionary]:
        """Words as sequences, and the scripts that they may have."""
        dictionary, closed = self.index.restrict(row[0] for row in rows)
        columns = {name: [[row[i]] for row in rows] for i, name in enumerate(self.columns)}
        begin = np.arange(len(rows) + 1, dtype=np.int32)
        return self.encoder.encode(columns, begin, closed=closed, threads=self.task.threads), dictionary

    def _right_scripts(self, lemmas: Iterable[str]) -> list[Counter[int]]:
        """How often each script is right for the unknown words of the dev data."""
        golds: dict[Row, Counter[str]] = {row: Counter() for row in self.unknown}
        for row, lemma in zip(self.heldout_rows, lemmas, strict=True):
            if row in golds:
                golds[row][lemma] += 1
        return [
            Counter({script: golds[row][self.index.lemma(script, row[0])] for script in self.index(row[0])})
            for row in self.unknown
        ]

    def _scores(self, snapshot: Vectors) -> Scores:
        """The scores of all scripts for the unknown words of the dev data."""
        corpus, dictionary = self.unknown_words
        found = _core.max_marginals(snapshot[0], corpus, dictionary, self.task.threads)
        return found.reshape(len(self.unknown), -1)

    def _head_start(self, scores: Scores) -> float:
        return chosen_head_start(scores, self.mask, self.right)

    @cached_property
    def mask(self) -> npt.NDArray[np.bool_]:
        """Where a script that can be applied makes a known lemma."""
        possible = np.full((len(self.unknown), len(self.index.scripts)), -np.inf, np.float32)
        for i, row in enumerate(self.unknown):
            possible[i, list(self.index(row[0]))] = 0
        return self.known.mask(self.unknown, possible)

    def tag_dev(self, snapshot: Vectors) -> list[list[str]]:
        """The lemmas of the dev sentences."""
        scripts: list[int] = []
        if self.unknown:
            scores = self._scores(snapshot)
            favoured = np.where(self.mask, scores + np.float32(self._head_start(scores)), scores)
            scripts = favoured.argmax(axis=1).tolist()
        found = {row: self.index.lemma(script, row[0]) for row, script in zip(self.unknown, scripts, strict=True)}
        lemmas = iter([found[row] if row in found else self.lemmas.find(row) or "" for row in self.heldout_rows])
        return [[next(lemmas) for _ in sentence.tokens] for sentence in self.heldout]

    def pack(self, snapshot: Vectors) -> tuple[Arrays, dict[str, Any]]:
        arrays, facts = super().pack(snapshot)
        head_start = self._head_start(self._scores(snapshot)) if self.unknown else 0
        known = {FACT: head_start} if head_start else {}
        return arrays | self.lemmas.to_arrays(), facts | {"kind": KIND} | known


def _columns_of(templates: Sequence[Template]) -> list[str]:
    """Return the columns of templates; refuse those that look beyond a word."""
    for template in templates:
        if template.context or any(field.offset for field in template.fields):
            raise SettingError(
                f"template '{template}': a lemmatizer (labels.scheme = 'edits') looks at one word; expected [0] alone"
            )
    return list(dict.fromkeys(field.column for template in templates for field in template.fields))
