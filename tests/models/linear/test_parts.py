"""Labels with parts: the core does exactly what the reference does; candidates, composed labels, files, refusals."""

from __future__ import annotations

from fractions import Fraction

import pytest

from perceptag.labels.label_parts import parts_of
from perceptag.reference import parts as reference
from perceptag.reference.perceptron import START, average, supported
from toys import TEMPLATE_SETS, as_examples, make_recipe, named_weights, random_corpus, train

LABELS = ["_", "A", "A|B", "A|C", "B|C", "A|B|C", "D||D"]


def corpus(seed, size=8, labels=LABELS, longest=4):
    return random_corpus(seed, size, labels=labels, longest=longest)


def names_of(labels):
    """What the numbers of labels and parts stand for, as the reference writes it."""
    return [*labels, *((reference.PART, name) for name in parts_of(labels, "|").names)]


def native_weights(weights, encoder, labels):
    """Every weight and its sum, by the names of the reference. In transitions, number L is the start."""
    found = named_weights(weights, encoder, names_of(labels))

    def named(feature, ys):
        if feature.order == 0:
            return ys[0] if isinstance(ys[0], tuple) else ys
        return tuple(START if isinstance(y, tuple) else y for y in ys)

    return {(feature, named(feature, ys)): pair for (feature, ys), pair in found.items()}


def reference_run(sentences, recipe, labels):
    examples = as_examples(sentences, recipe.templates)
    gold = [(example, [labels] * len(example[1])) for example in examples]
    allows = supported_parts(examples, recipe) if recipe.support == "gold" else lambda _: True
    return list(reference.visited_weights([gold] * recipe.epochs, "|", allows))


def supported_parts(examples, recipe):
    """Which features have a parameter with support "gold": those seen with the label or with the part."""
    whole = supported(examples, recipe.cutoff, "gold")
    seen = {key for x, y in examples for key in reference.features(x, y, "|")}
    return lambda found: found in seen if found[1][0] == reference.PART else whole(found)


@pytest.mark.parametrize("templates", ["order 0", "order 1", "order 2"])
@pytest.mark.parametrize("support", ["gold", "all"])
def test_training_equals_the_reference(templates, support):
    for seed in range(3):
        recipe = make_recipe(
            templates=TEMPLATE_SETS[templates], support=support, epochs=2, shuffle=False, **{"labels.parts": "|"}
        )
        sentences = corpus(seed, longest=3)
        trainer = train(recipe, sentences).trainer
        labels = sorted({y for s in sentences for y in s.columns["label"]})
        vectors = reference_run(sentences, recipe, labels)
        found = native_weights(trainer.weights, trainer.encoder, labels)
        assert {key: w for key, (w, _) in found.items() if w} == vectors[-1]
        ticks = Fraction(trainer.weights.ticks)
        lazy = {key: Fraction(w) - Fraction(total) / ticks for key, (w, total) in found.items()}
        assert {key: w for key, w in lazy.items() if w} == average(vectors)
        assert any(key[1][0] == reference.PART for key in vectors[-1])  # otherwise nothing was compared
