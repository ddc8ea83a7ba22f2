"""Check the memory of n-best lists before they are made."""

from __future__ import annotations

from perceptag.arrays import Ints, np
from perceptag.system.memory import require
from perceptag.system.plural import plural

MAX_NBEST = 1_000_000  # the longest list that a user may ask for

# Bytes of a label in a list: its number twice and a reference to its name. Bytes in the search, with room to grow: a
# value, two references to where it comes from, and one to what follows.
BYTES_OF_A_LISTED_LABEL = 4 + 4 + 8
BYTES_OF_A_DERIVATION = 2 * (8 + 4 + 4 + 4)


def most_labellings(n: int, L: int, T: int) -> int:
    """How many labellings of T tokens with L labels a list of n can have.

    >>> most_labellings(100, 3, 4), most_labellings(100, 3, 5)
    (81, 100)
    """
    return min(n, int(L ** min(T, 64)))


def too_few_candidates(n: int, most: int, learner: str) -> str:
    """Return the note for a request of more labellings than a model ranks."""
    setting = "beam" if learner == "guided" else "nbest_tagging"
    ranked = f"the model ranks {most} labellings of a sentence ({setting})"
    return f"lists of {n}: {ranked}, so lists have {most} at most"


def require_lists(n: int, L: int, begin: Ints) -> None:
    """Refuse lists that would not fit into memory together with the search in the longest sequence."""
    lengths: list[int] = np.diff(begin).tolist()
    labels = [T * most_labellings(n, L, T) for T in lengths]
    longest = max(lengths, default=0)
    require(
        sum(labels) * BYTES_OF_A_LISTED_LABEL + max(labels, default=0) * BYTES_OF_A_DERIVATION,
        f"lists of {n} labellings: {plural(len(lengths), 'sequence')} of up to {plural(longest, 'token')}",
    )
