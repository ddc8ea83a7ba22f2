"""The margin perceptron on the sentences of the first example. All numbers come from `reference.margin`."""

from __future__ import annotations

from papers.steps.show import CHOSEN, RIGHT, WRONG, Cell, Step, Table, number
from papers.steps.tiny_corpus import GOLD, LABELS, SENTENCES, added, features_of, weight_tables
from reference.margin import MarginExample, Vector, all_labellings, best, dot, local_features, visits

C = 1
PASSES = 4
KNOWN = 4  # visits that go as in the first example
EXAMPLES = [
    MarginExample(all_labellings(LABELS, len(words)), gold, local_features(features_of(words)))
    for words, gold in zip(SENTENCES, GOLD, strict=True)
]


def steps() -> list[Step]:
    """What Collins' perceptron leaves, then one step for each further visit, until nothing changes."""
    visited = [{}, *(seen.alpha for seen in visits([EXAMPLES] * PASSES, C))]
    last = max(k for k in range(len(visited) - 1) if visited[k] != visited[k + 1])
    shown = range(KNOWN, last + len(EXAMPLES) + 1)
    return [start(visited[KNOWN]), *(visit(k, visited[k], visited[k + 1]) for k in shown)]


def start(weights: Vector) -> Step:
    return Step(
        "Where Collins’ perceptron stops",
        [
            "The three sentences are those of the example for Collins (2002). The first four visits go as they went "
            "there: four mistakes, four updates. After that his perceptron changes nothing any more.",
            f"The margin perceptron continues. C = {C}: gold must beat the second best labelling by more than {C}.",
        ],
        weight_tables(weights, weights),
    )


def visit(k: int, before: Vector, after: Vector) -> Step:
    """The two best labellings, how far they are apart, and what follows."""
    words, x = SENTENCES[k % len(EXAMPLES)], EXAMPLES[k % len(EXAMPLES)]
    first, second = best(before, x.local, x.labellings, 2)
    gap = dot(x.local(x.y_star), before) - dot(x.local(first if first != x.y_star else second), before)
    if first != x.y_star:
        text = (
            f"The best labelling is wrong. Update: towards gold `{' '.join(x.y_star)}`, away from `{' '.join(first)}`."
        )
    elif before != after:
        text = (
            f"The best labelling is gold, but its lead is only {number(gap)}, not more than {C}. Update: towards gold, "
            f"away from the second best, `{' '.join(second)}`."
        )
    else:
        text = f"Gold leads by {number(gap)}, which is more than {C}. Nothing changes."
    return Step(
        f"Pass {k // len(EXAMPLES) + 1}, “{' '.join(words)}”",
        [text],
        [ranked(x, before, words, [first, second]), *weight_tables(before, after)],
    )


def ranked(x: MarginExample, weights: Vector, words: tuple[str, ...], shown: list[tuple[str, ...]]) -> Table:
    """The labellings that the rule looks at, with what each word adds."""
    rows = []
    for name, y in zip(("best", "second"), shown, strict=True):
        mark, note = (RIGHT, "gold") if y == x.y_star else (WRONG if name == "best" else CHOSEN, "not gold")
        rows.append([name, *added(weights, words, y), number(dot(x.local(y), weights)), Cell(note, mark)])
    return Table("The two best labellings, and what each word adds", ["", *words, "score", ""], rows)
