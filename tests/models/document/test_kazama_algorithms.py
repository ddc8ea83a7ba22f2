"""Algorithms 3.1, 4.1 and 4.2: every branch with a scripted scorer, and the bounds of the paper on toys."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pytest

from document_toys import as_documents, named_alpha
from perceptag._core import Labels
from perceptag.learn.learner import shuffled
from perceptag.learn.nonlocal_perceptron import Candidate, Found, learn_candidate, learn_proposed
from perceptag.learn.stopping import has_converged
from perceptag.recipe.recipe import Recipe
from perceptag.text.sentence import Sentence
from perceptag.training.train import Training
from reference.bpm import mean_of_runs, visits_after_runs
from reference.margin import Vector, best, best_two, dot, gap, moved, visits
from reference.nonlocal_perceptron import DocumentExample, candidate, proposed


def named(*ids: int) -> Labels:
    return Labels(np.array(ids, np.int32))


GOLD, OTHER, THIRD = named(0, 0), named(0, 1), named(1, 1)


@dataclass
class Script:
    """A problem whose scores are given; it writes down what moves, by the number in the list."""

    found: Found
    moves: list[tuple[str, int]] = field(default_factory=list)
    ticks: int = 0

    def candidates(self, x: object) -> Found:
        return self.found

    def move_all(self, x: object, toward: Candidate, away: Candidate) -> None:
        self.write_down("all", toward, away)

    def move_local(self, x: object, toward: Candidate, away: Candidate) -> None:
        self.write_down("local", toward, away)

    def write_down(self, what: str, toward: Candidate, away: Candidate) -> None:
        assert toward is self.found.y_star
        self.moves.append((what, self.found.n_best.index(away)))

    def tick(self) -> None:
        self.ticks += 1


def script(labels: list[Labels], local: list[float], total: list[float], gold: tuple[float, float]) -> Script:
    nothing = np.zeros(0)
    n_best = [Candidate(*y, nothing) for y in zip(labels, local, total, strict=True)]
    return Script(Found(Candidate(GOLD, *gold, nothing), n_best))


# margin 10 in all of them; (labels, local, total, (gold local, gold total), moves of 4.1, moves of 4.2)
BRANCHES = {
    "A1: another labelling is best": ([OTHER, GOLD], [9, 8], [5, 3], (8, 3), [("all", 0)], [("all", 0)]),
    "A1: gold is not in the list and wins by too little": (
        [OTHER, THIRD], [9, 8], [5, 3], (0, 9), [("all", 0)], [("all", 0)],
    ),
    "A2: gold is best, the second too near": ([OTHER, GOLD], [9, 8], [1, 9], (8, 9), [("all", 0)], [("all", 0)]),
    "B1: gold is not in the list but wins by far": ([OTHER, THIRD], [9, 8], [5, 3], (0, 99), [], [("local", 0)]),
    "B1: gold wins by far, locally it is second": ([OTHER, GOLD], [9, 8], [1, 50], (8, 50), [], [("local", 0)]),
    "B2: gold wins by far, locally by too little": ([GOLD, OTHER], [9, 8], [50, 1], (9, 50), [], [("local", 1)]),
    "nothing: gold wins by far everywhere": ([GOLD, OTHER], [90, 8], [50, 1], (90, 50), [], []),
    "exactly the margin is not enough": ([GOLD, OTHER], [90, 8], [11, 1], (90, 11), [("all", 1)], [("all", 1)]),
    "a list of one, which is gold": ([GOLD], [9], [9], (9, 9), [], []),
    "a list of one, which is not": ([OTHER], [9], [9], (3, 3), [("all", 0)], [("all", 0)]),
}  # fmt: skip


@pytest.mark.parametrize("name", BRANCHES)
def test_every_branch(name: str) -> None:
    labels, local, total, gold, moves_candidate, moves_proposed = BRANCHES[name]
    problem = script(labels, local, total, gold)
    errors = learn_candidate(problem, ["document"], 10)
    assert problem.moves == moves_candidate
    assert problem.ticks == 1
    assert errors.sequences == (labels[int(np.argmax(total))] != GOLD)

    problem = script(labels, local, total, gold)
    assert learn_proposed(problem, ["document"], 10, 10) == errors
    assert problem.moves == moves_proposed


# The alternatives of section 4.3 where they decide otherwise; margin 10, with the moves of
# (conservative, local first, both).
ALTERNATIVES = {
    "gold is not listed, and does not win by enough": (
        [OTHER, THIRD], [9, 8], [5, 3], (0, 9), [("all", 0)], [("local", 0)], [("local", 0)],
    ),
    "gold is not listed, but wins by far": (
        [OTHER, THIRD], [9, 8], [5, 3], (0, 99), [("local", 0)], [("local", 0)], [("local", 0)],
    ),
    "gold is listed, and second in both": (
        [OTHER, GOLD], [9, 8], [5, 3], (8, 3), [("all", 0)], [("local", 0)], [("all", 0)],
    ),
    "gold is best, the second too near; locally it is second": (
        [OTHER, GOLD], [9, 8], [1, 9], (8, 9), [("all", 0)], [("local", 0)], [("all", 0)],
    ),
    "gold is best, the second too near; locally it wins by too little": (
        [GOLD, OTHER, THIRD], [9, 8, 7], [9, 0, 1], (9, 9), [("all", 2)], [("local", 1)], [("all", 2)],
    ),
    "gold is best, the second too near; locally it wins by far": (
        [GOLD, OTHER], [90, 8], [9, 1], (90, 9), [("all", 1)], [("all", 1)], [("all", 1)],
    ),
    "gold wins by far, locally it is second": ([OTHER, GOLD], [9, 8], [1, 50], (8, 50), [], [("local", 0)], []),
    "gold wins by far, locally by exactly the margin": (
        [GOLD, OTHER], [18, 8], [50, 1], (18, 50), [], [("local", 1)], [],
    ),
    "gold is the last of the list, and wins by far": (
        [OTHER, THIRD, GOLD], [9, 8, 7], [1, 2, 50], (7, 50), [], [("local", 0)], [],
    ),
    "gold wins by far everywhere": ([GOLD, OTHER], [90, 8], [50, 1], (90, 50), [], [], []),
}  # fmt: skip


@pytest.mark.parametrize("name", ALTERNATIVES)
def test_every_branch_of_the_alternatives(name: str) -> None:
    labels, local, total, gold, *expected = ALTERNATIVES[name]
    found = []
    for conservative, local_first in ((True, False), (False, True), (True, True)):
        problem = script(labels, local, total, gold)
        errors = learn_proposed(problem, ["document"], 10, 10, conservative, local_first)
        found.append(problem.moves)
        assert (problem.ticks, errors.sequences) == (1, int(labels[int(np.argmax(total))] != GOLD))
    assert found == expected


def test_the_two_margins_of_the_proposed_algorithm() -> None:
    problem = script([GOLD, OTHER], [9, 8], [50, 45], (9, 50))
    learn_proposed(problem, ["document"], C_all=4, C_local=0)
    assert problem.moves == []
    learn_proposed(problem, ["document"], C_all=4, C_local=1)
    learn_proposed(problem, ["document"], C_all=5, C_local=0)
    assert problem.moves == [("local", 1), ("all", 1)]


def test_wrong_labels_are_counted() -> None:
    assert learn_proposed(script([THIRD], [1], [1], (0, 0)), ["d"], 1, 1).labels == 2


def test_the_rule_for_stopping() -> None:
    assert not has_converged([10, 10, 10], 1e-4)
    assert has_converged([12, 10, 10, 10, 10], 1e-4)
    assert has_converged([0, 0, 0, 0], 1e-4)
    assert not has_converged([10, 10, 10, 11], 1e-4)
    assert has_converged([100, 101, 100, 101], 0.02)
    assert not has_converged([0, 1, 0, 0], 1e-4)
    assert not has_converged([10, 10, 10, 10], 0)
    assert not has_converged([64, 48, 36, 27], 0.25)  # "less than": a change of a quarter each time is too much
    assert has_converged([64, 48, 36, 27], 0.26)


# --- the bounds of sections 3 and 4.3 on separable toys ---


def toy(seed: int) -> list[Sentence]:
    """Short documents whose labels are a function of the word, hence separable by local features."""
    rng = random.Random(seed)
    words = ["a", "b", "c", "d"]
    label = {"a": "O", "b": "B-X", "c": "B-Y", "d": rng.choice(["O", "B-X", "B-Y"])}
    made = []
    for _ in range(4):
        tokens = [rng.choice(words) for _ in range(rng.randint(1, 3))]
        made.append(Sentence({"form": tokens, "ner": [label[w] for w in tokens]}, starts_document=True))
    return made


def reference_of(training: Training) -> list[DocumentExample]:
    """The documents of a training for the reference."""
    return as_documents(training.task.train, training.task.recipe, training.task.label_set)


def all_differences(documents: list[DocumentExample]) -> list[Vector]:
    """Phi^a(y*) - Phi^a(y) of every wrong labelling of every document."""
    return [moved({}, x.all, x.y_star, y) for x in documents for y in x.labellings if y != x.y_star]


def separator(documents: list[DocumentExample]) -> Vector:
    """A unit vector of local features that separates the data: the word with its label."""
    pairs = {found for x in documents for found in x.local(x.y_star) if str(found[0]).startswith("form")}
    return dict.fromkeys(pairs, 1 / len(pairs) ** 0.5)


def norm(vector: Vector) -> float:
    return sum(value * value for value in vector.values()) ** 0.5


def bound(documents: list[DocumentExample], margin: float) -> tuple[float, float]:
    """(2C + R^2) / delta^2, and delta C / (2C + R^2)."""
    u, differences = separator(documents), all_differences(documents)
    R2 = max(map(norm, differences)) ** 2
    delta = min(dot(d, u) for d in differences)
    assert delta > 0
    return (2 * margin + R2) / delta**2, delta * margin / (2 * margin + R2)


def toy_training(seed: int, learner: str, margin: float) -> Training:
    recipe = Recipe().replace(
        {
            "learner": learner,
            "unit": "document",
            "weights": "last",
            "templates": ["form[0]", "bias * y-1 y0"],
            "support": "all",
            "epochs": 10_000,
            "tolerance": 0,
            "margin": margin,
            "nbest": 3,
            "nbest_tagging": 3,
            "nonlocal.features": ["phrase", "majority"] if learner == "nonlocal" else [],
        }
    )
    return Training(recipe, toy(seed))


def updates_of(documents: list[DocumentExample], passes: int, margin: float, learner: str) -> tuple[int, Vector]:
    """Return how often the reference changes its weights in that many passes, and its final weights."""
    given = [documents] * passes
    found = visits(given, margin) if learner == "margin" else proposed(given, 3, margin, margin)
    vectors: list[Vector] = [{}, *(visit.alpha for visit in found)]
    return sum(before != after for before, after in pairwise(vectors)), vectors[-1]


def run_until_still(training: Training) -> int:
    """Train until a pass changes nothing; return the number of passes that did, each with at least one update."""
    weights = training.trainer.weights
    for passes in range(5000):
        before = [weights.get(block)[0] for block in range(5)]
        training.trainer.learn_epoch(2)
        if all((weights.get(block)[0] == before[block]).all() for block in range(5)):
            return passes
    raise AssertionError("no convergence")


@pytest.mark.parametrize("margin", [1.0, 10.0])
@pytest.mark.parametrize("seed", range(10))
def test_bounds_of_the_margin_perceptron(seed: int, margin: float) -> None:
    training = toy_training(seed, "margin", margin)
    documents = reference_of(training)
    most, least_margin = bound(documents, margin)
    passes = run_until_still(training)
    alpha, _ = named_alpha(training.trainer)
    updates, same = updates_of(documents, passes, margin, "margin")
    assert same == alpha
    assert passes <= updates <= most
    gaps = [dot(difference, alpha) for difference in all_differences(documents)]
    assert min(gaps) > margin
    assert min(gaps) / norm(alpha) >= least_margin


@pytest.mark.parametrize("margin", [1.0, 10.0])
@pytest.mark.parametrize("seed", range(10))
def test_bounds_of_the_proposed_algorithm(seed: int, margin: float) -> None:
    training = toy_training(seed, "nonlocal", margin)
    documents = reference_of(training)
    most, least_margin = bound(documents, margin)
    passes = run_until_still(training)
    alpha, _ = named_alpha(training.trainer)
    updates, same = updates_of(documents, passes, margin, "nonlocal")
    assert same == alpha
    assert passes <= updates <= most
    for x in documents:
        n_best = best(alpha, x.local, x.labellings, training.task.recipe.nbest)
        y_prime, y_second = best_two(alpha, x.all, n_best)
        assert n_best[0] == x.y_star  # y^1 = y*
        assert y_prime == x.y_star  # y' = y*
        assert y_second is None or gap(alpha, x.all, x.y_star, y_second) / norm(alpha) >= least_margin


# --- the start from several runs, section 4.3 ---


STARTED = {
    "margin": lambda passes, start: visits(passes, 5.0, start),
    "candidate": lambda passes, start: candidate(passes, 3, 5.0, start),
    "nonlocal": lambda passes, start: proposed(passes, 3, 5.0, 5.0, start=start),
}


@pytest.mark.parametrize("learner", STARTED)
@pytest.mark.parametrize("seed", range(6))
def test_a_start_from_runs_is_that_of_the_reference(seed: int, learner: str) -> None:
    """Training uses the sum, so that its weights are those of the reference times the number of runs."""
    runs, passes = 4, 2  # quarters are exact, so that equal scores stay equal
    own = {"bpm": runs, "seed": seed, "nonlocal.features": [] if learner == "margin" else ["phrase", "majority"]}
    recipe = toy_training(seed, learner, 5.0).task.recipe.replace(own)
    training = Training(recipe, longer_toy(seed))
    for epoch in range(1, passes + 1):
        training.trainer.learn_epoch(epoch)
    documents = reference_of(training)
    orders = [[documents[i] for i in shuffled(len(documents), seed, -1 - run)] for run in range(runs)]
    assert any(mean_of_runs(orders, STARTED[learner]).values())
    expected = list(visits_after_runs(orders, [documents] * passes, STARTED[learner]))[-1].alpha
    alpha, _ = named_alpha(training.trainer)
    assert {feature: weight / runs for feature, weight in alpha.items()} == expected
    has_nonlocal = any(isinstance(feature, str) for feature in expected)
    assert has_nonlocal == (learner != "margin")


def longer_toy(seed: int) -> list[Sentence]:
    """The words of a toy twice, so that features of documents fire."""
    return [
        Sentence({name: [*values, *values] for name, values in s.columns.items()}, starts_document=True)
        for s in toy(seed)
    ]
