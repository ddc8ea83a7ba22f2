"""The maximum-entropy tagger: the core does what the reference does, and the reference what the definition says."""

from __future__ import annotations

from itertools import pairwise, product
from math import exp, log

import numpy as np
import pytest

from perceptag import ModelError, Sentence, SettingError, Tagger, _core
from perceptag.models.maxent.optimisers import gis_step, with_parameters
from perceptag.models.maxent.search import LocalSearch, limits_of
from perceptag.training.train import Training
from reference import maxent as reference
from reference.perceptron import supported
from toys import LABELS, TEMPLATE_SETS, as_examples, make_recipe, named_weights, random_corpus, train

GIS = {"learner": "maxent", "weights": "last", "maxent.optimizer": "gis"}
LBFGS = {"learner": "maxent", "weights": "last"}

sets = pytest.mark.parametrize("templates", TEMPLATE_SETS.values(), ids=TEMPLATE_SETS)


def make_trainer(sentences, templates, threads=1, **settings):
    recipe = make_recipe(templates=templates, **{**GIS, **settings})
    return Training(recipe, sentences, threads=threads).trainer


def random_parameters(trainer, seed, size=1.0):
    """Parameters where there is a feature to weigh, rounded so that float32 holds them."""
    w = np.random.default_rng(seed).normal(scale=size, size=len(trainer.observed)).astype(np.float32).astype(np.float64)
    learned = trainer.observed > 0 if trainer.task.recipe.support == "gold" else np.ones(len(w), bool)
    return np.where(learned, w, 0.0)


def by_name(trainer, w, labels=LABELS):
    """A vector of parameters as the reference writes it."""
    weights = with_parameters(trainer.local.weights, w)
    return {key: value for key, (value, _) in named_weights(weights, trainer.local.encoder, labels).items()}


def close(found, expected):
    for key in found.keys() | expected.keys():
        assert found.get(key, 0.0) == pytest.approx(expected.get(key, 0.0), rel=1e-5, abs=1e-6), key


# ------------------------------------------------------------------------------------------------ training


@sets
@pytest.mark.parametrize(("support", "cutoff"), [("gold", 0), ("gold", 2), ("all", 0)])
def test_expectations_equal_the_reference(templates, support, cutoff):
    corpus = random_corpus(3)
    trainer = make_trainer(
        corpus, templates, support=support, cutoff=cutoff, **({"maxent.optimizer": "lbfgs"} if support == "all" else {})
    )
    examples = as_examples(corpus, templates)
    allows = supported(examples, cutoff, support)
    w = random_parameters(trainer, 5)
    found = trainer.events.evaluate(w)
    alpha = by_name(trainer, w)
    assert found.log_likelihood == pytest.approx(reference.log_likelihood(alpha, examples, LABELS))
    close(by_name(trainer, found.expected), reference.expected(alpha, examples, LABELS, allows))
    close(by_name(trainer, trainer.observed), reference.observed(examples, allows))
    if support == "gold":
        assert trainer.optimizer.most_active == reference.most_active(examples, LABELS, allows)
    wrong = sum(
        any(
            max(LABELS, key=reference.probabilities(alpha, x, gold[:t], LABELS).__getitem__) != gold[t]
            for t in range(len(x))
        )
        for x, gold in examples
    )
    assert found.wrong == wrong


@sets
@pytest.mark.parametrize("cutoff", [0, 2])
def test_gis_takes_the_steps_of_the_reference(templates, cutoff):
    corpus = random_corpus(4)
    examples = as_examples(corpus, templates)
    allows = supported(examples, cutoff, "gold")
    training = Training(make_recipe(templates=templates, cutoff=cutoff, epochs=4, **GIS), corpus)
    alpha = {}
    for _ in training.run():
        alpha = reference.gis_step(alpha, examples, LABELS, allows)
        close(by_name(training.trainer, training.trainer.optimizer.w), alpha)
        found = training.trainer.log_likelihoods[-1]
        assert found == pytest.approx(reference.log_likelihood(alpha, examples, LABELS))


def test_gis_by_hand():
    """A word seen three times as X and once as Y. Two templates fire at each token, so C is 2.

    At first P is 1/2: both features of X are expected twice and seen three times, those of Y seen once. After the
    step each weighs 1/2 log(3/2) or 1/2 log(1/2), which add up to the logarithms of 3/2 and 1/2: P(X) = 3/4.
    """
    data = [Sentence({"form": ["a"], "label": [y]}) for y in ("X", "X", "Y", "X")]
    training = train(make_recipe(templates=("form[0]", "bias"), epochs=1, **GIS), data)
    trainer = training.trainer
    assert trainer.optimizer.most_active == 2
    assert sorted(trainer.optimizer.w) == pytest.approx([log(1 / 2) / 2] * 2 + [log(3 / 2) / 2] * 2)
    assert trainer.log_likelihoods == pytest.approx([3 * log(3 / 4) + log(1 / 4)])
    # The data are fitted: another step moves nothing.
    w, expected = trainer.optimizer.w, trainer.optimizer.evaluation().expected
    assert gis_step(w, trainer.observed, expected, 2) == pytest.approx(w)
    with pytest.raises(ModelError, match="too large to continue from"):
        gis_step(w, trainer.observed, np.zeros_like(expected), 2)


def test_gis_by_hand_with_histories():
    """Sentences "a a" as X Y: after the start always X, after X always Y. One feature at a token, so C is 1."""
    data = [Sentence({"form": ["a", "a"], "label": ["X", "Y"]})] * 2
    trainer = train(make_recipe(templates=("bias * y-1 y0",), epochs=2, **GIS), data).trainer
    # Each feature is seen twice and expected 2 P times; P = 1/2 gives log 2, then P = 2/3 adds log 3/2.
    assert sorted(trainer.optimizer.w)[-2:] == pytest.approx([log(3)] * 2)
    assert trainer.log_likelihoods == pytest.approx([4 * log(2 / 3), 4 * log(3 / 4)])


def never_falls(values, slack=1e-9):
    return all(after >= before - slack * abs(before) for before, after in pairwise(values))


@sets
@pytest.mark.parametrize("cutoff", [0, 2])
def test_gis_never_lowers_the_likelihood(templates, cutoff):
    for seed in range(3):
        trainer = train(
            make_recipe(templates=templates, cutoff=cutoff, epochs=60, **GIS), random_corpus(seed, 15)
        ).trainer
        start = sum(map(len, trainer.local.sequences)) * log(1 / len(LABELS))
        assert never_falls([start, *trainer.log_likelihoods])
        assert trainer.log_likelihoods[-1] > start


@sets
@pytest.mark.parametrize("sigma2", [0.5, 10])
def test_lbfgs_comes_to_the_point_where_the_gradient_is_zero(templates, sigma2):
    corpus = random_corpus(7, 20)
    recipe = make_recipe(templates=templates, epochs=200, **{**LBFGS, "maxent.sigma2": sigma2})
    trainer = train(recipe, corpus).trainer
    w = trainer.optimizer.w
    gradient = trainer.observed - trainer.events.evaluate(w).expected - w / sigma2
    assert np.abs(gradient).max() < 1e-3
    assert trainer.log_likelihoods[-1] == trainer.events.evaluate(w).log_likelihood


def test_both_optimizers_come_to_the_same_likelihood():
    """Without a prior the optimum is the same; on noisy data with few features it is finite."""
    corpus = random_corpus(8, 60)
    values = [
        train(make_recipe(templates=("form[0]", "bias * y-1 y0"), epochs=epochs, **settings), corpus).trainer
        for epochs, settings in ((3000, GIS), (100, LBFGS))
    ]
    gis, lbfgs = (trainer.log_likelihoods[-1] for trainer in values)
    assert gis == pytest.approx(lbfgs, rel=1e-3)
    assert gis <= lbfgs + 1e-6


@sets
def test_the_gradient_of_what_lbfgs_minimises_equals_finite_differences(templates):
    recipe = make_recipe(templates=templates, support="all", **{**LBFGS, "maxent.sigma2": 2})
    trainer = Training(recipe, random_corpus(1, 6)).trainer
    w = random_parameters(trainer, 3)
    _, gradient = trainer.optimizer.objective(w)
    for i in range(0, len(w), max(1, len(w) // 40)):
        around = [trainer.optimizer.objective(w + sign * 1e-5 * (np.arange(len(w)) == i))[0] for sign in (1, -1)]
        assert gradient[i] == pytest.approx((around[0] - around[1]) / 2e-5, abs=1e-5)


def test_expectations_have_the_same_bits_at_any_number_of_threads():
    corpus = random_corpus(0, 3000)  # more than one block of events
    templates = TEMPLATE_SETS["all at once"]
    found = [make_trainer(corpus, templates, threads=threads) for threads in (1, 2, 3, 7)]
    w = random_parameters(found[0], 1)
    first, *others = [trainer.events.evaluate(w) for trainer in found]
    for other in others:
        assert other.log_likelihood == first.log_likelihood
        assert (other.expected == first.expected).all()
        assert other.wrong == first.wrong


# ------------------------------------------------------------------------------------------------ decoding


def searching(templates, seed, beam=0, size=1.0, **settings):
    """A trainer with random weights, its search, and the weights as the reference writes them."""
    trainer = make_trainer(random_corpus(seed), templates, **settings)
    w = random_parameters(trainer, seed + 10, size)
    weights = with_parameters(trainer.local.weights, w)
    limits = limits_of(trainer.task.recipe, trainer.task.label_set)
    return trainer, LocalSearch(weights, limits, None, beam), by_name(trainer, w)


def encoded(trainer, sentences):
    return trainer.local.encoder.encode(
        {name: [s.columns[name] for s in sentences] for name in ("form", "pos")},
        np.cumsum([0, *map(len, sentences)]).astype(np.int32),
    )


@sets
def test_exact_search_equals_enumeration(templates):
    for seed in range(3):
        trainer, search, alpha = searching(templates, seed)
        unseen = random_corpus(seed + 20, 6, longest=4)
        corpus = encoded(trainer, unseen)
        for n in (1, 2, 7, 100):
            lists = search.nbest(corpus, n)
            for (x, _), best in zip(as_examples(unseen, templates), lists, strict=True):
                expected = reference.nbest(alpha, x, LABELS, n)
                assert best.scores == pytest.approx([score for _, score in expected], abs=1e-5)
                found = [tuple(LABELS[y] for y in labels) for labels in best.labels.tolist()]
                assert len(set(found)) == len(found) == len(expected)
                for labels, score in zip(found, best.scores, strict=True):
                    assert score == pytest.approx(reference.log_probability(alpha, x, labels, LABELS), abs=1e-5)
        first = np.concatenate([best.labels[0] for best in search.nbest(corpus, 50)])
        assert (search.tag(corpus) == first).all()


@sets
def test_of_equal_probabilities_the_lower_label_wins_from_the_end(templates):
    trainer, search, _ = searching(templates, 0, size=0.0)  # all weights zero: everything is equal
    three = [Sentence({"form": ["the"] * 3, "pos": ["T"] * 3})]
    (best,) = search.nbest(encoded(trainer, three), 27)
    assert [tuple(y) for y in best.labels.tolist()] == sorted(product(range(3), repeat=3), key=lambda y: y[::-1])


@sets
def test_a_wide_beam_is_exact_and_a_narrow_one_never_better(templates):
    trainer, exact, _ = searching(templates, 2)
    corpus = encoded(trainer, random_corpus(40, 40))
    best = [found.score(0) for found in exact.nbest(corpus, 1)]
    worse = 0
    for beam in (1, 2, 9, 50):
        search = LocalSearch(exact.weights, exact.limits, None, beam)
        found = search.nbest(corpus, 1)
        for x, one, top in zip((corpus[i] for i in range(len(corpus))), found, best, strict=True):
            assert one.score(0) <= top
            assert search.score(x, one[0]) == pytest.approx(one.score(0))
        if beam >= 9:  # all pairs of labels
            assert [one.score(0) for one in found] == best
        worse += [one.score(0) for one in found] != best
    order = max(template.order for template in trainer.local.templates)
    assert (worse > 0) == (order > 0), "the test must be able to fail"


@sets
def test_marginals_equal_enumeration(templates):
    trainer, search, alpha = searching(templates, 3)
    unseen = random_corpus(50, 6, longest=4)
    corpus = encoded(trainer, unseen)
    pairs = search.pairs(corpus)
    found = pairs.sum(axis=1)
    expected = [p for x, _ in as_examples(unseen, templates) for p in reference.marginals(alpha, x, LABELS)]
    for row, probabilities in zip(found, expected, strict=True):
        assert row == pytest.approx([probabilities[y] for y in LABELS], abs=1e-6)
    first = np.cumsum([0, *map(len, unseen)])[:-1]
    assert pairs[first, len(LABELS)].sum(axis=1) == pytest.approx(1.0)  # nothing stands before
    rest = np.setdiff1d(np.arange(len(found)), first)
    assert pairs[rest, : len(LABELS)].sum(axis=2) == pytest.approx(found[rest - 1])  # and elsewhere what did
    pruned = LocalSearch(search.weights, search.limits, None, 2).pairs(corpus, threads=2).sum(axis=(1, 2))
    assert pruned == pytest.approx(np.ones(len(pruned)))


@pytest.mark.parametrize("scheme", ["IOB2", "IOBES"])
def test_marginals_are_of_labels_as_the_data_writes_them(scheme):
    """Equal to sums over all labellings, whatever scheme the model has inside."""
    data = random_corpus(0, 30, labels=("B-X", "I-X", "O"))
    settings = {"templates": TEMPLATE_SETS["order 2"], **GIS, "epochs": 5, "labels.repair": True, "maxent.beam": 0}
    tagger = Tagger(recipe=make_recipe(**settings, **{"labels.scheme": scheme})).fit(data)
    unseen = [Sentence({k: s.columns[k] for k in ("form", "pos")}) for s in random_corpus(60, 10, longest=4)]
    for lists, marginals in zip(tagger.predict_nbest(unseen, 5**4), tagger.predict_marginals(unseen), strict=True):
        for t, found in enumerate(marginals):
            for label in ("B-X", "I-X", "O"):
                expected = sum(exp(p) for y, p in lists if y[t] == label)
                assert found.get(label, 0.0) == pytest.approx(expected, abs=1e-9)


def test_constraints_choose_among_labellings_and_leave_probabilities_alone():
    labels = ("B-X", "I-X", "O")
    data = random_corpus(0, 30, labels=labels)
    settings = {"templates": TEMPLATE_SETS["order 2"], **GIS, "epochs": 3, "labels.repair": True}
    for beam in (0, 2):
        free, bound = (
            Tagger(recipe=make_recipe(**settings, constrain=constrain, **{"maxent.beam": beam})).fit(data)
            for constrain in (False, True)
        )
        unseen = [Sentence({k: s.columns[k] for k in ("form", "pos")}) for s in random_corpus(60, 20, longest=4)]
        for everything, chosen in zip(
            Tagger(recipe=make_recipe(**settings, **{"maxent.beam": 0})).fit(data).predict_nbest(unseen, 81),
            bound.predict_nbest(unseen, 1),
            strict=True,
        ):
            allowed = [(y, p) for y, p in everything if is_allowed(y)]
            assert chosen[0][1] in [pytest.approx(p) for _, p in allowed]
            if beam == 0:
                assert chosen[0][1] == pytest.approx(allowed[0][1])
        assert not all(is_allowed(y) for y in free.predict(unseen)), "the test must be able to fail"
        assert all(is_allowed(y) for y in bound.predict(unseen))


def is_allowed(labels):
    return all(y != "I-X" or before != "O" for before, y in zip(["O", *labels], labels, strict=False))


@sets
@pytest.mark.parametrize("settings", [{}, {"tag_dictionary": 3}], ids=["free", "tag dictionary"])
def test_rivals_are_those_of_a_search_for_each_token(templates, settings):
    recipe = make_recipe(templates=templates, epochs=10, **GIS, **settings, **{"maxent.beam": 0})
    ready = Tagger(recipe).fit(random_corpus(0, 30)).ready_model
    sentences, search, rng = random_corpus(1, 20), ready.search, np.random.default_rng(2)
    data = ready.reader.read([*sentences, Sentence({c: [] for c in sentences[0].columns})])
    corpus = ready.encoder.encode(data.columns, data.units)
    every = _core.local_nbest(search.weights, corpus, search.limits, search.dictionary, 0, 3**8)
    for i in range(len(corpus)):
        x = corpus[i]
        any_labels = _core.Labels(rng.integers(0, 3, len(x)).astype(np.int32))
        for labels in (search.best(corpus)[i], any_labels):
            expected = [next((y for y in every[i] if y[t] != labels[t]), None) for t in range(len(x))]
            found = search.rivals(x, labels)
            assert [rival and rival[0] for rival in found] == expected
            for rival in filter(None, found):
                assert labels != rival[0]
                assert rival[1] == pytest.approx(search.score(x, labels) - search.score(x, rival[0]), abs=1e-9)


# ------------------------------------------------------------------------------------------------ settings


def test_settings_that_gis_would_not_heed_are_refused():
    with pytest.raises(SettingError, match=r"support: gis has no finite weight .* expected 'gold'"):
        make_recipe(**GIS, support="all")
    with pytest.raises(SettingError, match=r"maxent.sigma2: gis has no prior; expected 0"):
        make_recipe(**GIS, **{"maxent.sigma2": 1})


def test_tolerance_ends_training_when_the_likelihood_stands_still():
    data = [Sentence({"form": ["a"], "label": [y]}) for y in ("X", "X", "Y", "X")]
    recipe = make_recipe(templates=("form[0]",), epochs=50, tolerance=1e-6, **GIS)
    assert len(train(recipe, data).reports) == 4  # three changes of nothing


def test_wrong_arguments_are_refused():
    trainer = make_trainer(random_corpus(0), TEMPLATE_SETS["order 1"])
    weights, corpus = trainer.local.weights, trainer.local.data.corpus
    with pytest.raises(ValueError, match=r"expected .* parameters"):
        _core.maxent_evaluate(weights, corpus, np.zeros(3), 1)
    with pytest.raises(ValueError, match="no gold labels"):
        _core.maxent_evaluate(weights, encoded(trainer, random_corpus(0)), trainer.observed, 1)
    nothing = np.zeros(0, np.uint8)
    with pytest.raises(ValueError, match="limits: expected the size of the label set"):
        _core.local_nbest(weights, corpus, _core.Limits(np.ones(3, np.uint8), nothing), None, 0)
    with pytest.raises(ValueError, match="beam"):
        _core.local_nbest(weights, corpus, _core.Limits(nothing, nothing), None, -1)
