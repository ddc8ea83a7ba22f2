"""A server with a project, and somebody who knows the right labels."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from shipped_corpus import read
from waiting import PATIENCE, wait_until

LABELS = ("PER", "ORG", "LOC", "MISC")


def gold() -> list[tuple[list[str], list[str]]]:
    """The words and labels of the shipped corpus."""
    sentences = [sentence for document in read("train") for sentence in document]
    return [([token.form for token in one], [token.ner for token in one]) for one in sentences]


def write_words(path: Path, sentences: Sequence[Sequence[str]]) -> Path:
    """Write a file of words without labels."""
    path.write_text("".join("\n".join(words) + "\n\n" for words in sentences), encoding="utf-8")
    return path


class Workbench:
    """`perceptag annotate` as a process that can be killed and started again at the same port."""

    def __init__(self, project: Path, *options: str) -> None:
        self.project = project
        self.port = 0
        self.links: dict[str, str] = {}  # by name
        self.start(*options)

    def start(self, *options: str) -> None:
        """Start it, and wait until it listens."""
        command = [sys.executable, "-m", "perceptag", "annotate", str(self.project), "--port", str(self.port), *options]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        assert self.process.stderr is not None
        seen = []
        for line in self.process.stderr:
            seen.append(line)
            if found := re.search(r"^links with their tokens: (.+)", line):
                break
        else:
            self._wait()
            raise AssertionError("".join(seen))
        links = re.findall(r"^(\S+) \(\w+\): (http://\S+)", Path(found[1]).read_text("utf-8"), re.MULTILINE)
        self.links = dict(links)
        self.admin = self.links.get("boss", links[-1][1])
        self.port = int(re.findall(r":(\d+)/", self.admin)[0])

    def kill(self) -> None:
        """End it without warning."""
        self.process.send_signal(signal.SIGKILL)
        self._wait()

    def stop(self) -> None:
        """End it as an operator would."""
        self.process.terminate()
        self._wait()

    def _wait(self) -> None:
        assert self.process.stderr is not None
        self.process.stderr.close()
        self.process.wait(PATIENCE)

    @property
    def address(self) -> str:
        """The address without a token."""
        return f"http://127.0.0.1:{self.port}/"

    def fragment(self, name: str = "boss") -> str:
        """The part of a person's link that has the token."""
        return "#" + self.links[name].partition("#")[2]

    def call(self, path: str, body: object = None, method: str = "", who: str = "boss") -> Any:
        """Ask the server without the page."""
        token = self.links[who].partition("#token=")[2]
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.address}v1/project{path}", data, headers, method=method or None)
        with urllib.request.urlopen(request, timeout=PATIENCE) as reply:
            return json.loads(reply.read())

    def wait_until_learned(self, sentences: int) -> None:
        """Wait for a model of so many sentences."""

        def is_learned() -> bool:
            version = self.call("")["version"]
            return bool(version and version["sentences"] >= sentences)

        wait_until(is_learned, f"a model of {sentences} sentences")

    def ranked(self, labellings: int = 3) -> int:
        """The first sentence from 41 on that has so many labellings. One that was labelled before has only one."""
        for number in range(41, 100):
            proposal = self.call(f"/sentences/{number}")["proposal"]
            if proposal and len(proposal["nbest"]) >= labellings:
                return number
        raise AssertionError(f"no sentence has {labellings} labellings")

    def labels_of(self, number: int) -> list[str] | None:
        """The labels that the server has."""
        found: list[str] | None = self.call(f"/sentences/{number}")["labels"]
        return found
