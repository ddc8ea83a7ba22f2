"""Rules of the schemes for all pairs of labels of a model at once, as arrays.

They look at two tags and at whether the types are the same. Pairs that agree in this are alike, so a few dozen stand
for the square of a large label set.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from perceptag.labels import check_scheme, complaint, split_label


def transition_mask(labels: Sequence[str], scheme: str) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Return allowed[previous, y]: bool[L+1, L] (row L is the start of the sentence) and may_end: bool[L].

    The labelings that pass are exactly those without `violations`; with the scheme ``none`` all do. A label
    set can leave no labeling for some lengths (with B-X and E-X alone, none for one token): a decoder has to
    expect that.
    """
    L = len(labels)
    if check_scheme(scheme, "none") == "none":
        return np.ones((L + 1, L), np.bool_), np.ones(L, np.bool_)
    groups, examples = alike_pairs(labels)
    allowed = np.array([not complaint(previous, y, scheme) for previous, y in examples], np.bool_)
    may_end = [not complaint(y, None, scheme) for y in labels]
    return allowed[groups], np.array(may_end, np.bool_)


def alike_pairs(labels: Sequence[str]) -> tuple[npt.NDArray[np.intp], list[tuple[str | None, str]]]:
    """Return group[previous, y]: intp[L+1, L] (row L is the start of the sentence) and one pair of each group.

    >>> alike_pairs(["B-X", "B-Y"])[1]
    [('B-X', 'B-Y'), ('B-X', 'B-X'), (None, 'B-X')]
    """
    L = len(labels)
    (_, tag), (_, kind) = numbered(split_label(y)[0] for y in labels), numbered(split_label(y)[1] for y in labels)
    tag_before, kind_before = np.append(tag, L), np.append(kind, -1)
    key = (tag_before[:, None] * L + tag) * 2 + (kind_before[:, None] == kind)
    _, first, groups = np.unique(key, return_index=True, return_inverse=True)
    befores = (*labels, None)
    return groups.reshape(key.shape), [(befores[i // L], labels[i % L]) for i in first.tolist()]


def numbered(values: Iterable[str]) -> tuple[list[str], npt.NDArray[np.intp]]:
    """The values without repetition, and for each of the given ones its number there."""
    numbers: dict[str, int] = {}
    ids = [numbers.setdefault(value, len(numbers)) for value in values]
    return list(numbers), np.array(ids, np.intp)
