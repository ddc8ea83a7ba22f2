"""A Label Studio of our own: started on this machine with an empty folder, and used over its HTTP interface.

Label Studio needs other versions of many libraries than perceptag, so it is installed in an environment of its own.
`PERCEPTAG_LABEL_STUDIO` names its command, or PATH has it.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

COMMAND = os.environ.get("PERCEPTAG_LABEL_STUDIO") or shutil.which("label-studio")
CONFIG = (
    '<View><Labels name="label" toName="text"><Label value="PER"/><Label value="LOC"/><Label value="ORG"/></Labels>'
    '<Text name="text" value="$text"/></View>'
)
STARTING = 900  # seconds: it makes its database first
_EMAIL, _PASSWORD = "anna@example.org", "perceptag-Anna-1"
_SETTINGS = {"COLLECT_ANALYTICS": "False", "LATEST_VERSION_CHECK": "False", "USE_DEFAULT_BANNED_SUBNETS": "False"}


class LabelStudio:
    """A server and somebody who is logged in."""

    def __init__(self, folder: Path) -> None:
        assert COMMAND is not None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.base = f"http://127.0.0.1:{port}"
        self._cookies = CookieJar()
        self._open = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._cookies)).open
        who = ["--username", _EMAIL, "--password", _PASSWORD]
        where = ["--internal-host", "127.0.0.1", "--port", str(port), "--data-dir", str(folder)]
        with (folder / "log").open("wb") as log:
            self.process = subprocess.Popen(
                [COMMAND, "start", "--no-browser", *where, *who],
                stdout=log, stderr=log, cwd=folder, env={**os.environ, **_SETTINGS},
            )  # fmt: skip
        self.log_in()

    def log_in(self) -> None:
        """Wait until it answers, and log in as its pages do."""
        page = f"{self.base}/user/login/"
        end = time.monotonic() + STARTING
        while True:
            assert self.process.poll() is None, "Label Studio has ended"
            try:
                self._open(page, timeout=60).read()
                break
            except OSError:
                assert time.monotonic() < end, "Label Studio does not answer"
                time.sleep(1)
        form = {"email": _EMAIL, "password": _PASSWORD, "csrfmiddlewaretoken": self._token()}
        self._open(urllib.request.Request(page, urllib.parse.urlencode(form).encode(), {"Referer": page}), timeout=60)

    def __call__(self, method: str, path: str, body: object = None) -> Any:
        """Send a request; the answer as JSON, or as bytes if it is something else."""
        headers = {"Content-Type": "application/json", "X-CSRFToken": self._token(), "Referer": f"{self.base}/"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.base}/api/{path}", data, headers, method=method)
        try:
            with self._open(request, timeout=120) as reply:
                raw, kind = reply.read(), reply.headers.get("Content-Type", "")
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.code} {error.read()[:500]!r}") from error
        return json.loads(raw) if "json" in kind and "export?" not in path else raw

    def project(self, texts: list[str]) -> tuple[int, list[int]]:
        """Make a project with these texts; its number, and those of its tasks."""
        number = self("POST", "projects/", {"title": "names", "label_config": CONFIG})["id"]
        if not texts:
            return number, []
        self("POST", f"projects/{number}/import", [{"text": text} for text in texts])
        tasks = self("GET", f"tasks/?project={number}&page_size=100")["tasks"]
        by_text = {task["data"]["text"]: task["id"] for task in tasks}
        return number, [by_text[text] for text in texts]

    def annotate(self, task: int, text: str, spans: list[tuple[str, str]], **more: Any) -> dict[str, Any]:
        """Label words of a task, as the page does."""
        result = [
            {
                "from_name": "label", "to_name": "text", "type": "labels", "origin": "manual",
                "value": {"start": text.index(w), "end": text.index(w) + len(w), "text": w, "labels": [label]},
            }
            for w, label in spans
        ]  # fmt: skip
        return self("POST", f"tasks/{task}/annotations/", {"result": result, **more})

    def export(self, project: int, kind: str) -> bytes:
        """An export of a project, as the tool writes it."""
        return self("GET", f"projects/{project}/export?exportType={kind}&download_all_tasks=true")

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(60)

    def _token(self) -> str:
        return next((cookie.value or "" for cookie in self._cookies if cookie.name == "csrftoken"), "")


TEXTS = [  # a text, what is labelled in it by the first annotation, and by a second one
    ("Anna Berg left Oslo.\nShe works for Statoil.", [("Anna Berg", "PER"), ("Oslo", "LOC"), ("Statoil", "ORG")], None),
    ("😀 Ben 👩‍👧 moved to Zürich.", [("Ben", "PER"), ("Zürich", "LOC")], None),
    ("Nothing to see here.", [], None),
    ("Washington called.", [("Washington", "PER")], [("Washington", "LOC")]),
    ("Carla was skipped.", None, None),
    ("Nobody has looked at Bergen.", None, None),
]


def fill(tool: LabelStudio) -> int:
    """Make a project of TEXTS; the fifth is skipped, the last is left alone. Return its number."""
    number, tasks = tool.project([text for text, _, _ in TEXTS])
    for task, (text, *readings) in zip(tasks, TEXTS, strict=True):
        for spans in readings:
            if spans is not None:
                tool.annotate(task, text, spans)
    tool.annotate(tasks[4], TEXTS[4][0], [], was_cancelled=True)
    return number


def write_exports(folder: Path, work: Path) -> None:
    """Write the exports of a project in all formats that perceptag reads."""
    tool = LabelStudio(work)
    try:
        number = fill(tool)
        for kind, name in (("JSON", ".json"), ("JSON_MIN", "-min.json"), ("CONLL2003", ".conll")):
            (folder / f"label-studio{name}").write_bytes(tool.export(number, kind))
    finally:
        tool.stop()


if __name__ == "__main__":
    import sys

    write_exports(Path(sys.argv[1]), Path(sys.argv[2]))
