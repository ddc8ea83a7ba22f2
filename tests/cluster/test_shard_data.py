"""The data of a shard in blocks of sequences."""

import numpy as np
import pytest

from perceptag.cluster.shard_data import ShardData


@pytest.mark.parametrize(
    ("tokens", "blocks"),
    [
        (1, [(0, 1), (1, 2), (2, 3), (3, 4)]),
        (4, [(0, 1), (1, 3), (3, 4)]),
        (100, [(0, 4)]),
    ],
)
def test_a_block_has_about_this_many_tokens_and_at_least_one_sequence(
    tokens: int, blocks: list[tuple[int, int]]
) -> None:
    begin, none = np.array([0, 3, 5, 7, 13], dtype=np.int64), np.array([], dtype=np.int64)
    shard = ShardData([], none, none, begin, none, none, none)
    assert list(shard.blocks(tokens)) == blocks
