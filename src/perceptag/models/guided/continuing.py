"""Guided learning that goes on from an earlier model: word features as in any linear model, and label contexts.

A label context is found by the key (row * templates + template) * (L+1)^4 + four digits, one for each label beside the
token: 0 for none, or its id + 1. Rows stay; templates and labels are numbered anew.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from perceptag import _core
from perceptag.models.guided.model import Layout, make_layout
from perceptag.models.guided.tagger import GuidedTagger
from perceptag.models.linear.starting_weights import StartingWeights, label_map
from perceptag.models.linear.stored_facts import model_templates
from perceptag.models.task import Task
from perceptag.numeric.arrays import Ints
from perceptag.store.model import Arrays


def earlier_guided(task: Task) -> StartingWeights | None:
    """Features and word weights of the earlier model."""
    if task.start is None:
        return None
    guided = GuidedTagger(task.start, task.attributes)
    return StartingWeights(guided.encoder.base, guided.weights.words, label_map(task.start.label_set, task.label_set))


def take_over_contexts(contexts: _core.ContextWeights, task: Task, layout: Layout) -> None:
    """Give label contexts that the earlier model has their weights. Its arrays were checked by `earlier_guided`."""
    if task.start is None:
        return
    arrays, labels = task.start.arrays, label_map(task.start.label_set, task.label_set)
    before = make_layout(model_templates(task.start)).contexts
    places = {t: i for i, t in enumerate(layout.contexts)}
    templates = np.array([places[t] for t in before], np.uint64)
    keys = renumbered(arrays["contexts.keys"], templates, len(layout.contexts), labels)
    w = weights_by_label(arrays, labels)
    contexts.load_dense(keys, w.ravel(), np.zeros(w.size))


def renumbered(
    keys: npt.NDArray[np.uint64], templates: npt.NDArray[np.uint64], count: int, labels: Ints
) -> npt.NDArray[np.uint64]:
    """Keys with other template numbers, of which there are `count`, and other label ids."""
    digits = np.concatenate([[0], labels[:-1] + 1]).astype(np.uint64)
    radix, now = np.uint64(len(labels)), np.uint64(labels[-1] + 1)
    rest, place, low = keys, np.uint64(1), np.zeros(len(keys), np.uint64)
    for _ in range(4):
        rest, digit = np.divmod(rest, radix)
        low += digits[digit] * place
        place *= now
    row, template = np.divmod(rest, np.uint64(max(1, len(templates))))
    number = row * np.uint64(count) + (templates[template] if len(templates) else template)
    return np.asarray(number * place + low, np.uint64)


def weights_by_label(arrays: Arrays, labels: Ints) -> npt.NDArray[np.float32]:
    """The weights of each label context: float32[contexts, labels as they are now]."""
    begin, codes = arrays["contexts.begin"], arrays["contexts.codes"]
    w = np.zeros((len(begin) - 1, int(labels[-1])), np.float32)
    w[np.repeat(np.arange(len(w)), np.diff(begin)), labels[codes]] = arrays["contexts.weights"]
    return w
