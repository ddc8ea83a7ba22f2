"""New features of the training data: their rows, their counts and what a cut-off leaves, on any number of threads."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest

from perceptag import _core
from perceptag.features.encoder import Encoder
from perceptag.features.template import parse_all

TEMPLATES = ["form[0]", "bias", "form[-1] list[0]", "form[0] form[1] form[-1]", "list[0] list[1]", "list[0] * y-1 y0",
             "form[0] * y-1 y0", "form[-1] form[0] form[1] * y-2 y-1 y0"]  # fmt: skip
ORDERS = (0, 1, 2)
LABELS = 3
Token = tuple[str, tuple[str, ...]]  # a form, and several values


def sentences_of(tokens: int) -> list[list[Token]]:
    """Sentences with a token or more, of which some have several values in the column `list`."""
    draw = random.Random(7)
    made: list[list[Token]] = []
    while sum(map(len, made)) < tokens:
        bags = draw.random() < 0.3
        forms = [str(int(draw.paretovariate(0.4))) for _ in range(draw.randint(1, 20))]
        made.append([(form, tuple(draw.sample("wxyz", draw.randint(0, 3 if bags else 1)))) for form in forms])
    return made


def columns_of(sentences: Sequence[Sequence[Token]]) -> tuple[Any, Any]:
    columns = {
        "form": [[form for form, _ in s] for s in sentences],
        "list": [[some for _, some in s] for s in sentences],
    }
    return columns, np.cumsum([0, *map(len, sentences)]).astype(np.int32)


def encoded(sentences: Sequence[Sequence[Token]], threads: int) -> tuple[Encoder, _core.Corpus]:
    encoder = Encoder(parse_all(TEMPLATES, ["form", "list"]))
    columns, begin = columns_of(sentences)
    labels = np.arange(begin[-1], dtype=np.int32) * 7 % 5 % LABELS
    return encoder, encoder.encode_new(columns, begin, labels, threads=threads)


def rows(corpus: _core.Corpus) -> list[list[list[list[int]]]]:
    return [
        [[corpus[i].rows(order, t).tolist() for t in range(len(corpus[i]))] for order in ORDERS]
        for i in range(len(corpus))
    ]


def features(encoder: Encoder) -> list[list[list[int]]]:
    return [[a.tolist() for a in encoder.frozen_index.list(i)] for i in range(len(TEMPLATES))]


def arrays(support: _core.Support) -> list[list[int]]:
    return [support.begin.tolist(), support.codes.tolist(), support.counts.tolist()]


class Definition:
    """Rows as one thread gives them that looks at one sentence after the other."""

    def __init__(self) -> None:
        self.numbers: list[dict[object, int]] = [{}, {}, {}]

    def rows(self, sentence: Sequence[Token]) -> list[list[list[int]]]:
        """Number the features of a sentence: template by template, or token by token where there are several values."""
        places, all_ = range(len(sentence)), list(enumerate(parse_all(TEMPLATES, ["form", "list"])))
        has_bags = any(len(some) > 1 for _, some in sentence)
        found: list[list[list[int]]] = [[[] for _ in places] for _ in ORDERS]
        by_template = ((t, one) for one, t in product(all_, places))
        for t, (k, template) in product(places, all_) if has_bags else by_template:
            for values in self._combinations(sentence, template, t):
                numbers = self.numbers[template.order]
                numbers.setdefault((k, values), len(numbers))
        for t, (k, template) in product(places, all_):
            found[template.order][t] += [
                self.numbers[template.order][k, values] for values in self._combinations(sentence, template, t)
            ]
        return found

    def _combinations(self, sentence: Sequence[Token], template: Any, t: int) -> Iterator[tuple[object, ...]]:
        return product(*(self._values(sentence, f.column, t + f.offset) for f in template.fields))

    def _values(self, sentence: Sequence[Token], column: str, t: int) -> tuple[object, ...]:
        if not 0 <= t < len(sentence):
            return (("before", t) if t < 0 else ("after", t - len(sentence)),)
        form, several = sentence[t]
        return (form,) if column == "form" else several


def test_rows_are_numbered_as_they_are_met() -> None:
    sentences, definition = sentences_of(300), Definition()
    expected = [definition.rows(sentence) for sentence in sentences]
    assert rows(encoded(sentences, 1)[1]) == expected
    assert any(len(some) > 1 for s in sentences for _, some in s)


@pytest.fixture(scope="module")
def many() -> list[list[Token]]:
    return sentences_of(9000)  # more than are looked at together


def test_any_number_of_threads_finds_the_same_features(many: list[list[Token]]) -> None:
    (one, corpus), *others = [encoded(many, threads) for threads in (1, 2, 4)]
    for encoder, other in others:
        assert features(encoder) == features(one)
        assert rows(other) == rows(corpus)
    assert rows(one.encode(*columns_of(many), threads=2)) == rows(corpus)  # each is found under its row


@pytest.mark.parametrize("order", ORDERS)
def test_support_counts_labels_on_any_number_of_threads(many: list[list[Token]], order: int) -> None:
    encoder, corpus = encoded(many, 1)
    count = encoder.frozen_index.rows(order)
    seen: list[Counter[int]] = [Counter() for _ in range(count)]
    for i in range(len(corpus)):
        labels = [LABELS, LABELS, *corpus[i].labels]  # two that stand for the start
        for t in range(len(corpus[i])):
            code = 0
            for label in labels[2 + t - order : 2 + t]:
                code = code * (LABELS + 1) + label
            for row in corpus[i].rows(order, t).tolist():
                seen[row][code * LABELS + labels[2 + t]] += 1
    expected = [sorted(codes.items()) for codes in seen]
    for threads in (1, 2, 4):
        begin, codes, counts = arrays(_core.count_support(corpus, order, count, LABELS, threads))
        pairs = list(zip(codes, counts, strict=True))
        assert [pairs[a:b] for a, b in pairwise(begin)] == expected


def test_a_cut_off_leaves_the_same_on_any_number_of_threads(many: list[list[Token]]) -> None:
    left = []
    for threads in (1, 2, 4):
        encoder, corpus = encoded(many, 1)
        index = encoder.frozen_index
        support = _core.count_support(corpus, 0, index.rows(0), LABELS)
        kept = _core.apply_cutoff(support, 3, False, 0, index, corpus, threads)
        left.append((arrays(kept), features(encoder), rows(corpus)))
    assert left[0] == left[1] == left[2]
    assert 0 < len(left[0][0][0]) < len(support.begin)
