"""Training with non-local features: local weights and global weights, learned together.

candidate   documents as sequences, algorithm 4.1 of Kazama and Torisawa (2007)
nonlocal    documents as sequences, algorithm 4.2
ascent      documents put together from the lists of their sentences; `ascent-document`: one update each
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from perceptag import _core
from perceptag.arrays import Floats, Ints, offsets
from perceptag.errors import SettingError
from perceptag.labels.label_set import LabelWriter
from perceptag.learn import bpm
from perceptag.learn.latent import Latent
from perceptag.learn.learner import Errors, pass_order, shuffled
from perceptag.models.document.features import JOINING, NonLocal, make_nonlocal
from perceptag.models.document.global_weights import GlobalWeights, global_state, kept_global, restore_global
from perceptag.models.document.search import choose, chosen_labels, joined, scopes
from perceptag.models.document.sequence_problem import AscentProblem, EncodedDocument, SequenceProblem
from perceptag.models.document.tagger import NonLocalTagger
from perceptag.models.linear.encoded_task import LOCAL
from perceptag.models.linear.mixing import LearnedExamples
from perceptag.models.linear.orders import part_of
from perceptag.models.linear.trainer import LinearParts, LinearTrainer, Vectors, encode_parts
from perceptag.models.model import AnyArrays, Arrays, Model
from perceptag.models.task import Task
from perceptag.models.trainer import Trainer, run_loop
from perceptag.recipe.recipe import Recipe
from perceptag.text.sentence import Sentence


@dataclass(slots=True)
class Snapshot:
    """The weights of one pass."""

    vectors: Vectors
    global_weights: Floats


class DocumentWords(NamedTuple):
    """The words of documents as the core wants them."""

    words: Ints  # equal numbers are equal words
    documents: Ints  # the first sequence of each document, and the end of the last one
    joining: list[int]  # the numbers of words such as "and"

    @classmethod
    def of(cls, documents: Sequence[EncodedDocument]) -> DocumentWords:
        """Number the words of some documents."""
        known: dict[str, int] = {}
        words = [known.setdefault(w, len(known)) for d in documents for s in d.sentences for w in s.tokens]
        sizes = offsets([len(document.sequences) for document in documents])
        return cls(np.array(words, np.int32), sizes, [known[w] for w in JOINING if w in known])


class NonLocalTrainer(Trainer[Snapshot]):
    """A `Trainer` for learners with non-local features; the local part is a `LinearTrainer`."""

    def __init__(self, task: Task, parts: LinearParts | None = None) -> None:
        self.task = task
        self.local = LinearTrainer(task, parts or encode_parts(task, kinds=(*LOCAL, "nonlocal")))
        self.features = make_nonlocal(task.recipe, task.label_set, task.functions)
        self.weights = self.local.weights
        self.global_weights = GlobalWeights(self.features)
        self._take_over(task.start)
        orders = self.local.orders.orders if self.local.orders else 0
        self.own_global = [self.global_weights.copy() for _ in range(orders)]
        self.documents = make_documents(task.train, self.local.sequences, task.recipe, self.local.latent)
        self._begin = offsets([len(document.sequences) for document in self.documents])
        if task.dev is not None and self.local.dev is not None:
            corpus = self.local.dev[0]
            sequences = [corpus[i] for i in range(len(corpus))]
            self.dev = make_documents(task.dev, sequences, task.recipe)
            self._dev_words = DocumentWords.of(self.dev)

    @property
    def scores_at_once(self) -> bool:  # type: ignore[override]  # a plain attribute of the other kinds
        """Whether the core finds the labels of dev data."""
        return bool(self.features.own) and not self.features.functions

    def _take_over(self, start: Model | None) -> None:
        """Give features of an earlier model the weights that they have there."""
        if start is None or start.facts["kind"] != "nonlocal":
            return
        tagger = NonLocalTagger(start, self.task.attributes, self.task.functions)
        weights = tagger.features.by_name(tagger.weights)
        numbers = [self.features.number(name) for name in weights]
        self.global_weights.clear()
        self.global_weights.w[numbers] = list(weights.values())

    # --- one pass ---

    def learn_epoch(self, epoch: int) -> int:
        """Run one pass of the learner that the recipe names."""
        recipe = self.task.recipe
        self.local.leave_out(epoch)
        if epoch == 1 and recipe.own["bpm"] and not self.task.start:
            self._start_from_runs()
        if self.local.mixed:
            errors = self.local.mixed.learn(epoch, self.local.wrong_labels, self._learn_part, self.global_weights)
        elif self.local.orders:
            errors = self.local.orders.learn(partial(self._learn_order, epoch))
            self.global_weights.set_mean(self.own_global)
        else:
            order = pass_order(len(self.documents), epoch, recipe.shuffle, recipe.seed)
            errors = self._learn(order, self._problem(self.local.step))
        self.local.wrong_labels.append(errors.labels)
        return errors.sequences

    def _learn_part(self, weights: _core.Weights, part: Sequence[int]) -> LearnedExamples:
        """A part of a pass over shards, with weights of its own."""
        start = self.global_weights.w
        own = GlobalWeights(self.features, start)
        errors = self._learn(part, replace(self._problem(self.local.step), weights=weights, global_weights=own))
        return LearnedExamples(errors, own.changes(start, weights.ticks))

    def _learn_order(self, epoch: int, number: int, weights: _core.Weights) -> Errors:
        """A pass in one of several orders, with weights of its own."""
        recipe, own = self.task.recipe, self.own_global[number]
        order = pass_order(len(self.documents), epoch, recipe.shuffle, recipe.seed, number)
        return self._learn(order, replace(self._problem(self.local.step), weights=weights, global_weights=own))

    def _start_from_runs(self) -> None:
        total = np.zeros_like(self.global_weights.w)

        def learn(run: int) -> None:
            nonlocal total
            self.global_weights.clear()
            order = shuffled(len(self.documents), self.task.recipe.seed, -1 - run)
            self._learn(order, self._problem(1.0))
            grown = np.zeros_like(self.global_weights.w)
            grown[: len(total)] = total
            total = grown + self.global_weights.w

        bpm.start(self.weights, self.task.recipe.own["bpm"], learn)
        self.global_weights.clear()
        self.global_weights.w[: len(total)] = total

    def has_converged(self) -> bool:
        """Whether the recipe's rule for stopping holds."""
        return self.local.has_converged()

    def _learn(self, order: Sequence[int], problem: SequenceProblem | AscentProblem) -> Errors:
        documents = [self.learned_document(i) for i in order]
        return run_loop(self.task.recipe, problem, documents, step=problem.step, native=self._is_native)

    def learned_document(self, i: int) -> EncodedDocument:
        """Return a document as this pass learns it: with all features, or with some."""
        whole = self.documents[i]
        if self.local.learned is self.local.sequences:
            return whole
        first = self._begin[i]
        return replace(whole, sequences=self.local.learned[first : first + len(whole.sequences)], _words=whole.words)

    def _problem(self, step: float) -> SequenceProblem | AscentProblem:
        """The view of the data that the learner declares."""
        return PROBLEMS[self.task.recipe.declaration.problem](self, step)

    @property
    def _is_native(self) -> bool:
        """Whether all non-local features are built in: functions of users are Python, in an earlier model as well."""
        return not self.features.functions and len(self.global_weights.w) == self.features.built_in

    def problem(self, step: float = 1.0) -> SequenceProblem:
        """Documents as sequences, under the weights as they are."""
        if self.local.latent:
            name = self.task.recipe.learner
            raise SettingError(f"labels.missing: learner {name!r}: problem: expected 'lists', found 'sequences'")
        n, dictionary = self.task.recipe.own["nbest"], self.local.dictionary
        return SequenceProblem(self.weights, self.global_weights, self.features, n, step, dictionary)

    def lists(self, step: float = 1.0) -> AscentProblem:
        """Documents put together from the lists of their sentences, under the weights as they are."""
        n, dictionary = self.task.recipe.own["nbest"], self.local.dictionary
        threads = 1 if self.local.mixed else self.task.threads  # shards have threads of their own
        return AscentProblem(self.weights, self.global_weights, self.features, n, step, dictionary, threads)

    def current(self) -> Snapshot:
        return Snapshot(self.local.current(), self.global_weights.w.copy())

    def snapshot(self, weights: str) -> Snapshot:
        """Averaged or last weights."""
        w = self.global_weights
        whole = w.averaged(self.weights.ticks) if weights == "averaged" else w.w.copy()
        return Snapshot(self.local.snapshot(weights), whole)

    def tag_dev(self, snapshot: Snapshot) -> list[list[str]]:
        if self.scores_at_once:
            return self._tag_dev_natively(snapshot)
        recipe, label_set = self.task.recipe, self.task.label_set
        found: list[list[str]] = []
        for document in self.dev:
            lists = [
                _core.nbest(snapshot.vectors[0], x, recipe.own["nbest_tagging"], self.local.dictionary)
                for x in document.sequences
            ]
            chosen = choose(self.features, document.sentences, lists, snapshot.global_weights)
            found += [[label_set.names[y] for y in labels.numpy().tolist()] for labels in chosen_labels(chosen)]
        if recipe.unit == "document":
            assert self.task.dev is not None
            found = cut_documents(found, self.task.dev)
        return [label_set.to_outer(labels) for labels in found]

    def _tag_dev_natively(self, snapshot: Snapshot) -> list[list[str]]:
        assert self.local.dev is not None
        features, own, (corpus, begin) = self.features, self.task.recipe.own, self.local.dev
        ids = _core.decode_documents(
            snapshot.vectors[0],
            features.reading,
            features.family_flags,
            np.ascontiguousarray(snapshot.global_weights[: features.built_in]),
            features.scale,
            own["nbest_tagging"],
            corpus,
            self.local.dictionary,
            *self._dev_words,
            self.task.threads,
            features.longest,
        )
        return LabelWriter(self.task.label_set)(ids, begin)

    # --- models and checkpoints ---

    def pack(self, snapshot: Snapshot) -> tuple[Arrays, dict[str, Any]]:
        arrays, facts = self.local.pack(snapshot.vectors)
        if self.task.recipe.outside is not None:  # who tags may not know the learner
            facts["problem"] = self.task.recipe.outside.problem
        return pack_nonlocal(self.features, snapshot.global_weights, arrays, facts | {"kind": "nonlocal"})

    def state(self) -> Arrays:
        own = {
            f"order.{k}.{name}": array
            for k, weights in enumerate(self.own_global)
            for name, array in global_state(weights).items()
        }
        return self.local.state() | global_state(self.global_weights) | own

    def restore(self, state: Arrays) -> None:
        self.local.restore(state)
        restore_global(self.global_weights, state)
        for k, weights in enumerate(self.own_global):
            restore_global(weights, part_of(state, f"order.{k}."))

    def snapshot_arrays(self, snapshot: Snapshot) -> Arrays:
        return self.local.snapshot_arrays(snapshot.vectors) | {"nonlocal": snapshot.global_weights}

    def restore_snapshot(self, arrays: AnyArrays) -> Snapshot:
        local = {name: array for name, array in arrays.items() if name != "nonlocal"}
        return Snapshot(self.local.restore_snapshot(local), kept_global(self.global_weights, arrays))


# What a loop is given, by the `problem` that its learner declares; `perceptag.models.kinds` lists the same names.
PROBLEMS: dict[str, Callable[[NonLocalTrainer, float], SequenceProblem | AscentProblem]] = {
    "sequences": NonLocalTrainer.problem,
    "lists": NonLocalTrainer.lists,
}


def pack_nonlocal(
    features: NonLocal, weights: Floats, arrays: AnyArrays, facts: dict[str, Any]
) -> tuple[Arrays, dict[str, Any]]:
    """Arrays and facts of a model, with its non-local weights added."""
    named = features.by_name(weights)
    own = {"nonlocal.weights": np.array(list(named.values()), np.float64)}
    return {**arrays, **own}, facts | {"nonlocal": list(named), "functions": list(features.functions)}


def make_documents(
    sentences: Sequence[Sentence],
    sequences: Sequence[_core.Sequence],
    recipe: Recipe,
    latent: Mapping[int, Latent] = MappingProxyType({}),
) -> list[EncodedDocument]:
    """Documents with their encoded sequences: one for each sentence, or one for the whole document.

    `latent`: the sequences that lack labels, by the id of the object.
    """
    documents = []
    rest = iter(sequences)
    for document in scopes(sentences, recipe, recipe.declaration.problem):
        parts = [joined(document)] if recipe.unit == "document" else document
        own = [next(rest) for _ in parts]
        documents.append(EncodedDocument(parts, own, [latent.get(id(x)) for x in own]))
    return documents


def cut_documents(labels: Sequence[Sequence[str]], sentences: Sequence[Sentence]) -> list[list[str]]:
    """Cut label lists of whole documents into those of their sentences."""
    flat = iter([y for document in labels for y in document])
    return [[next(flat) for _ in range(len(s))] for s in sentences]
