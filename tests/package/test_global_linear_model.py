"""Figure 2 of Collins (2002) with any candidates and features: equal to the reference, bounded by theorem 1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from fractions import Fraction
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from perceptag import GlobalLinearModel
from perceptag.features.template import parse
from reference.features import Feature, sentence_features
from reference.perceptron import average, global_features, visited_weights

LABELS = ("A", "B")
TEMPLATES = [parse("form[0]"), parse("bias * y-1 y0")]
sentences = st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from(LABELS)), min_size=1, max_size=4)


def features_of(words: tuple[str, ...]) -> list[list[Feature]]:
    return sentence_features(TEMPLATES, {"form": words})


def labellings(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    """All of them; of equal scores the one with the earlier label wins, read from the end, as in the reference."""
    return [tuple(reversed(labels)) for labels in product(LABELS, repeat=len(words))]


def phi(words: tuple[str, ...], labels: tuple[str, ...]) -> dict[Hashable, float]:
    return dict(global_features(features_of(words), labels))


@given(st.lists(sentences, min_size=1, max_size=5), st.integers(1, 3))
def test_over_labellings_it_is_the_perceptron_of_the_reference(data: list[list[tuple[str, str]]], epochs: int) -> None:
    X = [tuple(word for word, _ in one) for one in data]
    y = [tuple(label for _, label in one) for one in data]
    examples = [(features_of(words), labels) for words, labels in zip(X, y, strict=True)]
    visits = list(visited_weights([examples] * epochs, LABELS))
    last = GlobalLinearModel(labellings, phi, epochs=epochs, averaged=False).fit(X, y).weights_
    assert nonzero(last) == nonzero(visits[-1])
    averaged = GlobalLinearModel(labellings, phi, epochs=epochs).fit(X, y).weights_
    expected = nonzero({f: float(w) for f, w in average(visits).items()})
    assert nonzero({f: round(w, 9) for f, w in averaged.items()}) == {f: round(w, 9) for f, w in expected.items()}


def nonzero(weights: dict[Hashable, float] | dict[Hashable, Fraction]) -> dict[Hashable, float]:
    return {feature: float(weight) for feature, weight in weights.items() if abs(weight) > 1e-12}


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=6))
def test_mistakes_are_bounded_by_theorem_1(pairs: list[tuple[int, int]]) -> None:
    """Candidates with a margin of 1 under a unit vector: at most (R / delta)^2 mistakes, R^2 from all differences."""
    right = {x: (x, "right") for x, _ in pairs}

    def gen(x: int) -> list[tuple[int, str]]:
        return [(x, "wrong"), (x, "right"), (x + 1, "wrong")]

    def counts(x: int, z: tuple[int, str]) -> dict[Hashable, float]:
        return {"right": z[1] == "right", ("x", z[0]): 1, ("pair", x, z[0]): 1}

    X = [x for x, _ in pairs]
    model = GlobalLinearModel(gen, counts, epochs=30).fit(X, [right[x] for x in X])
    largest = max(squared(difference(counts, x, right[x], z)) for x in X for z in gen(x))
    assert sum(model.updates_) <= largest  # delta = 1 for the unit vector of the feature "right"
    assert model.score(X, [right[x] for x in X]) == 1


def difference(
    counts: Callable[[int, tuple[int, str]], dict[Hashable, float]], x: int, y: tuple[int, str], z: tuple[int, str]
) -> dict[Hashable, float]:
    found = Counter(counts(x, y))
    found.subtract(Counter(counts(x, z)))
    return dict(found)


def squared(vector: dict[Hashable, float]) -> float:
    return sum(value * value for value in vector.values())


def test_candidates_are_ranked() -> None:
    model = GlobalLinearModel(lambda x: [x, x[::-1]], lambda x, y: {y[0]: 1}).fit(["ba"], ["ab"])
    assert model.rank("ba") == [("ab", 1.0), ("ba", -1.0)]  # the only mistake is at the first step
