"""Re-ranking: a second model learns to choose from the n-best lists of a fixed first model.

Read first: reference/rerank.py; machinery: models/rerank/; tables: reproduce/kazama2007.py

Kazama and Torisawa (2007), section 6.3: "the algorithm, which is obtained by replacing {y^n} with the n-best
candidates by the first model", that is algorithm 4.1 on fixed lists. For every document:

    y', y'' = best and second best of the list under Phi^a.alpha
    if y' != y* and Phi^a(y*).alpha - Phi^a(y').alpha <= C:   alpha += Phi^a(y*) - Phi^a(y')
    elif Phi^a(y*).alpha - Phi^a(y'').alpha <= C:             alpha += Phi^a(y*) - Phi^a(y'')

Both branches are one: y is the best candidate that is not gold; if gold does not beat it by more than C, the weights
move. If the lists are those of sentences (`unit = "sentence"`), a document is put together from them and learned
sentence by sentence: earlier sentences are set to gold, later ones stay as inferred, as in `perceptag.learn.ascent`.

`Phi^a` is the score of the first model, divided by its standard deviation within lists, and the non-local features
(re-ranking 1), or local features whose weights are learned again and the non-local ones (re-ranking 2).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from perceptag.learn.candidate_lists import Document, ListedDocument, ListProblem, best_other, count_inferred
from perceptag.learn.learner import Errors, Learner, Setting
from perceptag.learn.settings import DOCUMENT, MARGIN


class FixedDocument(ListedDocument, Protocol):
    """A document with the fixed candidates of a first model; scores are those of the second."""

    def move_all(self, s: int, away: int, /) -> None:
        """alpha += Phi^a(y*) - Phi^a(y), y the document with candidate `away` in sentence s and y* with gold there."""


def learn_epoch(problem: ListProblem[Document, FixedDocument], documents: Iterable[Document], C: float) -> Errors:
    """Run one pass of algorithm 4.1 on fixed lists."""
    errors = Errors()
    for x in documents:
        document = problem.search(x)
        for s, gold in enumerate(document.gold):
            count_inferred(errors, document, s)
            total = document.local_scores(s) + document.nonlocal_scores(s)
            y = best_other(total, gold)
            if y is not None and total[gold] - total[y] <= C:
                document.move_all(s, y)
            document.choose(s, gold)
            problem.tick()
    return errors


FIRST_MODELS = (
    Setting("folds", 5, "the number of parts that the data is cut into for the first models' lists", least=2),
    Setting("first_epochs", 20, "passes of the first models", least=1),
    Setting("first_margin", 100.0, "C of the first models", least=0),
)

LEARNERS = (
    Learner(
        name="rerank-1",
        kind="rerank",
        epoch=learn_epoch,
        source="Kazama and Torisawa (2007), section 6.3, re-ranking 1",
        settings=(MARGIN, *DOCUMENT, *FIRST_MODELS),
        problem="score of the first model",
    ),
    Learner(
        name="rerank-2",
        kind="rerank",
        epoch=learn_epoch,
        source="Kazama and Torisawa (2007), section 6.3, re-ranking 2",
        settings=(MARGIN, *DOCUMENT, *FIRST_MODELS),
        problem="local features",
    ),
)
