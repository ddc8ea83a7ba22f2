"""The paper's sentence, labelled from the easiest word outwards. All steps come from `reference.guided`."""

from __future__ import annotations

from typing import Any

from papers.steps.show import CHOSEN, Cell, Step, Table, number, signed, sum_of
from reference.guided import Action, Hypothesis, SpanHypotheses, infer
from reference.guided import SearchStep as Accepted

WORDS = ["Agatha", "found", "that", "book", "interesting"]
ALONE: dict[str, dict[Any, int]] = {
    "Agatha": {"NNP": 3, "NN": 0},
    "found": {"VBD": 7, "VBN": 6},
    "that": {"IN": 2, "DT": 1},
    "book": {"NN": 10, "VB": 8},
    "interesting": {"JJ": 5, "NN": 1},
}
TAGS = sorted({tag for scores in ALONE.values() for tag in scores})
AFTER: dict[tuple[Any, ...], int] = {
    ("NN", "JJ"): 4,
    ("VB", "JJ"): 3,
    ("VBD", "DT"): 1,
    ("VBD", "IN"): 1,
}  # left neighbour, label
BEFORE: dict[tuple[Any, ...], int] = {
    ("DT", "NN", "JJ"): 5,
    ("IN", "NN", "JJ"): 2,
}  # label, two neighbours on the right
NEVER = -100
BEAM = 2


def score(action: Action) -> float:
    """What the word says alone, plus what the labels next to it say."""
    alone = ALONE[WORDS[action.token]].get(action.label, NEVER)
    left = AFTER.get((*action.left[-1:], action.label), 0)
    return alone + left + BEFORE.get((action.label, *action.right), 0)


def steps() -> list[Step]:
    """The scores, then one step for each word that is labelled."""
    _, done = infer(len(WORDS), TAGS, score, BEAM)
    singles = [SpanHypotheses(t, t, first_hypotheses(t)) for t in range(len(WORDS))]
    waiting = [singles, *(list(step.candidates) for step in done)]
    return [start(), *(accept(k, step, waiting[k], waiting[k + 1]) for k, step in enumerate(done))]


def first_hypotheses(t: int) -> tuple[Hypothesis, ...]:
    """The labels of a word of which nothing else is known, best first."""
    actions = [Action(t, tag, (), ()) for tag in ALONE[WORDS[t]]]
    ranked = sorted(actions, key=lambda action: -score(action))
    return tuple(Hypothesis((a.label,), (a,), score(a), score(a)) for a in ranked)


def start() -> Step:
    alone = [[word, ", ".join(f"{tag} {number(x)}" for tag, x in scores.items())] for word, scores in ALONE.items()]
    near = [[f"{label} after {left}", signed(x)] for (left, label), x in AFTER.items()]
    near += [[f"{label} before {' '.join(right)}", signed(x)] for (label, *right), x in BEFORE.items()]
    return Step(
        "The scores",
        [
            "The sentence is the paper’s. The scores are ours, chosen so that its story happens. Each word has two "
            "labels that are worth a thought. Labels on the left and on the right change a score, **once they are "
            "known**.",
            f"Each span keeps its B = {BEAM} best hypotheses.",
        ],
        [Table("A word alone", ["word", "labels"], alone), Table("Next to known labels", ["", ""], near)],
    )


def accept(k: int, step: Accepted, before: list[SpanHypotheses], after: list[SpanHypotheses]) -> Step:
    """One word is labelled: which were waiting, which was best, what became of the spans."""
    action = step.span.top.actions[-1]
    return Step(
        f"Action {k + 1}, “{WORDS[action.token]}”",
        [
            f"The best next action is `{WORDS[action.token]}/{action.label}`: {reasons(action)}.",
            neighbours(after, step.span),
        ],
        [waiting_table(before, action.token), spans_table(step), kept_table(step.span)],
    )


def reasons(action: Action) -> str:
    """The score of an action, and where it comes from."""
    alone = ALONE[WORDS[action.token]][action.label]
    known = [f"{label} on its left" for label in action.left[-1:]]
    if action.right:
        known.append(f"{' '.join(map(str, action.right))} on its right")
    if not known:
        return number(alone)
    more = signed(score(action) - alone)
    return f"{number(score(action))}, which is {number(alone)} alone and {more} from {' and '.join(known)}"


def neighbours(waiting: list[SpanHypotheses], new: SpanHypotheses) -> str:
    """Whose candidates are made again, because they now see a label."""
    tokens = [span.top.actions[-1].token for span in waiting]
    seeing = " and ".join(f"“{WORDS[t]}”" for t in tokens if t in (new.start - 1, new.end + 1))
    if not seeing:
        return "Every word has its label: the best hypothesis is the answer."
    return f"Made again, because a label next to it is now known: {seeing}."


def additions(h: Hypothesis) -> str:
    """The actions of a hypothesis, in the order in which they were done."""
    return f"({sum_of(map(score, h.actions))})" if len(h.actions) > 1 else ""


def waiting_table(spans: list[SpanHypotheses], chosen: int) -> Table:
    """The best hypothesis of each candidate, and the score of its last action: the largest is next."""
    rows = []
    for span in spans:
        action = span.top.actions[-1]
        mark = (CHOSEN, "★") if action.token == chosen else ("", "")
        rows.append([WORDS[action.token], str(action.label), Cell(number(span.top.action_score), *mark)])
    return Table("Q, the words that wait: their best action", ["word", "label", "score"], rows)


def spans_table(step: Accepted) -> Table:
    """The sentence with its accepted spans."""
    labels = {s.start + i: str(y) for s in step.accepted for i, y in enumerate(s.top.labels)}
    spans = {t: k for k, s in enumerate(step.accepted, 1) for t in range(s.start, s.end + 1)}
    return Table(
        "P, what is accepted",
        ["", *WORDS],
        [
            ["label", *(labels.get(t, "·") for t in range(len(WORDS)))],
            ["span", *(str(spans.get(t, "")) for t in range(len(WORDS)))],
        ],
    )


def kept_table(span: SpanHypotheses) -> Table:
    """The hypotheses of the new span: V is the sum of all actions."""
    rows = [[" ".join(map(str, h.labels)), Cell(number(h.score), note=additions(h))] for h in span.beam]
    return Table(
        f"The span of “{' '.join(WORDS[span.start : span.end + 1])}”: hypotheses kept",
        ["labels", "sum of actions"],
        rows,
    )
