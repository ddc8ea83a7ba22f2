"""A server under load: CPU time of a request, requests and tokens in a second, latencies, memory of a stream.

    python -m benchmarks.server [--seconds 3]

The load comes from `wrk` (on Debian and Ubuntu: apt-get install wrk) over the loopback interface. CPU time is that of
the server's process, so it holds on a machine that is busy too; the other figures do not. The rival is python-crfsuite
behind the same framework, with the same features (`benchmarks.server_rival`).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

from benchmarks import corpora
from benchmarks.measure import Clock, peak_memory
from benchmarks.task import Task, read_plain
from perceptag import Tagger
from perceptag.client import Client
from perceptag.system.table import Table, render

PASSES = 5
SCRIPT = """wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
local file = io.open("BODY", "r")
wrk.body = file:read("*all")
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format("FOUND %d %f %f %d\\n", summary.requests, latency:percentile(50) / 1000,
    latency:percentile(99) / 1000, e.status + e.timeout + e.connect + e.read + e.write))
end
"""
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Load:
    """What the server did under a load."""

    requests: int
    seconds: float
    cpu: float
    p50: float  # milliseconds
    p99: float
    errors: int


@dataclass(frozen=True)
class Case:
    """A request that is sent again and again."""

    name: str
    path: str
    body: bytes
    tokens: int
    connections: int


def main() -> int:
    """Measure both servers and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.server", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--seconds", type=int, default=3, help="of each load")
    parser.add_argument("--stream", type=float, default=1e8, help="bytes of the stream of JSON lines")
    given = parser.parse_args()
    if shutil.which("wrk") is None:
        print("bench-server: wrk is not installed; on Debian and Ubuntu: apt-get install wrk", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        task = corpora.prepare(os.environ.get("PERCEPTAG_DATA") or None, folder)[0]
        sentences = [sentence["form"] for sentence, _ in read_plain(task.dev, task.columns)]
        table = Table(["server", "request", "connections", "CPU µs", "req/s", "tokens/s", "p50 ms", "p99 ms", "errors"])
        ours, rival = _train(task, folder)
        for title, command in (("perceptag", _ours(ours)), ("python-crfsuite", _rival(folder, task, rival))):
            if command:
                _measure(title, command, sentences, table, given.seconds)
        print(f"{task.title}, {task.note or 'real data'}\n{render(table)}")
        print(stream(_ours(ours), sentences, int(given.stream)))
        print(startup(_ours(ours)))
    return 0


def _train(task: Task, folder: Path) -> tuple[Path, Path | None]:
    ours, rival = folder / "ours.model", folder / "rival.model"
    read = list(read_plain(task.train, task.columns))
    X, y = [s["form"] for s, _ in read], [labels for _, labels in read]
    Tagger("collins-pos", epochs=PASSES, templates=list(task.templates)).fit(X, y).save(ours)
    try:
        from benchmarks.systems.crfsuite import SYSTEM
    except ImportError:
        print("python-crfsuite is not installed, so it is left out: make bench installs it", file=sys.stderr)
        return ours, None
    SYSTEM.train(task, PASSES, rival, Clock())
    return ours, rival


def _ours(model: Path) -> list[str]:
    return [sys.executable, "-m", "perceptag", "serve", "--model", f"pos={model}", "--port"]


def _rival(folder: Path, task: Task, model: Path | None) -> list[str]:
    if model is None:
        return []
    return [sys.executable, "-m", "benchmarks.server_rival", str(folder / f"{task.name}.json"), str(model)]


@contextmanager
def serving(command: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Start a server; yield its process and port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([*command, str(port)], stderr=subprocess.PIPE)
    try:
        assert process.stderr is not None
        process.stderr.readline()
        while not _answers(port):
            if process.poll() is not None:
                raise RuntimeError(process.stderr.read().decode())
            time.sleep(0.01)
        yield process.pid, port
    finally:
        process.terminate()
        process.communicate()


def _answers(port: int) -> bool:
    try:
        return bool(urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5).status == 200)
    except OSError:
        return False


def cases(sentences: Sequence[Sequence[str]], ours: bool) -> Iterator[Case]:
    """Yield the requests."""
    yield Case("GET /healthz", "/healthz", b"", 0, 16)
    one = next(s for s in sentences if len(s) == 20)
    for number, connections in ((1, 1), (1, 16), (100, 4), (1000, 4)):
        sent = [one] if number == 1 else list(sentences[:number])
        body = json.dumps({"sentences": sent}, ensure_ascii=False).encode()
        yield Case(f"tag {number} sentences", "/v1/tag", body, sum(map(len, sent)), connections)
    if ours:
        yield Case("explain 20 tokens", "/v1/explain", json.dumps({"tokens": one}).encode(), 20, 1)


def _measure(title: str, command: list[str], sentences: list[list[str]], table: Table, seconds: int) -> None:
    with serving(command) as (process, port):
        for case in cases(sentences, title == "perceptag"):
            load(process, port, case, 1)  # everything is warm afterwards
            found = load(process, port, case, seconds)
            rate = found.requests / found.seconds
            each = 1e6 * found.cpu / max(found.requests, 1)
            row = (f"{each:.0f}", f"{rate:.0f}", f"{rate * case.tokens:,.0f}", f"{found.p50:.2f}", f"{found.p99:.2f}")
            table.add(title, case.name, str(case.connections), *row, str(found.errors))


def load(process: int, port: int, case: Case, seconds: int) -> Load:
    """Let wrk ask for a while."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "body").write_bytes(case.body)
        script = Path(folder) / "post.lua"
        text = SCRIPT.replace("BODY", str(Path(folder) / "body"))
        script.write_text(text if case.body else text.partition("done =")[1] + text.partition("done =")[2])
        before, began = cpu_seconds(process), time.monotonic()
        command = ["wrk", "-t1", f"-c{case.connections}", f"-d{seconds}s", "-s", str(script)]
        done = subprocess.run(
            [*command, f"http://127.0.0.1:{port}{case.path}"], capture_output=True, text=True, check=True
        )
        took, used = time.monotonic() - began, cpu_seconds(process) - before
    found = re.search(r"FOUND (\d+) ([\d.]+) ([\d.]+) (\d+)", done.stdout)
    assert found, done.stdout
    return Load(int(found[1]), took, used, float(found[2]), float(found[3]), int(found[4]))


def cpu_seconds(process: int) -> float:
    """Return the CPU time of a process so far."""
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def stream(command: list[str], sentences: Sequence[Sequence[str]], size: int) -> str:
    """Send a stream of JSON lines; return what it took."""
    block = sum(len(json.dumps(s)) + 1 for s in sentences)
    times = max(1, size // block)
    with serving(command) as (process, port), Client(f"http://127.0.0.1:{port}") as client:
        before, began = cpu_seconds(process), time.monotonic()
        lines = (list(sentence) for _ in range(times) for sentence in sentences)
        tokens = sum(len(found["labels"]) for found in client.stream(lines))
        took, used = time.monotonic() - began, cpu_seconds(process) - before
        memory = peak_memory(process)
    return (
        f"stream of {times * block:,} bytes: {tokens / used:,.0f} tokens in a second of CPU, {tokens / took:,.0f} in a "
        f"second, peak memory {memory / 1e6:.0f} MB"
    )


def startup(command: list[str]) -> str:
    """Return how long a server takes until it is ready."""
    took = []
    for _ in range(5):
        began = time.monotonic()
        with serving(command):
            took.append(time.monotonic() - began)
    return f"start to ready: {min(took):.2f} s"


if __name__ == "__main__":
    sys.exit(main())
