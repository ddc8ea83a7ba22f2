"""The lattice of "the duck swims", filled column by column. Every score comes from `reference.lattice`."""

from __future__ import annotations

from math import inf

from papers.steps.show import CHANGED, CHOSEN, Cell, Step, Table, number, sum_of
from reference.lattice import Lattice, plain, score, viterbi

WORDS, LABELS = ["the", "duck", "swims"], ["D", "N", "V"]
NODE = [[3, 0, 0], [0, 1, 4], [0, 0, 1]]  # a row for each word
START = [0, 0, 0]
EDGE = [[0, 2, 0], [0, 0, 2], [0, 0, -2], START]  # a row for each label before
LATTICE = plain(len(LABELS), NODE, EDGE)


def best_ending_in(t: int, y: int) -> tuple[tuple[int, ...], float]:
    """The best labelling of the words up to t that ends in label y, and its score."""
    last = [value if label == y else -inf for label, value in enumerate(NODE[t])]
    return viterbi(Lattice(LATTICE.L, [*NODE[:t], last], LATTICE.edge))


def lattice_table(filled: int, path: tuple[int, ...] = ()) -> Table:
    """The columns that are filled; the newest one stands out, or the path that was read back."""
    return Table(
        "The lattice: the best score that ends here, and the label before",
        ["", *WORDS],
        [[LABELS[y], *(lattice_cell(t, y, filled, path) for t in range(len(WORDS)))] for y in range(len(LABELS))],
    )


def lattice_cell(t: int, y: int, filled: int, path: tuple[int, ...]) -> Cell:
    if t >= filled:
        return Cell("·")
    labels, total = best_ending_in(t, y)
    before = f"from {LABELS[labels[-2]]}" if t else ""
    if path:
        return Cell(number(total), CHOSEN if path[t] == y else "", f"{before} ★" if path[t] == y else before)
    return Cell(number(total), CHANGED if t == filled - 1 else "", before)


def column_table(t: int) -> Table:
    """How the cells of a column come about."""
    rows = []
    for y, label in enumerate(LABELS):
        labels, total = best_ending_in(t, y)
        ways = [(best_ending_in(t - 1, u)[1], EDGE[u][y]) for u in range(len(LABELS))]
        cells = [
            Cell(f"{sum_of(way)} = {number(sum(way))}", CHOSEN if u == labels[-2] else "", "★" * (u == labels[-2]))
            for u, way in enumerate(ways)
        ]
        best = sum(ways[labels[-2]])
        rows.append([label, *cells, f"{sum_of([best, NODE[t][y]])} = {number(total)}"])
    return Table(
        f"How the column of “{WORDS[t]}” is filled",
        ["to", *(f"from {label}" for label in LABELS), "★ + word"],
        rows,
    )


def steps() -> list[Step]:
    """Scores, three columns, the way back."""
    path, total = viterbi(LATTICE)
    greedy = tuple(row.index(max(row)) for row in NODE)
    words = Table(
        "Scores of words with labels",
        ["", *LABELS],
        [[w, *map(number, row)] for w, row in zip(WORDS, NODE, strict=True)],
    )
    pairs = Table(
        "Scores of a label (column) after another (row)",
        ["after", *LABELS],
        [[label, *map(number, row)] for label, row in zip(LABELS, EDGE, strict=False)],
    )
    name = " ".join(LABELS[y] for y in path)
    return [
        Step(
            "The scores",
            [
                "There are 27 labellings of three words with three labels. We look for the one with the highest sum of "
                "word scores and pair scores, without trying all 27. The first word has no pair score.",
                f"Word by word, `{' '.join(LABELS[y] for y in greedy)}` looks best. With its pair scores it has only "
                f"{number(score(LATTICE, greedy))}.",
            ],
            [words, pairs],
        ),
        Step("The first column", ["Nothing comes before “the”: a cell is its word score."], [lattice_table(1)]),
        Step(
            "The second column",
            [
                "Each cell asks: which label before gives the most? It adds the pair score to the cell before, takes "
                "the largest sum (★), adds the word score, and **remembers where it came from**.",
                "V is ahead. A search that keeps only the leader would continue from V.",
            ],
            [column_table(1), lattice_table(2)],
        ),
        Step(
            "The third column",
            ["The same again. The best way to V now comes from N, not from the leader of the second column."],
            [column_table(2), lattice_table(3)],
        ),
        Step(
            "The way back",
            [
                f"The largest score of the last column is {number(total)}. From there we follow what each cell "
                f"remembers, to the left: `{name}`. We looked at 9 pairs for each of two columns. With 45 labels "
                "and 20 words that is about 40,000 pairs, instead of 10³³ labellings.",
            ],
            [lattice_table(3, path)],
        ),
    ]
