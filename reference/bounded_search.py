"""First-order search without scoring all pairs of labels, as plainly as possible.

Every position has scores of the best labellings that end in each label. Some are exact. The others are upper bounds:
what labels whose edges were not looked at can give at most. Wherever a bound is the first of the best, its exact score
is found and the choice is made again. So every choice is made among exact scores, and the tie rule of
`reference.lattice` holds: the first of equal labels wins, seen from the end.

A label v before is looked at if its largest edge leads to more than the best label before has by itself.

Esposito and Radicioni (2009), "CarpeDiem: Optimizing the Viterbi Algorithm and Applications to Supervised Sequential
Learning", JMLR 10.
"""

from __future__ import annotations

from math import inf

from reference.lattice import EdgeTable, Labels, Lattice, score, tie_order


class BoundedSearch:
    """The search in a lattice of order 1 whose edges are the same at every position."""

    def __init__(self, x: Lattice) -> None:
        assert x.edge is not None and x.T > 0
        self.x, self.edge = x, x.edge[0]
        edge: EdgeTable = self.edge
        self.row = [max(edge[v]) for v in range(x.L)]
        self.column = [max(edge[v][y] for v in range(x.L)) for y in range(x.L)]
        self.score = [[x.node[0][y] + edge[x.L][y] for y in range(x.L)]]
        self.exact = [[True] * x.L]
        for t in range(1, x.T):
            self.step(t)

    def step(self, t: int) -> None:
        """Exact scores or bounds of all labels at t."""
        before, labels = self.score[t - 1], range(self.x.L)
        top = self.best(t - 1)
        looked_at = [v for v in labels if v == top or before[v] + self.row[v] > before[top]]
        for v in looked_at:
            self.make_exact(t - 1, v)
        rest = [v for v in labels if v not in looked_at]
        most = max((before[v] for v in rest), default=-inf)
        reach = max((before[v] + self.row[v] for v in rest), default=-inf)
        found = [max(before[v] + self.edge[v][y] for v in looked_at) for y in labels]
        bound = [min(reach, most + self.column[y]) for y in labels]
        self.exact.append([found[y] >= bound[y] for y in labels])
        self.score.append([max(found[y], bound[y]) + self.x.node[t][y] for y in labels])

    def best(self, t: int) -> int:
        """Return the best label at t."""
        while not self.exact[t][label := _first_best(self.score[t])]:
            self.make_exact(t, label)
        return label

    def before(self, t: int, y: int) -> int:
        """Return the label before y at t on the best way there."""
        while True:
            v = _first_best([self.score[t - 1][v] + self.edge[v][y] for v in range(self.x.L)])
            if self.exact[t - 1][v]:
                return v
            self.make_exact(t - 1, v)

    def make_exact(self, t: int, y: int) -> None:
        """Replace a bound by the exact score."""
        if not self.exact[t][y]:
            v = self.before(t, y)
            self.score[t][y] = self.score[t - 1][v] + self.edge[v][y] + self.x.node[t][y]
            self.exact[t][y] = True


def bounded_viterbi(x: Lattice) -> tuple[Labels, float]:
    """Return the result of `reference.lattice.viterbi`."""
    search = BoundedSearch(x)
    labels = [search.best(x.T - 1)]
    for t in range(x.T - 1, 0, -1):
        labels.append(search.before(t, labels[-1]))
    found = tie_order(labels)
    return found, score(x, found)


def _first_best(scores: list[float]) -> int:
    return scores.index(max(scores))
