"""Which sentences come next."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from perceptag.workbench.findings import ALIKE, Near, choose
from perceptag.workbench.learning.pool_scoring import Scored

WORDS = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=8)


def scored(*margins: float) -> list[Scored]:
    return [Scored(i, ["O"], margin, None) for i, margin in enumerate(margins)]


def test_near_duplicates_are_left_out_until_nothing_else_is_left():
    tokens = {0: ["Rome", "3", "Oslo", "1"], 1: ["Rome", "0", "Oslo", "2"], 2: ["something", "else"]}
    assert [s.id for s in choose(scored(1.0, 2.0, 3.0), 2, tokens)] == [0, 2]
    assert [s.id for s in choose(scored(1.0, 2.0, 3.0), 3, tokens)] == [0, 2, 1]


def test_what_is_nearly_labelled_already_is_left_out_and_what_others_have_is_not_offered():
    tokens = {0: ["a", "b", "c"], 1: ["d"], 2: ["e"]}
    assert [s.id for s in choose(scored(1.0, 2.0, 3.0), 1, tokens, Near([["A", "b", "c", "c"]]))] == [1]
    assert [s.id for s in choose(scored(1.0, 2.0, 3.0), 9, tokens, exclude={1})] == [0, 2]


@given(st.lists(WORDS, max_size=6), WORDS)
def test_the_index_finds_what_a_look_at_all_finds(known, words):
    def alike(a: set[str], b: set[str]) -> bool:
        return len(a & b) >= ALIKE * len(a | b)

    assert Near(known).has(words) == any(alike(set(words), set(other)) for other in known)
