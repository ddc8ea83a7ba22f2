"""A tokeniser with the mean weights of several trainings, which see the training data in different orders.

A treebank has few sentence ends that are hard to find, so trainings with other seeds disagree about them. The mean of
their weights is a model of the same kind, and is better than most of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from perceptag.evaluation.scoring import MainScore
from perceptag.learn.learner import MOST
from perceptag.models.confident import calibrate
from perceptag.models.model import Arrays, Model
from perceptag.models.tokenizer.characters import LABEL, LABELS, as_characters
from perceptag.models.tokenizer.model import TokenizerModel
from perceptag.models.tokenizer.packing import KEYS, WEIGHTS
from perceptag.text.sentence import Sentence
from perceptag.text.treebank import read_treebank
from perceptag.tokenizer import Tokenizer

TRAININGS = 4  # a power of two, so that mean weights are exact


def fit_mean(recipe: str, settings: Mapping[str, Any], train: Sequence[Sentence], dev: Sequence[Sentence]) -> Model:
    """Train tokenisers with this seed and the next ones; return their mean, with its own dev score and calibration."""
    first = Tokenizer(recipe, **settings).resolved_recipe().seed
    seeds = [(first + i) % (MOST + 1) for i in range(TRAININGS)]
    models = [Tokenizer(recipe, **{**settings, "seed": seed}).fit(train, dev=dev).model_ for seed in seeds]
    mean = replace(models[0], arrays={**models[0].arrays, **mean_arrays([model.arrays for model in models])})
    ready, characters = TokenizerModel(mean), as_characters(read_treebank(dev))
    score = MainScore([s.columns[LABEL] for s in characters], "none").score(ready.tag(characters))
    mean = replace(mean, manifest={**mean.manifest, "dev_score": score, "mean_of_seeds": seeds})
    return calibrate(mean, ready.margins(characters), characters)


def mean_arrays(several: Sequence[Mapping[str, Any]]) -> Arrays:
    """Return features and mean weights of tokenisers; a feature that one of them lacks has no weight there."""
    all_keys = [np.asarray(arrays[KEYS]) for arrays in several]
    keys = np.unique(np.concatenate(all_keys))
    weights = np.zeros((len(keys), len(LABELS)), np.float64)
    for own, arrays in zip(all_keys, several, strict=True):
        weights[np.searchsorted(keys, own)] += np.asarray(arrays[WEIGHTS]).reshape(-1, len(LABELS))
    mean = (weights / len(several)).astype(np.float32)
    used = mean.any(axis=1)
    return {KEYS: keys[used], WEIGHTS: mean[used].ravel()}
