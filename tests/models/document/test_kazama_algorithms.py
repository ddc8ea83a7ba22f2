"""Algorithms 3.1, 4.1 and 4.2: every branch with a scripted scorer, and the bounds of the paper on toys."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, field

import numpy as np
import pytest

from perceptag._core import Labels
from perceptag.learn import candidate
from perceptag.learn import nonlocal_update as proposed
from perceptag.learn.stopping import has_converged
from perceptag.recipe.recipe import Recipe
from perceptag.text.sentence import Sentence
from perceptag.training.train import Training


def named(*ids: int) -> Labels:
    return Labels(np.array(ids, np.int32))


GOLD, OTHER, THIRD = named(0, 0), named(0, 1), named(1, 1)


@dataclass
class Script:
    """A problem whose scores are given; it writes down what moves."""

    labels: list[Labels]
    local: np.ndarray
    total: np.ndarray
    gold_local: float
    gold_total: float
    gold: Labels = GOLD
    moves: list[tuple[str, int]] = field(default_factory=list)
    ticks: int = 0

    def candidates(self, x: object) -> Script:
        return self

    def move_all(self, x: object, found: Script, away: int) -> None:
        self.moves.append(("all", away))

    def move_local(self, x: object, found: Script, away: int) -> None:
        self.moves.append(("local", away))

    def tick(self) -> None:
        self.ticks += 1


def script(labels: list[Labels], local: list[float], total: list[float], gold: tuple[float, float]) -> Script:
    return Script(labels, np.array(local, float), np.array(total, float), *map(float, gold))


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
    errors = candidate.learn_epoch(problem, ["document"], 10)
    assert problem.moves == moves_candidate
    assert problem.ticks == 1
    assert errors.sequences == (labels[int(np.argmax(total))] != GOLD)

    problem = script(labels, local, total, gold)
    assert proposed.learn_epoch(problem, ["document"], 10, 10) == errors
    assert problem.moves == moves_proposed


def test_the_two_margins_of_the_proposed_algorithm() -> None:
    problem = script([GOLD, OTHER], [9, 8], [50, 45], (9, 50))
    proposed.learn_epoch(problem, ["document"], margin_all=4, margin_local=0)
    assert problem.moves == []
    proposed.learn_epoch(problem, ["document"], margin_all=4, margin_local=1)
    proposed.learn_epoch(problem, ["document"], margin_all=5, margin_local=0)
    assert problem.moves == [("local", 1), ("all", 1)]


def test_wrong_labels_are_counted() -> None:
    assert proposed.learn_epoch(script([THIRD], [1], [1], (0, 0)), ["d"], 1, 1).labels == 2


def test_the_rule_for_stopping() -> None:
    assert not has_converged([10, 10, 10], 1e-4)
    assert has_converged([12, 10, 10, 10, 10], 1e-4)
    assert has_converged([0, 0, 0, 0], 1e-4)
    assert not has_converged([10, 10, 10, 11], 1e-4)
    assert has_converged([100, 101, 100, 101], 0.02)
    assert not has_converged([0, 1, 0, 0], 1e-4)
    assert not has_converged([10, 10, 10, 10], 0)


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


def feature_vector(training: Training, s: int, y: tuple[int, ...]) -> dict[tuple[int, int, int], float]:
    """Phi^a(x, y) by name, from the rows of the sequence and the stage of the document."""
    trainer = training.trainer
    local = getattr(trainer, "local", trainer)
    x = local.sequences[s]
    vector: dict[object, float] = {}
    for t, label in enumerate(y):
        for row in x.rows(0, t).tolist():
            vector[row, label] = vector.get((row, label), 0) + 1
        before = y[t - 1] if t else local.L
        vector["edge", before, label] = vector.get(("edge", before, label), 0) + 1
    if hasattr(trainer, "features"):
        stage = trainer.features.stage(trainer.documents[s].sentences, [[named(*y)]])
        stage.choose(0, 0)
        vector |= stage.document()
    return vector


def all_differences(training: Training):
    """(document, wrong labelling, Phi(gold) - Phi(wrong)) for all of them."""
    local = getattr(training.trainer, "local", training.trainer)
    for s, x in enumerate(local.sequences):
        gold = tuple(x.labels.numpy().tolist())
        of_gold = feature_vector(training, s, gold)
        for y in itertools.product(range(local.L), repeat=len(x)):
            if y != gold:
                of_y = feature_vector(training, s, y)
                keys = {*of_gold, *of_y}
                yield s, y, {k: of_gold.get(k, 0) - of_y.get(k, 0) for k in keys}


def separator(training: Training) -> dict[object, float]:
    """A unit vector of local features that separates the data: the word with its label."""
    local = getattr(training.trainer, "local", training.trainer)
    pairs = set()
    for x in local.sequences:
        for t, label in enumerate(x.labels.numpy().tolist()):
            pairs |= {(row, label) for row in x.rows(0, t).tolist()}
    return dict.fromkeys(pairs, 1 / len(pairs) ** 0.5)


def bound(training: Training, margin: float) -> tuple[float, float]:
    """(2C + R^2) / delta^2, and delta C / (2C + R^2)."""
    u = separator(training)
    differences = [d for _, _, d in all_differences(training)]
    R2 = max(sum(v * v for v in d.values()) for d in differences)
    delta = min(sum(u.get(k, 0) * v for k, v in d.items()) for d in differences)
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
    most, least_margin = bound(training, margin)
    passes = run_until_still(training)
    assert passes <= most  # every pass with a change has at least one update
    weights = training.trainer.weights
    norm = sum(float((weights.get(b)[0].astype(float) ** 2).sum()) for b in range(5)) ** 0.5
    for s, y, _ in all_differences(training):
        x = training.trainer.sequences[s]
        gap = weights.score(x, x.labels) - weights.score(x, named(*y))
        assert gap > margin
        assert gap / norm >= least_margin


@pytest.mark.parametrize("margin", [1.0, 10.0])
@pytest.mark.parametrize("seed", range(10))
def test_bounds_of_the_proposed_algorithm(seed: int, margin: float) -> None:
    training = toy_training(seed, "nonlocal", margin)
    most, least_margin = bound(training, margin)
    passes = run_until_still(training)
    assert passes <= most
    trainer = training.trainer
    norm2 = sum(float((trainer.weights.get(b)[0].astype(float) ** 2).sum()) for b in range(5))
    norm = (norm2 + float((trainer.global_weights.w**2).sum())) ** 0.5
    problem = trainer.problem()
    for document in trainer.documents:
        found = problem.candidates(document)
        first, second = candidate.best_two(found.total)
        assert found.labels[0] == found.gold  # y^1 = y*
        assert found.labels[first] == found.gold  # y' = y*
        assert second is None or (found.gold_total - found.total[second]) / norm >= least_margin
