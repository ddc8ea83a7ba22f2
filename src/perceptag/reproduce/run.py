"""Run one experiment: train, keep the best pass on dev, measure."""

from __future__ import annotations

import dataclasses
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from perceptag._version import __version__
from perceptag.evaluation import evaluate
from perceptag.models.kinds import make_ready
from perceptag.models.model import Model
from perceptag.models.model_file import to_bytes
from perceptag.models.task import find_labels
from perceptag.recipe.recipe import Recipe
from perceptag.reproduce.corpora import CORPORA, CorpusSplits, Folder
from perceptag.reproduce.experiment import Experiment
from perceptag.reproduce.name_lists import TEMPLATES, find_lists, with_lists
from perceptag.reproduce.results import PassScores, Result, Results, RunScores, Variant
from perceptag.reproduce.retagged import retagged
from perceptag.reproduce.rivals import RIVALS
from perceptag.reproduce.statements import score_interval, unit_starts
from perceptag.text import Sentence
from perceptag.text.documents import digest, split_documents
from perceptag.training.fit import make_plan
from perceptag.training.train import Training

Gold = Callable[[Sequence[Sentence]], list[list[str]]]
Tag = Callable[[Sequence[Sentence]], list[list[str]]]


def run(experiment: Experiment, folder: Folder, out: Path, quick: bool) -> Result:
    """Return the result of an earlier run with the same data and settings, or run the experiment."""
    recipe, parts, key = prepared(experiment, folder, out, quick)
    results = Results(out / "results")
    found = results.get(key)
    if found is None:
        found = _rival(experiment, recipe, parts, key) if experiment.rival else _measure(experiment, recipe, parts, key)
        results.put(found)
    return found


def prepared(experiment: Experiment, folder: Folder, out: Path, quick: bool) -> tuple[Recipe, CorpusSplits, str]:
    """Return the recipe and the data of an experiment, and the name of its result."""
    parts = load_parts(experiment, folder, out, quick)
    recipe = experiment.configured(quick, CORPORA[experiment.data].label)
    if experiment.lists and find_lists(folder):
        recipe = recipe.replace({"add": TEMPLATES})
    digests = {name: digest(sentences) for name, sentences in parts.named().items()}
    return recipe, parts, experiment.key(recipe, {"perceptag": __version__, "test": None, **digests})


def load_parts(experiment: Experiment, folder: Folder, out: Path, quick: bool) -> CorpusSplits:
    """Return the data of an experiment, in its order."""
    parts = folder.load(CORPORA[experiment.data], quick)
    if experiment.tags:
        parts = retagged(parts, folder, out, quick)
    if experiment.lists and (files := find_lists(folder)):
        parts = with_lists(parts, files)
    return dataclasses.replace(parts, train=_ordered(parts.train, experiment.order))


def _ordered(sentences: list[Sentence], order: int) -> list[Sentence]:
    """Return the sentences in another order: documents stay whole where they are marked."""
    if order == 0:
        return sentences
    documents = split_documents(sentences) if any(s.starts_document for s in sentences) else [[s] for s in sentences]
    random.Random(order).shuffle(documents)
    return [sentence for document in documents for sentence in document]


def train(experiment: Experiment, recipe: Recipe, parts: CorpusSplits) -> Training:
    """Train by an experiment."""
    return make_plan(recipe, settles=False).train(parts.train, parts.dev if experiment.keep == "best" else None)


def _measure(experiment: Experiment, recipe: Recipe, parts: CorpusSplits, key: str) -> Result:
    started = time.process_time()
    training = train(experiment, recipe, parts)
    model = training.model()
    seconds = time.process_time() - started
    best = training.finish().epoch
    gold = training.task.label_set.gold
    found = _apply(_tagging(model), gold, parts)
    curve = [PassScores(r.epoch, r.dev_last or 0.0, r.dev_kept or 0.0) for r in training.reports]
    return Result(
        key=key,
        recipe={k: v for k, v in recipe.to_dict().items() if k not in ("description", "citation")},
        dev=found.dev,
        test=found.test,
        final=_final(experiment, recipe, parts, best, found.test),
        variants=_variants(experiment, model, gold, parts),
        curve=curve if experiment.keep == "best" else [],
        best_epoch=best,
        cpu_seconds=seconds,
        sha256=to_bytes(model)[1],
        predicted=found.predicted,
        predicted_test=found.predicted_test,
    )


def _rival(experiment: Experiment, recipe: Recipe, parts: CorpusSplits, key: str) -> Result:
    """Train and measure a system that is not a recipe."""
    started = time.process_time()
    tag = RIVALS[experiment.recipe](parts.train, recipe.labels_column)
    seconds = time.process_time() - started
    found = _apply(tag, find_labels(recipe, parts.train).gold, parts)
    return Result(
        key=key,
        recipe={"name": experiment.recipe},
        dev=found.dev,
        test=found.test,
        final=found.test,
        variants={},
        curve=[],
        best_epoch=1,
        cpu_seconds=seconds,
        sha256="",
        predicted=found.predicted,
        predicted_test=found.predicted_test,
    )


def _apply(tag: Tag, gold: Gold, parts: CorpusSplits) -> Variant:
    """Tag and score the dev sentences, and the test set if there is one."""
    dev, test = tag(parts.dev), None if parts.test is None else tag(parts.test)
    on_test = None if parts.test is None or test is None else _score(gold, parts.test, test)
    return Variant(_score(gold, parts.dev, dev), on_test, dev, test)


def _tagging(model: Model) -> Tag:
    ready = make_ready(model, {}, {})
    return lambda sentences: ready.tag(sentences, 1)


def _score(gold: Gold, sentences: Sequence[Sentence], predicted: list[list[str]]) -> RunScores:
    right = gold(sentences)
    interval = score_interval(right, predicted, unit_starts(sentences))
    return RunScores.of(evaluate(right, predicted, bootstrap=0), interval)


def _final(
    experiment: Experiment, recipe: Recipe, parts: CorpusSplits, best: int, test: RunScores | None
) -> RunScores | None:
    """Train again on everything except the test data if dev was cut from it, and score on the test data."""
    if not experiment.final or parts.test is None:
        return None
    if parts.has_own_dev:
        return test
    epochs = best if experiment.final == "best" else recipe.epochs
    # Without dev data the last pass is the best.
    training = make_plan(recipe.replace({"epochs": epochs}), settles=False).train(parts.all_training())
    return _score(training.task.label_set.gold, parts.test, _tagging(training.model())(parts.test))


def _variants(experiment: Experiment, model: Model, gold: Gold, parts: CorpusSplits) -> dict[str, Variant]:
    """Measure the same weights with other settings for tagging."""
    found = {}
    for name, values in experiment.variants:
        for value in values:
            changed = dataclasses.replace(model, recipe=model.recipe.replace({name: value}))
            found[f"{name}={value}"] = _apply(_tagging(changed), gold, parts)
    return found
