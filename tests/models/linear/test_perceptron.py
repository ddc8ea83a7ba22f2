"""Training: the core does exactly what the reference does, and the reference does what the paper says."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product, repeat

import numpy as np
import pytest

from perceptag import Sentence, Tagger, _core
from perceptag.features.template import parse_all
from perceptag.learn import perceptron as learner
from perceptag.learn.learner import Pass
from reference import perceptron as reference
from reference.features import sentence_features
from reference.voted import Stage, record, vote
from toys import TEMPLATE_SETS, as_examples, make_recipe, named_weights, random_corpus, train

EPOCHS = 3


def passes_of(examples, recipe):
    """The examples of each pass, in the order that the recipe asks for."""
    order = list(range(len(examples)))
    for epoch in range(1, recipe.epochs + 1):
        if recipe.shuffle:
            order = np.random.default_rng([recipe.seed, epoch]).permutation(len(examples)).tolist()
        yield [examples[i] for i in order]


def reference_run(sentences, recipe):
    """Every weight vector that the reference visits."""
    examples = as_examples(sentences, recipe.templates)
    labels = sorted({y for s in sentences for y in s.columns["label"]})
    allows = reference.supported(examples, recipe.cutoff, recipe.support)
    return list(reference.visited_weights(passes_of(examples, recipe), labels, allows)), labels


def mistakes_of(vectors, size):
    """How many examples of each pass changed the weights."""
    before = [{}, *vectors]
    changed = [a != b for a, b in zip(before, vectors, strict=False)]
    return [sum(changed[i : i + size]) for i in range(0, len(changed), size)]


def check_equal(sentences, recipe):
    """Weights, mistakes and averages of the core are those of the reference."""
    training = train(recipe, sentences)
    vectors, labels = reference_run(sentences, recipe)
    trainer = training.trainer
    found = named_weights(trainer.weights, trainer.encoder, labels)
    assert {key: w for key, (w, _) in found.items() if w} == vectors[-1]
    # Lazy average before rounding: w - sum / ticks, in exact arithmetic.
    ticks = Fraction(trainer.weights.ticks)
    assert ticks == len(vectors)
    lazy = {key: Fraction(w) - Fraction(total) / ticks for key, (w, total) in found.items()}
    literal = reference.average(vectors)
    assert {key: w for key, w in lazy.items() if w} == literal
    check_rounding(trainer, labels, literal)
    if recipe.support == "all" and recipe.cutoff < 2:  # elsewhere a mistake may leave the weights as they are
        assert [r.mistakes for r in training.reports] == mistakes_of(vectors, len(sentences))
    return trainer, vectors, labels


def check_rounding(trainer, labels, literal):
    """`averaged` rounds to a grid: by no more than 2^-21 of the largest score that one token can have."""
    rounded = named_weights(trainer.weights.averaged(trainer.active), trainer.encoder, labels)
    largest = max(map(abs, literal.values()), default=0)
    bound = largest * (trainer.active + 2) / Fraction(2) ** 21
    for key in literal.keys() | rounded.keys():
        assert abs(literal.get(key, 0) - Fraction(rounded.get(key, (0.0, 0.0))[0])) <= bound


@pytest.mark.parametrize("templates", TEMPLATE_SETS.values(), ids=TEMPLATE_SETS)
@pytest.mark.parametrize("support", ["gold", "all"])
@pytest.mark.parametrize("cutoff", [0, 1, 2, 5])
def test_native_training_equals_the_reference(templates, support, cutoff):
    for seed, shuffle in ((0, False), (1, True)):
        recipe = make_recipe(
            templates=templates, support=support, cutoff=cutoff, epochs=EPOCHS, shuffle=shuffle, seed=seed
        )
        check_equal(random_corpus(seed), recipe)


def test_many_random_corpora():
    """Of all sizes and label sets, each with its own templates."""
    rng = np.random.default_rng(7)
    names = list(TEMPLATE_SETS)
    for seed in range(40):
        labels = ["A", "B", "C", "E", "F"][: rng.integers(1, 6)]
        corpus = random_corpus(seed, int(rng.integers(1, 15)), labels=labels, longest=int(rng.integers(1, 8)))
        recipe = make_recipe(
            templates=TEMPLATE_SETS[names[seed % len(names)]],
            epochs=2,
            support=("gold", "all")[seed % 2],
            cutoff=seed % 3,
        )
        check_equal(corpus, recipe)


def test_training_makes_mistakes_at_all():
    """Otherwise the tests above would compare zeros."""
    _, vectors, _ = check_equal(random_corpus(0), make_recipe(templates=TEMPLATE_SETS["order 2"], epochs=EPOCHS))
    assert len(vectors[-1]) > 20
    assert mistakes_of(vectors, 12)[0] > 3


@pytest.mark.parametrize("templates", TEMPLATE_SETS.values(), ids=TEMPLATE_SETS)
@pytest.mark.parametrize("support", ["gold", "all"])
def test_move_equals_two_adds(templates, support):
    corpus = random_corpus(3)
    trainers = [train(make_recipe(templates=templates, support=support, epochs=1), corpus).trainer for _ in range(2)]
    rng = np.random.default_rng(0)
    for one, two in zip(*(t.sequences for t in trainers), strict=True):
        toward, away = (_core.Labels(rng.integers(0, 3, len(one)).astype(np.int32)) for _ in range(2))
        scale = float(rng.integers(1, 4))
        trainers[0].weights.move(one, toward, away, scale)
        trainers[1].weights.add(two, toward, scale)
        trainers[1].weights.add(two, away, -scale)
        for trainer in trainers:
            trainer.weights.tick()
    for block in range(5):
        for a, b in zip(trainers[0].weights.get(block), trainers[1].weights.get(block), strict=True):
            assert (a == b).all()


# ------------------------------------------------------------------------- the example of section 2.1


def test_the_update_of_a_trigram_tagger():
    """Collins (2002), section 2.1: "the man saw the dog", saw tagged N instead of V; eight features change."""
    words = ["the", "man", "saw", "the", "dog"]
    gold = Sentence({"form": words, "label": ["D", "N", "V", "D", "N"]})
    wrong = Sentence({"form": words, "label": ["D", "N", "N", "D", "N"]})
    recipe = make_recipe(templates=("form[0]", "bias * y-2 y-1 y0"), support="all", epochs=1)
    trainer = train(recipe, [gold, wrong]).trainer
    # Start from zero, so that what is left afterwards is the update alone.
    weights = _core.Weights(3, False, True)
    weights.make_dense(0, trainer.weights.rows(0))
    right, bad = trainer.sequences
    weights.move(right, toward=right.labels, away=bad.labels)

    change = {}
    for (feature, labels), (w, _) in named_weights(weights, trainer.encoder, ["D", "N", "V"]).items():
        change[(*labels, *feature.values)] = w
    assert change == {
        ("D", "N", "V"): 1,
        ("N", "V", "D"): 1,
        ("V", "D", "N"): 1,
        ("V", "saw"): 1,
        ("D", "N", "N"): -1,
        ("N", "N", "D"): -1,
        ("N", "D", "N"): -1,
        ("N", "saw"): -1,
    }
    templates = parse_all(recipe.templates)
    x = sentence_features(templates, gold.columns)
    phi = Counter(reference.global_features(x, gold.columns["label"]))
    phi.subtract(reference.global_features(x, wrong.columns["label"]))
    assert {(*labels, *feature.values): n for (feature, labels), n in phi.items() if n} == change


def test_the_averaged_vector_by_hand():
    """Two examples, two passes: alpha after each is (0), (u), (u), (u), so gamma is 3/4 of u."""
    sentences = [Sentence({"form": ["a"], "label": ["A"]}), Sentence({"form": ["b"], "label": ["B"]})]
    trainer = train(make_recipe(templates=("form[0]",), support="all", epochs=2), sentences).trainer
    averaged = named_weights(trainer.weights.averaged(1), trainer.encoder, ["A", "B"])
    assert {(f.values[0], labels): w for (f, labels), (w, _) in averaged.items()} == {
        ("b", ("B",)): 0.75,
        ("b", ("A",)): -0.75,
    }


def test_averages_can_be_read_without_disturbing_training():
    corpus = random_corpus(5)
    recipe = make_recipe(templates=TEMPLATE_SETS["order 2"], epochs=1)
    disturbed, quiet = (train(recipe, corpus).trainer for _ in range(2))
    for _ in range(3):
        disturbed.weights.averaged(disturbed.active)
        for trainer in (disturbed, quiet):
            learner.learn_epoch(Pass(trainer.weights, trainer.sequences))
    for block in range(5):
        assert (disturbed.weights.get(block)[1] == quiet.weights.get(block)[1]).all()


# ---------------------------------------------------------------------------------------------- voting


@pytest.mark.parametrize("templates", ["order 1", "order 2", "observed edges"])
@pytest.mark.parametrize("epochs", [1, 2])
def test_as_many_examples_as_snapshots_is_exact_voting(templates, epochs):
    for seed in range(3):
        corpus, unseen = random_corpus(seed, 10), random_corpus(100 + seed, 20)
        recipe = make_recipe(templates=TEMPLATE_SETS[templates], weights="voted", epochs=epochs)
        tagger = Tagger(recipe).fit(corpus)
        vectors, labels = reference_run(corpus, recipe)
        assert tagger.model_.facts["snapshots"] == len(vectors)
        stages = record(vectors)
        assert sum(stage.votes for stage in stages) == len(vectors)
        expected = [list(vote(stages, x, labels)) for x, _ in as_examples(unseen, recipe.templates)]
        assert tagger.predict(unseen) == expected


def test_of_equal_votes_the_earliest_vector_wins():
    (x, _), *_ = as_examples([Sentence({"form": ["a"], "label": ["A"]})], ["form[0]"])
    (feature,) = x[0]

    def toward(y, votes):
        return Stage(Counter({(feature, (y,)): 10}), votes)

    assert vote([toward("B", 1), Stage(Counter({(feature, ("A",)): 20}), 1)], x, ["A", "B"]) == ("B",)
    assert vote([toward("B", 1), Stage(Counter({(feature, ("A",)): 20}), 2)], x, ["A", "B"]) == ("A",)


@pytest.mark.parametrize(("sentences", "epochs"), [(7, 3), (13, 3), (10, 1), (5, 2), (41, 1)])
def test_there_are_never_more_snapshots_than_asked_for(sentences, epochs):
    recipe = make_recipe(templates=("form[0]",), weights="voted", epochs=epochs)
    trainer = train(recipe, random_corpus(0, sentences)).trainer
    assert 1 <= len(trainer.snapshots) <= 20


# -------------------------------------------------------------------------------------- mistake bounds


def norm(phi):
    return float(np.sqrt(sum(n * n for n in phi.values())))


def difference(x, y, z):
    phi = Counter(reference.global_features(x, y))
    phi.subtract(reference.global_features(x, z))
    return phi


def margin_and_radius(examples, labels, u):
    """The margin of each example under the unit vector u, and R = max |Phi(x, y) - Phi(x, z)|."""
    margins, radius = [], 0.0
    for x, y in examples:
        rivals = [difference(x, y, z) for z in product(labels, repeat=len(x)) if z != y]
        margins.append(min(sum(u.get(f, 0.0) * n for f, n in d.items()) for d in rivals))
        radius = max(radius, *(norm(d) for d in rivals))
    return margins, radius


def labelled_by(u, examples, labels):
    """The same inputs with the labels that u gives them, where it gives one clearly."""
    made = []
    for x, _ in examples:
        totals = sorted(
            (
                (sum(u.get(f, 0.0) * n for f, n in reference.global_features(x, z).items()), z)
                for z in product(labels, repeat=len(x))
            ),
            reverse=True,
        )
        if totals[0][0] - totals[1][0] > 1e-3:
            made.append((x, totals[0][1]))
    return made


def random_unit_vector(examples, labels, rng):
    u = {
        f: rng.normal()
        for x, _ in examples
        for z in product(labels, repeat=len(x))
        for f in reference.global_features(x, z)
    }
    size = np.sqrt(sum(w * w for w in u.values()))
    return {f: w / size for f, w in u.items()}


@pytest.mark.parametrize("seed", range(30))
def test_theorem_1_mistakes_on_separable_data(seed):
    """Theorem 1: mistakes over all passes are at most R^2 / delta^2."""
    rng = np.random.default_rng(seed)
    labels = ["A", "B", "C"][: 2 + seed % 2]
    corpus = random_corpus(seed, 8, words=("u", "v", "w"), labels=labels, longest=3)
    templates = ("form[0]", "bias * y-1 y0")
    inputs = as_examples(corpus, templates)
    u = random_unit_vector(inputs, labels, rng)
    examples = labelled_by(u, inputs, labels)
    margins, R = margin_and_radius(examples, labels, u)
    delta = min(margins)
    mistakes = mistakes_until_perfect(examples, labels)
    assert 0 < mistakes <= R * R / (delta * delta)


def mistakes_until_perfect(examples, labels, most_passes=500):
    """Train until a whole pass goes by without a mistake."""
    mistakes = since = 0
    before = {}
    for alpha in reference.visited_weights(repeat(examples, most_passes), labels):
        mistakes, since = (mistakes, since + 1) if alpha == before else (mistakes + 1, 0)
        before = alpha
        if since == len(examples):
            return mistakes
    raise AssertionError("separable data must be learned without a mistake in the end")


@pytest.mark.parametrize("seed", range(30))
def test_theorem_2_mistakes_of_the_first_pass_on_any_data(seed):
    """Theorem 2: mistakes in one pass are at most (R + D)^2 / delta^2, D^2 = sum of max(0, delta - m_i)^2."""
    rng = np.random.default_rng(1000 + seed)
    labels = ["A", "B"]
    corpus = random_corpus(seed, 10, words=("u", "v", "w"), labels=labels, longest=3)
    recipe = make_recipe(templates=("form[0]", "bias * y-1 y0"), support="all", epochs=1)
    examples = as_examples(corpus, recipe.templates)
    mistakes = train(recipe, corpus).reports[0].mistakes
    assert mistakes == mistakes_of(reference_run(corpus, recipe)[0], len(corpus))[0]
    for _ in range(5):
        u = random_unit_vector(examples, labels, rng)
        margins, R = margin_and_radius(examples, labels, u)
        for delta in (0.05, 0.2, 0.5, 1.0):
            D = float(np.sqrt(sum(max(0.0, delta - m) ** 2 for m in margins)))
            assert mistakes <= (R + D) ** 2 / delta**2
