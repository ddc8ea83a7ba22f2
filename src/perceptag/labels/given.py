"""Given labels: the labels of a model that agree with them, and checks against the scheme.

    given, as the data writes labels      B-PER   None    O          (IOB2)
    labels of the model that agree        B-PER   any     O          (IOBES)
                                          S-PER

What the data writes for a label of the model may depend on its neighbours: in IOB1, B-PER of the model becomes I-PER
unless a chunk of the same type ends before it. So `masks` may leave too much, and `splits` cuts it into parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from perceptag.arrays import np
from perceptag.errors import DataError, nearest
from perceptag.labels.label_set import LabelSet
from perceptag.labels.pairs import transition_mask
from perceptag.labels.schemes import complaint, join_label, split_label
from perceptag.system.plural import plural
from perceptag.text.sentence import Sentence

if TYPE_CHECKING:
    import numpy.typing as npt

Given = Sequence["str | None"]  # a label for each token, or None where the model is free
Mask = frozenset[int]  # labels of the model that a token may have


class GivenLabels:
    """Maps labels of the data to the labels of a model that agree with them."""

    def __init__(self, label_set: LabelSet, constrained: bool) -> None:
        self.label_set = label_set
        self.every = frozenset(range(len(label_set.names)))
        self._constrained = constrained
        self._same = label_set.inner == label_set.outer
        self._numbers = {name: i for i, name in enumerate(label_set.names)}
        self._transitions = transition_mask(label_set.names, label_set.inner) if label_set.inner != "none" else None
        self.agreeing = lru_cache(maxsize=None)(self._agreeing)
        self.written = lru_cache(maxsize=1 << 16)(self._written)

    def masks(self, sentence: Sentence, given: Given) -> list[Mask]:
        """Return the labels that each token may have; raise `DataError` if there is no such labelling."""
        masks = []
        for t, label in enumerate(given):
            masks.append(self.every if label is None else self.agreeing(label))
            if not masks[-1]:
                names = self.label_set.names
                known = f"{nearest(label, self.writable())}; the model has {plural(len(names), 'label')}"
                raise DataError(f"given labels: unknown label {label!r}{known}", sentence.where(t))
        if any(label is not None for label in given):
            self._check_scheme(sentence, given)
            self._check_ways(sentence, masks)
        return masks

    def writable(self) -> list[str]:
        """Return the labels of the model as the data may write them, sorted; edit scripts stay as they are."""
        if self._same or self.label_set.is_open:
            return list(self.label_set.names)
        kinds = dict.fromkeys(split_label(name)[1] for name in self.label_set.names)
        maybe = dict.fromkeys(join_label(letter, kind) for kind in kinds for letter in "BIESLUMW" if kind)
        return sorted(label for label in ["O", *maybe] if self.agreeing(label))

    def _check_scheme(self, sentence: Sentence, given: Given) -> None:
        """Refuse neighbours that break the scheme of the data."""
        for t, (before, label) in enumerate(zip([None, *given], [*given, None], strict=True)):
            if (t and before is None) or (t < len(given) and label is None):
                continue  # not a border of the sentence, but a token that the model is free to label
            if fault := complaint(before, label, self.label_set.outer):
                message = f"given labels: {fault}, which breaks {self.label_set.outer}"
                raise DataError(message, sentence.where(min(t, len(given) - 1)))

    def _check_ways(self, sentence: Sentence, masks: Sequence[Mask]) -> None:
        """Refuse labels that cannot be completed within the scheme of the model."""
        for t, reached in enumerate(self._reached(masks)):
            if not reached.any():
                message = f"given labels: no label of the model fits here in {self.label_set.inner}"
                raise DataError(message, sentence.where(t))

    def _reached(self, masks: Sequence[Mask]) -> list[npt.NDArray[np.bool_]]:
        """Return the labels of each token that can be reached from the left within the masks."""
        found: list[npt.NDArray[np.bool_]] = []
        for t, mask in enumerate(masks):
            now = np.zeros(len(self.every), np.bool_)
            now[list(mask)] = True
            if self._transitions is not None:
                follows, may_end = self._transitions
                now &= follows[:-1][found[-1]].any(axis=0) if found else follows[-1]
                now &= may_end | (t < len(masks) - 1)
            found.append(now)
        return found

    def some(self, masks: Sequence[Mask]) -> list[int]:
        """Return some labelling within the masks."""
        ids: list[int] = []
        for now in reversed(self._reached(masks)):
            if ids and self._transitions is not None:
                now = now & self._transitions[0][:-1, ids[-1]]  # noqa: PLW2901
            ids.append(int(now.argmax()))
        return ids[::-1]

    def _agreeing(self, label: str) -> Mask:
        """Return the labels of the model that the data may write as `label`, next to some neighbours."""
        if self._same:
            return frozenset({self._numbers[label]} if label in self._numbers else ())
        kind = split_label(label)[1]
        around: list[int | None] = [
            None,
            *(y for y, name in enumerate(self.label_set.names) if split_label(name)[1] in ("", kind)),
        ]
        return frozenset(
            y for y in around if y is not None and any(self.written(a, y, b) == label for a in around for b in around)
        )

    def _written(self, before: int | None, y: int, after: int | None) -> str | None:
        """Return the outer label of y between two labels; None if the model forbids that sequence."""
        ids = [i for i in (before, y, after) if i is not None]
        names = [self.label_set.names[i] for i in ids]
        if self._constrained and self._transitions is not None:
            follows, may_end = self._transitions
            if before is None and not follows[-1, y]:
                return None
            if not all(follows[i, j] for i, j in pairwise(ids)) or (after is None and not may_end[y]):
                return None
        return self.label_set.to_outer(names)[before is not None]

    def splits(self, masks: Sequence[Mask], ids: Sequence[int], t: int, label: str) -> Iterator[list[Mask]]:
        """Split the masks into parts without `ids`, a labelling that is not written as `label` at t.

        Together the parts have every labelling that is written so: with another label at t, with another one before
        it, or with another one after it.
        """
        y = ids[t]
        yield changed_masks(masks, {t: masks[t] - {y}})
        if not self._same and t:
            befores = frozenset(a for a in masks[t - 1] - {ids[t - 1]} if self._may_write(masks, a, y, t, label))
            yield changed_masks(masks, {t: frozenset({y}), t - 1: befores})
        if not self._same and t + 1 < len(masks):
            fixed = {i: frozenset({ids[i]}) for i in (t - 1, t) if i >= 0}
            before = ids[t - 1] if t else None
            afters = frozenset(c for c in masks[t + 1] if self.written(before, y, c) == label)
            yield changed_masks(masks, {**fixed, t + 1: afters})

    def _may_write(self, masks: Sequence[Mask], before: int, y: int, t: int, label: str) -> bool:
        afters = masks[t + 1] if t + 1 < len(masks) else [None]
        return any(self.written(before, y, after) == label for after in afters)


def changed_masks(masks: Sequence[Mask], changes: dict[int, Mask]) -> list[Mask]:
    """Return the masks with those of some tokens changed."""
    return [changes.get(t, mask) for t, mask in enumerate(masks)]
