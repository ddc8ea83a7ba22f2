"""Which sentences belong to which shard, found out without the sentences."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from perceptag import Sentence
from perceptag.cluster.units import Units
from perceptag.models.task import without_empty
from perceptag.text.documents import divide_documents

SENTENCES = st.lists(st.tuples(st.integers(0, 2), st.booleans()), max_size=25)


def add(units: Units, part: list[Sentence]) -> None:
    """Add a part as its facts do."""
    kept = without_empty(part)
    empty = [s for i, s in enumerate(part) if not any(map(len, part[i:]))]
    starts = np.flatnonzero([s.starts_document for s in kept]).astype(np.int32)
    units.add(len(kept), starts, any(s.starts_document for s in empty))


@given(SENTENCES, st.lists(st.integers(0, 25), max_size=4), st.integers(1, 6))
def test_any_cutting_of_the_data_gives_the_shards_of_the_data(
    made: list[tuple[int, bool]], cuts: list[int], shards: int
) -> None:
    """Empty sentences may lie between a mark and its sentence, and so may the borders of parts."""
    every = [Sentence({"form": [str(i)] * n}, starts_document=mark) for i, (n, mark) in enumerate(made)]
    borders = [0, *sorted(min(c, len(every)) for c in cuts), len(every)]
    parts = [every[a:b] for a, b in pairwise(borders)]
    units = Units()
    for part in parts:
        add(units, part)
    expected = divide_documents(without_empty(every), shards)
    found = units.shards(shards)
    filled = [without_empty(part) for part in parts]
    for shard, documents in zip(found, expected, strict=True):
        own = [s for piece in shard.pieces for s in filled[piece.part][piece.first : piece.last]]
        assert [s.columns for s in own] == [s.columns for document in documents for s in document]
        assert (shard.sentences, shard.units) == (len(own), len(documents))
        marked = [
            s.starts_document or (piece.starts and k == 0)
            for piece in shard.pieces
            for k, s in enumerate(filled[piece.part][piece.first : piece.last])
        ]
        assert marked == [s.starts_document for document in documents for s in document]
