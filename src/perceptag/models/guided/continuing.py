"""Guided learning that continues from an earlier model: word features as in any linear model, and label contexts.

Rows of the feature index stay; templates and labels are numbered again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from perceptag import _core
from perceptag.models.guided.model import GuidedTemplates, make_layout
from perceptag.models.guided.tagger import GuidedTagger
from perceptag.models.linear.packing import model_templates
from perceptag.models.linear.starting_weights import StartingWeights, label_map
from perceptag.models.task import Task
from perceptag.numeric.arrays import Ints


@dataclass(frozen=True, slots=True)
class StartingGuided:
    """The features and weights that a run takes from an earlier model."""

    words: StartingWeights
    contexts: _core.ContextWeights
    templates: Ints  # earlier number of a label context -> number now

    def set_contexts(self, contexts: _core.ContextWeights) -> None:
        """Give label contexts of the earlier model the weights that they have there."""
        contexts.take_over(self.contexts, self.templates, self.words.labels[:-1])


def earlier_guided(task: Task, layout: GuidedTemplates) -> StartingGuided | None:
    """Features and weights of the earlier model."""
    if task.start is None:
        return None
    guided = GuidedTagger(task.start, task.attributes)
    labels = label_map(task.start.label_set, task.label_set)
    words = StartingWeights(guided.encoder.base, guided.weights.words, labels)
    places = {t: i for i, t in enumerate(layout.contexts)}
    before = make_layout(model_templates(task.start)).contexts
    return StartingGuided(words, guided.weights.contexts, np.array([places[t] for t in before], np.int32))
