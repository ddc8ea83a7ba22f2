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


def failing(this: Pass) -> Errors:
    raise ZeroDivisionError("mine")


REFUSED = {  # what depends on a module; tests/messages has the others
    "no such name": ("my_learner:LEARNR", "there is no 'LEARNR' in the module; did you mean 'LEARNER'"),
    "a function": ("my_learner:learn_epoch", "expected a perceptag.Learner, found <function learn_epoch"),
    "a loop that fails": (dataclasses.replace(GOOD, epoch=failing), "its loop failed: ZeroDivisionError: mine"),
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
