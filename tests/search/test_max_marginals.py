"""Max-marginals: the native core equals the reference, and both equal enumeration."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from perceptag import Tagger, _core
from random_lattices import EXACT, make, random_case, random_cases
from reference.lattice import enumerate_labelings, max_marginals, score, viterbi
from toys import TEMPLATE_SETS, make_recipe, random_corpus


@pytest.mark.parametrize("kind", EXACT)
def test_equal_to_enumeration(kind: str) -> None:
    seen = 0
    for reference, native in random_cases(1, 15, EXACT[kind]):
        found, best = native.max_marginals()
        scores = {labels: score(reference, labels) for labels in enumerate_labelings(reference)}
        assert best == max(scores.values())
        if best == -inf:
            continue
        expected = [
            [max(s for labels, s in scores.items() if labels[t] == y) - best for y in range(reference.L)]
            for t in range(reference.T)
        ]
        assert found.reshape(reference.T, reference.L).tolist() == expected == max_marginals(reference)
        seen += 1
    assert seen > 100


@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize("observed", [False, True])
def test_long_lattice(order: int, observed: bool) -> None:
    reference, native = random_case(np.random.default_rng(3), 40, 5, order, observed, EXACT["whole"], forbid=True)
    found, best = native.max_marginals()
    assert best == viterbi(reference)[1] > -inf
    assert found.reshape(40, 5).tolist() == max_marginals(reference)


def test_everything_forbidden() -> None:
    for order in (0, 1, 2):
        edge = np.zeros((3, 2)) if order > 0 else None
        _, native = make(2, np.full((3, 2), -inf), edge, np.zeros((3, 3, 2)) if order > 1 else None)
        assert native.max_marginals()[1] == -inf


@pytest.mark.parametrize("templates", TEMPLATE_SETS)
@pytest.mark.parametrize("settings", [{}, {"tag_dictionary": 3}], ids=["free", "tag dictionary"])
def test_a_batch_equals_searches_without_the_best_label(templates: str, settings: dict[str, int]) -> None:
    tagger = Tagger(make_recipe(templates=TEMPLATE_SETS[templates], epochs=2, **settings)).fit(random_corpus(0, 30))
    ready = tagger.ready_model
    data = ready.reader.read(random_corpus(1, 10))
    corpus = ready.encoder.encode(data.columns, data.units)
    weights, dictionary = ready.vectors[0], ready.encoder.dictionary
    flat = _core.max_marginals(weights, corpus, dictionary)
    assert flat.tolist() == _core.max_marginals(weights, corpus, dictionary, 2).tolist()
    found = flat.reshape(-1, 3)
    for i, a in enumerate(data.begin[:-1].tolist()):
        best = _core.viterbi(weights, corpus[i], dictionary)
        for t, rival in enumerate(_core.rivals(weights, corpus[i], best, dictionary)[0]):
            assert found[a + t, best[t]] == 0
            behind = -inf if rival is None else weights.score(corpus[i], rival[0]) - weights.score(corpus[i], best)
            assert np.delete(found[a + t], best[t]).max() == pytest.approx(behind, abs=1e-4)


def test_a_corpus_of_another_model_is_refused() -> None:
    one, two = (Tagger("collins-pos", epochs=1).fit(random_corpus(seed, n)) for seed, n in ((0, 2), (1, 40)))
    data = two.ready_model.reader.read(random_corpus(1, 40))
    corpus = two.ready_model.encoder.encode(data.columns, data.units)
    with pytest.raises(ValueError, match="encoded for another model"):
        _core.max_marginals(one.ready_model.vectors[0], corpus)
