"""Values that Python can loop over and that are not lists: refused, with what to give instead."""

from __future__ import annotations

import io
import re
from types import SimpleNamespace

import numpy as np
import pytest

from perceptag import DataError, Tagger

X = [["the", "dog"], ["a", "cat"]]
Y = [["D", "N"], ["D", "N"]]


class DataFrame:
    """What pandas and polars have in common: a loop over it gives the names of columns."""

    columns = ("token", "label")
    shape = (2, 2)

    def to_dict(self, orient="dict"):
        del orient

    def __iter__(self):
        return iter(self.columns)


class Grouped:
    """What `df.groupby("sentence")` gives: pairs of a key and a frame."""

    ngroups = 1

    def __iter__(self):
        yield 0, DataFrame()


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return Tagger("collins-pos", epochs=1).fit(X, Y)


WRONG = {
    "a frame": (DataFrame(), "expected a list of sentences, found a DataFrame; give df.groupby('sentence')['token']"),
    "groups": (Grouped(), "expected a list of sentences, found a Grouped; give df.groupby"),
    "a list of frames": (
        [DataFrame()],
        "sentence 0: expected a list of tokens, found a DataFrame; give df['token'].tolist(), or df.to_dict('list')",
    ),
    "a set of sentences": ({("the", "dog")}, "expected a list of sentences, found a set, which has no order"),
    "a set of tokens": ([["a"], {"dog"}], "sentence 1: expected a list of tokens, found a set, which has no order"),
    "a frozen set": ([frozenset("ab")], "sentence 0: expected a list of tokens, found a frozenset, which has no order"),
    "a column that is a set": (
        [{"form": {"dog"}}],
        "sentence 0: column 'form': expected a list of tokens, found a set",
    ),
    "a file": (io.StringIO("the D\n"), "expected a list of sentences, found an open file; perceptag.text.read(path)"),
    "a list of files": ([io.BytesIO(b"the")], "sentence 0: expected a list of tokens, found an open file"),
    "a wrapped file": ([SimpleNamespace(read=str, readline=str)], "found an open file"),
    "tokens with labels": ([{"the": "D"}], "sentence 0: column 'the': expected a list of tokens, found 'D'"),
    "a dictionary": ({"form": ["the"]}, "expected a list of sentences, found {'form'"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_not_a_list_is_refused(name, tagger):
    given, message = WRONG[name]
    for use in (tagger.predict, lambda x: Tagger("collins-pos", epochs=1).fit(x, Y)):
        with pytest.raises(DataError, match=f"^{re.escape(message)}" if name != "a wrapped file" else message):
            use(given)


def test_labels_that_are_not_lists_are_refused(tagger):
    with pytest.raises(DataError, match=r"expected a list of label lists, found a DataFrame; give df.groupby"):
        tagger.score(X, DataFrame())
    with pytest.raises(DataError, match="sentence 1: expected a list of labels, found a set, which has no order"):
        tagger.score(X, [["D", "N"], {"D", "N"}])


def test_what_has_an_order_is_taken(tagger):
    expected = tagger.predict(X)
    for given in (
        iter(X),
        (tokens for tokens in X),
        map(iter, X),
        tuple(map(tuple, X)),
        np.array(X),
        dict.fromkeys(map(tuple, X)).keys(),
    ):
        assert tagger.predict(given) == expected
