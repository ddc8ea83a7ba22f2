"""How many modules, calls between modules and changes of rooms six common uses take: ``python -m benchmarks.walk``.

Every process is traced with `sys.setprofile`, children included. Imports are not counted, only calls.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).parents[1] / "src" / "perceptag" / "data"
COLUMNS = ("--columns", "form,pos,chunk,ner")
ROOT = "the root"  # tagger.py, tokenizer.py and others that stand beside the rooms

# Each process writes a call between two modules to a file of its own as soon as it sees it for the first time. SIGUSR2
# makes it start again.
TRACER = """
import os, signal, sys, threading

seen = set()
file = open(os.path.join(os.environ["WALK"], f"{os.getpid()}.calls"), "w", buffering=1)

def module(frame):
    while frame is not None:
        name = frame.f_globals.get("__name__", "")
        if name.partition(".")[0] == "perceptag":
            return None if frame.f_code.co_name == "<module>" else name
        frame = frame.f_back
    return ""

def trace(frame, event, argument):
    if event != "call" or frame.f_code.co_name == "<module>":
        return
    name = frame.f_globals.get("__name__", "")
    if name.partition(".")[0] != "perceptag":
        return
    call = (module(frame.f_back), name)
    if call[0] is not None and call not in seen:
        seen.add(call)
        file.write(" ".join(call).strip() + "\\n")

def start_again(*_):
    seen.clear()
    file.seek(0)
    file.truncate()

signal.signal(signal.SIGUSR2, start_again)
threading.setprofile(trace)
sys.setprofile(trace)
"""


class Walk(NamedTuple):
    """What one use takes."""

    modules: int
    edges: int
    rooms: int


def room_of(module: str) -> str:
    """Return the folder of a module below the package."""
    parts = module.split(".")
    return parts[1] if len(parts) > 2 else ROOT


def counted(folder: Path) -> Walk:
    """Count what the traced processes wrote."""
    calls = {tuple(line.split()) for path in folder.glob("*.calls") for line in path.read_text().splitlines()}
    edges = {call for call in calls if len(call) == 2 and call[0] != call[1]}
    modules = {name for call in calls for name in call}
    rooms = {(room_of(caller), room_of(called)) for caller, called in edges}
    return Walk(len(modules), len(edges), sum(caller != called for caller, called in rooms))


class Traced:
    """Runs commands of perceptag with the tracer, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        tracer = folder / "tracer"
        tracer.mkdir()
        (tracer / "sitecustomize.py").write_text(TRACER)
        self.environment = os.environ | {"PYTHONPATH": str(tracer), "WALK": str(folder)}

    def run(self, *words: str, stdin: str = "") -> None:
        """Run one command to its end."""
        command = [sys.executable, "-m", "perceptag", *words]
        done = subprocess.run(command, input=stdin, env=self.environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"{' '.join(command)}: {done.stderr}")

    @contextmanager
    def serving(self, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
        """Start a server; yield its process and the first address that it prints."""
        command = [sys.executable, "-m", "perceptag", *words, "--port", "0"]
        with subprocess.Popen(command, env=self.environment, stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr is not None
            try:
                yield process, next(found[0] for line in process.stderr if (found := re.search(r"http://\S+", line)))
            finally:
                process.terminate()
                process.stderr.read()

    def forget(self) -> None:
        """Leave out what was called so far."""
        for path in self.folder.glob("*.calls"):
            os.kill(int(path.stem), signal.SIGUSR2)
        time.sleep(0.5)


def train(traced: Traced, recipe: str, label: str, *more: str) -> None:
    """Train on the shipped corpus with dev data."""
    files = ("--train", str(DATA / "train.txt"), "--dev", str(DATA / "dev.txt"), "--model", str(traced.folder / "m"))
    traced.run("train", *files, *COLUMNS, "--label", label, "--recipe", recipe, "--epochs", "3", *more)


def tag(traced: Traced) -> None:
    """Tag running text."""
    traced.run("tag", "--model", "en", stdin="Angela Merkel didn't visit Paris.\n")


def request(traced: Traced) -> None:
    """Tag by one request to a server."""
    with traced.serving("serve", "--model", "en") as (_, address):
        _ask(f"{address.rstrip('/')}/v1/tag", {"text": "Angela Merkel didn't visit Paris."})
        traced.forget()
        _ask(f"{address.rstrip('/')}/v1/tag", {"text": "Barack Obama visited Rome."})


def label(traced: Traced) -> None:
    """Label one sentence of a project, and wait for the model that has learned it."""
    words, project = traced.folder / "words.txt", traced.folder / "p.ptag"
    words.write_text("Ann\nsaw\nPeter\nin\nRome\n\nBen\ncalled\nIBM\n\n")
    options = ("--import", str(words), "--labels", "PER,LOC", "--columns", "form")
    with traced.serving("annotate", str(project), *options) as (_, address):
        [person] = json.loads(Path(f"{project}.tokens").read_text("utf-8")).values()
        token = person["token"]
        project_address = f"{address.rstrip('/')}/v1/project"
        traced.forget()
        labels = {"labels": ["B-PER", "O", "B-PER", "O", "B-LOC"], "base_revision": 0, "key": "a-key-of-this-walk"}
        _ask(f"{project_address}/sentences/1/labels", labels, token, "PUT")
        while not _ask(project_address, None, token, "GET")["version"]:
            time.sleep(0.2)


def _ask(address: str, body: object, token: str = "", method: str = "POST") -> dict[str, object]:
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    with urllib.request.urlopen(urllib.request.Request(address, data, headers, method=method), timeout=60) as reply:
        found: dict[str, object] = json.loads(reply.read())
        return found


USES: dict[str, Callable[[Traced], None]] = {
    "train -r pos": lambda traced: train(traced, "pos", "pos"),
    "train -r ner": lambda traced: train(traced, "ner", "ner"),
    "tag --model en": tag,
    "/v1/tag": request,
    "one label to a new model": label,
    "train --on threads": lambda traced: train(traced, "collins-pos", "pos", "--on", "threads", "--set", "shards=2"),
}


def walk(use: str) -> Walk:
    """Trace one use."""
    with tempfile.TemporaryDirectory() as folder:
        traced = Traced(Path(folder))
        USES[use](traced)
        return counted(Path(folder))


def main() -> None:
    """Print a table of all uses."""
    print("| use | modules | calls between modules | calls between rooms |\n|---|---:|---:|---:|")
    for use in USES:
        print(f"| `{use}` | {' | '.join(map(str, walk(use)))} |", flush=True)


if __name__ == "__main__":
    main()
