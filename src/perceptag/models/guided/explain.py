"""Why bidirectional search chose its labels: what each feature contributed to the action that labelled a token.

The margin is that of the action: between two labels for one token next to the same known labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from perceptag import _core
from perceptag.errors import DataError
from perceptag.features.template import CONTEXT, Template
from perceptag.labels.label_set import LabelSet
from perceptag.models.explanation import LONGEST_COMPARED, Contribution, Explanation, TokenExplanation
from perceptag.models.guided.model import OBSERVATIONS, WORDS
from perceptag.models.inference_order import Choice, InferenceOrder, InferenceStep
from perceptag.models.linear.feature_names import OUTSIDE_SCORE, FeatureNames
from perceptag.text.sentence import Sentence

FORBIDDEN = -(2.0**20)  # what the core adds to the score of a label that is not possible
_OFFSETS = tuple(CONTEXT.values())


@dataclass(frozen=True, slots=True)
class ActionExplainer:
    """Explains actions by weights, the templates of label contexts, and names for labels and features."""

    weights: _core.GuidedWeights
    contexts: Sequence[Template]
    label_set: LabelSet
    features: FeatureNames

    def explain(self, search: _core.GuidedSearch, x: _core.Sequence, sequence: Sequence[Sentence]) -> list[Explanation]:
        """Let the search label a sequence, and explain each of its sentences."""
        actions = follow(search, x)
        found, begin = [], 0
        for sentence in sequence:
            found.append(self._sentence(search, x, actions[begin : begin + len(sentence)], sentence))
            begin += len(sentence)
        return found

    def _sentence(
        self, search: _core.GuidedSearch, x: _core.Sequence, actions: Sequence[_core.Action], sentence: Sentence
    ) -> Explanation:
        labels = [self.label_set.names[a.label] for a in actions]
        details = []
        for t, action in enumerate(actions):
            detail = self._token(x, action, search.scores(action), sentence.tokens[t])
            if detail.rival is not None and len(labels) <= LONGEST_COMPARED:
                detail = replace(detail, rival_labels=(*labels[:t], detail.rival, *labels[t + 1 :]))
            details.append(detail)
        outer = self.label_set.to_outer(labels)
        return Explanation(tuple(sentence.tokens), tuple(outer), sum(d.score for d in details), tuple(details))

    def _token(
        self, x: _core.Sequence, action: _core.Action, label_scores: npt.NDArray[np.float32], token: str
    ) -> TokenExplanation:
        names = self.label_set.names
        scores = label_scores.astype(np.float64)
        mine = scores[action.label]
        scores[action.label] = -np.inf
        rival = int(scores.argmax())
        alone = scores[rival] < FORBIDDEN / 2  # minus infinity if there is only one label
        listed = self._contributions(x, action, action.label if alone else rival)
        return TokenExplanation(
            token,
            names[action.label],
            float(mine),
            None if alone else names[rival],
            (),
            None if alone else float(mine - scores[rival]),
            tuple(sorted(listed, key=lambda c: -abs(c.weight - c.rival_weight))),
        )

    def _contributions(self, x: _core.Sequence, action: _core.Action, rival: int) -> list[Contribution]:
        words, features = self.weights.words, self.features
        found = [
            Contribution(
                features.name(WORDS, row), words.value(WORDS, row, action.label), words.value(WORDS, row, rival)
            )
            for row in x.rows(WORDS, action.token).tolist()
        ]
        found += [Contribution(OUTSIDE_SCORE, words.preferred(action.label), words.preferred(rival))]
        for row, template, weight, rival_weight in self.weights.contexts.contributions(x, action, rival):
            seen = features.observation(OBSERVATIONS, row) if row >= 0 else "bias"
            crossing = self._crossing(self.contexts[template], action)
            found.append(Contribution(f"{seen} * {crossing}", weight, rival_weight))
        return [c for c in found if c.weight or c.rival_weight]

    def _crossing(self, template: Template, action: _core.Action) -> str:
        """The labels that a context saw: ``y-1=DT y0``."""
        names = self.label_set.names
        known = dict(zip(_OFFSETS, action.beside, strict=True))
        return " ".join([*(f"y{offset:+d}={names[known[offset]]}" for offset in template.context), "y0"])


def follow(search: _core.GuidedSearch, x: _core.Sequence) -> list[_core.Action]:
    """Run a search to its end; the actions that gave the labels, from left to right."""
    search.start(x)
    last = -1
    while (token := search.choose()) >= 0:
        search.accept(token)
        last = token
    return sorted(search.actions(last), key=lambda a: a.token) if last >= 0 else []


def note_steps(
    search: _core.GuidedSearch, x: _core.Sequence, tokens: Sequence[str], names: Sequence[str]
) -> InferenceOrder:
    """The same, with a record of every step; `names` are the names of the labels.

    A step has all spans and choices of its moment, so all steps take time and room that grow with the square of the
    length: longer sequences than `LONGEST_COMPARED` are refused.
    """
    if len(tokens) > LONGEST_COMPARED:
        raise DataError(
            f"order of inference: expected a sequence of at most {LONGEST_COMPARED:,} tokens, found {len(tokens):,}"
        )

    def choice(position: int) -> Choice:
        action = search.top_action(position)
        return Choice(position, tokens[position], names[action.label], action.score)

    search.start(x)
    steps = []
    while (position := search.choose()) >= 0:
        chosen = choice(position)
        others = [choice(other) for other in search.candidates() if other != position]
        runner_up = max(others, key=lambda c: (c.score, -c.position), default=None)
        search.accept(position)
        spans = tuple((first, last + 1) for first, last in search.accepted())
        steps.append(InferenceStep(position, chosen.token, chosen.label, chosen.score, spans, runner_up))
    found = {a.token: names[a.label] for a in search.actions(steps[-1].position)} if steps else {}
    return InferenceOrder(tuple(tokens), tuple(found[t] for t in range(len(tokens))), tuple(steps))
