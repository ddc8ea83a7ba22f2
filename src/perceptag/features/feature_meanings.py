"""Values of features in words, for people who read why a word has its label."""

from __future__ import annotations

LIST_POSITIONS = {"I": "inside a phrase of", "L": "at the end of a phrase of"}


def list_meaning(mark: str) -> str:
    """Return what a mark of the columns of lists says.

    >>> list_meaning("B-places"), list_meaning("I-places"), list_meaning("L-places")
    ('in the list of places', 'inside a phrase of the list of places', 'at the end of a phrase of the list of places')
    """
    letter, _, name = mark.partition("-")
    return f"{LIST_POSITIONS.get(letter, 'in')} the list of {name}" if name else ""


def placed(meaning: str, offset: int) -> str:
    """Return a meaning with the word that it is about, unless that is the word that gets the label.

    >>> placed("in the list of places", -1), placed("like Mr., Mrs.", 2), placed("like Rome", 0)
    ('previous word in the list of places', 'word 2 after like Mr., Mrs.', 'like Rome')
    """
    if not meaning or not offset:
        return meaning
    near = {-1: "previous word", 1: "next word"}
    where = near.get(offset) or f"word {abs(offset)} {'before' if offset < 0 else 'after'}"
    return f"{where} {meaning}"
