"""Training of lemmatizers: the learners of linear models, over the different words of the training data.

A word with its tags is one sequence, however often the data has it: what is to be learned is the lemmas of words that
the data does not have. Words whose script no other word has are left to the dictionary.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from perceptag import _core
from perceptag.arrays import Ints
from perceptag.errors import ModelError, SettingError
from perceptag.features.dataset import Dataset, SequenceReader
from perceptag.features.template import Template
from perceptag.labels.edit_scripts import script_of
from perceptag.labels.label_set import labels_of
from perceptag.models.lemmatizer.dictionary import LemmaDictionary, Row
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
    *("tag_dictionary", "constrain", "labels_missing", "gazetteer", "crfpp", "unit", "margins", "inner_folds"),
    *("recall", "augment_lower", "augment_upper", "augment_title"),
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

    def tag_dev(self, snapshot: Vectors) -> list[list[str]]:
        """The lemmas of the dev sentences."""
        corpus, dictionary = self.unknown_words
        scripts = _core.decode(snapshot[0], corpus, dictionary, self.task.threads).tolist() if self.unknown else []
        found = {row: self.index.lemma(script, row[0]) for row, script in zip(self.unknown, scripts, strict=True)}
        lemmas = iter([found[row] if row in found else self.lemmas.find(row) or "" for row in self.heldout_rows])
        return [[next(lemmas) for _ in sentence.tokens] for sentence in self.heldout]

    def pack(self, snapshot: Vectors) -> tuple[Arrays, dict[str, Any]]:
        arrays, facts = super().pack(snapshot)
        return arrays | self.lemmas.to_arrays(), facts | {"kind": KIND}


def _columns_of(templates: Sequence[Template]) -> list[str]:
    """Return the columns of templates; refuse those that look beyond a word."""
    for template in templates:
        if template.context or any(field.offset for field in template.fields):
            raise SettingError(
                f"template '{template}': a lemmatizer (labels.scheme = 'edits') looks at one word; expected [0] alone"
            )
    return list(dict.fromkeys(field.column for template in templates for field in template.fields))
