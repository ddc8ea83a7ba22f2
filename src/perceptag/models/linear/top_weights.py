"""The heaviest weights of a linear model, label by label."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from perceptag import _core
from perceptag.arrays import Ints, np
from perceptag.labels.label_parts import LabelParts
from perceptag.labels.span_labels import span_types
from perceptag.models.linear.blocks import BLOCKS
from perceptag.models.linear.feature_names import FeatureNames

if TYPE_CHECKING:
    import numpy.typing as npt

_START = "<s>"


def heaviest(
    vectors: Sequence[_core.Weights],
    features: FeatureNames,
    names: tuple[str, ...],
    n: int,
    parts: LabelParts | None = None,
) -> dict[str, list[tuple[str, float]]]:
    """The `n` features with the largest absolute weight for each label; the mean where several vectors vote.

    Features that look at labels before it are listed with these: ``bias * y-1 y0, y-1=DT``. Parts
    of labels come after the labels, features of whole spans after them.
    """
    owners = (*names, *(parts.shown_names() if parts else ()))
    learned = [_learned(vectors, block) for block in BLOCKS]
    block, row, labels, weight = (np.concatenate(part, axis=-1) for part in zip(*learned, strict=True))
    order = np.lexsort((-np.abs(weight), labels[-1]))  # by label, then from the heaviest down; a stable sort
    mine = np.split(order, np.searchsorted(labels[-1][order], np.arange(1, len(owners))))
    first = [some[:n] for some in mine]
    chosen = np.concatenate(first)
    named = _named(features, block[chosen], row[chosen])
    for i in np.flatnonzero(labels[:-1, chosen].max(axis=0) >= 0).tolist():
        named[i] += _before(labels[:-1, chosen[i]].tolist(), names)
    listed = iter(zip(named, weight[chosen].tolist(), strict=True))
    found = {name: list(islice(listed, len(some))) for name, some in zip(owners, first, strict=True)}
    return found | (_heaviest_of_spans(vectors[0], features, names, n) if vectors[0].has_spans else {})


def _heaviest_of_spans(
    weights: _core.Weights, features: FeatureNames, names: tuple[str, ...], n: int
) -> dict[str, list[tuple[str, float]]]:
    """The same for the features of whole spans, by the type of the span."""
    table = weights.get(_core.SPAN_BLOCK)[0].reshape(weights.rows(_core.SPAN_BLOCK), -1)
    found = {}
    for kind, name in enumerate(span_types(names)):
        order = np.argsort(-np.abs(table[:, kind]), kind="stable")[:n].tolist()
        own = [(features.spans.names[row], float(table[row, kind])) for row in order if table[row, kind]]
        found[f"span {name}"] = own
    return found


def _named(features: FeatureNames, block: Ints, row: Ints) -> list[str]:
    """The names of features, each made once: a feature has a weight for each of several labels."""
    named = np.empty(len(block), object)
    for one in np.unique(block).tolist():
        here = np.flatnonzero(block == one)
        rows, place = np.unique(row[here], return_inverse=True)
        named[here] = np.array(features.names(one, rows), object)[place.ravel()]
    return list(named)


def _learned(vectors: Sequence[_core.Weights], block: int) -> tuple[Ints, Ints, Ints, npt.NDArray[np.float64]]:
    """Block, row, labels (y-2, y-1, y0; -1 where a weight does not look) and weight of what is not zero in a block."""
    weight = np.stack([w.get(block)[0] for w in vectors]).astype(np.float64).sum(axis=0) / len(vectors)
    weight[~np.isfinite(weight)] = 0  # weights of forbidden transitions were not learned
    used = np.flatnonzero(weight)
    rows, seen = vectors[0].owners(block, used)
    labels = np.full((3, len(used)), -1, np.int32)
    labels[3 - len(seen) :] = seen
    return np.full(len(used), block, np.int32), rows, labels, weight[used]


def _before(labels: list[int], names: tuple[str, ...]) -> str:
    """The labels y-2 and y-1, where a weight looks at them."""
    names = (*names, _START)
    return "".join(f", y-{2 - k}={names[y]}" for k, y in enumerate(labels) if y >= 0)
