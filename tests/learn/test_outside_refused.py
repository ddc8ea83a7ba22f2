"""Learners that are not perceptag's: what is wrong with one is told with its name; what it remembers; what it says."""

from __future__ import annotations

import dataclasses
import pickle
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from outside_learners import DATA, EXAMPLE, GOOD, fit, loop
from perceptag import Learner, Sentence, Setting, SettingError
from perceptag.learn import catalogue
from perceptag.learn.seam import Errors, Pass
from perceptag.learn.settings import MARGIN
from perceptag.models import model_file as modelfile
from perceptag.models.document import trainer
from perceptag.models.kinds import KINDS
from perceptag.recipe.recipe import load
from perceptag.training import checkpoint
from perceptag.training.train import Training


@pytest.fixture(autouse=True)
def in_a_folder_with_the_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The working directory has the example as a module, not imported yet."""
    shutil.copy(EXAMPLE, tmp_path / "my_learner.py")
    monkeypatch.chdir(tmp_path)
    sys.modules.pop("my_learner", None)
    yield
    sys.modules.pop("my_learner", None)


def without_ticks(this: Pass) -> Errors:
    return this.errors


def failing(this: Pass) -> Errors:
    raise ZeroDivisionError("mine")


REFUSED = {
    "no module": ("no_such_module:LEARNER", "cannot import 'no_such_module:LEARNER': ModuleNotFoundError"),
    "no such name": ("my_learner:LEARNR", "there is no 'LEARNR' in the module; did you mean 'LEARNER'"),
    "no name": ("my_learner:", "learner: expected module:NAME, found 'my_learner:'"),
    "a function": ("my_learner:learn_epoch", "expected a perceptag.Learner, found <function learn_epoch"),
    "a number": (3, "learner: expected a string, found 3"),
    "our name": (
        dataclasses.replace(GOOD, name="perceptron"),
        "the name 'perceptron' belongs to a learner of perceptag; choose another name",
    ),
    "our key": (
        dataclasses.replace(GOOD, settings=(Setting("epochs", 3, "passes"),)),
        "learner 'good': the setting 'epochs' belongs to perceptag; expected another key, such as 'good.epochs'",
    ),
    "our key with another default": (
        dataclasses.replace(GOOD, settings=(dataclasses.replace(MARGIN, default=3.0),)),
        "learner 'good': the setting 'margin' belongs to perceptag",
    ),
    "a key of one of our learners": (
        dataclasses.replace(GOOD, kind="guided", settings=(Setting("beam", 5, "of mine"),)),
        r"the same object, which is in perceptag\.learn\.catalogue\(\)\['guided'\]\.settings$",
    ),
    "a setting that no function takes": (
        dataclasses.replace(GOOD, settings=(Setting("good.rate", 3, "of something"),)),
        "setting 'good.rate': neither epoch nor state takes it as an argument",
    ),
    "unknown weights": (
        dataclasses.replace(GOOD, weights=("first",)),
        "weights: expected some of averaged, last, voted, found",
    ),
    "no loop": (dataclasses.replace(GOOD, epoch=None), "epoch: expected a function that runs one pass, found None"),
    "no such kind": (
        dataclasses.replace(GOOD, kind="liner"),
        "learner 'good': there is no kind of model 'liner'; did you mean 'linear'",
    ),
    "no such problem": (
        dataclasses.replace(GOOD, kind="nonlocal", problem="lots"),
        "learner 'good': problem: expected one of sequences, lists, found 'lots'",
    ),
    "no such problem of re-ranking": (
        dataclasses.replace(GOOD, kind="rerank", problem="lots"),
        "problem: expected one of score of the first model, local features, found 'lots'",
    ),
    "a problem where there are none": (
        dataclasses.replace(GOOD, problem="lists"),
        "learner 'good': problem: expected none for the kind 'linear', found 'lists'",
    ),
    "a loop that would never run": (
        dataclasses.replace(GOOD, kind="maxent"),
        "learner 'good': kind: models of kind 'maxent' have an optimiser and take no loop; expected one of linear, ",
    ),
    "an optimiser of perceptag under another name": (
        dataclasses.replace(catalogue()["maxent"], name="good", weights=("averaged",)),
        "learner 'good': kind: models of kind 'maxent' have an optimiser and take no loop",
    ),
    "weights that only linear models have": (
        dataclasses.replace(GOOD, kind="guided", weights=("averaged", "voted")),
        "weights: models of kind 'guided' have no voted weights; expected some of averaged, last",
    ),
    "a loop that fails": (
        dataclasses.replace(GOOD, epoch=failing),
        "learner 'good': its loop failed: ZeroDivisionError: mine",
    ),
    "a loop that wants more": (
        dataclasses.replace(GOOD, epoch=lambda this, more: loop(this)),
        "learner 'good': its loop failed: TypeError: .*missing 1 required positional argument: 'more'",
    ),
    "a loop that returns nothing": (
        dataclasses.replace(GOOD, epoch=lambda this: None),
        "learner 'good': its loop: expected Errors as the result",
    ),
    "a loop that returns a number": (dataclasses.replace(GOOD, epoch=lambda this: 3), "for every sequence, found 3"),
    "a loop that does not tick": (
        dataclasses.replace(GOOD, epoch=without_ticks),
        r"learner 'good': its loop: expected a call of weights.tick\(\)",
    ),
    "state that is none": (
        dataclasses.replace(GOOD, state=lambda weights: 3),
        r"learner 'good': state: expected an object with arrays\(\) and restore\(\), found 3",
    ),
}


@pytest.mark.parametrize(("learner", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(learner, message):
    with pytest.raises(SettingError, match=message):
        fit(learner=learner, allow_code=True)


PROBLEMS = {"nonlocal": "lists", "rerank": "local features"}


@pytest.mark.parametrize("kind", ["nonlocal", "rerank", "guided", "chunker"])
def test_state_that_the_kind_would_not_give_to_the_loop(kind):
    learner = dataclasses.replace(GOOD, kind=kind, problem=PROBLEMS.get(kind, ""), state=Counts)
    with pytest.raises(SettingError, match=f"state: models of kind '{kind}' make no use of it.* kinds linear$"):
        fit(learner=learner)


def test_the_problems_of_a_kind_are_those_of_its_trainer():
    assert KINDS["nonlocal"].problems == tuple(trainer.PROBLEMS)
    declared = {learner.problem for learner in catalogue().values() if learner.kind == "rerank"}
    assert declared == set(KINDS["rerank"].problems)


def test_a_learner_may_have_snapshots_that_vote():
    learner = dataclasses.replace(GOOD, weights=("averaged", "voted"))
    tagger = fit(learner=learner, weights="voted")
    assert 1 < tagger.model_.facts["snapshots"] <= 20


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": ""}, "Learner: name: expected a string, found ''"),
        ({"kind": 3}, "Learner: kind: expected a string, found 3"),
        ({"source": " "}, "Learner: source: expected a string"),
        ({"epoch": 3}, "learner 'good': epoch: expected a function, found 3"),
        ({"settings": [Setting("a", 1, "")]}, "learner 'good': settings: expected a tuple of Setting"),
        ({"settings": ("a",)}, "learner 'good': settings: expected a tuple of Setting"),
        ({"settings": (Setting("a", [1], ""),)}, "setting 'a': expected a default that is a number"),
    ],
)
def test_a_declaration_is_checked_when_it_is_made(changes, message):
    with pytest.raises(SettingError, match=message):
        dataclasses.replace(GOOD, **changes)


# ------------------------------------------------------------------------------------------------ state


class Counts:
    """How many sequences were seen, in a vector."""

    def __init__(self, weights: object, first: float) -> None:
        self.seen = np.array([first])

    def arrays(self) -> dict[str, np.ndarray]:
        return {"seen": self.seen}

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        self.seen = arrays["seen"]


def counting(this: Pass) -> Errors:
    this.state.seen += len(this.sequences)
    return loop(this)


def test_state_survives_a_checkpoint():
    settings = (Setting("counting.first", 1.0, "where counting begins"),)
    learner = Learner("counting", "linear", counting, "Nobody (2030)", settings=settings, state=Counts)
    recipe = load("collins-pos").replace(
        {"learner": learner, "counting.first": 5, "epochs": 4, "labels.column": "label"}
    )
    first, second = Training(recipe, DATA), Training(recipe, DATA)
    for report in first.run():
        if report.epoch == 2:
            checkpoint.write(first, "checkpoint")
    checkpoint.restore(second, "checkpoint")
    assert second.trainer.learner_state.seen.tolist() == [5 + 2 * len(DATA)]
    list(second.run())
    assert (
        second.trainer.learner_state.seen.tolist() == [5 + 4 * len(DATA)] == first.trainer.learner_state.seen.tolist()
    )


def test_what_a_learner_says_about_probabilities_is_in_the_model():
    learner = dataclasses.replace(GOOD, probabilistic=True)
    tagger = fit(learner=learner)
    again = pickle.loads(pickle.dumps(modelfile.to_bytes(tagger.model_)[0]))
    assert modelfile.load_bytes(again).is_probabilistic
    assert not fit(learner=GOOD).model_.is_probabilistic
    assert len(tagger.predict_marginals([Sentence({"form": ["the"]})])[0]) == 1
