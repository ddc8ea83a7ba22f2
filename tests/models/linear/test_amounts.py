"""Features that are numbers: the core does exactly what the reference does, in every learner and every search."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perceptag import Sentence, Tagger
from perceptag.learn.costs import UNIT
from perceptag.text.feature_lists import joined
from reference import arow, crf, margin, mira, online, pa
from reference import perceptron as reference
from toys import as_examples, make_recipe, named_weights, train

LABELS = ("A", "B", "C")
TEMPLATES = {
    "order 0": ("features.valued[0]", "features.valued[-1]"),
    "order 1": ("features.valued[0]", "features.valued[1]", "bias * y-1 y0"),
    "order 2": ("features.valued[0]", "bias * y-1 y0", "bias * y-2 y-1 y0"),
    "observed edges": ("features.valued[0]", "size.amount[0] * y-1 y0"),
    "observed trigrams": (
        "features.valued[0]",
        "bias * y-1 y0",
        "features.valued[0] * y-2 y-1 y0",
        "form[0] size.amount[0]",
    ),
}
TOKENS = st.tuples(
    st.dictionaries(st.sampled_from("pqrs"), st.integers(-150, 150).map(lambda n: n / 64), min_size=0, max_size=3),
    st.sampled_from(["", "_", "1", "0.25", "-1.5", "2.984375"]),
    st.sampled_from("xy"),
    st.sampled_from(LABELS),
)


def sentence(tokens):
    lists, sizes, forms, labels = zip(*tokens, strict=True)
    columns = {"features": [joined(one.items(), "") for one in lists], "size": list(sizes), "form": list(forms)}
    return Sentence(columns | {"label": list(labels)})


CORPORA = st.lists(st.lists(TOKENS, min_size=1, max_size=3).map(sentence), min_size=2, max_size=6)
SUPPORT = st.sampled_from(["gold", "all"])
ANY = st.sampled_from(sorted(TEMPLATES)).map(TEMPLATES.get)
quick = settings(max_examples=30, deadline=None)


def examples_of(sentences, recipe):
    """The data as the reference takes it, its labels, and which features have weights."""
    examples = as_examples(sentences, recipe.templates)
    labels = sorted({y for s in sentences for y in s.columns["label"]})
    return examples, labels, reference.supported(examples, recipe.cutoff, recipe.support)


def found_weights(trainer, labels):
    return named_weights(trainer.weights, trainer.encoder, labels)


def check(trainer, labels, vectors):
    """The last weights, and the average, are those of the vectors that the reference visits."""
    found = found_weights(trainer, labels)
    assert {key: w for key, (w, _) in found.items() if w} == vectors[-1]
    ticks = Fraction(trainer.weights.ticks)
    lazy = {key: Fraction(w) - Fraction(total) / ticks for key, (w, total) in found.items()}
    exact = [{key: Fraction(w) for key, w in vector.items()} for vector in vectors]
    assert {key: w for key, w in lazy.items() if w} == reference.average(exact)


@quick
@given(sentences=CORPORA, templates=ANY, support=SUPPORT, cutoff=st.integers(0, 2))
def test_the_perceptron_is_that_of_the_reference(sentences, templates, support, cutoff):
    recipe = make_recipe(templates=templates, support=support, cutoff=cutoff, epochs=2)
    examples, labels, allows = examples_of(sentences, recipe)
    vectors = list(reference.visited_weights([examples] * 2, labels, allows))
    check(train(recipe, sentences).trainer, labels, vectors)


@quick
@given(sentences=CORPORA, templates=ANY, C=st.sampled_from([0.5, 3]))
def test_the_margin_perceptron_is_that_of_the_reference(sentences, templates, C):
    recipe = make_recipe(templates=templates, learner="margin", margin=C, epochs=2)
    examples, labels, allows = examples_of(sentences, recipe)
    told = [
        margin.MarginExample(margin.all_labellings(labels, len(x)), y, margin.local_features(x, allows))
        for x, y in examples
    ]
    check(train(recipe, sentences).trainer, labels, [alpha for _, alpha in margin.visits([told] * 2, C)])


@quick
@given(sentences=CORPORA, templates=ANY, learner=st.sampled_from(["pa", "mira", "arow"]))
def test_real_steps_are_those_of_the_reference(sentences, templates, learner):
    recipe = make_recipe(templates=templates, learner=learner, epochs=1)
    examples, labels, allows = examples_of(sentences, recipe)
    cost, passes = online.COSTS[recipe.online_cost], [examples]
    if learner == "pa":
        vectors = list(pa.visited_weights(passes, labels, allows, recipe.online_type, recipe.online_c, cost))
    elif learner == "mira":
        vectors = list(mira.visited_weights(passes, labels, allows, recipe.nbest, recipe.online_c, cost))
    else:
        visited = arow.visited_weights(passes, labels, allows, recipe.online_variance, recipe.online_gamma, cost)
        vectors = [w for w, _ in visited]
    found = {key: w for key, (w, _) in found_weights(train(recipe, sentences).trainer, labels).items()}
    for key in found.keys() | vectors[-1].keys():  # scores round in float32, so a step may fall on a neighbour
        assert found.get(key, 0.0) == pytest.approx(vectors[-1].get(key, 0.0), abs=len(sentences) * 8 * UNIT)


def crf_trainer(sentences, templates, **more):
    recipe = make_recipe(templates=templates, learner="crf", weights="last", epochs=1, **more)
    recipe = recipe.replace({"crf.sigma2": 0.0})
    return train(recipe, sentences).trainer, *examples_of(sentences, recipe)


def named(weights, trainer, labels):
    return {key: w for key, (w, _) in named_weights(weights, trainer.linear.encoder, labels).items()}


def all_labellings(x, labels):
    return list(product(labels, repeat=len(x)))


@quick
@given(sentences=CORPORA, templates=ANY, support=SUPPORT)
def test_the_gradient_is_that_of_the_definition(sentences, templates, support):
    trainer, examples, labels, allows = crf_trainer(sentences, templates, support=support)
    w, expected = named(trainer.weights, trainer, labels), {}
    for x, gold in examples:
        for key, slope in crf.gradient(w, x, gold, all_labellings(x, labels), allows).items():
            expected[key] = expected.get(key, 0.0) + slope
    _, _, gradient = trainer.likelihood.evaluate(trainer.weights, 2)
    brief, first = trainer.weights.frozen(), 0  # the gradient takes the place of weights, to have their names
    for block in range(5):
        part = gradient[first : first + brief.size(block)]
        brief.set(block, part.astype(np.float32), np.zeros(len(part)))
        first += len(part)
    found = named(brief, trainer, labels)
    for key in expected.keys() | found.keys():
        assert found.get(key, 0.0) == pytest.approx(expected.get(key, 0.0), abs=1e-4)


def random_corpus(seed):
    rng = np.random.default_rng(seed)

    def token():
        features = {name: float(rng.integers(-150, 150)) / 64 for name in "pqrs" if rng.random() < 0.6}
        return (
            features,
            str(rng.choice(["_", "1", "0.25", "-1.5"])),
            str(rng.choice(["x", "y"])),
            LABELS[rng.integers(3)],
        )

    return [sentence([token() for _ in range(rng.integers(1, 4))]) for _ in range(6)]


@quick
@given(sentences=CORPORA, templates=ANY, support=SUPPORT, cutoff=st.integers(0, 2))
def test_searches_find_the_best_by_enumeration(sentences, templates, support, cutoff):
    """Labels, n-best lists, contributions and margins of an averaged model, whose sums are exact."""
    recipe = make_recipe(templates=templates, support=support, epochs=2, cutoff=cutoff)
    tagger = Tagger(recipe).fit(sentences)
    ready, names = tagger.ready_model, tagger.model_.label_set.names
    w = {k: Fraction(v) for k, (v, _) in named_weights(ready.vectors[0], ready.encoder.base, names).items()}
    for (x, _), one in zip(as_examples(sentences, templates), sentences, strict=True):
        scores = {y: reference.score(w, x, y) for y in margin.all_labellings(names, len(x))}
        ranked = sorted(scores, key=lambda y: -scores[y])  # stable: ties in their order
        (found,) = tagger.predict_nbest([one], 3)
        assert [(tuple(y), Fraction(score)) for y, score in found] == [(y, scores[y]) for y in ranked[:3]]
        assert tagger.predict([one]) == [list(ranked[0])]
        told = tagger.explain(one)
        assert sum(Fraction(c.weight) for token in told.details for c in token.contributions) == scores[ranked[0]]
        for t, token in enumerate(told.details):
            others = [scores[y] for y in scores if y[t] != ranked[0][t]]
            assert token.margin == (float(scores[ranked[0]] - max(others)) if others else None)
