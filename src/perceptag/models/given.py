"""Tag sentences some of whose labels are given: find the best labelling that agrees with them.

    masks of the tokens ─▶ search ─▶ is every given label written as it was given?   yes: done
                             ▲                    │ no, since neighbours decide how a label is written
                             └── smaller masks ◀──┘

The search is that of the model, over a lattice without the labels that the masks leave out. A labelling that does not
agree is taken out of the search space by cutting the space into parts. The part whose best labelling has the highest
score is looked at first, so the first labelling that agrees is the best of all, if the search of the model is exact.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, count
from typing import Protocol

import numpy as np

from perceptag.arrays import Ints, cut, offsets
from perceptag.errors import DataError
from perceptag.features.fixed_encoder import ALLOWED, allowed_text
from perceptag.labels.given import Given, GivenLabels, Mask
from perceptag.models.model import Model
from perceptag.text.documents import split_documents
from perceptag.text.sentence import Sentence

MOST_SEARCHES = 10_000  # for one sentence or document; usually there is one


class Restrictable(Protocol):
    """A model that can search with some labels left out."""

    model: Model

    def looks_at_documents(self) -> bool:
        """Whether the labels of a sentence may depend on other sentences of its document."""

    def restricted(self, allowed: Sequence[str], with_words: bool) -> Restrictable:
        """The same model, restricted to the labels in a column of the sentences.

        `allowed` lists the values of that column.
        """

    def label_ids(self, sentences: Sequence[Sentence], threads: int = 1) -> Ints:
        """The ids of the labels of all tokens."""

    def total_score(self, sentences: Sequence[Sentence], ids: Ints) -> float:
        """The score of a labelling; 0 if the search of the model does not look for the highest score."""


def tag_given(
    model: Restrictable, sentences: Sequence[Sentence], given: Sequence[Given], threads: int = 1
) -> list[list[str]]:
    """The labels of each sentence. Labels that are given are kept; the rest is the best that goes with them."""
    label_set = model.model.label_set
    found = ids_given(model, sentences, given, threads)
    return [label_set.to_outer([label_set.names[y] for y in own]) for own in found]


def ids_given(
    model: Restrictable, sentences: Sequence[Sentence], given: Sequence[Given], threads: int = 1
) -> list[list[int]]:
    """The same as ids of the labels of the model."""
    rules = GivenLabels(model.model.label_set, model.model.recipe.constrain)
    masks = [rules.masks(sentence, labels) for sentence, labels in zip(sentences, given, strict=True)]
    search = _Search(model, rules)
    begin = offsets([len(s) for s in sentences])
    first = cut(search.best(sentences, masks, True, threads).tolist(), begin)
    found: list[list[int]] = []
    scopes = split_documents(sentences) if model.looks_at_documents() else [[s] for s in sentences]
    for scope in scopes:
        a, b = len(found), len(found) + len(scope)
        part = _Part(scope, list(chain(*given[a:b])), search)
        ids = list(chain(*first[a:b]))
        if part.disagreement(ids) is not None or not _keeps(list(chain(*masks[a:b])), ids):
            ids = part.settle(masks[a:b])
        found += cut(ids, part.begin)
    return found


def restrict(
    model: Restrictable, sentences: Sequence[Sentence], given: Sequence[Given]
) -> tuple[Restrictable, list[Sentence]]:
    """The model and the sentences for a search that leaves out all labels that do not agree with those given."""
    rules = GivenLabels(model.model.label_set, model.model.recipe.constrain)
    masks = [rules.masks(sentence, labels) for sentence, labels in zip(sentences, given, strict=True)]
    return _Search(model, rules).restricted(sentences, masks, words=True)


def restrict_to(
    model: Restrictable, sentences: Sequence[Sentence], masks: Sequence[Sequence[Mask]], every: Mask, words: bool
) -> tuple[Restrictable, list[Sentence]]:
    """The model that leaves out what the masks do, and the sentences with a column for it.

    `every`: the mask of tokens that may have all labels.
    """
    columns = [["" if m is every else allowed_text(m) for m in mask] for mask in masks]
    held = [replace(s, columns={**s.columns, ALLOWED: c}) for s, c in zip(sentences, columns, strict=True)]
    return model.restricted(list(chain(*columns)), words), held


class _Search:
    def __init__(self, model: Restrictable, rules: GivenLabels) -> None:
        self.model = model
        self.rules = rules

    def best(self, sentences: Sequence[Sentence], masks: Sequence[Sequence[Mask]], words: bool, threads: int) -> Ints:
        """The best labelling within masks; `words`: and within the tag dictionary of the model, where possible."""
        model, held = self.restricted(sentences, masks, words)
        return model.label_ids(held, threads)

    def restricted(
        self, sentences: Sequence[Sentence], masks: Sequence[Sequence[Mask]], words: bool
    ) -> tuple[Restrictable, list[Sentence]]:
        """The model that leaves out what the masks do, and the sentences with a column for it."""
        return restrict_to(self.model, sentences, masks, self.rules.every, words)


class _Part:
    """Sentences that are labelled together: one, or those of a document."""

    def __init__(self, sentences: Sequence[Sentence], given: Given, search: _Search) -> None:
        self.sentences = sentences
        self.given = given
        self.search = search
        self.begin = offsets([len(s) for s in sentences])

    def settle(self, masks: Sequence[Sequence[Mask]]) -> list[int]:
        """The best labelling that agrees, first of those that the tag dictionary allows."""
        for words in (True, False):
            if (found := self._best(list(chain(*masks)), words)) is not None:
                return found
        raise DataError(
            "given labels: the search of the model finds no labelling that agrees with them", self.sentences[0].where()
        )

    def _best(self, masks: list[Mask], words: bool) -> list[int] | None:
        """Best-first search over parts of the space; None if no labelling agrees."""
        searches = count(1)
        waiting: list[tuple[float, int, list[int], list[Mask]]] = []  # minus the score comes first: a heap
        parts = [masks]
        while True:
            for part in parts:
                if all(part) and (found := self._solve(part, words)) is not None:
                    heapq.heappush(waiting, (-found[0], next(searches), found[1], part))
            if not waiting:
                return None
            _, number, best, space = heapq.heappop(waiting)
            t = self.disagreement(best)
            if t is None:
                return best
            if number > MOST_SEARCHES:
                raise DataError("given labels: too many labellings that do not agree", self.sentences[0].where())
            parts = self._parts(space, best, t)

    def _parts(self, space: list[Mask], best: list[int], t: int) -> list[list[Mask]]:
        """Cut a part of the space at the sentence of token t, whose label is not the given one."""
        s = int(np.searchsorted(self.begin, t, side="right")) - 1
        a, b = int(self.begin[s]), int(self.begin[s + 1])
        cuts = self.search.rules.splits(space[a:b], best[a:b], t - a, str(self.given[t]))
        return [[*space[:a], *own, *space[b:]] for own in cuts]

    def _solve(self, masks: list[Mask], words: bool) -> tuple[float, list[int]] | None:
        """The score and the labels of the best labelling within the masks; None if there is none."""
        ids = self.search.best(self.sentences, cut(masks, self.begin), words, threads=1)
        listed = ids.tolist()
        return (self.search.model.total_score(self.sentences, ids), listed) if _keeps(masks, listed) else None

    def written(self, ids: Sequence[int]) -> list[list[str]]:
        """The labels of each sentence, as the data writes them."""
        labels = self.search.rules.label_set
        return [labels.to_outer([labels.names[y] for y in own]) for own in cut(list(ids), self.begin)]

    def disagreement(self, ids: Sequence[int]) -> int | None:
        """The first token whose label is not the given one."""
        pairs = zip(self.given, chain(*self.written(ids)), strict=True)
        return next((t for t, (wanted, label) in enumerate(pairs) if wanted not in (None, label)), None)


def _keeps(masks: Sequence[Mask], ids: Sequence[int]) -> bool:
    return all(y in mask for y, mask in zip(ids, masks, strict=True))
