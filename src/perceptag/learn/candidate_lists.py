"""Documents with candidate labellings for each sentence, for coordinate ascent and re-ranking.

A candidate has the number k in the list of sentence s. One candidate is chosen in every sentence; together they are a
labelling of the document. The gold labelling of a sentence is always one of its candidates.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING, Protocol, TypeVar

from perceptag._core import Labels
from perceptag.learn.learner import Errors

if TYPE_CHECKING:
    from perceptag.arrays import Floats


class ListedDocument(Protocol):
    """A document with candidates, under the current weights."""

    @property
    def gold(self) -> Sequence[int]:
        """The number of the gold labelling of each sentence."""

    @property
    def inferred(self) -> Sequence[int]:
        """The candidates that inference chose."""

    def labels(self, s: int, k: int, /) -> Labels:
        """Return the labels of a candidate."""

    def local_scores(self, s: int, /) -> Floats:
        """``Phi^l.alpha`` of each candidate of sentence s."""

    def nonlocal_scores(self, s: int, /) -> Floats:
        """``Phi^g.alpha`` of the document with each candidate of sentence s, given what is chosen in the others."""

    def choose(self, s: int, k: int, /) -> None:
        """Choose a candidate."""


Document = TypeVar("Document", contravariant=True)  # noqa: PLC0105
Listed = TypeVar("Listed", bound=ListedDocument, covariant=True)  # noqa: PLC0105


class ListProblem(Protocol[Document, Listed]):
    """A model and its search."""

    def search(self, document: Document, /) -> Listed:
        """Return the document with its candidates, the best of which are chosen by inference."""

    def tick(self) -> None:
        """Count one example, for the average."""


def count_inferred(errors: Errors, document: ListedDocument, s: int) -> None:
    """Compare what inference chose in sentence s with gold."""
    errors.count(document.labels(s, document.gold[s]), document.labels(s, document.inferred[s]))


def best_of_both(scores: Floats, agrees: Sequence[bool]) -> tuple[int, int | None]:
    """Return the best candidate that agrees with the known labels, and the best that does not; None if all agree.

    >>> import numpy as np
    >>> best_of_both(np.array([3.0, 5.0, 4.0]), [True, False, True])
    (2, 1)
    """
    right, wrong = ([k for k, agreeing in enumerate(agrees) if agreeing is wanted] for wanted in (True, False))
    return max(right, key=scores.__getitem__), max(wrong, key=scores.__getitem__, default=None)


def best_other(scores: Floats, gold: int) -> int | None:
    """Return the best candidate besides the gold one; None if there is no other.

    >>> import numpy as np
    >>> best_other(np.array([3.0, 5.0, 4.0]), 1)
    2
    """
    if len(scores) < 2:
        return None
    rest = scores.copy()
    rest[gold] = -inf
    return int(rest.argmax())
