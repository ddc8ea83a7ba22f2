"""``serve --workers``: the same replies; requests that do not end are ended, and what dies is replaced."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

import pytest

from asked import asked, model_paths
from pipelines import TEXT, corpus
from running import Running, head, running
from waiting import PATIENCE, wait_until
from worker_processes import stopped, workers, zygotes

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes in /proc")

Found = TypeVar("Found")
BODY = {"sentences": [["The", "dog", "barks"]]}
LINES = "application/x-ndjson"
OPTIONS = ("--workers", "2", "--limit", "work_seconds=6", "--limit", "unready_seconds=0.1")


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("served")
    names = ("pos", "text", "documents")
    return {name: str(shutil.copy(model_paths()[name], folder / f"{name}.model")) for name in names}


@pytest.fixture(scope="module")
def server(paths: dict[str, str]) -> Iterator[Running]:
    with running(paths, *OPTIONS) as one:
        yield one


def tag(server: Running) -> tuple[int, bytes]:
    return server.ask("POST", "/v1/tag", BODY)


def metric(server: Running, name: str) -> float:
    found = re.search(rf"^{re.escape(name)} (\S+)$", server.ask("GET", "/metrics")[1].decode(), re.MULTILINE)
    assert found, name
    return float(found[1])


def in_background(work: Callable[[], tuple[int, bytes]]) -> Future[tuple[int, bytes]]:
    return ThreadPoolExecutor(1).submit(work)


def wait_for_workers(server: Running, number: int = 2) -> None:
    wait_until(lambda: len(workers(server)) == number and slowly(metric(server, "perceptag_workers_busy") == 0))


def slowly(value: Found) -> Found:
    """The same after a pause, so that waiting leaves the machine to those waited for."""
    time.sleep(0.05)
    return value


def test_replies_are_those_of_a_server_without_workers(server: Running) -> None:
    for path, body in (
        ("/v1/tag", {**BODY, "want": ["margin", "nbest"], "n": 2}),
        ("/v1/tag", {"text": TEXT, "model": "text", "want": ["layers"]}),
        ("/v1/tag", {"sentences": [["The", 7]]}),
        ("/v1/tag", {"sentences": [["a"]], "n": 101}),
        ("/v1/explain", {"tokens": ["The", "dog"]}),
        ("/v1/order", {"tokens": ["The", "dog"]}),
        ("/v1/models/nothing/reload", {}),
    ):
        expected = asked().post(path, **{"model": "pos", **body} if path != "/v1/models/nothing/reload" else body)
        status, found = server.ask("POST", path, {"model": "pos", **body} if "reload" not in path else body)
        assert status == expected.status
        if "reload" not in path:  # which names the models that there are
            assert json.loads(found) == expected.json()
    assert json.loads(server.ask("GET", "/v1/models/pos")[1]) == asked()("GET", "/v1/models/pos").json()


def test_files_and_streams_are_those_of_a_server_without_workers(server: Running) -> None:
    kind = "text/plain; format=columns"
    file = b"The\ndog\n\nPeter\n"
    expected = asked()("POST", "/v1/tag?model=pos", file, kind=kind)
    assert server.ask("POST", "/v1/tag?model=pos", file, **{"Content-Type": kind}) == (200, expected.body)
    lines = b"".join(
        json.dumps({"tokens": ["The", f"dog{i % 7}"], "document": i // 900}).encode() + b"\n" for i in range(2500)
    )
    for name in ("pos", "documents"):
        expected = asked()("POST", f"/v1/tag?model={name}", lines, kind=LINES)
        status, found = server.ask("POST", f"/v1/tag?model={name}", lines, **{"Content-Type": LINES})
        assert (status, found) == (200, expected.body) and found.count(b"\n") == 2500
    assert server.ask("POST", "/v1/tag?n=0", b"", **{"Content-Type": LINES})[0] == 422


def test_a_request_that_does_not_end_is_ended_and_others_go_on(server: Running) -> None:
    wait_for_workers(server)
    before, restarts = workers(server), metric(server, 'perceptag_worker_restarts_total{reason="deadline"}')
    with stopped(before):
        held = [in_background(lambda: tag(server)) for _ in range(2)]
        wait_until(lambda: slowly(metric(server, "perceptag_workers_busy") == 2))
        status, said = wait_until(lambda: ready if (ready := server.ask("GET", "/readyz"))[0] == 503 else None)
        assert (status, json.loads(said)["detail"]) == (
            503, "all workers have been busy with one request for more than 0.1 s"
        )  # fmt: skip
        assert server.ask("GET", "/livez")[0] == 200
        replies = [one.result() for one in held]
    assert [status for status, _ in replies] == [504, 504]
    detail = "the request took longer than 6.0 s of work, and was ended"
    assert {json.loads(body)["detail"] for _, body in replies} == {detail}
    assert tag(server)[0] == 200
    wait_for_workers(server)
    assert not set(before) & set(workers(server))
    assert metric(server, 'perceptag_worker_restarts_total{reason="deadline"}') == restarts + 2
    assert metric(server, 'perceptag_refused_total{reason="deadline"}') >= 2
    wait_until(lambda: server.ask("GET", "/readyz")[0] == 200)


def test_a_job_whose_worker_dies_is_done_by_another(server: Running) -> None:
    wait_for_workers(server)
    before = workers(server)
    for pid in before:
        os.kill(pid, signal.SIGSTOP)
    held = [in_background(lambda: tag(server)) for _ in range(2)]
    wait_until(lambda: slowly(metric(server, "perceptag_workers_busy") == 2))
    for pid in before:
        os.kill(pid, signal.SIGKILL)
    assert [one.result()[0] for one in held] == [200, 200]
    wait_for_workers(server)


def test_a_request_that_waits_is_not_done_when_its_client_has_gone(server: Running) -> None:
    wait_for_workers(server)
    body = json.dumps(BODY).encode()
    with stopped(workers(server)):
        held = [in_background(lambda: tag(server)) for _ in range(2)]
        wait_until(lambda: slowly(metric(server, "perceptag_workers_busy") == 2))
        with server.raw() as client:
            headers = ("Content-Type: application/json", f"Content-Length: {len(body)}", "X-Request-ID: gone")
            client.sendall(head("POST", "/v1/tag", server.port, *headers) + b"\r\n" + body)
            wait_until(lambda: slowly(metric(server, "perceptag_jobs_waiting") == 1))
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # reset, not half closed
        wait_until(lambda: slowly(metric(server, "perceptag_connections") == 3))  # two that wait, and this one
    assert {one.result()[0] for one in held} <= {200, 504}  # the latter on a machine that is very busy
    wait_until(lambda: slowly(metric(server, "perceptag_jobs_waiting") == 0))
    assert metric(server, 'perceptag_requests_total{method="POST",route="/v1/tag",status="499"}') == 1


def test_a_worker_that_dies_while_it_is_idle_costs_no_request(server: Running) -> None:
    wait_for_workers(server)
    for pid in workers(server):
        os.kill(pid, signal.SIGKILL)
    assert [tag(server)[0] for _ in range(4)] == [200] * 4


def test_a_zygote_that_dies_is_replaced(server: Running) -> None:
    wait_for_workers(server)
    (old,) = zygotes(server)
    left = workers(server)
    os.kill(old, signal.SIGKILL)
    assert tag(server)[0] == 200  # the workers are still there
    for pid in left:
        with suppress(ProcessLookupError):  # a new zygote may have replaced it already
            os.kill(pid, signal.SIGKILL)
    wait_until(lambda: tag(server)[0] == 200)
    wait_until(lambda: len(zygotes(server)) == 1 and zygotes(server) != [old])
    wait_for_workers(server)
    assert metric(server, 'perceptag_worker_restarts_total{reason="zygote"}') >= 1


def test_a_reload_of_a_model_with_a_long_name_that_is_not_ascii(paths: dict[str, str]) -> None:
    name = "я" * 100
    with running({name: paths["pos"]}, "--workers", "1", "--limit", "answer_seconds=2") as server:
        before, address = zygotes(server), f"/v1/models/{quote(name)}/reload"
        assert server.ask("POST", address, {})[0] == 200
        wait_until(lambda: zygotes(server) == before)
        with stopped(before):  # a reload that does not end has a reply
            status, body = server.ask("POST", address, {})
        detail = "the server did not answer within 2.0 s; the model is still being loaded"
        assert (status, json.loads(body)["detail"]) == (503, detail)


def test_workers_that_cannot_be_started_are_an_error_of_the_start(paths: dict[str, str]) -> None:
    command = [sys.executable, "-m", "perceptag", "serve", "--port", "0", "--model", paths["pos"], "--workers", "60"]
    limited = ["sh", "-c", 'ulimit -n 40; exec "$@"', "sh", *command]
    done = subprocess.run(limited, check=False, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 2 and "--workers: cannot start them: Too many open files" in done.stderr, done.stderr


def test_a_reload_replaces_zygote_and_workers_and_a_stream_keeps_its_model(
    server: Running, paths: dict[str, str]
) -> None:
    wait_for_workers(server)
    old, before = zygotes(server), Path(paths["pos"]).read_bytes()
    with server.raw() as client:
        kind = (f"Content-Type: {LINES}", "Transfer-Encoding: chunked")
        client.sendall(head("POST", "/v1/tag", server.port, *kind) + b"\r\n")
        wait_until(lambda: metric(server, "perceptag_requests_in_flight") == 2)
        wait_until(lambda: b"perceptag_batch_jobs" in server.ask("GET", "/metrics")[1])
        line = b'["The", "dog"]\n' * 1000
        client.sendall(f"{len(line):x}\r\n".encode() + line + b"\r\n")
        first = client.recv(65536)
        pos_tagger_of_one_epoch().save(paths["pos"])
        told = json.loads(server.ask("POST", "/v1/models/pos/reload", {})[1])
        assert told["from"] != told["to"]
        assert json.loads(tag(server)[1])["model"]["digest"] == told["to"]
        assert set(old) < set(zygotes(server))  # the stream needs the old one
        client.sendall(f"{len(line):x}\r\n".encode() + line + b"\r\n0\r\n\r\n")
        received = first
        while not received.endswith(b"0\r\n\r\n"):
            received += client.recv(65536)
    assert f"perceptag-model: {told['from']}".encode() in received
    assert received.count(b'{"tokens":["The","dog"]') == 2000
    wait_until(lambda: len(zygotes(server)) == 1 and zygotes(server) != old)
    Path(paths["pos"]).write_bytes(before)
    assert json.loads(server.ask("POST", "/v1/models/pos/reload", {})[1])["to"] == told["from"]
    Path(paths["pos"]).write_bytes(b"nothing")
    status, body = server.ask("POST", "/v1/models/pos/reload", {})
    assert status == 409 and paths["pos"].encode() not in body
    Path(paths["pos"]).write_bytes(before)
    assert tag(server)[0] == 200


def pos_tagger_of_one_epoch():
    from perceptag import Tagger

    return Tagger("collins-pos", epochs=1, labels_column="pos").fit(corpus("train", "form", "pos"))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_workers_and_zygote_have_one_thread_and_end_with_the_server(paths: dict[str, str], number: int) -> None:
    with running({"pos": paths["pos"]}, "--workers", "1") as server:
        assert tag(server)[0] == 200
        own = [*zygotes(server), *workers(server)]
        assert [len(list(Path(f"/proc/{pid}/task").iterdir())) for pid in own] == [1, 1]
        os.kill(own[1], signal.SIGTERM)  # systemd sends it to all; only the server itself obeys
        os.kill(own[0], signal.SIGTERM)
        assert tag(server)[0] == 200
        assert server.stop(number) == (0 if number == signal.SIGTERM else -number)
        wait_until(lambda: not any(alive(pid) for pid in own))


def alive(pid: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text("latin-1")
    except OSError:
        return False
