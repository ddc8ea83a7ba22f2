"""Training on a cluster of Ray: the file of training in memory, with any number of workers, even if some die."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from killed_workers import MortalEngine
from perceptag.cluster.sources import open_source
from perceptag.engines.engine_names import engine
from perceptag.text.formats import read, write
from spread_toys import in_memory, spread
from toys import TEMPLATE_SETS, make_recipe, random_corpus

pytestmark = [pytest.mark.ray, pytest.mark.filterwarnings("ignore")]
pytest.importorskip("ray", reason="Ray is not installed: make test-all PARTS=ray")

RECIPE = make_recipe(
    templates=TEMPLATE_SETS["order 2"], epochs=2, shards=4, shuffle=True, cutoff=2, support="gold",
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


CRF = make_recipe(
    templates=TEMPLATE_SETS["observed and plain edges"], epochs=3, shards=4, learner="crf", weights="last",
    **{"labels.column": "xpos"},
)  # fmt: skip


@pytest.mark.parametrize("workers", [1, 2])
def test_any_number_of_workers(cluster, workers: int, path: str, whole: dict[str, Any]) -> None:
    assert spread(RECIPE, open_source([path], size=500), engine("ray", workers)) == whole


def test_a_worker_killed_in_the_middle_of_a_pass(cluster, path: str, whole: dict[str, Any], tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    assert spread(RECIPE, open_source([path], size=500), MortalEngine(engine("ray", 2), flag)) == whole
    assert flag.exists()


def test_gradients_of_workers_one_of_which_is_killed(cluster, path: str, tmp_path: Path) -> None:
    whole, flag = in_memory(CRF, list(read(path))), tmp_path / "flag"
    assert spread(CRF, open_source([path], size=500), engine("ray", 1)) == whole
    assert spread(CRF, open_source([path], size=500), MortalEngine(engine("ray", 2), flag)) == whole
    assert flag.exists()


def test_an_address_of_the_client(cluster, path: str, tmp_path: Path) -> None:
    """``ray://`` from a process of its own, through a server of the client."""
    pytest.importorskip("grpc", reason="the client of Ray is not installed: make test-all PARTS=ray")
    with socket.create_server(("127.0.0.1", 0)) as one:
        port = one.getsockname()[1]
    address = cluster.get_runtime_context().gcs_address
    words = [sys.executable, "-m", "ray.util.client.server", "--address", address, "--port", str(port)]
    # The proxy forks a server for each client; with gRPC's own fork handlers that server sometimes dies at once.
    server = subprocess.Popen([*words, "--mode", "proxy"], env={**os.environ, "GRPC_ENABLE_FORK_SUPPORT": "0"})
    try:
        for _ in range(300):
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.2)
        command = [sys.executable, "-m", "perceptag", "train", "--train", path, "--label", "xpos", "--no-dev"]
        command += ["--recipe", "collins-pos", "--set", "shards=4", "--set", "epochs=2", "--quiet"]
        for name, on in (("a.model", []), ("b.model", ["--on", f"ray://127.0.0.1:{port}"])):
            subprocess.run([*command, *on, "--model", str(tmp_path / name)], check=True)
        assert (tmp_path / "a.model").read_bytes() == (tmp_path / "b.model").read_bytes()
    finally:
        server.terminate()
        server.wait()


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
