"""Conditional random fields: likelihood, gradient and optimisers against their definitions."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

from perceptag import Tagger, _core
from perceptag.errors import SettingError
from perceptag.labels.schemes import repair
from perceptag.models import lbfgs
from perceptag.models import model_file as modelfile
from perceptag.models.lbfgs import pack_state, restore_state
from perceptag.models.linear.blocks import BLOCKS
from perceptag.models.linear.crf_trainer import CrfTrainer
from perceptag.models.task import make_task
from reference import crf as reference
from reference.perceptron import supported
from toys import TEMPLATE_SETS, as_examples, make_recipe, named_weights, random_corpus, train

sets = pytest.mark.parametrize("templates", TEMPLATE_SETS.values(), ids=TEMPLATE_SETS)
IOB = ("B-X", "I-X", "O")


def crf_recipe(**settings):
    return make_recipe(**{"learner": "crf", "weights": "last", "epochs": 5, **settings})


class Problem:
    """A small task for the core and for the reference, with random weights that float32 holds exactly."""

    def __init__(self, templates, seed=0, labels=("D", "N", "V"), **settings):
        sentences = random_corpus(seed, 8, labels=labels, longest=4)
        if settings.get("constrain"):
            for s in sentences:
                s.columns["label"] = repair(s.columns["label"], "IOB2")
        self.recipe = crf_recipe(templates=templates, **settings)
        self.trainer = CrfTrainer(make_task(self.recipe, sentences))
        self.weights = self.trainer.weights
        self.names = self.trainer.task.label_set.names
        self.examples = as_examples(sentences, templates)
        self.has_weight = supported(self.examples, self.recipe.cutoff, self.recipe.support)
        self.forms = [s.columns["form"] for s in sentences]
        self.randomise(seed)

    def randomise(self, seed):
        rng = np.random.default_rng(seed)
        fixed = {b: self.trainer.likelihood.evaluate(self.weights)[2] for b in BLOCKS}[0] == 0
        self.x = np.where(fixed, 0.0, np.round(rng.normal(0, 1, len(fixed)) * 64) / 64)
        self.trainer._write(self.x)

    def allowed(self, i):
        """The labellings of an example that constraints and tag dictionary leave."""
        labellings = product(self.names, repeat=len(self.examples[i][0]))
        closed = self.trainer.linear.data.closed
        for y in labellings:
            if self.recipe.constrain and any(b == "I-X" and a == "O" for a, b in zip(("O", *y), y, strict=False)):
                continue
            if closed and any(
                w in closed.words and self.names.index(label) not in closed.entries[closed.words[w]]
                for w, label in zip(self.forms[i], y, strict=True)
            ):
                continue
            yield y

    def reference(self):
        """log-likelihood and gradient, by definition."""
        w = {key: value for key, (value, _) in named(self.trainer).items() if np.isfinite(value)}
        total, slope = 0.0, Counter()
        for i, (x, gold) in enumerate(self.examples):
            labellings = list(self.allowed(i))
            total += reference.log_likelihood(w, x, gold, labellings)
            for key, value in reference.gradient(w, x, gold, labellings, self.has_weight).items():
                slope[key] += value
        return total, slope


def named(trainer, vector=None):
    """Weights (or numbers laid out as they are) by what they belong to."""
    weights = trainer.weights
    if vector is not None:
        weights = trainer.weights.frozen()
        for block in BLOCKS:
            part = vector[trainer._first[block] : trainer._first[block + 1]]
            weights.set(block, np.zeros(len(part), np.float32), part)
    return named_weights(weights, trainer.linear.encoder, trainer.task.label_set.names)


CASES = {
    "gold": {},
    "all": {"support": "all"},
    "cutoff": {"cutoff": 2},
    "constrained": {"constrain": True, "labels": IOB},
    "constrained, all": {"constrain": True, "labels": IOB, "support": "all"},
    "tag dictionary": {"tag_dictionary": 2},
}
cases = pytest.mark.parametrize("settings", CASES.values(), ids=CASES)


@sets
@cases
def test_likelihood_and_gradient_equal_their_definitions(templates, settings):
    problem = Problem(templates, seed=3, **settings)
    value, _, gradient = problem.trainer.likelihood.evaluate(problem.weights)
    expected, slope = problem.reference()
    assert value == pytest.approx(expected, abs=1e-5)
    found = {key: g for key, (_, g) in named(problem.trainer, gradient).items()}
    for key in found.keys() | slope.keys():
        forbidden = problem.recipe.constrain and key[1][-2:] in (("O", "I-X"), ("*", "I-X"))
        if not (forbidden and key[0].template.is_plain_transition):
            assert found.get(key, 0.0) == pytest.approx(slope[key], abs=1e-6), key
    assert np.abs(gradient).max() > 0.1


@sets
def test_threads_do_not_change_a_bit(templates):
    problem = Problem(templates, seed=5)
    runs = [problem.trainer.likelihood.evaluate(problem.weights, threads) for threads in (1, 2, 3, 8)]
    assert len({(value, wrong, gradient.tobytes()) for value, wrong, gradient in runs}) == 1


@sets
def test_the_corpus_can_be_held_in_pieces(templates):
    problem = Problem(templates, seed=6)
    trainer = problem.trainer
    whole = trainer.likelihood.evaluate(problem.weights)
    for held in (1, 500):
        piecewise = _core.Likelihood(problem.weights, trainer.corpus, None, held).evaluate(problem.weights)
        assert piecewise[:2] == pytest.approx(whole[:2])
        np.testing.assert_allclose(piecewise[2], whole[2], atol=1e-9)


@sets
def test_shards_add_up_wherever_they_are_evaluated(templates):
    """Each of three shards has a corpus of its own; one of them is empty."""
    problem = Problem(templates, seed=6)
    trainer, weights = problem.trainer, problem.weights
    whole = trainer.likelihood.evaluate(weights)
    together = _core.Likelihood(weights, trainer.corpus, None, 300, [3, 3])
    encoder, sentences = trainer.linear.encoder, trainer.task.train
    gold, value, gradient = 0, 0.0, 0
    for part in (sentences[:3], [], sentences[3:]):
        columns = {name: [s.columns[name] for s in part] for name in encoder.columns}
        labels = np.array(trainer.task.label_set.ids(part), np.int32)
        corpus = encoder.encode(columns, np.cumsum([0, *map(len, part)]).astype(np.int32), labels)
        likelihood = _core.Likelihood(weights, corpus, None, 300)
        own, _, partial = likelihood.evaluate(weights, gold=False)
        gold, value, gradient = gold + likelihood.gold(), value + own, [*(gradient or []), partial]
    expected = gold
    for partial in gradient:
        expected = expected + partial
    for threads in (1, 3):
        found = together.evaluate(weights, threads)
        assert found[0] == value
        assert found[1] == whole[1]
        assert found[2].tobytes() == expected.tobytes()
    assert value == pytest.approx(whole[0])
    np.testing.assert_allclose(expected, whole[2], atol=1e-9)


def test_shards_change_no_more_than_the_last_bits():
    sentences, settings = random_corpus(3, 30), {"templates": TEMPLATE_SETS["order 1"], "shards": 4}
    one, four = (train(crf_recipe(**settings | more), sentences).trainer for more in ({"shards": 1}, {}))
    assert one.values == pytest.approx(four.values)
    again = Tagger(crf_recipe(**settings), threads=3).fit(sentences).model_
    same = Tagger(crf_recipe(**settings)).fit(sentences).model_
    assert modelfile.to_bytes(again) == modelfile.to_bytes(same)
    for wrong in ([5, 2], [-1], [99]):
        with pytest.raises(ValueError, match="shards: expected ascending numbers"):
            _core.Likelihood(one.weights, one.corpus, None, shards=wrong)


# --- optimisers ---


def quadratic(rng, n=20):
    """A convex function with a known minimum, badly scaled."""
    a = rng.normal(size=(n, n))
    hessian = a @ a.T + np.diag(np.linspace(0.1, 100, n))
    middle = rng.normal(size=n)
    return lambda x: (float((x - middle) @ hessian @ (x - middle) / 2), hessian @ (x - middle)), middle


def minimise(objective, n, l1=0.0, steps=300):
    state = lbfgs.start(objective, np.zeros(n))
    values = [state.f]
    for _ in range(steps):
        if not lbfgs.take_step(state, objective, 6, l1):
            break
        values.append(state.f + l1 * np.abs(state.x).sum())
    return state, values


def test_lbfgs_finds_the_minimum_and_never_goes_up():
    for seed in range(5):
        objective, middle = quadratic(np.random.default_rng(seed))
        state, values = minimise(objective, 20)
        np.testing.assert_allclose(state.x, middle, atol=1e-5)
        assert values == sorted(values, reverse=True)


def test_lbfgs_goes_on_from_stored_arrays_to_the_same_bits():
    objective, _ = quadratic(np.random.default_rng(3))
    state = lbfgs.start(objective, np.zeros(20))
    for _ in range(12):
        copy = restore_state({name: array.copy() for name, array in pack_state(state).items()}, 20)
        lbfgs.take_step(state, objective, 6)
        lbfgs.take_step(copy, objective, 6)
        assert {k: v.tobytes() for k, v in pack_state(state).items()} == {
            k: v.tobytes() for k, v in pack_state(copy).items()
        }


def test_with_l1_the_minimum_is_sparse_and_optimal():
    """Karush, Kuhn, Tucker: |g| <= l1 where x is 0, g = -l1 sign(x) elsewhere."""
    objective, _ = quadratic(np.random.default_rng(1))
    state, values = minimise(objective, 20, l1=20.0, steps=2000)
    assert values[1:] == sorted(values[1:], reverse=True)
    zero = state.x == 0
    assert 0 < zero.sum() < 20
    assert (np.abs(state.g[zero]) <= 20.0 + 1e-3).all()
    np.testing.assert_allclose(state.g[~zero], -20.0 * np.sign(state.x[~zero]), atol=1e-2)


@pytest.mark.parametrize("templates", [TEMPLATE_SETS["order 1"], TEMPLATE_SETS["all at once"]])
def test_our_optimum_is_that_of_scipy(templates):
    optimize = pytest.importorskip("scipy.optimize")
    trainer = CrfTrainer(make_task(crf_recipe(templates=templates, **{"crf.sigma2": 1.0}), random_corpus(8, 30)))
    theirs = optimize.minimize(
        trainer._objective, np.zeros(trainer.likelihood.size), jac=True, method="L-BFGS-B", options={"maxiter": 500}
    )
    for epoch in range(1, 200):
        trainer.learn_epoch(epoch)
        if trainer.has_converged():
            break
    assert trainer.values[-1] == pytest.approx(theirs.fun, rel=1e-6)
    np.testing.assert_allclose(trainer.search.x, theirs.x, atol=1e-2)


# --- the learner ---


@pytest.mark.parametrize("l1", [0.0, 0.5])
def test_the_objective_never_gets_worse(l1):
    trainer = train(
        crf_recipe(templates=TEMPLATE_SETS["order 2"], epochs=30, **{"crf.l1": l1}), random_corpus(1, 30)
    ).trainer
    assert len(trainer.values) > 5
    assert trainer.values == sorted(trainer.values, reverse=True)


def test_training_stops_when_the_likelihood_stands_still():
    training = train(crf_recipe(templates=TEMPLATE_SETS["order 1"], epochs=500, tolerance=1e-4), random_corpus(3, 30))
    assert 5 < len(training.reports) < 100
    likelihoods = [report.log_likelihood for report in training.reports]
    assert likelihoods[-1] > likelihoods[0]
    assert training.model().manifest["curve"][-1]["log_likelihood"] == likelihoods[-1]


def test_there_is_no_average():
    with pytest.raises(SettingError, match=r"weights: learner 'crf': expected last, found 'averaged'"):
        make_recipe(learner="crf", weights="averaged")


def test_native_code_refuses_what_does_not_fit():
    problem, other = Problem(TEMPLATE_SETS["order 1"]), Problem(TEMPLATE_SETS["order 2"])
    with pytest.raises(ValueError, match="another model"):
        problem.trainer.likelihood.evaluate(other.weights)
    with pytest.raises(ValueError, match="averaged weights"):
        _core.Likelihood(problem.weights.averaged(3), problem.trainer.corpus)
    with pytest.raises(ValueError, match="scale"):
        _core.marginals(problem.weights, problem.trainer.corpus, None, 0.0)
    with pytest.raises(ValueError, match="same length"):
        _core.dot(np.zeros(2), np.zeros(3))
