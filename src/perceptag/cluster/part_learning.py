"""Learn from a part of a shard with weights of its own: sequence by sequence, or document by document."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from perceptag import _core
from perceptag.arrays import Floats, Ints
from perceptag.cluster.shard_data import LookedUp, LookedUpDocuments, ShardData
from perceptag.cluster.shard_features import Numbering
from perceptag.learn.learner import Pass
from perceptag.models.document.features import NonLocal
from perceptag.models.document.global_weights import GlobalWeights
from perceptag.models.document.sequence_problem import AscentProblem
from perceptag.models.linear.dropout import Dropout
from perceptag.models.linear.mixing import LearnedExamples
from perceptag.models.trainer import run_loop
from perceptag.recipe.recipe import Recipe


@dataclass(frozen=True, slots=True)
class ShardPart:
    """Examples of a shard in the order in which they are learned."""

    data: ShardData
    numbers: Ints
    numbering: Numbering
    recipe: Recipe
    epoch: int
    first: int  # the number of the first sequence of the shard in all of the data

    def leave_out(self, corpus: _core.Corpus, numbers: Ints) -> _core.Corpus:
        """Return sequences as this pass learns them: with all features, or with some."""
        leaving = Dropout.of(self.recipe, self.epoch)
        return leaving(corpus, numbers.astype(np.int64) + self.first) if leaving else corpus


def learn_sequences(part: ShardPart, weights: _core.Weights) -> LearnedExamples:
    """Learn weights of local features."""
    sequences = LookedUp(part.data, part.numbering.encoder, part.numbers, part.leave_out)
    seen = (part.epoch - 1) * len(sequences)
    this = Pass(weights, sequences, part.numbering.dictionary, part.epoch, seen)
    return LearnedExamples(run_loop(part.recipe, this, native=True))


def learn_documents(part: ShardPart, weights: _core.Weights, features: NonLocal, start: Floats) -> LearnedExamples:
    """Learn weights of local and of non-local features; those of the latter start from `start`."""
    own, settings = GlobalWeights(features, start), part.recipe.own
    problem = AscentProblem(weights, own, features, settings["nbest"], dictionary=part.numbering.dictionary)
    documents = LookedUpDocuments(part.data, part.numbering.encoder, part.numbers, part.leave_out)
    errors = run_loop(part.recipe, problem, documents, native=True)
    return LearnedExamples(errors, own.changes(start, weights.ticks))
