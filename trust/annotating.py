"""A workbench and people who mean harm, or a machine that fails: nothing acknowledged is lost, rights are kept."""

from __future__ import annotations

import json
import random
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from trust.counts import Tallies, Tally
from trust.hostile_requests import BODIES, STRINGS

from running import Running, annotating, head  # isort: skip - `trust.samples` makes it known

WORDS = ("Rome", "is", "old")
LABELS = ["B-LOC", "O", "O"]
SENTENCES = 60
WRITES = {
    "/sentences/1/labels": "PUT",
    "/sentences/1/skip": "POST",
    "/sentences/1/flag": "POST",
    "/sentences/1/comment": "POST",
    "/undo": "POST",
    "/labels": "POST",
    "/import": "POST",
}
READS = ("", "/next", "/sentences", "/sentences/1", "/history", "/progress")


def check(quick: bool) -> Tallies:
    """Try every row of the list of risks that a workbench adds."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with begun(folder, "--annotator", "ben:read") as server:
            yield who(server, folder)
            yield hostile(server)
            yield listeners(server, 200)
            yield stopping(server, folder)
        yield killed(folder, 5 if quick else 100)


@contextmanager
def begun(folder: Path, *options: str) -> Iterator[Running]:
    """Begin a project with sentences that are all alike."""
    text = folder / "words.txt"
    text.write_text("".join("\n".join([*WORDS, str(n)]) + "\n\n" for n in range(SENTENCES)))
    words = ("--import", str(text), "--columns", "form", "--labels", "LOC,PER", *options)
    with annotating(folder / "p.ptag", *words) as server:
        yield server


def ask(server: Running, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, bytes]:
    """Ask as the first person, unless the headers say otherwise."""
    return server.ask(method, f"/v1/project{path}", body, **{"Authorization": f"Bearer {server.token}", **headers})


def who(server: Running, folder: Path) -> Tally:
    """Try wrong tokens, roles, hosts and origins at every address."""
    tally = Tally("workbench: tokens, roles, hosts, origins")
    reader = json.loads((folder / "p.ptag.tokens").read_text())["ben"]["token"]
    addresses = [*(("GET", path) for path in READS), *((method, path) for path, method in WRITES.items())]
    for method, path in addresses:
        for header, value, expected in (
            ("Host", "evil.example", 400),
            ("Origin", "http://evil.example", 403),
            ("Origin", "null", 403),
            ("Sec-Fetch-Site", "cross-site", 403),
            ("Authorization", "", 401),
            ("Authorization", f"Bearer {server.token[:-1]}", 401),
            ("Authorization", f"Basic {server.token}", 401),
        ):
            status, _ = ask(server, method, path, {} if method != "GET" else None, **{header: value})
            tally.check(status == expected, f"{method} {path} with {header} {value}: {status}")
    for path, method in WRITES.items():
        status, _ = ask(server, method, path, {}, Authorization=f"Bearer {reader}")
        tally.check(status == 403, f"{path} as one who may only read: {status}")
    _, data = ask(server, "GET", "")
    tally.check(json.loads(data)["last_revision"] == 0, "something was written")
    return tally


def hostile(server: Running) -> Tally:
    """Send hostile bodies and strings to every address that writes."""
    tally = Tally("workbench: hostile bodies and strings")
    for path, method in WRITES.items():
        for what, kind, body in BODIES:
            status, _ = ask(server, method, path, body, **{"Content-Type": kind})
            tally.check(400 <= status < 500, f"{path}, {what}: {status}")
    for n, word in enumerate(STRINGS):
        key = {"key": f"trust-key-{n:04}"}
        status, _ = ask(server, "POST", "/sentences/2/comment", {"text": f"x{word}", **key})
        tally.check(status == 200, f"a comment {word!r}: {status}")
        for path, body in (
            ("/labels", {"name": f"{word} x"}),
            ("/sentences/1/flag", {"on": True, "key": word}),
        ):
            status, _ = ask(server, "POST", path, body)
            tally.check(status in (200, 422), f"{path} {word!r}: {status}")
    status, data = ask(server, "GET", "/sentences/2/comments")
    shown = [comment["text"] for comment in json.loads(data)["comments"]]
    tally.check(shown == [f"x{word}".strip() for word in STRINGS], "comments came back changed")
    return tally


def listeners(server: Running, most: int) -> Tally:
    """Open more streams of events than are allowed, and leave them; others are answered."""
    tally = Tally("workbench: pages that listen and leave")
    lines = (f"Authorization: Bearer {server.token}",)
    streams = [server.raw() for _ in range(most + 20)]
    for stream in streams:
        stream.sendall(head("GET", "/v1/project/events", server.port, *lines) + b"\r\n")
    begun_with = [stream.recv(12) for stream in streams]
    tally.check(begun_with.count(b"HTTP/1.1 200") == most, f"{begun_with.count(b'HTTP/1.1 200')} streams, not {most}")
    tally.check(ask(server, "GET", "")[0] == 200, "others are not answered")
    for stream in streams:
        stream.close()
    for _ in range(100):
        if ask(server, "GET", "/events-are-not-here")[0] == 404 and _can_listen(server):
            break
    tally.check(_can_listen(server), "streams that were closed still count")
    return tally


def _can_listen(server: Running) -> bool:
    with server.raw() as stream:
        token = f"Authorization: Bearer {server.token}"
        stream.sendall(head("GET", "/v1/project/events", server.port, token) + b"\r\n")
        return stream.recv(12) == b"HTTP/1.1 200"


def stopping(server: Running, folder: Path) -> Tally:
    """Stop the server while pages listen."""
    tally = Tally("workbench: it stops, and leaves a copy")
    with server.raw() as stream:
        token = f"Authorization: Bearer {server.token}"
        stream.sendall(head("GET", "/v1/project/events", server.port, token) + b"\r\n")
        stream.recv(12)
        tally.check(server.stop(seconds=20) == 0, "its status is not 0")
    tally.check((folder / "p.ptag.backup").exists(), "there is no copy")
    return tally


def killed(folder: Path, times: int) -> Tally:
    """Kill the server while labels are sent: what was acknowledged is there, and the rest is whole."""
    tally = Tally("workbench: killed while people label")
    project, rng = folder / "p.ptag", random.Random(1)
    acknowledged: dict[int, int] = {}
    for round_ in range(times):
        with annotating(project) as server:
            killer = threading.Timer(rng.random() * 0.5, server.process.send_signal, [signal.SIGKILL])
            killer.start()
            with suppress(OSError, ValueError, EOFError):
                _label_all(server, round_, acknowledged.__setitem__)
            killer.join()
    with annotating(project) as server:
        for number, revision in acknowledged.items():
            item = json.loads(ask(server, "GET", f"/sentences/{number}")[1])
            right = item["revision"] >= revision and item["labels"] == [*LABELS, "O"]
            tally.check(right, f"sentence {number}: revision {item['revision']}, acknowledged {revision}")
    return tally


def _label_all(server: Running, round_: int, keep: Callable[[int, int], object]) -> None:
    for number in range(1, SENTENCES + 1):
        item = json.loads(ask(server, "GET", f"/sentences/{number}")[1])
        body = {"labels": [*LABELS, "O"], "base_revision": item["revision"], "key": f"kill-{round_:04}-{number:04}"}
        status, data = ask(server, "PUT", f"/sentences/{number}/labels", body)
        if status == 200:
            keep(number, json.loads(data)["revision"])
