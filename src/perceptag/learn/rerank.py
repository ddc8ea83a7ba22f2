"""Re-ranking: a second model learns to choose from the lists of a first one, which stays as it is.

Kazama and Torisawa (2007), section 6.3: "the algorithm, which is obtained by replacing {y^n} with the n-best
candidates by the first model", that is algorithm 4.1 on fixed lists. For every document:

    y', y'' = best and second best of the list under Phi^a.alpha
    if y' != y* and Phi^a(y*).alpha - Phi^a(y').alpha <= C:   alpha += Phi^a(y*) - Phi^a(y')
    elif Phi^a(y*).alpha - Phi^a(y'').alpha <= C:             alpha += Phi^a(y*) - Phi^a(y'')

Both branches are one: y is the best candidate that is not gold; if gold does not beat it by more than C, the weights
move. Where lists are those of sentences (`unit = "sentence"`), a document is put together from them and learned
sentence by sentence, those before set to gold and those after as inferred, as in `perceptag.learn.ascent`.

`Phi^a` is the score of the first model, divided by its standard deviation within lists, and the non-local features
(re-ranking 1), or local features whose weights are learned anew and the non-local ones (re-ranking 2).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from perceptag import _core
from perceptag.learn.ascent import best_other
from perceptag.learn.margin import Errors, differing
from perceptag.models.document.features import Stage
from perceptag.models.document.global_weights import GlobalWeights
from perceptag.models.document.search import ascend
from perceptag.models.rerank.cross_validation import Proposals
from perceptag.numeric.arrays import Floats


class LearningJudge(Protocol):
    """The part of the second model that is not non-local, while it is learned."""

    @property
    def ticks(self) -> float:
        """How many examples have passed."""

    def scores(self, x: _core.Sequence, proposals: Proposals) -> Floats:
        """The score of each candidate."""

    def move(self, x: _core.Sequence, proposals: Proposals, away: int) -> None:
        """Towards the gold labelling, away from a candidate."""

    def tick(self) -> None:
        """One example has passed."""


@dataclass(slots=True)
class ScoreJudge:
    """Re-ranking 1: one weight, of the first model's score."""

    spread: float  # the standard deviation of the score
    w: float = 0.0
    sum: float = 0.0  # of tick times change, for the average
    ticks: float = 0.0

    def scores(self, x: _core.Sequence, proposals: Proposals) -> Floats:  # noqa: ARG002 - a protocol
        """The weighted score of the first model."""
        return self.w / self.spread * proposals.first

    def move(self, x: _core.Sequence, proposals: Proposals, away: int) -> None:  # noqa: ARG002 - a protocol
        """w += difference of the scores."""
        difference = float(proposals.first[proposals.gold] - proposals.first[away]) / self.spread
        self.w += difference
        self.sum += self.ticks * difference

    def tick(self) -> None:
        """One example has passed."""
        self.ticks += 1


@dataclass(slots=True)
class WeightsJudge:
    """Re-ranking 2: weights of local features."""

    weights: _core.Weights

    @property
    def ticks(self) -> float:
        """How many examples have passed."""
        return self.weights.ticks

    def scores(self, x: _core.Sequence, proposals: Proposals) -> Floats:
        """Phi^l.alpha of the candidates."""
        return _core.rescore(self.weights, x, proposals.labels)

    def move(self, x: _core.Sequence, proposals: Proposals, away: int) -> None:
        """alpha += Phi^l(y*) - Phi^l(away)."""
        self.weights.move(x, toward=proposals.labels[proposals.gold], away=proposals.labels[away])

    def tick(self) -> None:
        """One example has passed."""
        self.weights.tick()


@dataclass(slots=True)
class ListedDocument:
    """A document with the fixed candidates of its sequences."""

    sequences: Sequence[_core.Sequence]
    proposals: Sequence[Proposals]
    stage: Stage


@dataclass(slots=True)
class RerankProblem:
    """The second model and its search."""

    judge: LearningJudge
    global_weights: GlobalWeights
    sweeps: int

    def search(self, document: ListedDocument) -> list[int]:
        """The candidates that the second model chooses, from the lists alone."""
        pairs = zip(document.sequences, document.proposals, strict=True)
        local = [self.judge.scores(x, found)[: found.listed] for x, found in pairs]
        return ascend(document.stage, local, self.global_weights.w, self.sweeps)


def learn_epoch(problem: RerankProblem, documents: Iterable[ListedDocument], margin: float) -> Errors:
    """Run one pass of algorithm 4.1 on fixed lists."""
    mistakes = wrong = 0
    for document in documents:
        chosen = problem.search(document)
        for s, (x, found) in enumerate(zip(document.sequences, document.proposals, strict=True)):
            if chosen[s] != found.gold:
                mistakes += 1
                wrong += differing(x.labels, found.labels[chosen[s]])
            update(problem, document.stage, s, x, found, margin)
            document.stage.choose(s, found.gold)
            problem.judge.tick()
    return Errors(mistakes, wrong)


def update(problem: RerankProblem, stage: Stage, s: int, x: _core.Sequence, found: Proposals, margin: float) -> bool:
    """Move the weights if gold does not beat the best other candidate by more than the margin; say whether."""
    total = problem.judge.scores(x, found) + stage.scores(s, problem.global_weights.w)
    rival = best_other(total, found.gold)
    if rival is None or total[found.gold] - total[rival] > margin:
        return False
    toward, away = stage.vectors(s, [found.gold, rival])
    problem.global_weights.move(toward - away, 1.0, problem.judge.ticks)
    problem.judge.move(x, found, rival)
    return True
