"""Split labelled data into parts, such as train, dev and test.

    sentences ──▶ units: documents, or sentences ──▶ groups: units with equal sentences ──▶ parts

At random, groups come in a random order, and each goes to the part that lacks most sentences. A stratified split takes
the rarest label first, and gives its groups to the parts that lack it most (Sechidis, Tsoumakas and Vlahavas 2011, "On
the stratification of multi-label data"), but one group to each part before all others. Few groups can leave parts far
from their shares, so several random orders are tried, and the one that comes nearest is taken.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from perceptag.errors import DataError, SettingError
from perceptag.labels.label_set import labels_of
from perceptag.labels.schemes import detect_scheme, spans
from perceptag.text.documents import iter_documents
from perceptag.text.sentence import Sentence

MOST_TRIES, MOST_GROUPS = 50, 20_000  # random orders, and groups in all of them


@dataclass(frozen=True, slots=True)
class CorpusSplit:
    """The part of each sentence, and what had to stay together."""

    parts: list[str]
    by: str
    groups: int
    largest: int  # sentences in the largest group
    shared: int  # different sentences that are in several parts

    def numbers(self, part: str) -> list[int]:
        """The numbers of the sentences of a part, in their order."""
        return [number for number, name in enumerate(self.parts) if name == part]


def split(
    sentences: Sequence[Sentence],
    shares: Mapping[str, float],
    *,
    by: str,
    column: str = "",
    stratify: bool = False,
    equal: int = 1,
    seed: int = 0,
) -> CorpusSplit:
    """Split sentences into parts of these shares, which are 1 together.

    `by` is "document" or "sentence". Equal sentences of `equal` tokens or more are in one part. With `stratify` every
    part gets its share of each label in `column`, as far as possible.
    """
    groups = joined_units(units_of(sentences, by), sentences, equal)
    sizes = [len(group) for group in groups]
    marks = _labels_of_groups(sentences, groups, column) if stratify else [Counter[str]()] * len(groups)
    random_ = random.Random(seed)
    tries = max(1, min(MOST_TRIES, MOST_GROUPS // len(groups))) if stratify else 1
    filled = [_Parts(shares, sizes, marks).fill(random_) for _ in range(tries)]
    chosen = min(filled, key=_Parts.distance).chosen
    parts = [""] * len(sentences)
    for group, part in zip(groups, chosen, strict=True):
        for number in group:
            parts[number] = part
    for part in shares:
        if part not in chosen:
            raise DataError(
                f"part {part!r} would be empty: expected {len(shares)} groups of sentences or more that can be in "
                f"different parts, found {len(groups)} ({'documents' if by == DOCUMENT else 'sentences'} with equal "
                "sentences stay together)"
            )
    return CorpusSplit(parts, by, len(groups), max(sizes), _shared(sentences, parts))


def marks_of(sentences: Iterable[Sentence], column: str) -> list[list[str]]:
    """Return what is counted as a label in each sentence: the type of each span, or the label of each token."""
    given = [labels_of(sentence, column) for sentence in sentences]
    scheme = detect_scheme(given)
    return given if scheme == "none" else [[span.label for span in spans(labels, scheme)] for labels in given]


def _labels_of_groups(
    sentences: Sequence[Sentence], groups: Sequence[Sequence[int]], column: str
) -> list[Counter[str]]:
    marks = marks_of(sentences, column)
    return [Counter(label for number in group for label in marks[number]) for group in groups]


def _shared(sentences: Sequence[Sentence], parts: Sequence[str]) -> int:
    where: dict[tuple[str, ...], set[str]] = {}
    for sentence, part in zip(sentences, parts, strict=True):
        where.setdefault(tuple(sentence.tokens), set()).add(part)
    return sum(len(found) > 1 for words, found in where.items() if words)


class _Parts:
    """Gives groups to parts, and knows how much each part lacks."""

    def __init__(self, shares: Mapping[str, float], sizes: Sequence[int], marks: Sequence[Counter[str]]) -> None:
        self.sizes, self.marks = sizes, marks
        self.shares = dict(shares)
        self.totals = totals = Counter[str]()
        for counts in marks:
            totals.update(counts)
        # What is lacking: of sentences, and of each label.
        self.room = {part: share * sum(sizes) for part, share in shares.items()}
        self.lacking = {label: {part: share * n for part, share in shares.items()} for label, n in totals.items()}
        self.having: dict[str, set[str]] = {label: set() for label in totals}  # parts with the label
        self.chosen = [""] * len(sizes)
        self.left, self.empty = len(sizes), set(shares)  # groups without a part, parts without a group

    def fill(self, random_: random.Random) -> _Parts:
        """Choose a part for each group."""
        order = list(range(len(self.sizes)))
        random_.shuffle(order)
        with_label: dict[str, list[int]] = {label: [] for label in self.lacking}
        for group in order:
            for label in self.marks[group]:
                with_label[label].append(group)
        for label in sorted(with_label, key=lambda label: (len(with_label[label]), label)):
            for group in (g for g in with_label[label] if not self.chosen[g]):
                self._give(group, self._needy(label))
        for group in (g for g in order if not self.chosen[g]):
            self._give(group, max(self._open(), key=self.room.__getitem__))
        return self

    def distance(self) -> float:
        """Return how far the parts are from their shares, of sentences and, on average, of each label."""
        of_labels = [self._distance(lacking, self.totals[label]) for label, lacking in self.lacking.items()]
        return self._distance(self.room, sum(self.sizes)) + sum(of_labels) / max(1, len(of_labels))

    def _distance(self, lacking: Mapping[str, float], total: int) -> float:
        return sum(abs(lacking[part]) / (share * total) for part, share in self.shares.items())

    def _needy(self, label: str) -> str:
        """Return the part that should get the next group with a label."""
        open_ = self._open()
        without = [part for part in open_ if part not in self.having[label]]
        if without:
            return max(without, key=lambda part: (self.shares[part], self.room[part]))
        lacking = self.lacking[label]
        return max(open_, key=lambda part: (lacking[part], self.room[part]))

    def _open(self) -> list[str]:
        """Return the parts that may get the next group: the empty ones if just enough groups are left for them."""
        return [part for part in self.shares if part in self.empty or self.left > len(self.empty)]

    def _give(self, group: int, part: str) -> None:
        self.chosen[group] = part
        self.left -= 1
        self.empty.discard(part)
        self.room[part] -= self.sizes[group]
        for label, times in self.marks[group].items():
            self.lacking[label][part] -= times
            self.having[label].add(part)


DOCUMENT, SENTENCE = "document", "sentence"


def units_of(sentences: Sequence[Sentence], by: str) -> list[list[int]]:
    """Return the numbers of the sentences of each document, or each sentence alone."""
    if by == SENTENCE:
        return [[number] for number in range(len(sentences))]
    if not any(sentence.starts_document for sentence in sentences):
        raise SettingError("--by document: expected marks of documents in the file, found none; try --by sentence")
    units: list[list[int]] = []
    number = 0
    for document in iter_documents(sentences):
        units.append(list(range(number, number + len(document))))
        number += len(document)
    return units


def usual_unit(sentences: Sequence[Sentence]) -> str:
    """Return "document" if documents are marked, else "sentence"."""
    return DOCUMENT if any(sentence.starts_document for sentence in sentences) else SENTENCE


def joined_units(units: Sequence[Sequence[int]], sentences: Sequence[Sentence], shortest: int) -> list[list[int]]:
    """Join units that have a sentence with the same words, if it has `shortest` tokens or more.

    >>> some = [Sentence({"form": text.split()}) for text in ("a b", "c", "a b")]
    >>> joined_units([[0], [1], [2]], some, 2)
    [[0, 2], [1]]
    """
    parent = list(range(len(units)))

    def root(unit: int) -> int:
        while parent[unit] != unit:
            parent[unit] = parent[parent[unit]]
            unit = parent[unit]
        return unit

    seen: dict[tuple[str, ...], int] = {}
    for number, unit in enumerate(units):
        for words in (tuple(sentences[i].tokens) for i in unit if len(sentences[i]) >= max(1, shortest)):
            first, second = root(seen.setdefault(words, number)), root(number)
            parent[max(first, second)] = min(first, second)
    groups: dict[int, list[int]] = {}
    for number, unit in enumerate(units):
        groups.setdefault(root(number), []).extend(unit)
    return list(groups.values())
