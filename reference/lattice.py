"""The scores of one sequence and the search for its best labelling, as plainly as possible.

    score(y) = sum over t of  node[t][y_t] + edge[t][y_{t-1}][y_t] + trigram[t][y_{t-2}][y_{t-1}][y_t]

Before the sequence comes the label "start", number L, as often as needed. A lattice of order 0 has no edges and
no trigrams, one of order 1 has no trigrams. A score of minus infinity forbids.

Collins (2002) [W02-1001], sections 2.2 and 2.4: histories have the two tags before, so Viterbi search goes over pairs.

Among labellings with equal scores the first in `tie_order` is the best: the one with the lower label where they first
differ, read from the last label to the first. Back-pointers that take the lowest of equally good labels find it. A
search that leaves out pairs of labels must keep every pair that ties with the best: `reference.bounded_search`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import inf

Labels = tuple[int, ...]
EdgeTable = Sequence[Sequence[float]]  # [L+1][L]
TrigramTable = Sequence[EdgeTable]  # [L+1][L+1][L]


@dataclass(frozen=True)
class Lattice:
    L: int
    node: Sequence[Sequence[float]]  # [T][L]
    edge: Sequence[EdgeTable] | None = None  # [T][L+1][L]; at t = 0 only row L, the start, is used
    trigram: Sequence[TrigramTable] | None = None  # [T][L+1][L+1][L]

    @property
    def T(self) -> int:
        return len(self.node)

    @property
    def order(self) -> int:
        return 2 if self.trigram is not None else 1 if self.edge is not None else 0

    def step(self, t: int, v: int, u: int, y: int) -> tuple[float, float, float]:
        """Return the scores of label y at t after labels v and u."""
        return (
            self.node[t][y],
            self.edge[t][u][y] if self.edge is not None else 0.0,
            self.trigram[t][v][u][y] if self.trigram is not None else 0.0,
        )


def plain(
    L: int,
    node: Sequence[Sequence[float]],
    edge: EdgeTable | None = None,
    trigram: TrigramTable | None = None,
) -> Lattice:
    """Return a lattice whose edges and trigrams are the same at every position."""
    T = len(node)
    return Lattice(L, node, None if edge is None else [edge] * T, None if trigram is None else [trigram] * T)


def enumerate_labelings(lattice: Lattice) -> Iterator[Labels]:
    """Yield every labelling, in no useful order."""
    return product(range(lattice.L), repeat=lattice.T)


def score(lattice: Lattice, labels: Sequence[int]) -> float:
    """Return the score of a labelling, summed from left to right."""
    padded = (lattice.L, lattice.L, *labels)
    total = 0.0
    for t in range(lattice.T):
        v, u, y = padded[t : t + 3]
        for part in lattice.step(t, v, u, y):
            total += part
    return total


def tie_order(labels: Sequence[int]) -> Labels:
    """Return the key that orders labellings with equal scores."""
    return tuple(reversed(labels))


def viterbi(lattice: Lattice) -> tuple[Labels, float]:
    """Return the best labelling and its score. If the score is minus infinity, every labelling is forbidden."""
    if lattice.T == 0:
        return (), 0.0
    labels = (_viterbi0, _viterbi1, _viterbi2)[lattice.order](lattice)
    return labels, score(lattice, labels)


def _viterbi0(x: Lattice) -> Labels:
    """Choose the label of every position on its own."""
    return tuple(max(range(x.L), key=lambda y: x.node[t][y]) for t in range(x.T))


def _viterbi1(x: Lattice) -> Labels:
    """alpha[t][y]: the score of the best labelling of 0..t that ends in y."""
    L, start = x.L, x.L
    alpha = [[sum(x.step(0, start, start, y)) for y in range(L)]]
    back: list[list[int]] = []
    for t in range(1, x.T):
        alpha.append([-inf] * L)
        back.append([0] * L)
        for y, u in product(range(L), repeat=2):
            total = alpha[t - 1][u] + sum(x.step(t, start, u, y))
            if total > alpha[t][y]:
                alpha[t][y], back[-1][y] = total, u
    labels = [max(range(L), key=lambda y: alpha[-1][y])]
    for pointers in reversed(back):
        labels.append(pointers[labels[-1]])
    return tie_order(labels)


def _viterbi2(x: Lattice) -> Labels:
    """alpha[t][u, y]: the score of the best labelling of 0..t that ends in u y; at t = 0, u is the start."""
    L, start = x.L, x.L
    alpha = [{(start, y): sum(x.step(0, start, start, y)) for y in range(L)}]
    back: list[dict[tuple[int, int], int]] = []
    for t in range(1, x.T):
        alpha.append({(u, y): -inf for u in range(L) for y in range(L)})
        back.append(dict.fromkeys(alpha[t], 0))
        for (v, u), before in sorted(alpha[t - 1].items()):
            for y in range(L):
                total = before + sum(x.step(t, v, u, y))
                if total > alpha[t][u, y]:
                    alpha[t][u, y], back[-1][u, y] = total, v
    # Ends in the order of the last label, then of the one before: max takes the first of equal ones.
    u, y = max(sorted(alpha[-1], key=tie_order), key=lambda pair: alpha[-1][pair])
    labels = [y]
    for pointers in reversed(back):
        labels.append(u)
        u, y = pointers[u, y], u
    return tie_order(labels)


def max_marginals(lattice: Lattice) -> list[list[float]]:
    """Return for each token and label the best score with it minus the best of all. Some labelling must be allowed."""
    best = viterbi(lattice)[1]
    return [[_best_with(lattice, t, y) - best for y in range(lattice.L)] for t in range(lattice.T)]


def _best_with(lattice: Lattice, t: int, y: int) -> float:
    """Return the best score of the labellings with y at t, where all other labels are forbidden."""
    return viterbi(_with_nodes(lattice, t, [score if z == y else -inf for z, score in enumerate(lattice.node[t])]))[1]


def rivals(lattice: Lattice, labels: Sequence[int]) -> list[Labels | None]:
    """Return for each token the best labelling that has another label there, or None if there is no other."""
    found: list[Labels | None] = []
    for t, label in enumerate(labels):
        other = [-inf if y == label else score for y, score in enumerate(lattice.node[t])]
        rival, best = viterbi(_with_nodes(lattice, t, other))
        found.append(None if best == -inf else rival)
    return found


def _with_nodes(lattice: Lattice, t: int, scores: Sequence[float]) -> Lattice:
    """Return a lattice with other scores of the labels at t."""
    return replace(lattice, node=[*lattice.node[:t], scores, *lattice.node[t + 1 :]])
