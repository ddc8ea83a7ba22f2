"""A workbench in a process of its own, and a client that labels by its HTTP API."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

from perceptag.text.sentence import Sentence

LINKS = re.compile(r"links with their tokens: (.+)")
LINK = re.compile(r"http://127\.0\.0\.1:(\d+)/#token=(\S+)")
PATIENCE = 600.0  # seconds for a model to come
AT_ONCE = 1_000  # sentences that are tagged in one request


class Workbench:
    """Somebody who has a link."""

    def __init__(self, process: subprocess.Popen[str], port: int, token: str) -> None:
        self.process = process
        self.token = token
        self._connection = HTTPConnection("127.0.0.1", port, timeout=120)
        self._tab = str(uuid.uuid4())

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """Return the reply to a request, which must be good."""
        headers = {"Authorization": f"Bearer {self.token}", "Perceptag-Tab": self._tab}
        data = None if body is None else json.dumps(body).encode()
        if data is not None:
            headers["Content-Type"] = "application/json"
        try:
            reply = self._sent(method, path, data, headers)
        except ConnectionError:  # the server closes a connection on which nothing is asked for a while
            self._connection.close()
            reply = self._sent(method, path, data, headers)  # a label has a key: it is not given twice
        text = reply.read()
        if reply.status != 200:
            raise RuntimeError(f"{method} {path}: {reply.status} {text[:500].decode()}")
        return json.loads(text)

    def _sent(self, method: str, path: str, data: bytes | None, headers: dict[str, str]) -> HTTPResponse:
        self._connection.request(method, path, data, headers)
        return self._connection.getresponse()

    def project(self) -> Any:
        """Return what the server says of the project."""
        return self.ask("GET", "/v1/project")

    def next(self, k: int, strategy: str) -> list[Any]:
        """Return sentences to label."""
        found: list[Any] = self.ask("GET", f"/v1/project/next?k={k}&strategy={strategy}")["sentences"]
        return found

    def label(self, item: Any, labels: Sequence[str], actions: int = 0) -> int:
        """Give a sentence its labels; return the revision."""
        body = {"labels": list(labels), "base_revision": item["revision"], "key": str(uuid.uuid4()), "actions": actions}
        return int(self.ask("PUT", f"/v1/project/sentences/{item['id']}/labels", body)["revision"])

    def wait(self, sentences: int, pool: bool = False) -> Any:
        """Wait until the model in use has learned from so many sentences, and has scored the pool if that matters."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            version = self.project()["version"]
            if version and version["sentences"] >= sentences and (version["scored"] or not pool):
                return version
            time.sleep(0.01)
        raise RuntimeError(f"no model of {sentences} sentences within {PATIENCE} s")

    def wait_for_estimate(self, version: int) -> Any:
        """Wait until the estimate is that of a version."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = self.ask("GET", "/v1/project/progress")["estimate"]
            if found is not None and found["version"] >= version:
                return found
            time.sleep(0.1)
        raise RuntimeError(f"no estimate of version {version} within {PATIENCE} s")

    def tag(self, sentences: Sequence[Sentence]) -> list[list[str]]:
        """Return what the model in use says of sentences."""
        found: list[list[str]] = []
        for begin in range(0, len(sentences), AT_ONCE):
            tokens = [sentence.tokens for sentence in sentences[begin : begin + AT_ONCE]]
            reply = self.ask("POST", "/v1/tag", {"model": "project", "sentences": tokens})
            found += [sentence["labels"] for sentence in reply["sentences"]]
        return found


@contextmanager
def workbench(project: Path, *options: str) -> Iterator[Workbench]:
    """Start a workbench; it is gone at the end."""
    command = [sys.executable, "-m", "perceptag", "annotate", str(project), "--port", "0", *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        said = []
        for line in process.stderr:
            said.append(line)
            if found := LINKS.search(line):
                first = LINK.search(Path(found[1]).read_text("utf-8"))
                assert first
                yield Workbench(process, int(first[1]), first[2])
                return
        raise RuntimeError("".join(said))
    finally:
        process.terminate()
        process.communicate()


def write_pool(sentences: Sequence[Sentence], path: Path) -> None:
    """Write sentences without their labels."""
    with path.open("w", encoding="utf-8") as out:
        out.writelines("\n".join(sentence.tokens) + "\n\n" for sentence in sentences)
