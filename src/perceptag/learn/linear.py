"""Training of linear models over a lattice: encodes the data and runs the learner that the recipe names."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from perceptag import _core
from perceptag.dataset import Dataset, computed_columns, make_dataset
from perceptag.encoder import Encoder, Ints
from perceptag.features import gazetteer
from perceptag.features.crfpp import read_file
from perceptag.features.template import Template, check_columns, parse_all
from perceptag.learn import perceptron, voted
from perceptag.learn.task import Task
from perceptag.linear import BLOCKS, ClosedWords, make_weights, pack
from perceptag.model import Arrays
from perceptag.outer_labels import OuterLabels
from perceptag.text.sentence import Sentence
from perceptag.vote import vote

Vectors = list[_core.Weights]  # one weight vector, or several that vote


class LinearTrainer:
    """A `Trainer` for the perceptron family."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.gazetteer = gazetteer.read_gazetteer(task.recipe.gazetteer)
        self.templates = _templates(task)
        self.encoder = Encoder(self.templates, task.attributes)
        data = self._dataset(task.train)
        minimum = task.recipe.tag_dictionary
        self.closed = ClosedWords.learn(data.columns["form"], data.labels, minimum) if minimum else None
        self.dictionary = _core.TagDictionary(self.closed.entries, self.L) if self.closed else None
        corpus = self.encoder.encode_new(data.columns, data.begin, data.labels, self._find_closed(data))
        self.weights = make_weights(self.encoder, corpus, self.L, task.recipe)
        if task.recipe.constrain:
            self.weights.constrain(*task.labelling.mask())
        self.active = corpus.active
        self.sequences = [corpus[i] for i in range(len(corpus))]
        self.snapshots: Vectors = []
        self.dev = self._encode_dev(task.dev) if task.dev is not None else None

    @property
    def L(self) -> int:
        """The number of labels."""
        return len(self.task.labelling.names)

    def _dataset(self, sentences: Sequence[Sentence], labelled: bool = True) -> Dataset:
        extra = ["form"] if self.task.recipe.tag_dictionary else []
        labelling = self.task.labelling if labelled else None
        return make_dataset(sentences, [*self.encoder.columns, *extra], labelling, computed_columns(self.gazetteer))

    def _find_closed(self, data: Dataset) -> Ints:
        return self.closed.find(data.columns["form"]) if self.closed else np.zeros(0, np.int32)

    def _encode_dev(self, sentences: Sequence[Sentence]) -> tuple[_core.Corpus, Ints]:
        data = self._dataset(sentences, labelled=False)
        closed = self._find_closed(data)
        corpus = self.encoder.encode(data.columns, data.begin, closed=closed, threads=self.task.threads)
        return corpus, data.begin

    # --- one pass ---

    def learn_epoch(self, epoch: int) -> int:
        """Run one pass in the order of the file, or shuffled by seed and pass."""
        recipe = self.task.recipe
        order = range(len(self.sequences))
        if recipe.shuffle:
            order = np.random.default_rng([recipe.seed, epoch]).permutation(len(order)).tolist()
        sequences = [self.sequences[i] for i in order]
        if recipe.weights != "voted":
            return perceptron.learn_epoch(self.weights, sequences, self.dictionary)
        every = max(1, len(sequences) * recipe.epochs // recipe.snapshots)
        return voted.learn_epoch(self.weights, sequences, self.snapshots, every, self.dictionary)

    def last(self) -> Vectors:
        """The weights as they stand."""
        return [self.weights]

    def kept(self) -> Vectors:
        """Averaged weights, snapshots or a copy of the last weights, as the recipe says."""
        if self.task.recipe.weights == "averaged":
            return [self.weights.averaged(self.active)]
        if self.task.recipe.weights == "voted" and self.snapshots:
            return list(self.snapshots)
        return [self.weights.frozen()]

    def tag_dev(self, kept: Vectors) -> list[list[str]]:
        """Labels of the dev sentences."""
        assert self.dev is not None
        corpus, begin = self.dev
        labelings = [_core.decode(w, corpus, self.dictionary, self.task.threads) for w in kept]
        ids = labelings[0] if len(labelings) == 1 else vote(labelings, begin)
        return OuterLabels(self.task.labelling)(ids, begin)

    # --- models and checkpoints ---

    def pack(self, kept: Vectors) -> tuple[Arrays, dict[str, Any]]:
        """Arrays and facts of a model with these vectors."""
        facts: dict[str, Any] = {
            "kind": "linear",
            "snapshots": len(kept),
            "templates": [str(t) for t in self.templates],
        }
        if self.closed:
            facts["closed"] = dataclasses.asdict(self.closed)
        if self.gazetteer.phrases:
            facts["gazetteer"] = self.gazetteer.to_dict()
        return pack(self.encoder, kept), facts

    def state(self) -> Arrays:
        """Weights, their sums, the clock and the snapshots."""
        arrays: Arrays = {"ticks": np.array([self.weights.ticks])}
        for block in BLOCKS:
            arrays[f"w.{block}"], arrays[f"sum.{block}"] = self.weights.get(block)
        return arrays | {f"snapshot.{name}": a for name, a in self.kept_arrays(self.snapshots).items()}

    def restore(self, state: Arrays) -> None:
        """Go on from a checkpoint."""
        for block in BLOCKS:
            self.weights.set(block, state[f"w.{block}"], state[f"sum.{block}"])
        self.weights.ticks = float(state["ticks"][0])
        prefix = "snapshot."
        self.snapshots = self.restore_kept(
            {k.removeprefix(prefix): v for k, v in state.items() if k.startswith(prefix)}
        )

    def kept_arrays(self, kept: Vectors) -> Arrays:
        """Weight vectors as matrices, one for each block."""
        if not kept:
            return {}
        return {str(block): np.stack([w.get(block)[0] for w in kept]) for block in BLOCKS}

    def restore_kept(self, arrays: Arrays) -> Vectors:
        """The inverse of `kept_arrays`."""
        vectors: Vectors = []
        for k in range(len(arrays["0"]) if arrays else 0):
            vectors.append(self.weights.frozen())
            for block in BLOCKS:
                vectors[-1].set(block, np.ascontiguousarray(arrays[str(block)][k]), np.zeros(0))
        return vectors


def _templates(task: Task) -> list[Template]:
    columns = [c for c in task.train[0].columns if c != task.labelling.column]
    if task.recipe.gazetteer:
        columns.append(gazetteer.COLUMN)
    recipe = task.recipe
    templates = read_file(recipe.crfpp, columns) if recipe.crfpp else parse_all(recipe.templates, columns)
    check_columns(templates, columns)
    return templates
