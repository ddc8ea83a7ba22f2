"""Run one experiment: train, keep the best pass on dev, measure."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from perceptag._version import __version__
from perceptag.corpus.digest import digest
from perceptag.evaluation import evaluate
from perceptag.models.kinds import make_ready
from perceptag.recipe.recipe import Recipe
from perceptag.reproduce.corpora import CORPORA, CorpusSplits, Folder
from perceptag.reproduce.experiment import Experiment
from perceptag.reproduce.results import PassScores, Result, Results, RunScores, Variant
from perceptag.reproduce.retagged import retagged
from perceptag.store.model import Model
from perceptag.store.model_file import to_bytes
from perceptag.text import Sentence
from perceptag.training.fit import make_plan

Gold = Callable[[Sentence], list[str]]


def run(experiment: Experiment, folder: str, out: Path, quick: bool) -> Result:
    """Return the result of an earlier run with the same data and settings, or run the experiment."""
    parts = load_parts(experiment, Folder(folder), out, quick)
    recipe = experiment.configured(quick, CORPORA[experiment.data].label)
    key = experiment.key(recipe, {"perceptag": __version__, **_digests(parts)})
    results = Results(out / "results")
    found = results.get(key)
    if found is None:
        found = _measure(experiment, recipe, parts, key)
        results.put(found)
    return found


def load_parts(experiment: Experiment, folder: Folder, out: Path, quick: bool) -> CorpusSplits:
    """Return the data of an experiment."""
    parts = folder.load(CORPORA[experiment.data], quick)
    return retagged(parts, folder, out, quick) if experiment.retagged else parts


def _digests(parts: CorpusSplits) -> dict[str, str | None]:
    test = None if parts.test is None else digest(parts.test)
    return {"train": digest(parts.train), "dev": digest(parts.dev), "test": test}


def _measure(experiment: Experiment, recipe: Recipe, parts: CorpusSplits, key: str) -> Result:
    started = time.process_time()
    training = make_plan(recipe, settles=False).train(parts.train, parts.dev)
    reports = training.reports
    model = training.model()
    seconds = time.process_time() - started
    best = training.finish().epoch
    gold = training.task.label_set.gold
    found = _apply(model, gold, parts)
    return Result(
        key=key,
        recipe={k: v for k, v in recipe.to_dict().items() if k not in ("description", "citation")},
        dev=found.dev,
        test=found.test,
        final=_final(experiment, recipe, parts, best),
        variants=_variants(experiment, model, gold, parts),
        curve=[PassScores(r.epoch, r.dev_last or 0.0, r.dev_kept or 0.0) for r in reports],
        best_epoch=best,
        cpu_seconds=seconds,
        sha256=to_bytes(model)[1],
        predicted=found.predicted,
    )


def _apply(model: Model, gold: Gold, parts: CorpusSplits) -> Variant:
    """Tag and score the dev sentences, and the test set if there is one."""
    dev = _tag(model, parts.dev)
    test = None if parts.test is None else _score(gold, parts.test, _tag(model, parts.test))
    return Variant(_score(gold, parts.dev, dev), test, dev)


def _tag(model: Model, sentences: Sequence[Sentence]) -> list[list[str]]:
    return make_ready(model, {}, {}).tag(sentences, 1)


def _score(gold: Gold, sentences: Sequence[Sentence], predicted: list[list[str]]) -> RunScores:
    return RunScores.of(evaluate([gold(s) for s in sentences], predicted))


def _final(experiment: Experiment, recipe: Recipe, parts: CorpusSplits, best: int) -> RunScores | None:
    """Train again on everything except the test data, and score on the test data."""
    if not experiment.final or parts.test is None:
        return None
    epochs = best if experiment.final == "best" else recipe.epochs
    # Without dev data the last pass is the best.
    training = make_plan(recipe.replace({"epochs": epochs}), settles=False).train(parts.all_training())
    return _score(training.task.label_set.gold, parts.test, _tag(training.model(), parts.test))


def _variants(experiment: Experiment, model: Model, gold: Gold, parts: CorpusSplits) -> dict[str, Variant]:
    """Measure the same weights with other settings for tagging."""
    found = {}
    for name, values in experiment.variants:
        for value in values:
            changed = dataclasses.replace(model, recipe=model.recipe.replace({name: value}))
            found[f"{name}={value}"] = _apply(changed, gold, parts)
    return found
