"""The n best labellings of a lattice, in two ways: by trying all, and by A* search.

Kazama & Torisawa (2007) [D07-1033], sections 3 and 4.1, take their n-best lists from the A* search of Soong & Huang
(1991), "A Tree-Trellis Based Fast Search for Finding the N Best Sentence Hypotheses", ICASSP.

    forward Viterbi: a[t][y], the best score of 0..t ending in y       _best_prefixes
    agenda of suffixes t..T-1, ordered by f = g + a[t][y],             heap of (-f, suffix read from the end, g)
      g = the scores that the suffix adds after a[t][y]
    pop the best; a suffix that reaches 0 is the next labelling
    otherwise push it extended by every label y' at t-1

f is exactly the score of the best labelling with that suffix, so complete suffixes leave the agenda in order.

Order: the higher score comes first; if scores are equal, the smaller `tie_order`. Two suffixes on the agenda always
differ in some label, and the one with the lower label there has the labellings that come first. So the rule for whole
labellings is also the rule of the agenda. Forbidden labellings (minus infinity) are left out.

Departure: states are pairs of labels, so that one search serves every order; for orders 0 and 1 the score simply does
not depend on the first of the pair.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import product
from math import inf

from reference.lattice import Labels, Lattice, enumerate_labelings, score, tie_order

Scored = tuple[Labels, float]


def nbest_by_enumeration(lattice: Lattice, n: int) -> list[Scored]:
    scored = [(labels, score(lattice, labels)) for labels in enumerate_labelings(lattice)]
    allowed = [(labels, total) for labels, total in scored if total > -inf]
    return sorted(allowed, key=lambda item: (-item[1], tie_order(item[0])))[:n]


def nbest(lattice: Lattice, n: int) -> list[Scored]:
    """A*. Scores must sum without rounding, as whole numbers do: f adds them in another order than `score`."""
    if lattice.T == 0:
        return [((), 0.0)]
    best = _best_prefixes(lattice)
    agenda: list[tuple[float, Labels, float]] = []

    def push(t: int, u: int, y: int, after: Labels, g: float) -> None:
        f = best[t][u, y] + g
        if f > -inf:
            heappush(agenda, (-f, (*after, y, u), g))

    for u, y in best[-1]:
        push(lattice.T - 1, u, y, (), 0.0)
    found: list[Scored] = []
    while agenda and len(found) < n:
        f, suffix, g = heappop(agenda)
        *after, y, u = suffix
        t = lattice.T - 1 - len(after)  # y is at t
        if t == 0:
            found.append((tie_order((*after, y)), -f))
            continue
        for v in range(lattice.L) if t > 1 else [lattice.L]:
            push(t - 1, v, u, (*after, y), g + sum(lattice.step(t, v, u, y)))
    return found


def _best_prefixes(lattice: Lattice) -> list[dict[tuple[int, int], float]]:
    """best[t][u, y]: the best score of 0..t ending in u y; at t = 0, u is the start."""
    L, start = lattice.L, lattice.L
    best = [{(start, y): sum(lattice.step(0, start, start, y)) for y in range(L)}]
    for t in range(1, lattice.T):
        firsts = range(L) if t > 1 else [start]
        best.append(
            {
                (u, y): max(best[-1][v, u] + sum(lattice.step(t, v, u, y)) for v in firsts)
                for u, y in product(range(L), repeat=2)
            }
        )
    return best
