"""A server as operators need it: workers, queue, readiness, tokens, metrics, full disks.

Each check starts a server of its own and takes the model that it serves.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as LateError
from contextlib import contextmanager, suppress
from datetime import date, timedelta
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from perceptag import Tagger
from trust import samples
from trust.counts import Tally, not_run

from running import JSON, Running, running  # isort: skip
from waiting import PATIENCE, wait_until  # isort: skip
from worker_processes import children, stopped, workers  # isort: skip

REQUEST = {"sentences": [["The", "dog", "barks"]]}
OTHER = "127.0.0.2"  # the address of a second client
GROWTH = 5 << 20  # bytes
ALERTS = samples.ROOT / "deploy" / "alerts.yml"


def tag(server: Running, address: str = "127.0.0.1", **headers: str) -> tuple[int, dict[str, str]]:
    """Return the status and the headers of the reply to a small request of a client at an address."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE, source_address=(address, 0))
    connection.request("POST", "/v1/tag", json.dumps(REQUEST), {**JSON, **headers})
    reply = connection.getresponse()
    reply.read()
    connection.close()
    return reply.status, {name.lower(): value for name, value in reply.getheaders()}


def deadline(model: Path, times: int) -> Tally:
    """Stop workers in the midst of their jobs: each is ended after its time, and replaced."""
    tally = Tally("a job that does not end is ended, its worker replaced")
    limits = ("--limit", "work_seconds=1", "--limit", "unready_seconds=0.2")
    with running({"m": str(model)}, "--workers", "2", *limits) as server, ThreadPoolExecutor(2) as pool:
        for _ in range(times):
            before = wait_until(lambda: found if len(found := workers(server)) == 2 else None)
            with stopped(before):
                replies = [one.result()[0] for one in [pool.submit(tag, server) for _ in before]]
            tally.check(replies == [504, 504], f"jobs of workers that were stopped: {replies}")
            tally.check(tag(server)[0] == 200, "the next request")
            tally.check(not set(before) & set(workers(server)), "a worker that was stopped is still there")
    return tally


def queue(model: Path, times: int) -> Tally:
    """Fill the queue from one address: it has a bound, and another client is served all the same."""
    tally = Tally("a full queue refuses the client that filled it, and no other")
    with running({"m": str(model)}, "--workers", "1", "--limit", "queue=4") as server:
        for _ in range(times):
            with ThreadPoolExecutor(12) as pool:
                with stopped(workers(server)):
                    greedy = [pool.submit(tag, server, OTHER)]
                    wait_until(lambda: b"\nperceptag_workers_busy 1\n" in server.ask("GET", "/metrics")[1])
                    greedy += [pool.submit(tag, server, OTHER) for _ in range(10)]
                    wait_until(lambda some=greedy: sum(one.done() for one in some) == 6)  # 1 at work, 4 wait
                    modest = pool.submit(tag, server)
                    lost = lambda some=greedy, other=modest: other.done() or sum(one.done() for one in some) == 7  # noqa: E731
                    wait_until(lost)  # the greedy client has lost its newest job
                found = sorted(one.result()[0] for one in greedy)
                tally.check(found == [200] * 4 + [503] * 7, f"the client that filled the queue: {found}")
                refused = [headers for status, headers in (one.result() for one in greedy) if status == 503]
                tally.check(all("retry-after" in headers for headers in refused), "503 without Retry-After")
                tally.check(modest.result()[0] == 200, f"the other client: {modest.result()[0]}")
    return tally


def room(model: Path, times: int) -> Tally:
    """Let the job of one client hang: its next one must leave the last worker to others."""
    tally = Tally("a client whose jobs take long leaves a worker to others")
    with running({"m": str(model)}, "--workers", "2") as server, ThreadPoolExecutor(4) as pool:
        for _ in range(times):
            first = wait_until(lambda: found if len(found := workers(server)) == 2 else None)[0]
            tag(server)  # another client is there
            with stopped([first]):
                slow = pool.submit(tag, server, OTHER)
                while _is_done(slow, 2):  # the other worker did it
                    slow = pool.submit(tag, server, OTHER)
                further = pool.submit(tag, server, OTHER)
                tally.check(not _is_done(further, 1), "it has the last worker")
                tally.check([tag(server)[0] for _ in range(5)] == [200] * 5, "small requests of another client")
            tally.check([slow.result()[0], further.result()[0]] == [200, 200], "jobs were lost")
    return tally


def _is_done(reply: Future[Any], seconds: float) -> bool:
    with suppress(LateError):  # the same as TimeoutError from Python 3.11 on
        reply.result(seconds)
    return reply.done()


def readiness(model: Path, times: int) -> Tally:
    """Stop all workers: /readyz says so while it lasts, and /livez answers."""
    tally = Tally("/readyz fails while all workers are stuck, and only then")
    with running({"m": str(model)}, "--workers", "2", "--limit", "unready_seconds=0.2") as server:
        for _ in range(times):
            tally.check(server.ask("GET", "/readyz")[0] == 200, "not ready before")
            with ThreadPoolExecutor(2) as pool:
                with stopped(workers(server)):
                    held = [pool.submit(tag, server) for _ in range(2)]
                    status = _until(lambda: server.ask("GET", "/readyz")[0], 503)
                    tally.check(status == 503, f"/readyz while all workers are stuck: {status}")
                    tally.check(server.ask("GET", "/livez")[0] == 200, "/livez while all workers are stuck")
                tally.check([one.result()[0] for one in held] == [200, 200], "the jobs were lost")
            tally.check(_until(lambda: server.ask("GET", "/readyz")[0], 200) == 200, "not ready afterwards")
    return tally


def _until(ask: Callable[[], int], expected: int, seconds: float = 5.0) -> int:
    """Ask until the status is the one expected, or time is over; return the last one."""
    until = time.monotonic() + seconds
    while (found := ask()) != expected and time.monotonic() < until:
        time.sleep(0.02)
    return found


def growth(times: int, *options: str) -> Tally:
    """Load two versions of a model in turn: memory and processes stay what they are."""
    tally = Tally("models loaded again, memory stays")
    with tempfile.TemporaryDirectory() as folder:
        served = Path(folder) / "m.model"
        versions = [large_version(Path(folder), epochs) for epochs in (1, 2)]
        served.write_bytes(versions[0])
        with running({"m": str(served)}, *options) as server:

            def reload(number: int) -> None:
                for turn in range(number):
                    served.write_bytes(versions[(turn + 1) % 2])
                    status, said = server.ask("POST", "/v1/models/m/reload", {})
                    changed = status == 200 and len(set(json.loads(said).values())) == 2
                    tally.check(changed, f"a reload: {status} {said[:200]!r}")
                    tally.check(tag(server)[0] == 200, "a request after a reload")

            reload(6)
            before, processes = _memory(server), len(_processes(server))
            reload(times)
            left = _until(lambda: len(_processes(server)), processes)
            tally.check(left == processes, f"{processes} processes before, {left} afterwards")
            grown = _memory(server) - before
    tally.note = f"{grown / 2**20:+.1f} MiB after {times} reloads"
    tally.check(grown <= GROWTH, f"memory grew by {grown} bytes")
    return tally


def large_version(folder: Path, epochs: int) -> bytes:
    """Return a model of some megabytes, so that one that is kept is seen in the memory."""
    words = [[f"word{20 * i + j}" for j in range(20)] for i in range(1_000)]
    labels = [["NN", "VB"] * 10 for _ in words]
    Tagger("collins-pos", epochs=epochs).fit(words, labels).save(folder / "large.model")
    return (folder / "large.model").read_bytes()


def other_version(folder: Path) -> Path:
    """Write another model of the same kind; return its path."""
    path = folder / "other.model"
    Tagger("collins-pos", epochs=2).fit([["The", "cat", "sleeps"]], [["DT", "NN", "VBZ"]]).save(path)
    return path


def _processes(server: Running) -> list[int]:
    below = children(server.process.pid)
    return [server.process.pid, *below, *(worker for zygote in below for worker in children(zygote))]


def _memory(server: Running) -> int:
    """Return the memory of all processes of a server; what they share counts once."""
    found = 0
    for pid in _processes(server):
        with suppress(OSError):
            found += int(re.search(r"^Pss: +(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M)[1]) * 1024  # type: ignore[index]
    return found


def rights(model: Path, times: int) -> Tally:
    """Try tokens that are for tagging, for management, expired, revoked and wrong."""
    tally = Tally("tokens: rights, expiry, revocation without a restart")
    with tempfile.TemporaryDirectory() as folder:
        tagging, admin = Path(folder) / "tagging", Path(folder) / "admin"
        day = timedelta(days=1)
        today = date.today()
        tokens = {name: f"{name}-{'x' * 40}" for name in ("first", "second", "old", "boss", "wrong")}

        def write(*names: str) -> None:
            until = {"old": today - day, "first": today + 2 * day}
            ends = {name: f" expires={until[name]}" if name in until else "" for name in names}
            lines = [f"{name} {tokens[name]}{ends[name]}" for name in names]
            new = tagging.with_suffix(".new")
            new.write_text("".join(f"{line}\n" for line in lines))
            new.chmod(0o600)
            new.replace(tagging)

        write("first", "old")
        admin.write_text(f"boss {tokens['boss']}\n")
        admin.chmod(0o600)
        files = ("--token-file", str(tagging), "--admin-token-file", str(admin))
        with running({"m": str(model)}, *files) as server:

            def status(name: str, method: str = "GET", path: str = "/v1/models") -> int:
                token = {"Authorization": f"Bearer {tokens[name]}"} if name else {}
                return server.ask(method, path, {} if method == "POST" else None, **token)[0]

            for turn in range(times):
                now, before = ("first", "second") if turn % 2 == 0 else ("second", "first")
                for name, expected in ((now, 200), ("old", 401), ("wrong", 401), ("", 401), ("boss", 200)):
                    tally.check(status(name) == expected, f"token {name!r}: expected {expected}")
                for path, method in (("/metrics", "GET"), ("/v1/models/m/reload", "POST")):
                    tally.check(status(now, method, path) == 403, f"{path} with a token for tagging")
                    tally.check(status("boss", method, path) == 200, f"{path} with a token for management")
                write(before, "old")  # which revokes the one of now
                tally.check(_until(lambda name=before: status(name), 200) == 200, "a new token")
                tally.check(status(now) == 401, "a token that was revoked")
    return tally


def names(model: Path, times: int) -> Tally:
    """Send names of requests: good ones come back, others are replaced."""
    tally = Tally("X-Request-ID and traceparent come back")
    rng = random.Random(4)
    with running({"m": str(model)}, "--workers", "1") as server:
        for turn in range(times):
            own = "".join(rng.choices("abcXYZ019._:+/=@-", k=rng.randint(1, 128)))
            trace, span = (f"{rng.randrange(1, 16**n):0{n}x}" for n in (32, 16))
            sent = {"X-Request-ID": own, "traceparent": f"00-{trace}-{span}-01"}
            _, got = tag(server, **sent)
            tally.check(got["x-request-id"] == own, f"{own} came back as {got['x-request-id']}")
            _, got_trace, got_span, flags = got["traceparent"].split("-")
            tally.check((got_trace, flags) == (trace, "01") and got_span != span, f"{sent}: {got['traceparent']}")
            wrong = ("a b", "é", "a" * 129, '"x"', "a;b", "<a>")[turn % 6]
            _, got = tag(server, **{"X-Request-ID": wrong, "traceparent": f"00-{'0' * 32}-{span}-01"})
            tally.check(re.fullmatch(r"[0-9a-f]{32}", got["x-request-id"]) is not None, f"{wrong!r}: {got}")
            tally.check("0" * 32 not in got["traceparent"], f"a trace of zeros came back: {got['traceparent']}")
    return tally


def metrics(model: Path) -> Tally:
    """Compare what the alerts ask for with what a server tells."""
    tally = Tally("metrics that the alerts name")
    asked = re.findall(r"^ *expr: (.*)$", ALERTS.read_text("utf-8"), re.MULTILINE)
    with running({"m": str(model)}, "--workers", "1") as server:
        tag(server)
        server.ask("GET", "/v1/nothing")
        told = set(re.findall(r"^# TYPE (\w+)", server.ask("GET", "/metrics")[1].decode(), re.MULTILINE))
    for name in sorted({name for expr in asked for name in re.findall(r"\b(?:perceptag|process)_\w+", expr)}):
        tally.check(re.sub(r"_(bucket|sum|count)$", "", name) in told or name in told, f"{name} is not told")
    return tally


def full_disk(model: Path, times: int) -> Tally:
    """Write the log to a disk that is full, and kill workers: no request is lost, the server stays."""
    tally = Tally("the log is on a full disk, no request lost")
    if not Path("/dev/full").exists():
        return not_run(tally.what, "this system has no /dev/full")
    with served(model) as server:
        connection = server.connect()
        for turn in range(times):
            if turn % 10 == 5 and (found := workers(server)):
                os.kill(found[0], signal.SIGKILL)
            try:
                connection.request("POST", "/v1/tag", json.dumps(REQUEST), JSON)
                reply = connection.getresponse()
                reply.read()
                tally.check(reply.status == 200, f"{reply.status}")
            except OSError as error:
                tally.add(f"the connection ended: {error!r}")
                connection = server.connect()
        tally.check(_until(lambda: len(workers(server)), 2) == 2, "a worker was not replaced")
        tally.check(server.ask("GET", "/readyz")[0] == 200, "the server is not ready")
        tally.check(server.stop(signal.SIGTERM) == 0, "the server did not stop well")
    return tally


@contextmanager
def served(model: Path) -> Iterator[Running]:
    """Start a server with two workers whose log is on a full disk."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = ["serve", "--model", f"m={model}", "--port", str(port), "--workers", "2", "--log-requests"]
    with open("/dev/full", "w", encoding="utf-8") as full:
        words = [sys.executable, "-m", "perceptag", *command]
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=full, start_new_session=True)
    try:
        server = Running(process, port)
        wait_until(lambda: status_or_none(server) == 200)
        yield server
    finally:
        process.kill()
        process.wait()


def status_or_none(server: Running) -> int | None:
    """Return the status of /readyz; None if the server does not listen yet."""
    try:
        return server.ask("GET", "/readyz")[0]
    except OSError:
        return None
