"""Features of whole spans and their weights as they are stored, and back, checked."""

from __future__ import annotations

from typing import Any

from perceptag import _core
from perceptag.arrays import NO_FLOATS, np
from perceptag.errors import ModelError, SettingError, brief, reading_model
from perceptag.features.encoder import Encoder
from perceptag.features.span_template import SpanTemplates, parse_spans
from perceptag.labels.label_set import LabelSet
from perceptag.labels.schemes import base_of
from perceptag.labels.span_labels import is_span_label, span_labels
from perceptag.models.model import HEAVIEST, AnyArrays, Arrays, Model, heavy, view_of

FACT = "spans"


def pack_spans(encoder: Encoder, weights: _core.Weights) -> Arrays:
    """Return features of whole spans and their weights; features without weight are left out."""
    spans, index = encoder.spans, encoder.frozen_index
    if spans is None:
        return {}
    rows = weights.rows(_core.SPAN_BLOCK)
    w = weights.get(_core.SPAN_BLOCK)[0].reshape(rows, -1) if rows else np.zeros((0, 1), np.float32)
    used = (w != 0).any(axis=1)
    renumber = np.where(used, np.cumsum(used) - 1, -1).astype(np.int32)
    arrays: Arrays = {"spans.weights": w[used].ravel()}
    for i, template in enumerate(spans.templates):
        values, numbers = index.span_list(i)
        alive = renumber[numbers] >= 0
        arrays[f"spans.values.{i}"] = values.reshape(len(numbers), len(template))[alive].ravel()
        arrays[f"spans.rows.{i}"] = renumber[numbers[alive]]
    return arrays | {f"spans.tree.{i}": index.span_tree(i) for i in range(index.span_trees)}


def span_facts(spans: SpanTemplates | None) -> dict[str, Any]:
    """Return what a model says about its features of whole spans."""
    return {} if spans is None else {FACT: {"longest": spans.longest, "templates": spans.texts}}


def model_spans(model: Model, columns: list[str]) -> SpanTemplates | None:
    """Return the templates of whole spans of a model, read again; None if it has none."""
    found = model.facts.get(FACT)
    if found is None:
        return None
    longest = found.get("longest") if isinstance(found, dict) else None
    texts = found.get("templates") if isinstance(found, dict) else None
    is_whole = isinstance(longest, int) and not isinstance(longest, bool)
    if not is_whole or not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise ModelError(f"facts.spans: expected a number and a list of templates, found {brief(found)}")
    assert isinstance(longest, int)
    if not 1 <= longest <= _core.LONGEST_SPAN:
        raise ModelError(f"facts.spans.longest: expected a number from 1 to {_core.LONGEST_SPAN}, found {longest}")
    try:
        return SpanTemplates(parse_spans(texts, columns), longest)
    except SettingError as error:
        raise ModelError(str(error)) from error


def load_spans(arrays: AnyArrays, encoder: Encoder) -> None:
    """Read features of whole spans into the index of an encoder."""
    if encoder.spans is None:
        return
    index = encoder.frozen_index
    for i in range(index.span_trees):
        index.span_load_tree(i, view_of(arrays, f"spans.tree.{i}", "int32"))
    for i in range(len(encoder.spans.templates)):
        index.span_load(i, view_of(arrays, f"spans.values.{i}", "int32"), view_of(arrays, f"spans.rows.{i}", "int32"))
    if not index.has_every_span_row():
        raise ModelError("features of spans are not numbered one after the other")


def load_span_weights(arrays: AnyArrays, encoder: Encoder, labels: LabelSet, weights: _core.Weights) -> None:
    """Read the weights of features of whole spans."""
    if encoder.spans is None:
        return
    if base_of(labels.inner) != "IOBES" or not all(map(is_span_label, labels.names)):
        raise ModelError(f"facts.spans: expected labels of the scheme IOBES, found {labels.inner}")
    reading, rows = span_labels(labels.names, encoder.spans.longest), encoder.frozen_index.span_rows
    w = view_of(arrays, "spans.weights", "float32")
    if len(w) != rows * reading.classes:
        raise ModelError(f"spans.weights: expected {rows} times {reading.classes} weights, found {len(w)}")
    if not _core.are_within(w, HEAVIEST):
        raise heavy("spans.weights")
    with reading_model("weights of spans"):
        weights.make_spans(*reading, rows)
        weights.set(_core.SPAN_BLOCK, w, NO_FLOATS)
