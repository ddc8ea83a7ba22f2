"""Guided learning of two sentences of two words. All numbers come from `reference.guided`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from papers.steps.show import CHOSEN, RIGHT, WRONG, Cell, Step, Table, number, sum_of, weight_cell
from reference.guided import (
    Features,
    Labels,
    SpanSearch,
    Weights,
    add,
    gold_action,
    learn_sentence,
    score_of,
)

LABELS = ["C", "D", "N", "P"]
DATA: list[tuple[list[str], Labels]] = [(["that", "book"], ("D", "N")), (["that", "he"], ("C", "P"))]
PASSES = 3
FEATURES = ["that", "book", "he", *(f"left {y}" for y in LABELS), *(f"right {y}" for y in LABELS)]


def features_of(words: list[str]) -> Features:
    """The word, and the labels next to it as far as they are known."""

    def features(t: int, left: Labels, right: Labels) -> Iterator[str]:
        yield words[t]
        yield from (f"left {y}" for y in left[-1:])
        yield from (f"right {y}" for y in right[:1])

    return features


def steps() -> list[Step]:
    """The data; one step for each action that is accepted or corrected; what was learned."""
    weights: Weights = Counter()
    shown = [start()]
    for epoch in range(1, PASSES + 1):
        for words, gold in DATA:
            shown += learn(weights, words, gold, f"Pass {epoch}, “{' '.join(words)}”")
    assert weights == by_the_reference()
    return [*shown, the_end(weights)]


def by_the_reference() -> Weights:
    """The same training, by the function that the page shows."""
    weights: Weights = Counter()
    for words, gold in DATA * PASSES:
        learn_sentence(weights, features_of(words), gold, LABELS, beam=1)
    return weights


def learn(weights: Weights, words: list[str], gold: Labels, title: str) -> list[Step]:
    """`learn_sentence`, with a picture of each turn of its loop."""
    features = features_of(words)
    search = SpanSearch(len(words), LABELS, lambda action: score_of(weights, features, action), beam=1)
    shown = []
    while search.candidates:
        token = search.choose()
        span, before = search.candidates[token], Counter(weights)
        action = span.top.actions[-1]
        waiting = waiting_table(search, weights, words, gold, token)
        if span.top.labels == gold[span.start : span.end + 1]:
            search.accept(token)
            text = f"`{words[token]}/{action.label}` is right: it is **accepted**. No weight moves."
        else:
            right = gold_action(action, gold)
            add(weights, features, right, +1)
            add(weights, features, action, -1)
            search.regenerate()
            text = (
                f"`{words[token]}/{action.label}` is wrong. **Promote** `{words[token]}/{right.label}`, **demote** "
                f"`{words[token]}/{action.label}`, and look again with the new weights."
            )
        shown.append(Step(title, [text], [waiting, *weight_tables(before, weights)]))
    return shown


def start() -> Step:
    rows = [[" ".join(words), " ".join(map(str, gold))] for words, gold in DATA]
    return Step(
        "Two sentences, and weights of zero",
        [
            "D is a determiner, C a conjunction, N a noun, P a pronoun. “that” can be D or C; only the word after it "
            "tells. “book” and “he” have one label each. So a wise tagger starts on the right. Nobody says so in the "
            "data.",
            "Features: the word, the label on the left, the label on the right; the last two only once that label is "
            "known. Of equal scores the word further left wins, then the earlier label in the order C, D, N, P. "
            "B = 1: each span keeps one hypothesis.",
        ],
        [Table("The training sentences", ["sentence", "gold"], rows)],
    )


def waiting_table(search: SpanSearch, weights: Weights, words: list[str], gold: Labels, chosen: int) -> Table:
    """Each word: its label if it has one, or its best action; the best of all is next."""
    done = {s.start + i: y for s in search.accepted for i, y in enumerate(s.top.labels)}
    rows = []
    for t, word in enumerate(words):
        if t in done:
            rows.append([word, str(done[t]), Cell("accepted", RIGHT), str(gold[t])])
            continue
        action = search.candidates[t].top.actions[-1]
        good = action.label == gold[t]
        mark = (CHOSEN, "★") if t == chosen else ("", "")
        parts = sum_of(weights[f, action.label] for f in features_of(words)(t, action.left, action.right))
        value = f"{parts} = {number(search.candidates[t].top.action_score)}"
        rows.append(
            [word, Cell(action.label, RIGHT if good else WRONG, "" if good else "✗"), Cell(value, *mark), str(gold[t])]
        )
    return Table("The words, their best action, and ★ the next one", ["word", "label", "score", "gold"], rows)


def weight_tables(before: Weights, after: Weights) -> list[Table]:
    """The weights of words, and of labels next to a word; rows that are zero throughout are left out."""
    used = [f for f in FEATURES if any(after[f, y] or before[f, y] for y in LABELS)]
    rows = [[name, *(weight_cell(before, after, (name, y)) for y in LABELS)] for name in used]
    return [Table("Weights, by feature and label", ["", *LABELS], rows)] if rows else []


def the_end(weights: Weights) -> Step:
    return Step(
        "What was learned",
        [
            "The third pass changed nothing. In both sentences the word on the right is labelled first, with 1 against "
            "0. The weights of “that” are 0 again: the word alone says nothing. The label on its right decides: before "
            "N it is D.",
            "Nobody told the tagger to start on the right. “that” was wrong too often when it came first; each time it "
            "lost weight, and so its turn.",
        ],
        weight_tables(weights, weights),
    )
