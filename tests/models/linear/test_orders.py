"""The mean of several orders: what the reference does, the same for any threads, and refused where it cannot be."""

from __future__ import annotations

from fractions import Fraction

import pytest

from document_toys import corpus, document_recipe
from perceptag import Tagger, _core
from perceptag.learn.learner import pass_order
from perceptag.training.train import Training
from reference import perceptron as reference
from toys import TEMPLATE_SETS, as_examples, make_recipe, named_weights, random_corpus, train

EDGES = TEMPLATE_SETS["order 1"]


@pytest.mark.parametrize("templates", ["order 0", "order 1", "observed and plain edges", "all at once"])
@pytest.mark.parametrize(("seed", "support"), [(1, "gold"), (2, "all")])
def test_the_average_is_that_of_all_vectors_that_all_orders_visit(templates: str, seed: int, support: str) -> None:
    sentences, orders = random_corpus(seed), 4  # a power of two: the mean of whole numbers is exact
    recipe = make_recipe(
        templates=TEMPLATE_SETS[templates], support=support, epochs=3, shuffle=True, seed=seed, orders=orders
    )
    trainer = train(recipe, sentences).trainer
    examples = as_examples(sentences, recipe.templates)
    labels = sorted({y for s in sentences for y in s.columns["label"]})
    allows = reference.supported(examples, recipe.cutoff, recipe.support)
    visited, last = [], []
    for k in range(orders):
        passes = [[examples[i] for i in pass_order(len(examples), epoch, True, seed, k)] for epoch in (1, 2, 3)]
        own = list(reference.visited_weights(passes, labels, allows))
        visited += own
        last.append(own[-1])
    found = named_weights(trainer.weights, trainer.encoder, labels)
    assert {key: Fraction(w) for key, (w, _) in found.items() if w} == reference.average(last)
    ticks = Fraction(trainer.weights.ticks)
    lazy = {key: Fraction(w) - Fraction(total) / ticks for key, (w, total) in found.items()}
    assert {key: w for key, w in lazy.items() if w} == reference.average(visited)


def test_orders_differ_and_the_first_is_the_only_one_of_one() -> None:
    orders = [pass_order(50, 1, True, 7, k) for k in range(3)]
    assert orders[0] == pass_order(50, 1, True, 7)
    assert len({tuple(order) for order in orders}) == 3


def test_orders_are_one_shard() -> None:
    """A recipe that leaves the number of shards to the size of the data has one."""
    many = random_corpus(1, sentences=16_000)
    assert sum(map(len, many)) > 50_000
    settings = {"templates": ("form[0]",), "epochs": 1, "shuffle": True, "shards": 0}
    fitted = Tagger(make_recipe(**settings, orders=2)).fit(many)
    assert fitted.model_.recipe.own["shards"] == 1
    assert Tagger(make_recipe(**settings)).fit(many).model_.recipe.own["shards"] == 8


@pytest.mark.parametrize("threads", [1, 3])
def test_documents_are_learned_in_several_orders(threads: int) -> None:
    """The weights of non-local features are those of the mean, too."""
    given = {"nonlocal.view": "sentence", "nonlocal.scale": 2, "shuffle": True, "epochs": 3}
    training = Training(document_recipe("ascent").replace({**given, "orders": 2}), corpus(1), threads=threads)
    list(training.run())
    made = training.trainer
    both = [own.w.tolist() for own in made.own_global]
    assert both[0] != both[1]
    assert made.global_weights.w.tolist() == [(a + b) / 2 for a, b in zip(*both, strict=True)]
    plain = Training(document_recipe("ascent").replace(given), corpus(1))
    list(plain.run())
    assert plain.trainer.global_weights.w.tolist() == both[0]
    assert plain.trainer.global_weights.sum.tolist() == made.own_global[0].sum.tolist()


def test_weights_of_another_kind_have_no_mean() -> None:
    trainer = train(make_recipe(templates=EDGES, epochs=1), random_corpus(1)).trainer
    weights, copy = trainer.weights, _core.copy_weights(trainer.weights)
    with pytest.raises(ValueError, match="found none"):
        _core.set_mean(weights, [])
    with pytest.raises(ValueError, match="expected other weights"):
        _core.set_mean(weights, [weights])
    with pytest.raises(ValueError, match="another layout"):
        _core.set_mean(weights, [_core.Weights(2, False, False)])
    copy.tick()
    with pytest.raises(ValueError, match="equally many examples"):
        _core.set_mean(weights, [_core.copy_weights(weights), copy])
    with pytest.raises(ValueError, match="averaged weights cannot be trained"):
        _core.set_mean(weights, [weights.averaged(3)])
