"""The voted kernel perceptron in dual form, as it is defined; slow.

Freund & Schapire (1999); Carreras, Màrquez & Padró (2003), section 3.2:

    h(x) = Σ_j c_j Σ_{l<=j} s_l K(x_l, x)        K(x, x') = (x·x' + 1)^d

Instances are sets of features. c_j is the number of decisions that the j-th vector survived.
"""

from __future__ import annotations

from collections.abc import Hashable, Set
from dataclasses import dataclass, field
from itertools import combinations

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


def expand(instances: list[Instance], coefficients: list[int]) -> dict[frozenset[Hashable], int]:
    """Return the weights of all features and pairs that a kernel of degree 2 represents.

    (m + 1)² = 1 + 3m + 2·C(m, 2), where m is the number of common features: the empty set has the weight Σ a_l, a
    feature 3·Σ a_l and a pair 2·Σ a_l over the instances that contain it.
    """
    weights: dict[frozenset[Hashable], int] = {}
    for x, a in zip(instances, coefficients, strict=True):
        for size, factor in ((0, 1), (1, 3), (2, 2)):
            for some in combinations(x, size):
                weights[frozenset(some)] = weights.get(frozenset(some), 0) + factor * a
    return weights


def score_expanded(weights: dict[frozenset[Hashable], int], x: Instance) -> int:
    """Return the sum of the weights of everything in x."""
    return sum(weights.get(frozenset(some), 0) for size in range(3) for some in combinations(x, size))
