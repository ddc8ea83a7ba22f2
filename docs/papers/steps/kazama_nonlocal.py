"""Three documents, learned by algorithm 4.2. All numbers come from `reference.nonlocal_perceptron`."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from papers.steps.show import CHOSEN, Cell, Step, Table, number, signed, sum_of, weight_cell
from reference.margin import Vector, all_labellings, best, best_two, dot, gap
from reference.nonlocal_perceptron import DocumentExample, proposed, update_all
from reference.perceptron import Labels

LABELS = ["P", "L"]
N, C = 2, 2
PASSES = 3
Mentions = list[tuple[str, str]]  # the word before a name, and the name
DOCUMENTS: list[tuple[Mentions, Labels]] = [
    ([("in", "Oslo")], ("L",)),
    ([("in", "Turin"), ("in", "Turin")], ("L", "L")),
    ([("Mr", "Milan"), ("saw", "Milan")], ("P", "P")),
]
NEW: Mentions = [("in", "Rome"), ("saw", "Rome")]
SAME, DIFFERENT = "same", "different"


def document(mentions: Mentions, gold: Labels = ()) -> DocumentExample:
    """Local features: the word before and the name, with the label. Non-local: do equal names have equal labels?"""

    def local(y: Labels) -> Vector:
        return dict(Counter((word, label) for pair, label in zip(mentions, y, strict=True) for word in pair))

    def nonlocal_(y: Labels) -> Vector:
        pairs = combinations(zip(mentions, y, strict=True), 2)
        return dict(Counter(SAME if a == b else DIFFERENT for ((_, one), a), ((_, two), b) in pairs if one == two))

    return DocumentExample(all_labellings(LABELS, len(mentions)), gold, local, nonlocal_)


EXAMPLES = [document(*one) for one in DOCUMENTS]


def steps() -> list[Step]:
    """The documents, one step for each visit, a new document."""
    weights = [{}, *(seen.alpha for seen in proposed([EXAMPLES] * PASSES, N, C, C))]
    shown = [visit(k, weights[k], weights[k + 1]) for k in range(PASSES * len(EXAMPLES))]
    return [start(), *shown, new_document(weights[-1])]


def spelled(mentions: Mentions) -> str:
    return " … ".join(f"{before} {name}" for before, name in mentions)


def start() -> Step:
    rows = [[spelled(mentions), " ".join(gold)] for mentions, gold in DOCUMENTS]
    return Step(
        "Three documents",
        [
            "To keep it small, only names get a label: P (person) or L (place). A document is one sequence.",
            "**Local** features: the word before with the label, the name with the label. **Non-local** features, for "
            f"two mentions of one name: “{SAME}” if they have the same label, “{DIFFERENT}” if not.",
            f"The list has n = {N} labellings, both margins are C = {C}. Of equal scores P comes before L, read from "
            "the end.",
        ],
        [Table("The training documents", ["document", "gold"], rows)],
    )


def visit(k: int, before: Vector, after: Vector) -> Step:
    """The list under the local model, the choice under all features, and the update that follows."""
    mentions, x = DOCUMENTS[k % len(EXAMPLES)][0], EXAMPLES[k % len(EXAMPLES)]
    n_best = best(before, x.local, x.labellings, N)
    chosen, _ = best_two(before, x.all, n_best)
    return Step(
        f"Pass {k // len(EXAMPLES) + 1}, “{spelled(mentions)}”",
        [*verdict(x, before, after, n_best)],
        [candidates(mentions, x, before, n_best, chosen), *weight_tables(before, after)],
    )


def verdict(x: DocumentExample, before: Vector, after: Vector, n_best: list[Labels]) -> list[str]:
    """Which part of the algorithm acts, and why."""
    first, second = best_two(before, x.all, n_best)
    assert second is not None, "a list of two"
    rival = first if first != x.y_star else second
    lead = gap(before, x.all, x.y_star, rival)
    if after is not before and update_all(before, x, n_best, C) != before:
        why = "is wrong" if first != x.y_star else f"is gold, but leads by {number(lead)} only, not by more than {C}"
        return [
            f"The choice under all features {why}. **(A)** moves all weights, local and non-local, towards gold "
            f"`{' '.join(x.y_star)}` and away from `{' '.join(rival)}`."
        ]
    under_all = f"Under all features gold leads by {number(lead)}, more than {C}: (A) has nothing to do."
    local = gap(before, x.local, x.y_star, n_best[1])
    if after == before:
        return [f"{under_all} By local features alone it leads by {number(local)}: (B) has nothing to do either."]
    return [
        under_all,
        f"By local features alone gold leads by {number(local)} only. **(B)** moves the local weights, towards gold "
        f"and away from `{' '.join(n_best[1])}`, so that gold stays at the top of the list.",
    ]


def candidates(mentions: Mentions, x: DocumentExample, weights: Vector, n_best: list[Labels], chosen: Labels) -> Table:
    """The list with its scores; behind a local score stand the weights that it is the sum of."""

    def parts(y: Labels) -> str:
        return sum_of(weights.get((word, label), 0) for pair, label in zip(mentions, y, strict=True) for word in pair)

    rows = [
        [
            Cell(" ".join(y), CHOSEN if y == chosen else "", "★" if y == chosen else ""),
            Cell(number(dot(x.local(y), weights)), note=f"= {parts(y)}"),
            signed(dot(x.nonlocal_(y), weights)),
            number(dot(x.all(y), weights)),
            "gold" if y == x.y_star else "",
        ]
        for y in n_best
    ]
    return Table("The list, best first by local score; ★ the choice", ["", "local", "non-local", "total", ""], rows)


def weight_tables(before: Vector, after: Vector) -> list[Table]:
    words = dict.fromkeys(word for mentions, _ in DOCUMENTS for pair in mentions for word in pair)
    return [
        Table(
            "Local weights",
            ["", *LABELS],
            [[word, *(weight_cell(before, after, (word, label)) for label in LABELS)] for word in words],
        ),
        Table(
            "Non-local weights",
            ["two mentions", "weight"],
            [[name, weight_cell(before, after, name)] for name in (SAME, DIFFERENT)],
        ),
    ]


def new_document(weights: Vector) -> Step:
    x = document(NEW)
    n_best = best(weights, x.local, x.labellings, N)
    chosen, _ = best_two(weights, x.all, n_best)
    return Step(
        "A new document: one overtakes another",
        [
            f"“{spelled(NEW)}”. The name is new. “in” says place, “saw” says person, because it stood before Milan: "
            f"the local model prefers `{' '.join(n_best[0])}`.",
            f"But then one name would be two things in one document. All features together choose "
            f"`{' '.join(chosen)}`, which was second in the list.",
        ],
        [candidates(NEW, x, weights, n_best, chosen), *weight_tables(weights, weights)],
    )
