"""The promises of checkpoints of every learner: training goes on bit for bit, and manipulated ones are refused."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from learner_settings import EVERY, SOME
from perceptag import Tagger
from perceptag.errors import ModelError, PerceptagError
from perceptag.models.model import Arrays
from perceptag.models.model_file import seal, to_bytes, unseal
from perceptag.training import checkpoint
from perceptag.training.train import Training
from trained import chunked

# One or two for each kind of state.
STATES = (
    *("collins-np", "voted", "constrained", "arow", "guided, IOBES", "crf", "maxent", "maxent, gis"),
    *("ascent", "rerank-1", "rerank-2, constrained", "carreras-ner"),
)
states = pytest.mark.parametrize("name", STATES)


def start(name: str, train: int = 5, dev: int = 3, **settings: object) -> Training:
    recipe = Tagger(**EVERY[name]).resolved_recipe().replace({"labels.column": "label", "cutoff": 0, **settings})
    return Training(recipe, chunked()[:train], chunked()[-dev:])


@pytest.mark.parametrize(
    "name", [name if name in SOME else pytest.param(name, marks=pytest.mark.every) for name in EVERY]
)
def test_interrupted_training_ends_in_the_same_file(name: str, tmp_path: Path):
    """After every pass: go on from the checkpoint and come to the same reports and the same model, bit for bit."""
    path, whole, stored = tmp_path / "checkpoint", start(name, 25, 10), []
    for _ in whole.run():
        checkpoint.write(whole, str(path))
        stored.append(path.read_bytes())
    expected = to_bytes(whole.model())[1]
    for state in stored:
        path.write_bytes(state)
        resumed = start(name, 25, 10)
        checkpoint.restore(resumed, str(path))
        list(resumed.run())
        assert resumed.reports == whole.reports
        assert to_bytes(resumed.model())[1] == expected


def short(name: str) -> Training:
    return start(name, epochs=2)


def written(name: str, path: Path) -> Arrays:
    """Return the arrays of a checkpoint after the first pass."""
    training = short(name)
    next(training.run())
    checkpoint.write(training, str(path))
    return dict(unseal(path.read_bytes(), "checkpoint"))


def refused(name: str, path: Path, arrays: Arrays) -> str:
    path.write_bytes(seal(arrays, "checkpoint")[0])
    with pytest.raises(ModelError) as caught:
        checkpoint.restore(short(name), str(path))
    assert str(caught.value).startswith(f"{path}: ")
    return str(caught.value)


def not_finite(array: np.ndarray[Any, Any]) -> Iterator[np.ndarray[Any, Any]]:
    if array.dtype.kind == "f" and array.size:
        yield np.full_like(array, math.nan)
        yield np.full_like(array, math.inf)
        yield np.full_like(array, -math.inf)


def misshapen(array: np.ndarray[Any, Any]) -> Iterator[np.ndarray[Any, Any]]:
    """Return arrays that are wrong in any place."""
    yield np.zeros(array.shape, np.float16)
    yield array.reshape(*array.shape, 1)


def merely_other(array: np.ndarray[Any, Any]) -> Iterator[np.ndarray[Any, Any]]:
    """Return arrays that are right in some places and wrong in others."""
    yield array[:0]
    yield array[:-1]
    yield np.concatenate([array, array[-1:]])
    yield np.zeros_like(array)
    yield np.full_like(array, -1) if array.dtype.kind in "if" else np.ones_like(array)
    if array.dtype.kind != "b":
        yield np.full_like(array, 1e30 if array.dtype.kind == "f" else np.iinfo(array.dtype).max)


@pytest.mark.every
@states
def test_numbers_that_are_not_finite_and_arrays_of_another_kind_are_refused(name: str, tmp_path: Path):
    path = tmp_path / "c"
    arrays = written(name, path)
    tried = 0
    for key in arrays.keys() - {"json"}:
        for wrong in (*not_finite(arrays[key]), *misshapen(arrays[key])):
            refused(name, path, arrays | {key: wrong})
            tried += 1
    assert tried > 20


@pytest.mark.every
@states
def test_arrays_that_are_missing_are_refused(name: str, tmp_path: Path):
    path = tmp_path / "c"
    arrays = written(name, path)
    refused(name, path, {"json": arrays["json"]})
    for key in [
        key for key in arrays if key.startswith(("state.w", "state.x", "averaged.0", "averaged.words", "last.0"))
    ]:
        refused(name, path, {k: v for k, v in arrays.items() if k != key})


@pytest.mark.every
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@states
def test_other_numbers_are_refused_or_trained_on(name: str, tmp_path: Path):
    """What is accepted leads to a model, or to an error that says what is wrong; never to another exception."""
    path = tmp_path / "c"
    arrays = written(name, path)
    outcomes = []
    for key in arrays.keys() - {"json"}:
        for other in merely_other(arrays[key]):
            path.write_bytes(seal(arrays | {key: other}, "checkpoint")[0])
            training = short(name)
            try:
                checkpoint.restore(training, str(path))
                list(training.run())
                outcomes.append(len(to_bytes(training.model())[1]))
            except PerceptagError as error:
                outcomes.append(len(str(error)))
    assert min(outcomes) > 0
    assert len(outcomes) > 20


REPORT = {"epoch": 1, "mistakes": 0, "sequences": 5, "dev_last": 1.0, "dev_kept": 1.0, "is_best": True, "seconds": 0.5}


@pytest.mark.parametrize(
    "change",
    [
        None,
        {"run": 3},
        {"run": None},
        {"run": [{}]},
        {"reports": 3},
        {"reports": []},
        {"reports": [3]},
        {"reports": [{}]},
        {"reports": {"epoch": 1}},
        {"reports": [REPORT | {"more": 1}]},
        {"reports": [REPORT | {"epoch": 2}]},
        {"reports": [REPORT | {"epoch": True}]},
        {"reports": [REPORT | {"mistakes": "none"}]},
        {"reports": [REPORT | {"dev_kept": None}]},
        {"reports": [REPORT | {"dev_last": "1.0"}]},
        {"reports": [REPORT | {"dev_kept": math.nan}]},
        {"reports": [REPORT | {"is_best": 1}]},
        {"reports": [REPORT | {"seconds": []}]},
        {"reports": [REPORT | {"log_likelihood": "0"}]},
    ],
)
def test_json_that_is_not_that_of_a_checkpoint_is_refused(change: dict[str, object] | None, tmp_path: Path):
    path = tmp_path / "c"
    arrays = written("collins-np", path)
    about = json.loads(arrays["json"].tobytes())
    about = {} if change is None else about | change
    refused("collins-np", path, arrays | {"json": np.frombuffer(json.dumps(about).encode(), np.uint8)})


def test_a_report_as_it_should_be_is_taken(tmp_path: Path):
    """This shows that those above are refused for the right reason."""
    path = tmp_path / "c"
    arrays = written("collins-np", path)
    about = json.loads(arrays["json"].tobytes()) | {"reports": [REPORT]}
    arrays["json"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    path.write_bytes(seal(arrays, "checkpoint")[0])
    training = short("collins-np")
    checkpoint.restore(training, str(path))
    assert training.reports[0].seconds == 0.5
