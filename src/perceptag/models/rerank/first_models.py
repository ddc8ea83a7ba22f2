"""First models by cross-validation, and the n-best lists that they propose.

Kazama and Torisawa (2007), section 6.3, after Collins (2002b): a model makes hardly any mistakes on the data that it
was trained on, so a second model would learn nothing from its lists there. The training data is cut into folds; the
list of each document comes from a model that was trained on the other folds.

Folds are runs of whole documents, with about the same number of tokens each. If documents are not marked, every
sentence counts as one, so folds are runs of sentences. Data that cannot be cut is labelled by a model of all the data.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from perceptag import _core
from perceptag.arrays import Floats
from perceptag.evaluation.splitters import EvenRuns, documents_of
from perceptag.models.linear.trainer import LinearTrainer
from perceptag.models.task import Task
from perceptag.recipe.recipe import Recipe


@dataclass(slots=True)
class Proposals:
    """The candidates of a sequence: a list of the first model, and the gold labelling at the end if it is not in it."""

    labels: list[_core.Labels]
    first: Floats  # the score of each under the first model
    gold: int  # the number of the gold labelling
    listed: int  # how many are in the list itself


def first_recipe(recipe: Recipe) -> Recipe:
    """The settings of the first models: the margin perceptron on local features."""
    first = {"margin": recipe.own["first_margin"], "epochs": recipe.own["first_epochs"]}
    return recipe.replace({"learner": "margin", "nonlocal.features": (), "nonlocal.functions": ()} | first)


def train(trainer: LinearTrainer) -> _core.Weights:
    """Run all passes of a first model; return its weights."""
    epochs = trainer.task.recipe.epochs
    for epoch in range(1, epochs + 1):
        trainer.learn_epoch(epoch)
        if trainer.has_converged():
            break
    return trainer.snapshot(trainer.task.recipe.kinds_of_weights[0])[0]


def propose(task: Task, gold: Sequence[_core.Labels]) -> Iterator[Proposals]:
    """The candidates of every training sequence, in their order; `gold` holds their gold labellings.

    `task` is that of the first models, with `nbest` for the length of the lists.
    """
    rest = iter(gold)
    for others, heldout in EvenRuns(task.recipe.own["folds"]).split(task.train, documents_of(task.train)):
        held = [task.train[i] for i in heldout]
        trainer = LinearTrainer(replace(task, train=[task.train[i] for i in others] or held, dev=held))
        weights = train(trainer)
        assert trainer.dev is not None
        corpus = trainer.dev[0]
        lists = _core.nbest_batch(weights, corpus, task.recipe.own["nbest"], trainer.dictionary, task.threads)
        for i, best in enumerate(lists):
            yield _with_gold(weights, corpus[i], best, next(rest))


def _with_gold(weights: _core.Weights, x: _core.Sequence, best: _core.NBest, gold: _core.Labels) -> Proposals:
    labels = [best[i] for i in range(len(best))]
    if gold in labels:
        return Proposals(labels, np.array(best.scores), labels.index(gold), len(labels))
    scores = np.append(best.scores, weights.score(x, gold))
    return Proposals([*labels, gold], scores, len(labels), len(labels))


def spread(proposals: Sequence[Proposals]) -> float:
    """The standard deviation of first scores within lists. Differences between lists do not change their order."""
    variances = [float(np.var(found.first[: found.listed])) for found in proposals if found.listed > 1]
    return float(np.sqrt(np.mean(variances))) if variances and max(variances) > 0 else 1.0
