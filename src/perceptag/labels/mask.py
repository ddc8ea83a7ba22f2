"""Which labels may follow each other, for the core: `labels.pairs.transition_mask` as bytes, made without numpy."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Sequence

from perceptag.labels.schemes import check_scheme, complaint, join_label, split_label


def mask_of(labels: Sequence[str], scheme: str) -> tuple[array[int], array[int]]:
    """Return allowed[previous, y], flat, whose last row is for the start of the sentence, and may_end[y].

    A row depends on the tag before. Only labels of the same type as the label before are judged again.

    >>> [each.tolist() for each in mask_of(["B-X", "E-X"], "IOBES")]
    [[0, 1, 1, 0, 1, 0], [0, 1]]
    """
    if check_scheme(scheme, "none") == "none":
        return array("B", [1] * (len(labels) + 1) * len(labels)), array("B", [1] * len(labels))
    parts = [split_label(label) for label in labels]
    of_kind: dict[str, list[int]] = defaultdict(list)
    for y, (_, kind) in enumerate(parts):
        of_kind[kind].append(y)
    another = "-".join(of_kind) + "-"  # a type that no label has
    rows: dict[tuple[str, bool], array[int]] = {}
    allowed = array("B")
    for previous, (tag, kind) in zip(labels, parts, strict=True):
        key = tag, bool(kind)
        if key not in rows:
            rows[key] = _row(join_label(tag, another) if kind else previous, labels, scheme)
        row = rows[key][:]
        for y in of_kind[kind]:
            row[y] = not complaint(previous, labels[y], scheme)
        allowed += row
    allowed += _row(None, labels, scheme)
    return allowed, array("B", [not complaint(y, None, scheme) for y in labels])


def _row(previous: str | None, labels: Sequence[str], scheme: str) -> array[int]:
    return array("B", [not complaint(previous, y, scheme) for y in labels])
