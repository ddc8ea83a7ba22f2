"""Convert label ids of a model to the labels of the data, for a whole batch.

`labels.schemes.convert` rewrites one sentence through its chunks. For IOB1 and IOB2 a table does the same, since the
result depends only on the label of a token and the label before it. That is ten times as fast, and tagging is so fast
that the difference matters.
"""

from __future__ import annotations

from perceptag import _core
from perceptag.labels.label_set import LabelSet
from perceptag.labels.schemes import join_label, split_label
from perceptag.numeric.arrays import Ints
from perceptag.numeric.lazy import np

MOST_IN_A_TABLE = 2048  # labels: a table of 16 MiB


class LabelWriter:
    """Turns label ids into labels of the data's scheme."""

    def __init__(self, label_set: LabelSet) -> None:
        self.label_set = label_set
        small = len(label_set.names) <= MOST_IN_A_TABLE
        by_pairs = label_set.inner != label_set.outer and label_set.outer in ("IOB1", "IOB2") and small
        self._table = _pair_table(label_set) if by_pairs else None
        names = label_set.names if self._table is None else self._table[0]
        self.names = tuple(names)

    @property
    def pairs(self) -> tuple[list[str], Ints] | None:
        """The data's labels, and int32[L + 1, L]: which of them a pair of the model's labels gives. None: no table."""
        return self._table

    def __call__(self, ids: Ints, begin: Ints) -> list[list[str]]:
        """Return the labels of each sentence; `begin` says where the sentences begin in `ids`."""
        sentences = _core.name_lists(self.names, self.numbers(ids, begin), begin)
        return sentences if self.is_by_table else [self.label_set.to_outer(labels) for labels in sentences]

    @property
    def is_by_table(self) -> bool:
        """Whether the `names` with these `numbers` are the final labels, without looking at whole sentences."""
        return self._table is not None or self.label_set.inner == self.label_set.outer

    def numbers(self, ids: Ints, begin: Ints) -> Ints:
        """Return the positions of the labels in `names`."""
        return ids if self._table is None else self._by_pairs(ids, begin)

    def _by_pairs(self, ids: Ints, begin: Ints) -> Ints:
        assert self._table is not None
        ids, begin = np.asarray(ids), np.asarray(begin)  # of a text they are views of memory
        before = np.empty_like(ids)
        before[1:] = ids[:-1]
        starts = begin[:-1]
        before[starts[starts < len(ids)]] = len(self.label_set.names)
        outer: Ints = self._table[1][before, ids]
        return outer


def _pair_table(label_set: LabelSet) -> tuple[list[str], Ints]:
    """Return the outer labels, and int32[L + 1, L]: which of them the second label of a pair gets.

    Row L is for a label at the start. A label keeps its type, so all pairs of a group have the same outer tag.
    """
    from perceptag.labels.pairs import alike_pairs, numbered  # it needs numpy, and few models need a table

    groups, examples = alike_pairs(label_set.names)
    labels = [label_set.to_outer([y] if previous is None else [previous, y])[-1] for previous, y in examples]
    tags, tag = numbered(split_label(label)[0] for label in labels)
    kinds, kind = numbered(split_label(name)[1] for name in label_set.names)
    numbers, table = np.unique(tag[groups] * len(kinds) + kind, return_inverse=True)
    names = [join_label(tags[n // len(kinds)], kinds[n % len(kinds)]) for n in numbers.tolist()]
    return names, table.reshape(groups.shape).astype(np.int32)
