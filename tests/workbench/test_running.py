"""A workbench in a process of its own: what was acknowledged is there after the process is killed; it stops in time."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import threading
from http.client import HTTPResponse
from pathlib import Path
from typing import Any

import pytest

from benches import GOLD, SENTENCES
from command_line import run
from perceptag.client import Client, ServerError
from perceptag.project.project import Project
from running import Running, annotating
from waiting import PATIENCE, wait_until

NEW = ("--labels", "PER,ORG,LOC", "--columns", "form")


@pytest.fixture
def text(tmp_path: Path) -> str:
    path = tmp_path / "names.txt"
    path.write_text("\n\n".join(sentence.replace(" ", "\n") for sentence, _ in SENTENCES) + "\n")
    return str(path)


def ask(server: Running, method: str, path: str, body: Any = None) -> Any:
    status, data = server.ask(method, f"/v1/project{path}", body, Authorization=f"Bearer {server.token}")
    assert status == 200, data
    return json.loads(data)


def put(server: Running, number: int, base: int = 0) -> Any:
    body = {"labels": GOLD[number], "base_revision": base, "key": f"some-key-{number}-{base}"}
    return ask(server, "PUT", f"/sentences/{number}/labels", body)


def test_what_was_acknowledged_survives_a_kill(tmp_path: Path, text: str) -> None:
    project = tmp_path / "p.ptag"
    options: tuple[str, ...] = ("--import", text, *NEW)
    for number in (1, 2, 3):
        with annotating(project, *options) as server:
            put(server, number)
            assert server.stop(signal.SIGKILL) == -signal.SIGKILL
        options = ()
    with annotating(project) as server:
        labelled = ask(server, "GET", "/sentences?status=labelled")["sentences"]
        assert {item["id"]: item["labels"] for item in labelled} == {n: GOLD[n] for n in (1, 2, 3)}
        version = wait_until(lambda: ask(server, "GET", "")["version"])
        assert version["sentences"] == 3
        assert put(server, 1)["revision"] == 1  # sent again, since the reply may not have come


def _listen(reply: HTTPResponse, lines: list[bytes]) -> None:
    while line := reply.readline():
        lines.append(line)


def test_it_stops_soon_although_pages_listen_and_leaves_a_copy(tmp_path: Path, text: str) -> None:
    project = tmp_path / "p.ptag"
    with annotating(project, "--import", text, *NEW, "--annotator", "ben:read") as server:
        streams = [server.connect() for _ in range(3)]
        heard: list[list[bytes]] = [[] for _ in streams]  # lines, until the server ends the stream
        for stream in streams:
            stream.request("GET", "/v1/project/events", headers={"Authorization": f"Bearer {server.token}"})
        replies = [stream.getresponse() for stream in streams]
        threads = [threading.Thread(target=_listen, args=pair) for pair in zip(replies, heard, strict=True)]
        for thread in threads:
            thread.start()
        put(server, 1)
        with Client(server.address, token=server.token) as client:
            _read_and_write_guidelines(client)
        wait_until(lambda: all(b"event: model\n" in lines for lines in heard))
        assert server.stop() == 0
        for thread, stream in zip(threads, streams, strict=True):
            thread.join(PATIENCE)
            stream.close()
    assert all(b"event: saved\n" in lines for lines in heard)
    assert not any(thread.is_alive() for thread in threads)
    assert not Path(f"{project}-wal").exists()
    with Project.open(f"{project}.backup") as copy:
        assert copy.sentence(1).labels == GOLD[1]
    tokens = Path(f"{project}.tokens")
    assert stat.S_IMODE(tokens.stat().st_mode) == 0o600
    assert json.loads(tokens.read_text())["ben"]["role"] == "read"


def _read_and_write_guidelines(client: Client) -> None:
    assert client.guidelines()["version"] == 0
    people = {"PER": {"description": "people", "examples": ["**Anna** left"]}}
    assert client.write_guidelines("# Names", people, base_version=0)["version"] == 1
    assert client.write_guidelines("# All names", base_version=1)["labels"] == {}
    assert client.guidelines(1)["labels"] == people and len(client.guidelines()["versions"]) == 2
    with pytest.raises(ServerError, match="409: guidelines: expected version 0, found version 2"):
        client.write_guidelines("# Mine", base_version=0)


def test_tokens_are_not_written_to_logs(tmp_path: Path, text: str) -> None:
    project = tmp_path / "p.ptag"
    command = [sys.executable, "-m", "perceptag", "annotate", str(project), "--port", "0", "--import", text, *NEW]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        said = [server.stderr.readline()]
        while said[-1] and "http://" not in said[-1]:
            said.append(server.stderr.readline())
        server.terminate()
        said.append(server.stderr.read())
    links = Path(f"{project}.links")
    assert stat.S_IMODE(links.stat().st_mode) == 0o600
    people = json.loads(Path(f"{project}.tokens").read_text())
    assert people
    for name, person in people.items():
        assert person["token"] not in "".join(said)
        assert f"{name} ({person['role']}): http://127.0.0.1:" in "".join(said)
        assert f"/#token={person['token']}\n" in links.read_text()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_terminal_shows_links_with_tokens(tmp_path: Path, text: str) -> None:
    project = tmp_path / "p.ptag"
    command = [sys.executable, "-m", "perceptag", "annotate", str(project), "--port", "0", "--import", text, *NEW]
    ours, theirs = os.openpty()
    with subprocess.Popen(command, stderr=theirs, stdin=theirs) as server:
        os.close(theirs)
        said = b""
        while b"#token=" not in said or not said.endswith(b"\n"):
            said += os.read(ours, 1 << 16)
        server.terminate()
    os.close(ours)
    for person in json.loads(Path(f"{project}.tokens").read_text()).values():
        assert f"/#token={person['token']}\r\n".encode() in said
    assert not Path(f"{project}.links").exists()


def test_a_learner_that_is_killed_starts_again(tmp_path: Path, text: str) -> None:
    with annotating(tmp_path / "p.ptag", "--import", text, *NEW) as server:
        put(server, 1)
        wait_until(lambda: ask(server, "GET", "")["version"])
        children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
        if not children.exists():
            pytest.skip("this system does not tell which children a process has")
        for child in wait_until(lambda: _children(server.process.pid)):
            os.kill(child, signal.SIGKILL)
        put(server, 2)
        wait_until(lambda: ask(server, "GET", "")["version"]["sentences"] == 2)


def _children(pid: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += [int(child) for child in (task / "children").read_text().split()]
    return found


def test_a_second_server_is_refused(tmp_path: Path, text: str) -> None:
    project = tmp_path / "p.ptag"
    with annotating(project, "--import", text, *NEW) as server:
        again = run("annotate", str(project), "--port", "0")
        assert again.status == 2 and "p.ptag" in again.err
        assert ask(server, "GET", "")["counts"]["sentences"] == len(SENTENCES)
