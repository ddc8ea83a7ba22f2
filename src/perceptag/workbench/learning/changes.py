"""What a new model changed: sentences of the pool that it labels differently."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Change:
    """A sentence with the labels of two models."""

    id: int
    before: list[str]
    after: list[str]

    @property
    def tokens(self) -> list[int]:
        """The numbers of the tokens whose labels differ."""
        return [t for t, (a, b) in enumerate(zip(self.before, self.after, strict=True)) if a != b]


def changes(before: Mapping[int, Sequence[str]], after: Mapping[int, Sequence[str]]) -> list[Change]:
    """Return the sentences that both label, with different labels, by id. The labels are given by sentence."""
    return [
        Change(i, list(before[i]), list(labels))
        for i, labels in sorted(after.items())
        if i in before and list(before[i]) != list(labels)
    ]
