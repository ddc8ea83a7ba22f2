"""Names of the features of a linear model."""

from __future__ import annotations

from perceptag import _core
from perceptag.arrays import Ints, np
from perceptag.features.encoder import Encoder
from perceptag.features.template import CROSSINGS
from perceptag.models.linear.span_names import SpanNames

OUTSIDE_SCORE = "outside_score"  # what the recipe adds to the label O, in lists of features


def counted(name: str, amount: float) -> str:
    """Return the name of a feature with what it counts.

    >>> counted("features.valued[0]=length", 0.5), counted("form[0]=dog", 1.0)
    ('features.valued[0]=length × 0.5', 'form[0]=dog')
    """
    return name if amount == 1 else f"{name} × {amount:.8g}"


class FeatureNames:
    """Gives the name of any feature of a model, by block and row."""

    def __init__(self, encoder: Encoder) -> None:
        assert encoder.index is not None
        self.spans = SpanNames(encoder)
        # For each order and row: the template, and the number among its features.
        self._where = [np.zeros((encoder.index.rows(order), 2), np.int32) for order in range(len(CROSSINGS))]
        self._values = []
        for i, template in enumerate(encoder.templates):
            values, rows = encoder.index.list(i)
            self._values.append(values.reshape(len(rows), len(template.fields)))
            self._where[template.order][rows] = np.stack([np.full(len(rows), i), np.arange(len(rows))], axis=1)
        self._fields = [[str(field) for field in template.fields] for template in encoder.templates]
        self._padding = encoder.padding
        paths = {(f.column, f.attributes): f for t in encoder.templates for f in t.fields}
        values_of = {path: encoder.value_names(f) for path, f in paths.items()}
        self._meanings = [[encoder.value_meanings(f) for f in t.fields] for t in encoder.templates]
        self._words = [[values_of[f.column, f.attributes] for f in t.fields] for t in encoder.templates]

    def name(self, block: int, row: int) -> str:
        """Such as ``form[0]=dog`` or ``bias * y-1 y0``."""
        if block == _core.BLOCKS:
            return OUTSIDE_SCORE
        order = _core.order_of(block)
        seen = "bias" if _core.is_plain(block) else self.observation(block, row)
        return f"{seen} * {CROSSINGS[order]}" if order else seen

    def names(self, block: int, rows: Ints) -> list[str]:
        """The names of many features of a block, which is much faster than one by one."""
        order = _core.order_of(block)
        seen = ["bias"] * len(rows) if _core.is_plain(block) else self._observations(block, rows)
        return [f"{one} * {CROSSINGS[order]}" for one in seen] if order else seen

    def _observations(self, block: int, rows: Ints) -> list[str]:
        template, number = self._where[block][rows].T
        found = np.empty(len(rows), object)
        for i in np.unique(template).tolist():
            here = np.flatnonzero(template == i)
            values = self._values[i][number[here]].T.tolist()
            fields = [
                [f"{field}={self._value(i, j, value)}" for value in column]
                for j, (field, column) in enumerate(zip(self._fields[i], values, strict=True))
            ]
            found[here] = [" ".join(parts) for parts in zip(*fields, strict=True)] or "bias"
        return list(found)

    def observation(self, block: int, row: int) -> str:
        """What a feature sees, without the labels that it is crossed with: ``form[0]=dog`` or ``bias``."""
        i, k = self._where[block][row].tolist()
        parts = [
            f"{field}={self._value(i, j, value)}"
            for j, (field, value) in enumerate(zip(self._fields[i], self._values[i][k].tolist(), strict=True))
        ]
        return " ".join(parts) or "bias"

    def meaning(self, block: int, row: int) -> str:
        """A feature in words, if it looks at word classes or lists; else nothing."""
        if block == _core.BLOCKS or _core.is_plain(block):
            return ""
        i, k = self._where[block][row].tolist()
        numbers = self._values[i][k].tolist()
        said = [self._said(i, j, number) for j, number in enumerate(numbers)]
        if not any(said):
            return ""
        parts = [
            one or f"{self._fields[i][j]}={self._value(i, j, number)}"
            for j, (one, number) in enumerate(zip(said, numbers, strict=True))
        ]
        order = _core.order_of(block)
        return ", ".join(parts) + (f" * {CROSSINGS[order]}" if order else "")

    def _said(self, template: int, field: int, number: int) -> str:
        values = self._meanings[template][field]
        place = number - 2 * self._padding
        return values[place] if values and place >= 0 else ""

    def _value(self, template: int, field: int, number: int) -> str:
        if number < self._padding:
            return f"<s{number + 1}>"
        if number < 2 * self._padding:
            return f"</s{number - self._padding + 1}>"
        return self._words[template][field][number - 2 * self._padding]
