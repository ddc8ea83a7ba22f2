"""A server with a project, and somebody who knows the right labels."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from shipped_corpus import read
from waiting import PATIENCE, wait_until

LABELS = ("PER", "ORG", "LOC", "MISC")
# The same command with a learner that hears of no label: no model changes what a test looks at.
UNTAUGHT = """
from perceptag.cli import main
from perceptag.workbench.learning.learner_process import LearnerProcess

LearnerProcess.submit = lambda *_, **__: None
raise SystemExit(main())
"""


def gold() -> list[tuple[list[str], list[str]]]:
    """The words and labels of the shipped corpus."""
    sentences = [sentence for document in read("train") for sentence in document]
    return [([token.form for token in one], [token.ner for token in one]) for one in sentences]


def write_words(path: Path, sentences: Sequence[Sequence[str]]) -> Path:
    """Write a file of words without labels."""
    path.write_text("".join("\n".join(words) + "\n\n" for words in sentences), encoding="utf-8")
    return path


def write_labelled(path: Path, sentences: Iterable[tuple[Sequence[str], Sequence[str]]]) -> Path:
    """Write a file of words and labels."""
    texts = ["".join(f"{word} {label}\n" for word, label in zip(*one, strict=True)) for one in sentences]
    path.write_text("\n".join(texts), encoding="utf-8")
    return path


class Workbench:
    """`perceptag annotate` as a process that can be killed and started again at the same port."""

    def __init__(self, project: Path, *options: str, learns: bool = True) -> None:
        self.project, self.learns = project, learns
        self.port = 0
        self.links: dict[str, str] = {}  # by name
        self.start(*options)

    def start(self, *options: str) -> None:
        """Start it, and wait until it listens."""
        program = ["-m", "perceptag"] if self.learns else ["-c", UNTAUGHT]
        command = [sys.executable, *program, "annotate", str(self.project), "--port", str(self.port), *options]
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

    def wait_until_calibrated(self) -> None:
        """Wait for a model that says how sure it is. Until labels change it is the last one."""

        def is_calibrated() -> bool:
            version = self.call("")["version"]
            return bool(version and version["calibrated"] and version["scored"])

        wait_until(is_calibrated, "a model that says how sure it is")

    def label(self, number: int, labels: Sequence[str], who: str = "boss", *, reading: bool = False) -> None:
        """Give a sentence labels without the page, on top of what it has; O for the words that are left."""
        item = self.call(f"/sentences/{number}")
        whole = [*labels, *["O"] * (len(item["tokens"]) - len(labels))]
        body = {"labels": whole, "base_revision": item["revision"], "key": f"{who}-labels-{number}-{item['revision']}"}
        self.call(f"/sentences/{number}/labels", body | {"reading": reading}, "PUT", who)

    def with_labellings(self, count: int) -> int:
        """The number of a sentence with so many labellings, three at most, that differ only in words in doubt."""
        for item in self.call("/sentences?status=new&limit=100")["sentences"]:
            proposal = self.call(f"/sentences/{item['id']}")["proposal"]
            sure = [confidence >= 0.9 for confidence in proposal["confidence"]]
            kept = [[label for label, is_sure in zip(one["labels"], sure, strict=True) if is_sure]
                    for one in proposal["nbest"]]  # fmt: skip
            if min(3, kept.count(kept[0])) == count:
                return int(item["id"])
        raise AssertionError(f"no sentence with {count} labellings")

    def import_words(self, sentences: Sequence[Sequence[str]]) -> None:
        """Import further sentences, without labels."""
        text = "".join("\n".join(words) + "\n\n" for words in sentences)
        self.call("/import", {"name": "new.txt", "format": "columns", "columns": ["form"], "text": text})

    def labels_of(self, number: int) -> list[str] | None:
        """The labels that the server has."""
        found: list[str] | None = self.call(f"/sentences/{number}")["labels"]
        return found
