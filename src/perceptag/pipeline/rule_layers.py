"""Rules in a pipeline: they join the model that gives their column, or are a layer of their own.

A layer of their own comes before the layers that use its column, and before the last one, whose labels are those of the
pipeline. So the columns that a model gives keep their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from perceptag.errors import SettingError
from perceptag.models import model_file as modelfile
from perceptag.models.protocol import ReadyModel
from perceptag.models.rules.tagger import RulesTagger
from perceptag.pipeline import pipeline_file as pipelinefile
from perceptag.pipeline.installed import path_of
from perceptag.pipeline.layers import TOKENS, WORDS, is_tokenizer, ready_of
from perceptag.pipeline.pipeline import Pipeline
from perceptag.rules.rules import Rules

TOKENIZER = "en"  # the installed model whose tokeniser cuts text for rules alone


def with_rule_layer(opened: Pipeline, rules: Rules) -> Pipeline:
    """Return a pipeline whose layer of the same column keeps to the rules, or with one more layer for them."""
    there = opened.models.get(rules.column)
    if isinstance(there, RulesTagger):
        raise SettingError(f"rules: the layer {rules.column!r} of the model has rules already; `--drop` takes it away")
    if there is not None:
        return Pipeline([opened, rules], threads=opened.threads)
    names = list(opened.models)
    given = {WORDS, *opened.inputs}
    needed = [names.index(column) for column in rules.columns if column in names and column not in given]
    first = 1 if opened.tokenizer is not None else 0
    users = [number for number, ready in enumerate(opened.models.values()) if is_read_by(rules, [ready])]
    place = max([first, *(number + 1 for number in needed), min([*users, len(names) - 1])])
    layers: list[tuple[str, Any]] = list(opened.models.items())
    layers.insert(place, (rules.column, rules))
    return Pipeline(dict(layers), threads=opened.threads)


def is_read_by(rules: Rules, models: Iterable[ReadyModel]) -> bool:
    """Return whether one of these models reads the column of rules, as those do that learned from it."""
    return any(rules.column in ready.model.columns[:-1] for ready in models)


def before_readers(rules: Rules, models: Mapping[str, ReadyModel]) -> dict[str, Any]:
    """Return layers with rules as early as the columns that they look at allow."""
    layers: list[tuple[str, Any]] = list(models.items())
    names = list(models)
    needed = [names.index(column) + 1 for column in rules.columns if column in names]
    layers.insert(max([int(names[:1] == [TOKENS]), *needed]), (rules.column, rules))
    return dict(layers)


def rules_alone(rules: Rules, tokenizer: str = "") -> Pipeline:
    """Return rules as a pipeline, with a tokeniser: that of a file or an installed model, by default of `TOKENIZER`.

    Without an installed model the rules take sentences of tokens.
    """
    try:
        found = _tokenizer_in(path_of(tokenizer or TOKENIZER))
    except ValueError:
        if tokenizer:
            raise
        found = None
    if found is None:
        if tokenizer:
            raise SettingError(f"--tokenizer: expected a model with a tokeniser, found {tokenizer!r}")
        return Pipeline([rules])
    return Pipeline({TOKENS: found, rules.column: rules})


def _tokenizer_in(path: str) -> ReadyModel | None:
    """Return the tokeniser of a file, which can only be its first layer: no other layer is made ready."""
    data = modelfile.read_file(path)
    is_pipeline = modelfile.kind_of(data) == pipelinefile.KIND
    model = (
        pipelinefile.load_bytes(data, path, most=1).layers[0][1] if is_pipeline else modelfile.load_bytes(data, path)
    )
    return ready_of(model, allow_code=False) if is_tokenizer(model) else None
