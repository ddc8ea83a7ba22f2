"""PA, MIRA and AROW: the core does what the reference does, and both do what was worked out by hand."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from perceptag import Sentence, Tagger, _core
from perceptag.learn.costs import COSTS, UNIT, on_grid
from perceptag.learn.learner import differing
from reference import arow, mira, online, pa
from reference.perceptron import average, supported
from toys import TEMPLATE_SETS, as_examples, make_recipe, named_weights, random_corpus, train

SETTINGS = {
    "PA": {"learner": "pa", "online.type": "PA"},
    "PA-I": {"learner": "pa", "online.type": "PA-I", "online.c": 0.05},
    "PA-II": {"learner": "pa", "online.type": "PA-II", "online.c": 0.5, "online.cost": "one"},
    "MIRA": {"learner": "mira", "nbest": 4, "online.cost": "hamming"},
    "MIRA, small steps": {"learner": "mira", "nbest": 3, "online.c": 0.03},
    "AROW": {"learner": "arow", "online.cost": "hamming", "weights": "last"},
    "AROW, averaged": {"learner": "arow", "online.gamma": 3, "online.variance": 0.5},
}


def reference_run(sentences, recipe):
    """Every weight vector that the reference visits, and the last variances."""
    examples = as_examples(sentences, recipe.templates)
    labels = sorted({y for s in sentences for y in s.columns["label"]})
    passes = [examples] * recipe.epochs
    allows = supported(examples, recipe.cutoff, recipe.support)
    cost = online.COSTS[recipe.online_cost]
    if recipe.learner == "pa":
        return list(pa.visited_weights(passes, labels, allows, recipe.online_type, recipe.online_c, cost)), {}, labels
    if recipe.learner == "mira":
        return list(mira.visited_weights(passes, labels, allows, recipe.nbest, recipe.online_c, cost)), {}, labels
    visited = list(arow.visited_weights(passes, labels, allows, recipe.online_variance, recipe.online_gamma, cost))
    return [w for w, _ in visited], visited[-1][1], labels


@pytest.mark.parametrize("templates", TEMPLATE_SETS.values(), ids=TEMPLATE_SETS)
@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
@pytest.mark.parametrize("support", ["gold", "all"])
def test_native_training_equals_the_reference(templates, settings, support):
    sentences = random_corpus(3, 10, longest=3)
    recipe = make_recipe(templates=templates, support=support, epochs=2, **settings)
    trainer = train(recipe, sentences).trainer
    vectors, variances, labels = reference_run(sentences, recipe)
    found = named_weights(trainer.weights, trainer.encoder, labels)
    assert len({id(v) for v in vectors}) > 4, "the test must be able to fail"
    if recipe.learner == "arow":
        # Sums of variances round, so that a step may fall on the neighbouring multiple of the unit.
        assert {key: w for key, (w, _) in found.items()} == pytest.approx(vectors[-1], abs=8 * UNIT)
        return check_variances(trainer, variances, labels)
    assert {key: w for key, (w, _) in found.items() if w} == vectors[-1]
    ticks = Fraction(trainer.weights.ticks)
    lazy = {key: Fraction(w) - Fraction(total) / ticks for key, (w, total) in found.items()}
    exact = [{key: Fraction(w) for key, w in v.items()} for v in vectors]
    assert {key: w for key, w in lazy.items() if w} == average(exact)
    return None


def check_variances(trainer, expected, labels):
    brief = trainer.weights.frozen()  # variances take the place of weights, to have their names
    for block in range(5):
        brief.set(block, trainer.learner_state.variances.get(block).astype(np.float32), np.zeros(0))
    found = named_weights(brief, trainer.encoder, labels)
    first = trainer.task.recipe.online_variance
    assert {k: v for k, (v, _) in found.items() if v != first} == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
@pytest.mark.parametrize("weights", ["averaged", "last"])
def test_the_best_of_the_list_is_what_viterbi_finds(settings, weights):
    """Weights of a model are on a grid on which all sums are exact, whatever was learned."""
    recipe = make_recipe(templates=TEMPLATE_SETS["all at once"], epochs=3, **(settings | {"weights": weights}))
    tagger = Tagger(recipe).fit(random_corpus(1, 30))
    unseen = random_corpus(2, 30)
    nbest = tagger.predict_nbest(unseen, 3)
    assert [lists[0][0] for lists in nbest] == tagger.predict(unseen)
    weights = tagger.ready_model.vectors[0]
    w = np.concatenate([weights.get(block)[0] for block in range(5)]).astype(np.float64)
    bound = np.abs(w).max() * (3 + 2)  # five templates fire at a token, two of them plain transitions
    assert (w * 2.0 ** (21 - np.ceil(np.log2(bound))) % 1 == 0).all()


def test_distances_and_products_by_enumeration():
    sentences = random_corpus(4, 6, longest=5)
    recipe = make_recipe(templates=TEMPLATE_SETS["all at once"], epochs=1)
    trainer = train(recipe, sentences).trainer
    examples = as_examples(sentences, recipe.templates)
    allows = supported(examples, 0, "gold")
    rng, names = np.random.default_rng(0), trainer.task.label_set.names
    for sequence, (x, y) in zip(trainer.sequences, examples, strict=True):
        ids = [rng.integers(0, 3, len(sequence)).astype(np.int32) for _ in range(4)]
        others = [_core.Labels(labels) for labels in ids]
        D = [online.difference(x, y, tuple(names[i] for i in labels), allows) for labels in ids]
        expected = [online.dot(p, q) for p in D for q in D]
        assert _core.gram(trainer.weights, sequence, sequence.labels, others).tolist() == expected
        assert _core.squared_distance(trainer.weights, sequence, sequence.labels, others[0]) == expected[0]


# ---------------------------------------------------------------------------------------- steps by hand

# Two sentences of one word each; the first is guessed A, the lower of two labels without weight.
CONFLICT = [Sentence({"form": ["a"], "label": ["B"]}), Sentence({"form": ["a"], "label": ["A"]})]
# A sentence whose two labels are both guessed wrongly; the second teaches that there is a label A.
TWO_WRONG = [Sentence({"form": ["a", "b"], "label": ["B", "B"]}), Sentence({"form": ["c"], "label": ["A"]})]


def learned(sentences, **settings):
    """The weights after one pass, by word and label, in units of 2^-16."""
    recipe = make_recipe(templates=("form[0]",), support="all", epochs=1, **settings)
    trainer = train(recipe, sentences).trainer
    found = named_weights(trainer.weights, trainer.encoder, trainer.task.label_set.names)
    weights = {(f.values[0], labels[0]): w / UNIT for (f, labels), (w, _) in found.items() if w}
    return weights, trainer


@pytest.mark.parametrize(
    ("settings", "step"),
    [
        # D = (aB +1, aA -1, bB +1, bA -1), so |D|^2 = 4; both scores are 0, so the loss is the cost.
        ({"online.type": "PA", "online.cost": "one"}, 16384),  # 1 / 4
        ({"online.type": "PA", "online.cost": "hamming"}, 32768),  # 2 / 4
        ({"online.type": "PA", "online.cost": "sqrt"}, 23170),  # 1.41421 / 4 = 0.353553 = 23170.5 units
        ({"online.type": "PA-I", "online.cost": "hamming", "online.c": 0.125}, 8192),  # min(1 / 8, 2 / 4)
        ({"online.type": "PA-II", "online.cost": "hamming", "online.c": 0.125}, 16384),  # 2 / (4 + 4)
        ({"online.type": "PA-II", "online.cost": "sqrt", "online.c": 1}, 20596),  # 1.41421 / 4.5 = 20595.97 units
    ],
)
def test_the_first_step_of_pa(settings, step):
    weights, _ = learned(TWO_WRONG, learner="pa", **settings)
    assert weights == {("a", "B"): step, ("a", "A"): -step, ("b", "B"): step, ("b", "A"): -step}


@pytest.mark.parametrize(
    ("settings", "left"),
    [
        # |D|^2 = 2. First loss 1, step 1/2: aB = 1/2, aA = -1/2. Then B is guessed: loss 1/2 + 1/2 + 1 = 2, step 1.
        ({"online.type": "PA"}, 1 / 2),
        # The second step is cut off at 3/4: aA = -1/2 + 3/4.
        ({"online.type": "PA-I", "online.c": 0.75}, 1 / 4),
        # Both are divided by 2 + 1/(2 C) = 4: 1/4, then (1/4 + 1/4 + 1) / 4 = 3/8.
        ({"online.type": "PA-II", "online.c": 0.25}, 1 / 8),
    ],
)
def test_the_second_step_of_pa_counts_the_scores(settings, left):
    weights, trainer = learned(CONFLICT, learner="pa", **settings)
    assert weights == {("a", "A"): left / UNIT, ("a", "B"): -left / UNIT}
    # The first vector is there for one of two ticks, the second for the other.
    averaged = trainer.weights.averaged(1).get(0)[0]
    first = {"PA": 1 / 2, "PA-I": 1 / 2, "PA-II": 1 / 4}[settings["online.type"]]
    assert averaged.tolist() == [(left - first) / 2, (first - left) / 2]


@pytest.mark.parametrize(
    ("C", "step"),
    [
        # Two constraints, A = [[2, 1], [1, 2]], b = [1, 1]: 2a + a = 1, so a = 1/3 = 21845.3 units each.
        (1.0, 21845),
        (0.25, 16384),  # both cut off
    ],
)
def test_a_step_of_mira(C, step):
    data = [Sentence({"form": ["a"], "label": ["C"]})]
    data += [Sentence({"form": [word], "label": [label]}) for word, label in (("b", "A"), ("c", "B"))]
    recipe = make_recipe(templates=("form[0]",), support="all", epochs=1, learner="mira", nbest=3)
    recipe = recipe.replace({"online.c": C, "online.cost": "hamming"})
    trainer = train(recipe, data).trainer
    a = {y: trainer.weights.get(0)[0][i] / UNIT for i, y in enumerate("ABC")}
    assert a == {"C": 2 * step, "A": -step, "B": -step}


@pytest.mark.parametrize("templates", TEMPLATE_SETS.values(), ids=TEMPLATE_SETS)
def test_the_search_with_costs_equals_enumeration(templates):
    trainer = train(make_recipe(templates=templates, epochs=2), random_corpus(3, 12)).trainer
    weights = trainer.weights
    for x in trainer.sequences:
        every = list(_core.nbest(weights, x, weights.labels ** len(x)))
        best = _core.viterbi_with_cost(weights, x)
        assert max(weights.score(x, y) + differing(x.labels, y) for y in every) == (
            weights.score(x, best) + differing(x.labels, best)
        )


def test_mira_keeps_a_margin_where_pa_is_content():
    """b is guessed A, which is right, but with a margin of 0 instead of 1: D = (bA +1, bB -1), a = 1/2."""
    data = [Sentence({"form": ["b"], "label": ["A"]}), Sentence({"form": ["c"], "label": ["B"]})]
    assert learned(data[:1] + data[1:], learner="pa")[0].keys() == {("c", "B"), ("c", "A")}
    weights, _ = learned(data, learner="mira", nbest=2)
    assert weights == {("b", "A"): 32768, ("b", "B"): -32768, ("c", "B"): 32768, ("c", "A"): -32768}


@pytest.mark.parametrize(
    ("gamma", "left", "variance"),
    [
        # Variances 1: step 1 / (1 + 1 + 1) = 21845.3 units, aB = 21845; variances 1 / (1 + 1) = 1/2.
        # Then loss 2 * 21845 + 65536 = 109226 units, step 109226 / (1 + 1/2 + 1/2) = 54613, times 1/2: 27306.5,
        # rounded to even; aA = 27306 - 21845; variances 1 / (2 + 1).
        (1.0, 5461, 1 / 3),
        # Step 1 / (2 + 2) = 16384 units; variances 1 / (1 + 1/2) = 2/3. Loss 98304, step 98304 / (2 + 4/3) = 29491.2,
        # times 2/3: 19660.8; aA = 19661 - 16384; variances 1 / (3/2 + 1/2).
        (2.0, 3277, 1 / 2),
    ],
)
def test_two_steps_of_arow(gamma, left, variance):
    settings = {"learner": "arow", "online.cost": "hamming", "online.gamma": gamma, "weights": "last"}
    weights, trainer = learned(CONFLICT, **settings)
    assert weights == {("a", "A"): left, ("a", "B"): -left}
    assert trainer.learner_state.variances.get(0).tolist() == pytest.approx([variance, variance])


def test_a_mistake_that_no_weight_can_mend_changes_nothing():
    """With support "gold" and a cut-off no feature is left."""
    for learner in ("pa", "mira", "arow"):
        recipe = make_recipe(templates=("form[0]",), learner=learner, cutoff=5, epochs=2)
        trainer = train(recipe, CONFLICT).trainer
        assert trainer.weights.get(0)[0].size == 0


def test_costs_and_grid():
    assert [COSTS[name](4) for name in ("one", "sqrt", "hamming")] == [1.0, 2.0, 4.0]
    assert on_grid(2.5 * UNIT) == 2 * UNIT
    assert [on_grid(s) for s in (0.0, -0.25, 1.0)] == [0.0, -0.25, 1.0]


# ------------------------------------------------------------------------------------------ settings


def test_variances_belong_to_their_weights():
    weights = _core.Weights(2, True, False)
    with pytest.raises(ValueError, match="above 0"):
        _core.Variances(weights, 0.0)
    variances = _core.Variances(weights, 1.0)
    with pytest.raises(ValueError, match="one variance for each weight"):
        variances.set(3, np.zeros(1))
    trainer = train(make_recipe(templates=("form[0]",), epochs=1), CONFLICT).trainer
    x = trainer.sequences[0]
    with pytest.raises(ValueError, match="other weights"):
        variances.of(trainer.weights, x, x.labels, x.labels)
