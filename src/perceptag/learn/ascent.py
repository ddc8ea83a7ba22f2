"""Coordinate ascent over documents built from the n-best lists of their sentences.

Read first: learn/nonlocal_perceptron.py; machinery: models/document/; tables: reproduce/kazama2007.py

This is not an algorithm of a paper: it is (A) and (B) of algorithm 4.2 of Kazama and Torisawa (2007), sentence by
sentence. An n-best list of a whole document differs in one or two places only, so most of the document never gets an
alternative. Here the candidates of a document are all combinations of the lists of its sentences; the search is
coordinate ascent (`perceptag.models.document.search.ascend`), and learning goes sentence by sentence, in context:

    for every document x
      infer once with the weights as they are                            document = problem.search(x)
      for every sentence s, those before it set to gold, those after it as inferred
        y = best wrong candidate under Phi^a.alpha in this context       best_of_both(total, agrees)
        if Phi^a(y*).alpha - Phi^a(y).alpha <= C^a:                      total[gold] - total[y] <= C_all
          alpha += Phi^a(y*) - Phi^a(y)                                  document.move_all(s, y, gold)        (A)
        else:
          y = best wrong candidate under Phi^l.alpha                     best_of_both(local, agrees)
          if Phi^l(y*).alpha - Phi^l(y).alpha <= C^l:                    local[gold_local] - local[y] <= C_local
            alpha += Phi^l(y*) - Phi^l(y)                                document.move_local(s, y, gold_local)  (B)

Where labels are missing, several candidates may agree with those that are known: y* is the best of them, and none of
them is wrong (reference/latent.py).

Departure from the paper: the two labellings compared share a context that need not be gold, so its proof of
convergence does not cover this form. `perceptag.learn.ascent_document` is the form that it covers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from perceptag.learn.candidate_lists import Document, ListedDocument, ListProblem, best_of_both
from perceptag.learn.learner import Errors, Learner
from perceptag.learn.settings import DOCUMENT, DROPOUT, MARGIN, MARGIN_LOCAL, ORDERS, SHARDS


class MovingDocument(ListedDocument, Protocol):
    """A document whose sentences can move the weights."""

    def agrees(self, s: int, /) -> Sequence[bool]:
        """Return whether each candidate of sentence s agrees with the labels that are known: one does, if all are."""

    def move_all(self, s: int, away: int, toward: int, /) -> None:
        """alpha += Phi^a(y*) - Phi^a(y): y has candidate `away` in sentence s, and y* candidate `toward`."""

    def move_local(self, s: int, away: int, toward: int, /) -> None:
        """alpha += Phi^l(y*) - Phi^l(y)."""


def learn_epoch(
    problem: ListProblem[Document, MovingDocument], documents: Iterable[Document], C_all: float, C_local: float
) -> Errors:
    """Run one pass, sentence by sentence in context."""
    errors = Errors()
    for x in documents:
        document = problem.search(x)
        for s, found in enumerate(document.inferred):
            agrees = document.agrees(s)
            local = document.local_scores(s)  # again: earlier sentences may have moved the weights
            total = local + document.nonlocal_scores(s)
            (gold, y), (gold_local, y_local) = best_of_both(total, agrees), best_of_both(local, agrees)
            errors.count(document.labels(s, found if agrees[found] else gold), document.labels(s, found))
            if y is not None and total[gold] - total[y] <= C_all:
                document.move_all(s, y, gold)  # (A)
            elif y_local is not None and local[gold_local] - local[y_local] <= C_local:
                document.move_local(s, y_local, gold_local)  # (B)
            document.choose(s, gold)
            problem.tick()
    return errors


class NativeProblem(Protocol[Document]):
    """A model and its search in C++."""

    def learner(self, C_all: float, C_local: float) -> Callable[[Document], tuple[int, int]]:
        """Return a function that learns from one document and returns its wrong sequences and labels."""


def native_epoch(
    problem: NativeProblem[Document], documents: Iterable[Document], C_all: float, C_local: float
) -> Errors:
    """Run the same pass in C++, document by document; Ctrl-C is handled between documents."""
    errors, learn = Errors(), problem.learner(C_all, C_local)
    for x in documents:
        errors.add(*learn(x))
    return errors


LEARNER = Learner(
    name="ascent",
    kind="nonlocal",
    epoch=learn_epoch,
    native=native_epoch,
    source="Kazama and Torisawa (2007), algorithm 4.2, sentence by sentence",
    settings=(MARGIN, MARGIN_LOCAL, DROPOUT, ORDERS, *DOCUMENT, SHARDS),
    problem="lists",
    partial=True,
)
