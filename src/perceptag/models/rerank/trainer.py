"""Training of re-ranking: first models and their lists, then passes of the second model over them.

The first models are trained at the start of the first pass, and are part of every checkpoint. If training continues
from an earlier model, they continue from its weights; the second model starts from zero, because the lists are new.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from perceptag import _core
from perceptag.arrays import Floats
from perceptag.errors import ModelError
from perceptag.learn.learner import pass_order
from perceptag.models.document.features import make_nonlocal
from perceptag.models.document.global_weights import (
    CandidateScorer,
    GlobalWeights,
    global_state,
    kept_global,
    restore_global,
)
from perceptag.models.document.search import choose, chosen_labels
from perceptag.models.document.trainer import cut_documents, make_documents, pack_nonlocal
from perceptag.models.linear.trainer import LinearTrainer, Vectors
from perceptag.models.linear.vectors import pack_weights, restore_weights, trainable
from perceptag.models.model import AnyArrays, Arrays, part_of, reals, wholes
from perceptag.models.rerank import first_models
from perceptag.models.rerank.first_models import Proposals
from perceptag.models.rerank.scorers import (
    FirstScore,
    FixedLists,
    LocalFeatures,
    RerankProblem,
    pack_lists,
    unpack_lists,
)
from perceptag.models.rerank.tagger import set_apart
from perceptag.models.task import Task
from perceptag.models.trainer import Trainer, run_loop
from perceptag.text.documents import split_documents


@dataclass(slots=True)
class RerankSnapshot:
    """The weights of one pass: the first model, what scores its lists, and the non-local weights."""

    first: _core.Weights
    scorer: CandidateScorer
    global_weights: Floats


class RerankTrainer(Trainer[RerankSnapshot]):
    """A `Trainer` for `learner = "rerank-1"` and `"rerank-2"`; the first model is a `LinearTrainer`."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.first_task = replace(task, recipe=first_models.first_recipe(task.recipe))
        self.local = LinearTrainer(self.first_task)
        self.features = make_nonlocal(task.recipe, task.label_set, task.functions)
        self.global_weights = GlobalWeights(self.features)
        self.first: _core.Weights | None = None  # trained on all data; None before the first pass
        self.scorer: FirstScore | LocalFeatures = FirstScore(1.0)
        self.proposals: list[Proposals] = []
        self.documents: list[FixedLists] = []
        self._dev_lists: list[list[_core.NBest]] = []
        if not any(s.starts_document for s in task.train):
            task.notes.append("no documents are marked: the folds of re-ranking are runs of sentences")
        elif len(split_documents(task.train)) < 2:
            task.notes.append("there is only one document: the lists of re-ranking come from a model that has seen it")

    @property
    def _learns_local_weights(self) -> bool:
        """Re-ranking 2; re-ranking 1 has a weight for the score of the first model instead."""
        return self.task.recipe.declaration.problem == "local features"

    # --- one pass ---

    def learn_epoch(self, epoch: int) -> int:
        """Run one pass of the second model; before the first one, train the first models."""
        recipe = self.task.recipe
        if epoch == 1:
            self._train_first()
        order = pass_order(len(self.documents), epoch, recipe.shuffle, recipe.seed)
        problem = RerankProblem(self.scorer, self.global_weights)
        errors = run_loop(recipe, problem, [self.documents[i] for i in order])
        self.local.wrong_labels.append(errors.labels)
        return errors.sequences

    def _train_first(self) -> None:
        first = first_models.train(self.local)
        gold = [x.labels for x in self.local.sequences]
        self._start_second(first, list(first_models.propose(self.first_task, gold)))
        self.local.wrong_labels = []

    def _start_second(self, first: _core.Weights, proposals: list[Proposals]) -> None:
        self.first, self.proposals = first, proposals
        if self._learns_local_weights:
            self.scorer = LocalFeatures(trainable(self.local.weights))  # `first` has only what has moved
        else:
            self.scorer = FirstScore(first_models.spread(proposals))
        rest = iter(proposals)
        self.documents = []
        for document in make_documents(self.task.train, self.local.sequences, self.task.recipe):
            found = [next(rest) for _ in document.sequences]
            candidates = self.features.candidate_document(document.sentences, [p.labels for p in found])
            self.documents.append(FixedLists(document.sequences, found, candidates))

    def has_converged(self) -> bool:
        """Whether the recipe's rule for stopping holds."""
        return self.local.has_converged()

    def current(self) -> RerankSnapshot:
        return self._keep(averaged=False)

    def snapshot(self, weights: str) -> RerankSnapshot:
        """Averaged or last weights."""
        return self._keep(averaged=weights == "averaged")

    def _keep(self, averaged: bool) -> RerankSnapshot:
        first = self.first if self.first is not None else self.local.weights.frozen()
        scorer, w = self.scorer, self.global_weights
        whole = w.averaged(scorer.ticks) if averaged else w.w.copy()
        if isinstance(scorer, FirstScore):
            mine = scorer.w - scorer.sum / max(1.0, scorer.ticks) if averaged else scorer.w
            return RerankSnapshot(first, CandidateScorer(score_weight=mine / scorer.spread), whole)
        second = scorer.weights.averaged(self.local.active) if averaged else scorer.weights.frozen()
        return RerankSnapshot(first, CandidateScorer(second=second), whole)

    # --- dev data ---

    def tag_dev(self, snapshot: RerankSnapshot) -> list[list[str]]:
        recipe, label_set = self.task.recipe, self.task.label_set
        assert self.task.dev is not None
        assert self.local.dev is not None
        corpus = self.local.dev[0]
        documents = make_documents(self.task.dev, [corpus[i] for i in range(len(corpus))], recipe)
        if not self._dev_lists:  # the first model is trained, so its lists do not change
            n, dictionary = recipe.own["nbest_tagging"], self.local.dictionary
            rest = iter(_core.nbest_batch(snapshot.first, corpus, n, dictionary, self.task.threads))
            self._dev_lists = [[next(rest) for _ in document.sequences] for document in documents]
        found: list[list[str]] = []
        for document, lists in zip(documents, self._dev_lists, strict=True):
            local = snapshot.scorer.score_lists(document.sequences, lists)
            given = document.sentences, lists, snapshot.global_weights
            chosen = chosen_labels(choose(self.features, *given, local))
            found += [[label_set.names[y] for y in labels.numpy().tolist()] for labels in chosen]
        if recipe.unit == "document":
            found = cut_documents(found, self.task.dev)
        return [label_set.to_outer(labels) for labels in found]

    # --- models and checkpoints ---

    def pack(self, snapshot: RerankSnapshot) -> tuple[Arrays, dict[str, Any]]:
        second = snapshot.scorer.second
        arrays, facts = self.local.pack([snapshot.first] if second is None else [snapshot.first, second])
        if second is not None:
            arrays = set_apart(arrays)
        facts |= {"kind": "rerank", "snapshots": 1, "score_weight": snapshot.scorer.score_weight}
        return pack_nonlocal(self.features, snapshot.global_weights, arrays, facts)

    def state(self) -> Arrays:
        """The first model, its lists, and everything that changes in training."""
        assert self.first is not None
        scorer = self.scorer
        arrays = global_state(self.global_weights) | {"wrong": np.array(self.local.wrong_labels, np.int64)}
        arrays |= {f"first.{name}": array for name, array in self.local.snapshot_arrays([self.first]).items()}
        arrays |= {f"list.{name}": array for name, array in pack_lists(self.proposals).items()}
        if isinstance(scorer, FirstScore):
            return arrays | {"judge": np.array([scorer.w, scorer.sum, scorer.ticks])}
        return arrays | {f"second.{name}": array for name, array in pack_weights(scorer.weights).items()}

    def restore(self, state: Arrays) -> None:
        (first,) = self.local.restore_snapshot(part_of(state, "first."))
        self._start_second(first, unpack_lists(part_of(state, "list."), self.local.sequences))
        restore_global(self.global_weights, state)
        self.local.wrong_labels = wholes(state, "wrong")
        if isinstance(self.scorer, FirstScore):
            self.scorer.w, self.scorer.sum, self.scorer.ticks = reals(state, "judge", 3).tolist()
        else:
            restore_weights(self.scorer.weights, part_of(state, "second."))

    def snapshot_arrays(self, snapshot: RerankSnapshot) -> Arrays:
        vectors: Vectors = (
            [snapshot.first] if snapshot.scorer.second is None else [snapshot.first, snapshot.scorer.second]
        )
        own = {"nonlocal": snapshot.global_weights, "score": np.array([snapshot.scorer.score_weight])}
        return self.local.snapshot_arrays(vectors) | own

    def restore_snapshot(self, arrays: AnyArrays) -> RerankSnapshot:
        vectors = self.local.restore_snapshot({n: a for n, a in arrays.items() if n not in ("nonlocal", "score")})
        if len(vectors) != (2 if self._learns_local_weights else 1):
            raise ModelError(f"{self.task.recipe.learner}: found {len(vectors)} vectors of weights")
        scorer = CandidateScorer(float(reals(arrays, "score", 1)[0]), vectors[1] if len(vectors) > 1 else None)
        return RerankSnapshot(vectors[0], scorer, kept_global(self.global_weights, arrays))
