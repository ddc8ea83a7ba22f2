"""Names of the features of whole spans."""

from __future__ import annotations

from functools import cached_property

from perceptag.arrays import np
from perceptag.features.encoder import Encoder
from perceptag.features.span_template import SpanField


class SpanNames:
    """Gives the name of any feature of whole spans of a model, by its row."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    @cached_property
    def names(self) -> list[str]:
        """Such as ``lower[first-1]=in shortshape[all]=Xx Xx``, by row."""
        spans, index = self._encoder.spans, self._encoder.frozen_index
        found = [""] * index.span_rows
        for i, template in enumerate(spans.templates if spans else ()):
            values, rows = index.span_list(i)
            for row, numbers in zip(rows.tolist(), values.reshape(len(rows), len(template)).tolist(), strict=True):
                said = (f"{one}={self._value(one, number)}" for one, number in zip(template, numbers, strict=True))
                found[row] = " ".join(said)
        return found

    def _value(self, one: SpanField, number: int) -> str:
        if one.field is None:
            return str(number)
        key = one.field.column, one.field.attributes
        if one.place == "all":
            return " ".join(self._word(key, value) for value in self._path(key, number))
        return self._word(key, number)

    def _word(self, key: tuple[str, tuple[str, ...]], number: int) -> str:
        padding = self._encoder.padding
        if number < padding:
            return f"<s{number + 1}>"
        if number < 2 * padding:
            return f"</s{number - padding + 1}>"
        return self._words[key][number - 2 * padding]

    def _path(self, key: tuple[str, tuple[str, ...]], node: int) -> list[int]:
        """The values on the way from the root of a tree to a node."""
        tree, found = self._trees[key], []
        while node:
            node, value = tree[node - 1]
            found.append(value)
        return found[::-1]

    @cached_property
    def _words(self) -> dict[tuple[str, tuple[str, ...]], list[str]]:
        assert self._encoder.spans is not None
        return {(f.column, f.attributes): self._encoder.value_names(f) for f in self._encoder.spans.fields}

    @cached_property
    def _trees(self) -> dict[tuple[str, tuple[str, ...]], list[list[int]]]:
        """The trees of sequences, which the core numbers as templates first look at them."""
        assert self._encoder.spans is not None
        fields = [one.field for t in self._encoder.spans.templates for one in t if one.place == "all" and one.field]
        keys = dict.fromkeys((f.column, f.attributes) for f in fields)
        index = self._encoder.frozen_index
        return {key: np.reshape(index.span_tree(i), (-1, 2)).tolist() for i, key in enumerate(keys)}
