"""Sentences brought into the form that the core takes: columns, offsets, label ids."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from perceptag.encoder import Ints, offsets
from perceptag.errors import DataError, nearest
from perceptag.features import gazetteer
from perceptag.labelling import Labelling
from perceptag.text.sentence import Sentence, from_tokens

# A column that is computed from whole sentences rather than read: one value, or a tuple of values, per token.
Computed = Callable[[Sequence[Sentence]], list[Sequence[Hashable]]]


@dataclass(slots=True)
class Dataset:
    """Sentences as the core takes them."""

    columns: dict[str, list[Sequence[Hashable]]]
    begin: Ints  # [N + 1]
    labels: Ints  # [tokens], or empty

    def __len__(self) -> int:
        return len(self.begin) - 1


def make_dataset(
    sentences: Sequence[Sentence],
    wanted: Iterable[str],
    labelling: Labelling | None = None,
    computed: Mapping[str, Computed] | None = None,
) -> Dataset:
    """Take the wanted columns, and the label ids if there is a labelling."""
    computed = computed or {}
    names = list(dict.fromkeys(wanted))
    columns: dict[str, list[Sequence[Hashable]]] = {}
    for name in names:
        columns[name] = computed[name](sentences) if name in computed else _column(sentences, name)
    labels = [y for s in sentences for y in labelling.ids(s)] if labelling else []
    return Dataset(columns, offsets([len(s) for s in sentences]), np.array(labels, np.int32))


def computed_columns(lists: gazetteer.Gazetteer) -> dict[str, Computed]:
    """The columns that are computed rather than read."""
    return {gazetteer.COLUMN: lambda sentences: [lists.match(s.tokens) for s in sentences]}


def _column(sentences: Sequence[Sentence], name: str) -> list[Sequence[Hashable]]:
    try:
        return [s.columns[name] for s in sentences]
    except KeyError:
        for s in sentences:
            if name not in s.columns:
                have = ", ".join(s.columns)
                raise DataError(
                    f"the model looks at column {name!r}, but there is only {have}{nearest(name, s.columns)}",
                    s.where(),
                ) from None
        raise


def cut(labels: list[Any], begin: Ints) -> list[list[Any]]:
    """Cut a flat list at the sequence offsets.

    >>> cut(list("abcde"), np.array([0, 2, 2, 5]))
    [['a', 'b'], [], ['c', 'd', 'e']]
    """
    return [labels[a:b] for a, b in pairwise(begin.tolist())]


def as_sentences(X: Iterable[object]) -> list[Sentence]:
    """Accept what users have: sentences, token lists, or lists of rows with named columns.

    >>> as_sentences([["The", "dog"], [{"form": "It", "pos": "PRP"}]])[1].columns
    {'form': ['It'], 'pos': ['PRP']}
    """
    return [_as_sentence(x, i) for i, x in enumerate(X)]


def _as_sentence(x: object, number: int) -> Sentence:
    where = f"sentence {number}"
    if isinstance(x, Sentence):
        return x
    if isinstance(x, Mapping):
        columns = {str(k): list(v) for k, v in x.items()}
        if len({len(v) for v in columns.values()}) > 1:
            raise DataError(f"columns of different lengths: { {k: len(v) for k, v in columns.items()} }", where)
        return _checked(Sentence(columns), where)
    if isinstance(x, str) or not isinstance(x, Iterable):
        raise DataError(f"expected a list of tokens, found {x!r:.60}", where)
    tokens = list(x)
    if tokens and all(isinstance(token, Mapping) for token in tokens):
        names = list(tokens[0])
        for t, token in enumerate(tokens):
            if list(token) != names:
                raise DataError(f"token {t} has columns {list(token)}, the first one {names}", where)
        return _checked(Sentence({str(n): [token[n] for token in tokens] for n in names}), where)
    return _checked(from_tokens(tokens), where)


def _checked(sentence: Sentence, where: str) -> Sentence:
    for name, values in sentence.columns.items():
        for t, value in enumerate(values):
            if not isinstance(value, str):
                raise DataError(f"token {t}, column {name!r}: expected a string, found {value!r:.60}", where)
            if "\0" in value:
                raise DataError(f"token {t}, column {name!r}: NUL in {value!r:.60}", where)
    return sentence


def with_labels(sentences: Sequence[Sentence], y: Sequence[Sequence[str]], column: str) -> list[Sentence]:
    """Give sentences a column of labels."""
    if len(sentences) != len(y):
        raise DataError(f"expected one label list for each sentence: {len(sentences)} sentences, {len(y)} label lists")
    labelled = []
    for i, (sentence, labels) in enumerate(zip(sentences, y, strict=True)):
        if len(sentence) != len(labels):
            raise DataError(f"{len(sentence)} tokens but {len(labels)} labels", f"sentence {i}")
        for t, label in enumerate(labels):
            if not isinstance(label, str) or not label or "\0" in label:
                raise DataError(f"token {t}: expected a label, found {label!r:.60}", f"sentence {i}")
        columns = {**sentence.columns, column: list(labels)}
        labelled.append(Sentence(columns, sentence.source, sentence.line, sentence.starts_document))
    return labelled


def digest(sentences: Iterable[Sentence]) -> str:
    """A SHA-256 of the content of sentences, whatever file format they came from."""
    sha = hashlib.sha256()
    for sentence in sentences:
        sha.update(b"\2" if sentence.starts_document else b"\1")
        for name, values in sentence.columns.items():
            sha.update("\0".join([name, *values, ""]).encode("utf-8", "surrogatepass"))
    return sha.hexdigest()
