"""The heaviest weights are those that a look at every weight would find."""

from __future__ import annotations

import pytest

from perceptag import Tagger
from perceptag.models.linear.tagger import LinearTagger

X = [["the", "dog", "barks"], ["a", "dog"], ["dogs", "bark"]]
y = [["DT", "NN", "VBZ"], ["DT", "NN"], ["NNS", "VBP"]]


def make(**settings: object) -> LinearTagger:
    tagger = Tagger("collins-pos", epochs=3, **settings).fit(X, y)
    ready = tagger.ready_model
    assert isinstance(ready, LinearTagger)
    return ready


def heaviest(tagger: LinearTagger, n: int) -> dict[str, list[tuple[str, float]]]:
    return tagger.top_weights(n).by_label


@pytest.mark.parametrize("support", ["gold", "all"])
def test_against_every_weight_of_a_word_feature(support: str) -> None:
    tagger = make(templates=["form[0]", "form[-1] * y-1 y0"], support=support)
    names = tagger.model.label_set.names
    weights, features = tagger.vectors[0], tagger.feature_names
    expected: dict[str, dict[str, float]] = {label: {} for label in names}
    for row in range(weights.rows(0)):
        for code, label in enumerate(names):
            if value := weights.value(0, row, code):
                expected[label][features.name(0, row)] = value
    before = [*names, "<s>"]
    for row in range(weights.rows(1)):
        for code in range(len(before) * len(names)):
            if value := weights.value(1, row, code):
                name = f"{features.name(1, row)}, y-1={before[code // len(names)]}"
                expected[names[code % len(names)]][name] = value
    found = heaviest(tagger, 1000)
    assert {label: dict(entries) for label, entries in found.items()} == expected
    for entries in found.values():
        assert entries == sorted(entries, key=lambda entry: -abs(entry[1]))
    for n in (0, 1, 3):
        assert heaviest(tagger, n) == {label: entries[:n] for label, entries in found.items()}


def test_of_equal_weights_the_first_comes_first() -> None:
    tagger = make(templates=["form[0]", "form[-1] * y-1 y0", "bias * y-1 y0"], support="all")
    weights, names, features = tagger.vectors[0], tagger.model.label_set.names, tagger.feature_names
    words = [(features.name(0, row), row) for row in range(weights.rows(0))]
    for y, label in enumerate(names):
        found = [entry for entry in heaviest(tagger, 1000)[label] if "*" not in entry[0]]
        values = [(name, weights.value(0, row, y)) for name, row in words]
        assert found == sorted([entry for entry in values if entry[1]], key=lambda entry: -abs(entry[1]))


def test_labels_before_are_named() -> None:
    tagger = make(templates=["bias * y-1 y0", "bias * y-2 y-1 y0"])
    names = tagger.model.label_set.names
    weights = tagger.vectors[0]
    dt, nn, L = names.index("DT"), names.index("NN"), len(names)
    found = dict(heaviest(tagger, 1000)["NN"])
    assert found["bias * y-1 y0, y-1=DT"] == weights.value(3, 0, dt * L + nn)
    assert found["bias * y-2 y-1 y0, y-2=<s>, y-1=DT"] == weights.value(4, 0, (L * (L + 1) + dt) * L + nn)


def test_voting_vectors_are_averaged_and_constraints_left_out() -> None:
    found = heaviest(make(weights="voted", templates=["form[0]", "bias * y-1 y0"]), 2)
    assert set(found) == {"DT", "NN", "NNS", "VBP", "VBZ"}
    chunks = Tagger("basic-ner", epochs=1).fit([["Ann", "Lee", "ran"]], [["B-PER", "I-PER", "O"]]).ready_model
    assert isinstance(chunks, LinearTagger)
    assert all(abs(value) < 100 for entries in heaviest(chunks, 5).values() for _, value in entries)
