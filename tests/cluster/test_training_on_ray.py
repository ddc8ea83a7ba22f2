"""Training on a cluster of Ray: the file of training in memory, with any number of workers, even if some die."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from perceptag.cluster.sources import open_source
from perceptag.engines.engine_names import engine
from perceptag.text.formats import read, write
from spread_toys import in_memory, spread
from toys import TEMPLATE_SETS, make_recipe, random_corpus

pytestmark = [pytest.mark.ray, pytest.mark.filterwarnings("ignore")]
pytest.importorskip("ray", reason="Ray is not installed: make setup-ray")

RECIPE = make_recipe(
    templates=TEMPLATE_SETS["order 2"], epochs=2, shards=4, mixes=3, shuffle=True, cutoff=2, support="gold",
    **{"labels.column": "xpos"},
)  # fmt: skip


@pytest.fixture(scope="module")
def path(tmp_path_factory) -> str:
    made = tmp_path_factory.mktemp("data") / "some.conllu"
    sentences = random_corpus(5, sentences=120)
    for s in sentences:
        s.columns = {"form": s.columns["form"], "xpos": s.columns["label"]}
    write(sentences, str(made))
    return str(made)


@pytest.fixture(scope="module")
def whole(path: str) -> dict[str, Any]:
    return in_memory(RECIPE, list(read(path)))


class Mortal:
    """A worker that is killed once, in the middle of a pass."""

    def __init__(self, make: Callable[[], Any], flag: Path) -> None:
        self._worker, self._flag = make(), flag

    def __getattr__(self, name: str) -> Any:
        return getattr(self._worker, name)

    def learn(self, shard: Any, turn: Any, *rest: Any) -> Any:
        if (turn.epoch, turn.number) == (1, 1) and not self._flag.exists():
            self._flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return self._worker.learn(shard, turn, *rest)


class MortalEngine:
    """Ray with workers that are killed."""

    name = "ray"

    def __init__(self, flag: Path) -> None:
        self.flag = flag

    def crew(self, make: Callable[[], object]) -> Any:
        return engine("ray", 2).crew(partial(Mortal, make, self.flag))


@pytest.mark.parametrize("workers", [1, 2])
def test_any_number_of_workers(cluster, workers: int, path: str, whole: dict[str, Any]) -> None:
    assert spread(RECIPE, open_source([path], size=500), engine("ray", workers)) == whole


def test_a_worker_killed_in_the_middle_of_a_pass(cluster, path: str, whole: dict[str, Any], tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    assert spread(RECIPE, open_source([path], size=500), MortalEngine(flag)) == whole
    assert flag.exists()


def test_a_driver_killed_and_resumed(cluster, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is killed after a checkpoint; the same command with --resume ends in the model of training in memory."""
    address = cluster.get_runtime_context().gcs_address
    command = [sys.executable, "-m", "perceptag", "train", "--train", path, "--label", "xpos", "--quiet", "--no-dev"]
    command += [
        "--recipe",
        "collins-pos",
        "--set",
        "shards=4",
        "--set",
        "epochs=60",
        "--set",
        "mixes=4",
        "--checkpoint-every",
        "1",
    ]
    first = tmp_path / "spread.model"
    on = ["--model", str(first), "--on", f"ray:{address}"]
    checkpoint = Path(f"{first}.checkpoint")
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # a driver that is killed leaves scratch files behind
    process = subprocess.Popen([*command, *on])
    while not checkpoint.exists() and process.poll() is None:
        time.sleep(0.05)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    assert checkpoint.exists()
    assert not first.exists()
    ended = subprocess.run([*command, *on, "--resume"], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    subprocess.run([*command, "--model", str(tmp_path / "memory.model")], check=True)
    assert first.read_bytes() == (tmp_path / "memory.model").read_bytes()
