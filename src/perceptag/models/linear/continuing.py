"""Training that continues from an earlier model: which models fit, and what is taken from them besides weights.

Templates may be added, but none may be missing. Labels of both are kept. Closed words and gazetteers are merged.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import chain

from perceptag.encoding.tag_dictionary import ClosedWords
from perceptag.errors import ModelError
from perceptag.features.gazetteer import Gazetteer
from perceptag.features.template import Template
from perceptag.models.linear.starting_weights import StartingWeights, label_map
from perceptag.models.linear.stored_facts import model_closed_words, model_gazetteer, model_templates
from perceptag.models.linear.tagger import LinearTagger
from perceptag.models.task import Task
from perceptag.numeric.arrays import Ints

LOCAL = ("linear", "maxent", "rerank")  # kinds of models with local weights that stand on their own


def check_templates(task: Task, templates: Sequence[Template]) -> None:
    """Refuse a recipe that lacks templates of the earlier model: their weights would have no place."""
    if task.start is None:
        return
    expected, found = model_templates(task.start), frozenset(templates)
    missing = [str(t) for t in expected if t not in found]
    if missing:
        raise ModelError(
            f"templates: expected all {len(expected)} of the model to continue from, found {len(templates)} "
            f"without {', '.join(map(repr, missing[:3]))}{' …' if len(missing) > 3 else ''}"
        )


def earlier_linear(task: Task) -> StartingWeights | None:
    """Features and weights of the earlier model; if several vectors vote, those of the last one."""
    if task.start is None:
        return None
    linear = LinearTagger(task.start, task.attributes)
    return StartingWeights(linear.encoder.base, linear.vectors[-1], label_map(task.start.label_set, task.label_set))


def join_gazetteer(task: Task, lists: Gazetteer) -> None:
    """Add the phrases of the earlier model.

    A training document still does not see phrases that are chunks in that document alone: the earlier model may have
    been trained on the same document.
    """
    earlier = model_gazetteer(task.start) if task.start is not None else None
    if earlier is not None:
        lists.join(earlier)


def join_closed(task: Task, closed: ClosedWords, forms: Sequence[Sequence[Hashable]], labels: Ints) -> ClosedWords:
    """Closed words of the earlier model stay closed; they also get the labels that they have in the new data."""
    earlier = model_closed_words(task.start) if task.start is not None else None
    if task.start is None or earlier is None:
        return closed
    numbers = label_map(task.start.label_set, task.label_set)
    allowed = {word: {int(numbers[y]) for y in earlier.entries[entry]} for word, entry in earlier.words.items()}
    for word, label in zip(chain.from_iterable(forms), labels.tolist(), strict=True):
        if word in allowed:
            allowed[str(word)].add(label)
    for word, entry in closed.words.items():
        allowed.setdefault(word, set()).update(closed.entries[entry])
    return ClosedWords.of(allowed)
