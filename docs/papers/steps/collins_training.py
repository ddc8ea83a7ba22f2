"""The perceptron learns three sentences. Every number comes from `reference.perceptron`."""

from __future__ import annotations

from papers.steps.show import Step, Table, labelled, number
from papers.steps.tiny_corpus import GOLD, LABELS, SENTENCES, added, features_of, weight_tables
from reference.perceptron import Example, Weights, average, best_labelling, score, visited_weights

EXAMPLES: list[Example] = [(features_of(words), gold) for words, gold in zip(SENTENCES, GOLD, strict=True)]
PASSES = 3
NEW = ("the", "dogs", "bark")


def steps() -> list[Step]:
    """One step for each visit of a sentence, then the average and a new sentence."""
    visited = list(visited_weights([EXAMPLES] * PASSES, LABELS))
    before: list[Weights] = [{}, *visited[:-1]]
    shown = [visit(k, *pair) for k, pair in enumerate(zip(before, visited, strict=True))]
    return [start(), *shown, *the_end(visited)]


def start() -> Step:
    rows = [[" ".join(words), " ".join(gold)] for words, gold in zip(SENTENCES, GOLD, strict=True)]
    return Step(
        "The data, and weights of zero",
        [
            "D is a determiner, N a noun, V a verb. “bark” is a verb in one sentence and a noun in another: its word "
            "alone cannot decide.",
            "There are two kinds of features: a word with its label, and a label with the label before it. All "
            "weights are 0. Below a label you will see what it adds: the weight of its word plus that of its pair.",
            "Of equal scores the earlier label wins (D before N before V), read from the last word to the first.",
        ],
        [Table("The training sentences", ["sentence", "gold"], rows), *weight_tables({}, {})],
    )


def visit(k: int, before: Weights, after: Weights) -> Step:
    """One sentence is tagged; if the guess is wrong, weights change."""
    words, (x, gold) = SENTENCES[k % len(EXAMPLES)], EXAMPLES[k % len(EXAMPLES)]
    guess = best_labelling(before, x, LABELS)
    ours, theirs = score(before, x, gold), score(before, x, guess)
    if guess == gold:
        text = f"The guess is right, with a score of {number(theirs)}. Nothing changes."
    else:
        text = (
            f"The guess `{' '.join(guess)}` has {number(theirs)}, gold `{' '.join(gold)}` has {number(ours)}. Add 1 to "
            "every feature of gold, take 1 from every feature of the guess. What both have, cancels out."
        )
    title = f"Pass {k // len(EXAMPLES) + 1}, “{' '.join(words)}”"
    judged = labelled(words, added(before, words, gold), added(before, words, guess))
    return Step(title, [text], [judged, *weight_tables(before, after)])


def the_end(visited: list[Weights]) -> list[Step]:
    """The average, and a sentence that was not in the data."""
    mean = average(visited)
    sums = {feature: int(weight * len(visited)) for feature, weight in mean.items()}
    (one,) = (f for f in sums if f[0].values == ("bark",) and f[1] == ("V",))
    history = ", ".join(number(weights.get(one, 0)) for weights in visited)
    return [
        Step(
            "The average",
            [
                "The third pass changed nothing: training is over. The model is the mean of the weights after each of "
                f"the {len(visited)} visits. bark/V, for instance, was {history}; the sum is {number(sums[one])}, the "
                f"mean {mean[one]}.",
                f"The tables show the sums. Dividing all of them by {len(visited)} would change no decision.",
            ],
            weight_tables(sums, sums, "Sums"),
        ),
        Step(
            "What the average is good for",
            [
                f"With the last weights, `D N` and `D V` both have {in_words(visited[-1])} for “the bark”: it is right "
                f"only because of the rule for equal scores. With the sums it is {in_words(sums)}.",
                f"“{' '.join(NEW)}” was not in the data. Both know it.",
            ],
            [new_sentence(visited[-1], "With the last weights"), new_sentence(sums, "With the sums")],
        ),
    ]


def in_words(weights: Weights) -> str:
    """The scores of the two labellings of “the bark” that are close: one number if they are equal."""
    x = EXAMPLES[1][0]
    ours, theirs = (number(score(weights, x, y)) for y in (("D", "N"), ("D", "V")))
    return ours if ours == theirs else f"{ours} to {theirs}"


def new_sentence(weights: Weights, caption: str) -> Table:
    """How the new sentence is labelled, and what each word adds."""
    x = features_of(NEW)
    guess = best_labelling(weights, x, LABELS)
    return Table(
        caption, ["", *NEW, "score"], [["guess", *added(weights, NEW, guess), number(score(weights, x, guess))]]
    )
