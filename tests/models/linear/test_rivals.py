"""The best labellings with another label at each token, found at once, against one search for each."""

from __future__ import annotations

import numpy as np
import pytest

from perceptag import Sentence, Tagger, _core
from toys import TEMPLATE_SETS, make_recipe, random_corpus


@pytest.mark.parametrize("templates", TEMPLATE_SETS)
@pytest.mark.parametrize("settings", [{}, {"tag_dictionary": 3}], ids=["free", "tag dictionary"])
def test_rivals_are_those_of_a_search_for_each_token(templates: str, settings: dict[str, int]) -> None:
    tagger = Tagger(make_recipe(templates=TEMPLATE_SETS[templates], epochs=2, **settings)).fit(random_corpus(0, 30))
    ready = tagger.ready_model
    sentences = random_corpus(1, 20)
    data = ready.reader.read([*sentences, Sentence({c: [] for c in sentences[0].columns})])
    corpus = ready.encoder.encode(data.columns, data.units)
    weights, dictionary, rng = ready.vectors[0], ready.encoder.dictionary, np.random.default_rng(2)
    for i in range(len(corpus)):
        x = corpus[i]
        any_labels = _core.Labels(rng.integers(0, weights.labels, len(x)).astype(np.int32))
        for labels in (_core.viterbi(weights, x, dictionary), any_labels):
            found, _ = _core.rivals(weights, x, labels, dictionary)
            every = list(_core.nbest(weights, x, weights.labels ** len(x), dictionary))
            expected = [next((y for y in every if y[t] != labels[t]), None) for t in range(len(x))]
            assert [rival and rival[0] for rival in found] == expected
            for rival, margin, begin, end in filter(None, found):
                assert margin == weights.score(x, labels) - weights.score(x, rival)
                different = [t for t in range(len(x)) if rival[t] != labels[t]]
                assert (begin, end) == (different[0], different[-1] + 1)


def test_one_label_has_no_rivals() -> None:
    ready = Tagger(make_recipe(templates=("form[0]",), epochs=1)).fit([["a", "b"]], [["X", "X"]]).ready_model
    data = ready.reader.read([Sentence({"form": ["a", "c"]})])
    x = ready.encoder.encode(data.columns, data.units)[0]
    assert _core.rivals(ready.vectors[0], x, _core.viterbi(ready.vectors[0], x)) == ([None, None], 0)
