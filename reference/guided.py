"""Guided learning, in slow and obvious Python: bidirectional search and learning over dictionaries.

Shen, Satta and Joshi (2007), "Guided Learning for Bidirectional Sequence Classification", ACL 2007 [P07-1096],
sections 2.2 and 2.3.

    P                        accepted spans: the maximal runs of labelled tokens      Search.accepted
    Q                        candidates: one for each unlabelled token                Search.candidates
    h, its last action A     one label for each token of a span; (token, label)       Hypothesis, Action
    s = (I_left, I_right)    the two outermost labels on each side                    Hypothesis.state
    U(A) = w . f(A)          score of an action in the context of its neighbours      Hypothesis.action_score
    V(h) = V(L) + V(R) + U   score of a hypothesis                                    Hypothesis.score

    Algorithm 1 (inference)                              infer
    Algorithm 2 (guided learning)                        learn_sentence

What the paper leaves open is decided as follows:
- After a span is accepted, the candidates of both its neighbours are made again, as in the paper's own example.
- A tag at distance two is visible only through the tag at distance one, since spans are contiguous.
- Higher scores win; if scores are equal, the smaller token, then the hypothesis that was generated first.
- While learning, the margin `tau` is subtracted from every action that gives its token the gold label.
- Identical tokens with different labels cannot be separated, so a sentence that needs more than `most_updates` is
  abandoned; the weights keep what they learned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from perceptag.features.attributes import as_values, compose
from perceptag.features.template import Template

Label = Hashable
Labels = tuple[Label, ...]
# (token, labels known on its left, on its right; at most two each) -> what fires there
Features = Callable[[int, Labels, Labels], Iterable[Hashable]]
Weights = Counter[tuple[Hashable, Label]]
ActionScore = Callable[["Action"], float]


@dataclass(frozen=True, slots=True)
class Action:
    """A label for a token, and the neighbouring labels that were known."""

    token: int
    label: Label
    left: Labels
    right: Labels


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One labelling of a span, with the actions that made it; the last action is the newest."""

    labels: Labels
    actions: tuple[Action, ...]
    score: float  # V
    action_score: float  # U of the last action

    @property
    def state(self) -> tuple[Labels, Labels]:
        """The interfaces: what the rest of the sentence can see of this hypothesis."""
        return self.labels[:2], self.labels[-2:]


@dataclass(frozen=True, slots=True)
class SpanHypotheses:
    """Tokens start..end (inclusive) with the best hypotheses, one for each state, best first."""

    start: int
    end: int
    beam: tuple[Hypothesis, ...]

    @property
    def top(self) -> Hypothesis:
        return self.beam[0]


class SpanSearch:
    """The state of Algorithm 1: accepted spans and candidates."""

    def __init__(
        self, length: int, labels: Sequence[Label], score: ActionScore, beam: int, direction: str = "both"
    ) -> None:
        self.length = length
        self.labels = labels
        self.score = score
        self.beam = beam
        self.direction = direction
        self.accepted: list[SpanHypotheses] = []
        self.candidates: dict[int, SpanHypotheses] = {}
        self.regenerate()

    def regenerate(self) -> None:
        """Make every candidate again, from the accepted spans and the current weights."""
        done = {t for span in self.accepted for t in range(span.start, span.end + 1)}
        waiting = [t for t in range(self.length) if t not in done]
        self.candidates = {t: self.generate(t) for t in self.next_ones(waiting)}

    def next_ones(self, waiting: Sequence[int]) -> Sequence[int]:
        """Return which of the unlabelled tokens are candidates: all of them, the leftmost or the rightmost."""
        return {"both": waiting, "left-to-right": waiting[:1], "right-to-left": waiting[-1:]}[self.direction]

    def generate(self, token: int) -> SpanHypotheses:
        """Return the candidate of one token, which joins the accepted spans on both sides."""
        left = next((span for span in self.accepted if span.end == token - 1), None)
        right = next((span for span in self.accepted if span.start == token + 1), None)
        best: dict[tuple[Labels, Labels], Hypothesis] = {}  # in the order of generation
        for a in left.beam if left else (_NOTHING,):
            for b in right.beam if right else (_NOTHING,):
                for label in self.labels:
                    h = self.extend(token, label, a, b)
                    if h.state not in best or h.score > best[h.state].score:
                        best.pop(h.state, None)
                        best[h.state] = h
        ranked = sorted(best.values(), key=lambda h: -h.score)  # stable: the first of equals stays first
        start, end = left.start if left else token, right.end if right else token
        return SpanHypotheses(start, end, tuple(ranked[: self.beam]))

    def extend(self, token: int, label: Label, a: Hypothesis, b: Hypothesis) -> Hypothesis:
        """Label a token between two hypotheses: V(h) = V(a) + V(b) + U(A)."""
        action = Action(token, label, a.labels[-2:], b.labels[:2])
        u = self.score(action)
        return Hypothesis((*a.labels, label, *b.labels), (*a.actions, *b.actions, action), a.score + b.score + u, u)

    def choose(self) -> int:
        """Return the token whose best hypothesis has the best last action."""
        return max(self.candidates, key=lambda t: (self.candidates[t].top.action_score, -t))

    def accept(self, token: int) -> None:
        """Move a candidate to the accepted spans, in place of those inside it."""
        span = self.candidates.pop(token)
        self.accepted = [p for p in self.accepted if p.end < span.start or p.start > span.end]
        self.accepted = sorted([*self.accepted, span], key=lambda p: p.start)
        for neighbour in (span.start - 1, span.end + 1):
            if 0 <= neighbour < self.length:  # in one direction it was not a candidate before
                self.candidates[neighbour] = self.generate(neighbour)

    def check(self) -> None:
        """Check the invariant: P has the maximal runs of labelled tokens, Q one candidate for each other token."""
        for before, after in zip(self.accepted, self.accepted[1:], strict=False):
            assert before.end + 1 < after.start, "two accepted spans touch"
        done = {t for span in self.accepted for t in range(span.start, span.end + 1)}
        waiting = [t for t in range(self.length) if t not in done]
        assert sorted(self.candidates) == list(self.next_ones(waiting))
        starts = {span.end + 1: span.start for span in self.accepted}
        ends = {span.start - 1: span.end for span in self.accepted}
        for token, span in self.candidates.items():
            assert (span.start, span.end) == (starts.get(token, token), ends.get(token, token))
            assert span.top.actions[-1].token == token


_NOTHING = Hypothesis((), (), 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class SearchStep:
    """One step of the search: the span it accepted, then P and the spans of Q after it."""

    span: SpanHypotheses
    accepted: tuple[SpanHypotheses, ...]
    candidates: tuple[SpanHypotheses, ...]


def infer(
    length: int, labels: Sequence[Label], score: ActionScore, beam: int, direction: str = "both"
) -> tuple[Hypothesis, list[SearchStep]]:
    """Algorithm 1. Return the best hypothesis of the whole sentence, and every step."""
    search = SpanSearch(length, labels, score, beam, direction)
    search.check()
    steps = []
    while search.candidates:
        token = search.choose()
        span = search.candidates[token]
        search.accept(token)
        search.check()
        steps.append(
            SearchStep(span, tuple(search.accepted), tuple(search.candidates[t] for t in sorted(search.candidates)))
        )
    return (search.accepted[0].top if length else _NOTHING), steps


def nbest(
    length: int, labels: Sequence[Label], score: ActionScore, beam: int, direction: str = "both"
) -> list[Hypothesis]:
    """Return the hypotheses that Algorithm 1 ends with, best first: one for each state, at most `beam`."""
    _, steps = infer(length, labels, score, beam, direction)
    return list(steps[-1].span.beam) if steps else [_NOTHING]


def learn_sentence(
    weights: Weights,
    features: Features,
    gold: Labels,
    labels: Sequence[Label],
    beam: int,
    direction: str = "both",
    tau: float = 0.0,
    most_updates: int | None = None,
) -> int:
    """Algorithm 2 on one sentence: accept what is right, else promote the gold action and try again."""
    search = SpanSearch(len(gold), labels, score_with_margin(weights, features, gold, tau), beam, direction)
    updates = 0
    while search.candidates:
        search.check()
        token = search.choose()
        span = search.candidates[token]
        if span.top.labels == gold[span.start : span.end + 1]:
            search.accept(token)
            assert all(p.top.labels == gold[p.start : p.end + 1] for p in search.accepted)
            continue
        if updates == most_updates:
            break
        wrong = span.top.actions[-1]
        right = gold_action(wrong, gold)
        add(weights, features, right, +1)
        add(weights, features, wrong, -1)
        search.regenerate()
        updates += 1
    return updates


def learn_sentence_early(
    weights: Weights,
    features: Features,
    gold: Labels,
    labels: Sequence[Label],
    beam: int,
    direction: str = "left-to-right",
    tau: float = 0.0,
) -> int:
    """Learning that is not aggressive: early update (Collins and Roark, 2004), the rival in Table 3.

    The search continues while the gold labelling is among the hypotheses of each accepted span. When it is lost,
    or at the end if it is not the best, all actions of the span are corrected at once.
    """
    search = SpanSearch(len(gold), labels, score_with_margin(weights, features, gold, tau), beam, direction)
    while search.candidates:
        token = search.choose()
        span = search.candidates[token]
        search.accept(token)
        wanted = gold[span.start : span.end + 1]
        lost = all(h.labels != wanted for h in span.beam)
        if lost or (not search.candidates and span.top.labels != wanted):
            for action in span.top.actions:
                add(weights, features, gold_action(action, gold), +1)
                add(weights, features, action, -1)
            return 1
    return 0


def gold_action(action: Action, gold: Labels) -> Action:
    """Return the step with gold labels for the token and for the known neighbouring labels."""
    t = action.token
    return Action(t, gold[t], gold[t - len(action.left) : t], gold[t + 1 : t + 1 + len(action.right)])


def score_of(weights: Mapping[tuple[Hashable, Label], float], features: Features, action: Action) -> float:
    """U(A) = w . f(A)"""
    return sum(weights[f, action.label] for f in features(action.token, action.left, action.right))


def score_with_margin(weights: Weights, features: Features, gold: Labels, tau: float) -> ActionScore:
    """Return the score while learning: gold labels must win by more than tau."""
    return lambda a: score_of(weights, features, a) - (tau if a.label == gold[a.token] else 0.0)


def add(weights: Weights, features: Features, action: Action, scale: int) -> None:
    """w += scale * f(A)"""
    for feature in features(action.token, action.left, action.right):
        weights[feature, action.label] += scale


def template_features(templates: Sequence[Template], columns: Mapping[str, Sequence[str]]) -> Features:
    """Return the features of a sentence by templates; a template fires only where all its labels are known."""

    def values(template: Template, t: int) -> list[tuple[str, ...]]:
        joined: list[tuple[str, ...]] = [()]
        for field in template.fields:
            column, place = columns[field.column], t + field.offset
            if 0 <= place < len(column):
                found = as_values(compose(field.attributes)(column[place]))
            else:
                found = [f"<s{-place}>" if place < 0 else f"</s{place - len(column) + 1}>"]
            joined = [(*before, value) for before in joined for value in found]
        return joined

    def features(t: int, left: Labels, right: Labels) -> Iterable[Hashable]:
        known = {-1 - k: y for k, y in enumerate(reversed(left))} | {1 + k: y for k, y in enumerate(right)}
        for template in templates:
            if all(offset in known for offset in template.context):
                beside = tuple(known[offset] for offset in template.context)
                for value in values(template, t):
                    yield (str(template), value, beside)

    return features
