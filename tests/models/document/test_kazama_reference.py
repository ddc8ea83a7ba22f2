"""Algorithms 3.1, 4.1 and 4.2: the core does exactly what the reference does, which tries every labelling."""

from __future__ import annotations

import pytest

from document_toys import as_documents, document_recipe, named_alpha, tiny_corpus
from perceptag.learn.learner import pass_order
from perceptag.training.train import Training
from reference import margin, nonlocal_perceptron
from reference.perceptron import average

EPOCHS = 3


def reference_run(documents, recipe):
    """Every visit of the reference, in all passes."""
    orders = [pass_order(len(documents), epoch, recipe.shuffle, recipe.seed) for epoch in range(1, recipe.epochs + 1)]
    passes = [[documents[i] for i in order] for order in orders]
    gold = [x.y_star for documents in passes for x in documents]
    local = recipe.margin if recipe.margin_local < 0 else recipe.margin_local
    run = {
        "margin": lambda: margin.visits(passes, recipe.margin),
        "candidate": lambda: nonlocal_perceptron.candidate(passes, recipe.nbest, recipe.margin),
        "nonlocal": lambda: nonlocal_perceptron.proposed(
            passes, recipe.nbest, recipe.margin, local, recipe.conservative, recipe.local_first
        ),
    }
    return list(run[recipe.learner]()), gold


def check_equal(seed, learner, **settings):
    """Weights, averages, mistakes and wrong labels of the core are those of the reference."""
    given = {"unit": "document", "templates": ["form[0]", "form[-1]", "bias * y-1 y0"], "epochs": EPOCHS, "seed": seed}
    if learner == "margin":
        given |= {"nonlocal_features": [], "nbest": 20, "nbest_tagging": 100}
    recipe = document_recipe(learner, **given | settings)
    data = tiny_corpus(seed)
    training = Training(recipe, data)
    reports = list(training.run())
    documents = as_documents(data, recipe, training.task.label_set)
    visits, gold = reference_run(documents, recipe)
    last, mean = named_alpha(training.trainer)
    assert last == visits[-1].alpha
    assert mean == average([visit.alpha for visit in visits])
    wrong = [sum(a != b for a, b in zip(v.y_prime, y, strict=True)) for v, y in zip(visits, gold, strict=True)]
    size = len(documents)
    of_pass = [wrong[i : i + size] for i in range(0, len(wrong), size)]
    assert [report.mistakes for report in reports] == [sum(map(bool, labels)) for labels in of_pass]
    assert getattr(training.trainer, "local", training.trainer).wrong_labels == [sum(labels) for labels in of_pass]
    return visits, of_pass


LEARNERS = pytest.mark.parametrize("learner", ["margin", "candidate", "nonlocal"])


@LEARNERS
@pytest.mark.parametrize("C", [0, 2, 20])
@pytest.mark.parametrize("seed", range(8))
def test_the_core_learns_what_the_reference_learns(learner, C, seed):
    check_equal(seed, learner, margin=C, shuffle=seed % 2 == 1, support=("all", "gold")[seed // 2 % 2])


@pytest.mark.parametrize("n", [2, 4, 300])
def test_lists_of_any_length(n):
    for learner in ("candidate", "nonlocal"):
        check_equal(5, learner, nbest=n, nonlocal_features=["phrase", "conjunction", "subphrase"])


def test_two_margins():
    one, _ = check_equal(6, "nonlocal", margin=2, margin_local=30)
    other, _ = check_equal(6, "nonlocal", margin=2, margin_local=2)
    assert one[-1] != other[-1]


ALTERNATIVES = ({}, {"conservative": True}, {"local_first": True}, {"conservative": True, "local_first": True})


@pytest.mark.parametrize("C", [0, 2, 20])
@pytest.mark.parametrize("settings", ALTERNATIVES[1:], ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_the_alternatives_of_section_4_3(settings, C, seed):
    check_equal(seed, "nonlocal", margin=C, nbest=2 + seed, shuffle=seed % 2 == 1, **settings)


def test_the_alternatives_differ():
    runs = [check_equal(3, "nonlocal", margin=2, nbest=3, **settings)[0][-1].alpha for settings in ALTERNATIVES]
    assert all(a != b for i, a in enumerate(runs) for b in runs[:i])


@LEARNERS
def test_training_makes_mistakes_at_all(learner):
    """Otherwise the tests above would compare zeros."""
    visits, of_pass = check_equal(0, learner, margin=2)
    assert sum(of_pass[0]) > 3
    assert len(visits[-1].alpha) > 20
    nonlocal_names = {name for name in visits[-1].alpha if isinstance(name, str)}
    assert bool(nonlocal_names) == (learner != "margin")


def test_the_algorithms_differ():
    """Each of them decides otherwise somewhere, so that none can pass for another."""
    runs = [check_equal(0, learner, margin=2)[0][-1].alpha for learner in ("margin", "candidate", "nonlocal")]
    assert all(a != b for i, a in enumerate(runs) for b in runs[:i])
