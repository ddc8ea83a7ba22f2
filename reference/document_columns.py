"""Columns computed from the document of a token: the definition of what the core computes for all tokens at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from perceptag.text.documents import split_documents
from perceptag.text.sentence import Sentence

Marks = list[tuple[str, ...]]  # of one sentence: the values of each token
MAX_OCCURRENCES = 8

FLAG = ("1",)


class Occurrences:
    """Occurrences of each word in a document."""

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        self.tokens = [s.tokens for s in sentences]
        self._near: dict[tuple[str, int], list[tuple[tuple[int, int], str]]] = {}
        self.places: dict[str, list[tuple[int, int]]] = {}
        self._later: dict[str, int] = {}  # how often a word is not the first of its sentence
        for s, tokens in enumerate(self.tokens):
            for t, token in enumerate(tokens):
                self.places.setdefault(token, []).append((s, t))
                self._later[token] = self._later.get(token, 0) + (t > 0)

    def is_later_elsewhere(self, s: int, t: int) -> bool:
        """Return whether another occurrence of the word at (s, t) is not the first word of its sentence."""
        return self._later[self.tokens[s][t]] > (t > 0)

    def neighbours(self, s: int, t: int, step: int) -> list[str]:
        """Return the words, or sentence borders, before (step -1) or after (+1) the first other occurrences."""
        token = self.tokens[s][t]
        if len(self.places[token]) == 1:
            return []
        if (token, step) not in self._near:
            first = self.places[token][: MAX_OCCURRENCES + 1]  # one of them may be (s, t) itself
            self._near[token, step] = [(place, self._word_at(*place, step)) for place in first]
        others = [word for place, word in self._near[token, step] if place != (s, t)]
        return list(dict.fromkeys(others[:MAX_OCCURRENCES]))

    def _word_at(self, s: int, t: int, step: int) -> str:
        inside = 0 <= t + step < len(self.tokens[s])
        return self.tokens[s][t + step] if inside else "<s>" if step < 0 else "</s>"


def _recurs(where: Occurrences, s: int, t: int) -> tuple[str, ...]:
    return FLAG if len(where.places[where.tokens[s][t]]) > 1 else ()


def _lower(where: Occurrences, s: int, t: int) -> tuple[str, ...]:
    return FLAG if where.tokens[s][t].lower() in where.places else ()


def _inside(where: Occurrences, s: int, t: int) -> tuple[str, ...]:
    return FLAG if where.is_later_elsewhere(s, t) else ()


def _near(step: int, names: bool) -> Callable[[Occurrences, int, int], tuple[str, ...]]:
    def values(where: Occurrences, s: int, t: int) -> tuple[str, ...]:
        words = where.neighbours(s, t, step)
        if names:
            return tuple(w for w in words if w[:1].isupper())
        return tuple(dict.fromkeys(w.lower() for w in words))

    return values


COLUMNS: dict[str, Callable[[Occurrences, int, int], tuple[str, ...]]] = {
    "doc_recurs": _recurs,
    "doc_lower": _lower,
    "doc_inside": _inside,
    "doc_before": _near(-1, names=False),
    "doc_after": _near(+1, names=False),
    "doc_name_before": _near(-1, names=True),
    "doc_name_after": _near(+1, names=True),
}


def document_column(name: str, sentences: Sequence[Sentence]) -> list[Marks]:
    """Return one of the columns of some sentences, computed by its definition."""
    documents = (Occurrences(document) for document in split_documents(sentences))
    return [marks for where in documents for marks in _of_document(COLUMNS[name], where)]


def _of_document(compute: Callable[[Occurrences, int, int], tuple[str, ...]], where: Occurrences) -> list[Marks]:
    return [
        [compute(where, s, t) if token[:1].isupper() else () for t, token in enumerate(tokens)]
        for s, tokens in enumerate(where.tokens)
    ]
