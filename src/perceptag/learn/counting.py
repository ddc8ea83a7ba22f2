"""Count wrong sequences and labels during a pass."""

from __future__ import annotations

from dataclasses import dataclass

from perceptag._core import Labels


@dataclass(slots=True)
class Errors:
    """The number of wrong sequences and of wrong labels in a pass, under the weights before each update."""

    sequences: int = 0
    labels: int = 0

    def count(self, gold: Labels, guess: Labels) -> None:
        """Compare the guess for one sequence with its gold labelling."""
        if guess != gold:
            self.sequences += 1
            self.labels += differing(gold, guess)

    def add(self, sequences: int, labels: int) -> None:
        """Add what a pass in C++ has counted."""
        self.sequences += sequences
        self.labels += labels


def differing(a: Labels, b: Labels) -> int:
    """Return at how many tokens two labellings differ."""
    return int((a.numpy() != b.numpy()).sum())
