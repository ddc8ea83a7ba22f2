"""Models whose files take long to come: the log and /readyz name them, and the server starts once they are there."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from asked import model_paths
from perceptag.system.platform.forks import can_fork
from waiting import PATIENCE

# Runs at the start of each process of the server: files are there once a file called "go" is.
LATE_FILES = """
import time
from pathlib import Path
from perceptag.models import model_file
from perceptag.server import load_watch
load_watch.SLOW = 0.05

def late(path, most, read=model_file.read_whole):
    while not (Path(__file__).parent / "go").exists():
        time.sleep(0.01)
    return read(path, most)

model_file.read_whole = late
"""
TAKEN = r"the models are being loaded; 'late' has taken \d+ s so far: the disk of its file may not answer"


def asked_at(path: Path) -> tuple[int, str]:
    """The status and the problem that /readyz answers with, at a socket in the file system."""
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))
        client.sendall(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        found = b"".join(iter(lambda: client.recv(65536), b""))
    head, _, body = found.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)["detail"]


@pytest.mark.parametrize("workers", [0, 1])
def test_a_file_that_does_not_come_is_named(tmp_path: Path, workers: int) -> None:
    if not can_fork():
        pytest.skip("this system has no sockets in the file system, and no workers")
    (tmp_path / "sitecustomize.py").write_text(LATE_FILES)
    unix = tmp_path / "socket"
    words = ["serve", "--model", f"late={model_paths()['pos']}", "--unix", str(unix), "--workers", str(workers)]
    process = subprocess.Popen(
        [sys.executable, "-m", "perceptag", *words],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    try:
        assert process.stderr is not None
        said = next(line for line in process.stderr if "'late' has taken" in line)
        assert ".model" not in said
        assert (json.loads(said)["event"], json.loads(said)["model"]) == ("loading", "late")
        if workers:
            status, detail = asked_at(unix)
            assert status == 503 and re.fullmatch(TAKEN, detail), detail
        (tmp_path / "go").touch()
        assert any(line == f"serving late: unix:{unix}\n" for line in process.stderr)
        process.terminate()
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.communicate()
