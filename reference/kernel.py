"""The voted kernel perceptron in dual form, as it is defined; slow.

Freund & Schapire (1999); Carreras, Màrquez & Padró (2003), section 3.2:

    h(x) = Σ_j c_j Σ_{l<=j} s_l K(x_l, x)        K(x, x') = (x·x' + 1)^d

Instances are sets of features. c_j is the number of decisions that the j-th vector survived.
"""

from __future__ import annotations

from collections.abc import Hashable, Set
from dataclasses import dataclass, field

Instance = Set[Hashable]


def kernel(x: Instance, other: Instance, degree: int) -> int:
    """Return the polynomial kernel of two sets."""
    return int((len(x & other) + 1) ** degree)


@dataclass(slots=True)
class VotedPerceptron:
    """Every instance that was ever added, its sign, and how long each vector survived."""

    degree: int
    instances: list[Instance] = field(default_factory=list)
    signs: list[int] = field(default_factory=list)
    survived: list[int] = field(default_factory=list)  # c_j of the vector made by the j-th instance

    def decide(self, x: Instance) -> int:
        """Make one decision with the current vector, and count it."""
        score = self.score(x)
        if self.survived:
            self.survived[-1] += 1
        return score

    def score(self, x: Instance) -> int:
        """Return the score without counting it as a decision."""
        return sum(s * kernel(v, x, self.degree) for v, s in zip(self.instances, self.signs, strict=True))

    def add(self, x: Instance, sign: int) -> None:
        """Make a new vector by adding or subtracting an instance."""
        self.instances.append(x)
        self.signs.append(sign)
        self.survived.append(0)

    def voted(self, x: Instance) -> int:
        """Return the double sum over all stored vectors, literally."""
        total = 0
        for j, c in enumerate(self.survived):
            vector = sum(self.signs[i] * kernel(self.instances[i], x, self.degree) for i in range(j + 1))
            total += c * vector
        return total
