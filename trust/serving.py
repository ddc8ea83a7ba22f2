"""A server and clients that mean harm: an error, never a write, a stall of others, or memory beyond the limits."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from perceptag import Tagger
from trust import operating, samples
from trust.counts import Tallies, Tally
from trust.hostile_requests import BODIES, HOSTILE, PATHS, STRINGS

from running import Running, head, running  # isort: skip - `trust.samples` makes it known
from worker_processes import workers  # isort: skip

SECONDS = 1.0  # for headers and bodies, in place of the usual five and ten
LIMITS = [f"{name}={SECONDS}" for name in ("header_seconds", "body_seconds", "idle_seconds", "write_seconds")]
QUICK = [word for limit in LIMITS for word in ("--limit", limit)]
REQUEST = {"sentences": [["The", "dog", "barks"]]}
GROWTH = 10 << 20  # bytes


def check(quick: bool) -> Tallies:
    """Try every row of the list of risks."""
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "m.model"
        hostile_model(model)
        yield starting(model)
        with running({"m": str(model)}, *QUICK) as server:
            yield who(server)
            yield paths(server)
            yield strings(server)
            yield bodies(server, 200 if quick else 5000)
            yield slow(server, 500, 4 if quick else 60)
            yield memory(server, 2_000 if quick else 1_000_000)
        with running({"m": str(model)}, "--limit", "connections=100") as server:
            yield slow(server, 250, 4 if quick else 60, room=100)
        yield reloading(model, 200 if quick else 2000)
        yield ending(model, 4 if quick else 40)
        with running({"m": str(model)}, *QUICK, "--workers", "2") as server:
            yield with_workers(strings(server))
            yield with_workers(bodies(server, 100 if quick else 5000))
            yield with_workers(slow(server, 500, 4 if quick else 60))
            yield killing(server, 8 if quick else 400)
        yield with_workers(reloading(model, 100 if quick else 2000, "--workers", "2"))
        yield with_workers(ending(model, 3 if quick else 40, "--workers", "2"))
        yield from operated(model, 1 if quick else 20)


def operated(model: Path, times: int) -> Tallies:
    """Try what operators need."""
    yield operating.deadline(model, times)
    yield operating.queue(model, 3 * times)
    yield operating.room(model, times)
    yield operating.readiness(model, times)
    yield operating.growth(10 * times)
    yield with_workers(operating.growth(10 * times, "--workers", "2"))
    yield operating.rights(model, 2 * times)
    yield operating.names(model, 20 * times)
    yield operating.metrics(model)
    yield operating.full_disk(model, 50 * times)


def with_workers(tally: Tally) -> Tally:
    """Say that a check was made of a server with workers."""
    tally.what += ", with workers"
    return tally


def killing(server: Running, times: int) -> Tally:
    """Kill workers, and the process that loads the models, while clients ask: no request is lost."""
    tally = Tally("workers killed, no request lost")
    stop = threading.Event()

    def ask() -> None:
        while not stop.is_set():
            status, body = server.ask("POST", "/v1/tag", REQUEST)
            tally.check(status == 200, f"{status} {body[:200]!r}")

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    rng = random.Random(3)
    for _ in range(times):
        time.sleep(0.2)
        if found := workers(server):
            with suppress(ProcessLookupError):
                os.kill(rng.choice(found), signal.SIGKILL)
    stop.set()
    for thread in threads:
        thread.join()
    return tally


def hostile_model(path: Path) -> None:
    """Train a model whose words and labels are hostile strings."""
    words = [["The", "dog", "barks"], list(STRINGS)]
    labels = [["DT", "NN", "VBZ"], [f"L{word}" for word in STRINGS]]
    Tagger("collins-pos", epochs=3).fit(words, labels).save(path)


def starting(model: Path) -> Tally:
    """Refuse to serve other machines without a token."""
    tally = Tally("other machines need a token")
    for words in (["--host", "0.0.0.0"], ["--host", "::"], ["--host", "0.0.0.0", "--no-token"]):
        done = samples.command_line.run("serve", "--model", f"m={model}", "--port", "0", *words)
        tally.check(done.status == 2 and "other machines" in done.err, f"{words}: {done.status} {done.err}")
    return tally


def who(server: Running) -> Tally:
    """Try wrong hosts, origins and sites at every address."""
    tally = Tally("wrong Host, Origin and site")
    own = f"127.0.0.1:{server.port}"
    for path in ("/", "/livez", "/metrics", "/v1/models", "/v1/tag"):
        method = "POST" if path == "/v1/tag" else "GET"
        for host in (
            "evil.example",
            f"evil.example:{server.port}",
            "127.0.0.1",
            f"{own}.evil.example",
            f"{own}, {own}",
        ):
            status, _ = server.ask(method, path, REQUEST, Host=host)
            tally.check(status == 400, f"{path} with Host {host}: {status}")
    for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
        for path in ("/v1/tag", "/v1/explain", "/v1/models/m/reload"):
            status, _ = server.ask("POST", path, REQUEST, **headers)
            tally.check(status == 403, f"{path} with {headers}: {status}")
    twice = server.send(head("GET", "/v1/models", server.port, "Host: evil.example", "Connection: close") + b"\r\n")
    tally.check(twice.startswith(b"HTTP/1.1 400"), f"two hosts: {twice[:40]!r}")
    return tally


def paths(server: Running) -> Tally:
    """Try to leave the table of files."""
    tally = Tally("paths lead nowhere")
    for path in PATHS:
        line = f"GET {path} HTTP/1.1\r\n".encode("latin-1", "replace")
        reply = server.send(line + f"Host: 127.0.0.1:{server.port}\r\nConnection: close\r\n\r\n".encode())
        tally.check(reply[9:12] in (b"404", b"400", b"422"), f"{path[:60]!r}: {reply[:60]!r}")
        tally.check(b"root:" not in reply and b"[project]" not in reply, f"{path[:60]!r}: sent a file")
    return tally


def strings(server: Running) -> Tally:
    """Send hostile strings in every field; they come back as they are, as JSON and nothing else."""
    tally = Tally("hostile strings come back as data")
    connection = server.connect()
    for word in STRINGS:
        for path, body in (
            ("/v1/tag", {"sentences": [["The", word]], "want": ["nbest", "margin"], "n": 2}),
            ("/v1/tag", {"text": f"The {word} barks"}),
            ("/v1/explain", {"tokens": ["The", word], "top": 0}),
            ("/v1/tag", {"sentences": [["a"]], "model": word}),
            ("/v1/tag", {"sentences": [["a"]], "layer": word}),
            ("/v1/tag", {"sentences": [["a"]], "given": [[word]]}),
            ("/v1/tag", {word: 1}),
        ):
            connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
            reply = connection.getresponse()
            found, kind = json.loads(reply.read()), reply.headers["content-type"]
            tally.check(kind in ("application/json", "application/problem+json"), f"{path} {word!r}: {kind}")
            tally.check(reply.headers["x-content-type-options"] == "nosniff", f"{path} {word!r}: no nosniff")
            if reply.status == 200 and "sentences" in body:
                tally.check(found["sentences"][0]["tokens"] == body["sentences"][0], f"{word!r} came back changed")
            tally.check(reply.status in (200, 404, 422), f"{path} {word!r}: {reply.status}")
    connection.close()
    return tally


def bodies(server: Running, times: int) -> Tally:
    """Send bodies and bytes that are wrong in every way; the server answers or closes, and answers the next."""
    tally = Tally("bodies and bytes that are wrong")
    for what, kind, body in BODIES:
        status, _ = server.ask("POST", "/v1/tag", body, **{"Content-Type": kind})
        tally.check(400 <= status < 500, f"{what}: {status}")
    status, _ = server.ask("POST", "/v1/tag", b"x", **{"Content-Encoding": "gzip"})
    tally.check(status == 415, f"compressed: {status}")
    for what, data in HOSTILE:
        reply = server.send(data.replace(b"PORT", str(server.port).encode()))
        tally.check(
            reply[9:12] in (b"", b"400", b"404", b"405", b"408", b"413", b"415", b"422", b"431"),
            f"{what}: {reply[:60]!r}",
        )
    rng = random.Random(1)
    good = head(
        "POST", "/v1/tag", server.port, "Content-Type: application/json", "Content-Length: 24", "Connection: close"
    )
    for _ in range(times):
        data = bytearray(good + b'\r\n{"sentences":[["a"]]}   ')
        for _ in range(rng.randint(1, 5)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        reply = server.send(bytes(data[: rng.randint(1, len(data))] if rng.random() < 0.3 else data))
        tally.check(b" 500 " not in reply[:20], f"{bytes(data)!r}: {reply[:200]!r}")
    tally.check(server.ask("POST", "/v1/tag", REQUEST)[0] == 200, "the server does not answer any more")
    return tally


@contextmanager
def crowd(server: Running, number: int) -> Iterator[list[socket.socket]]:
    """Connections that do as little as they can."""
    clients = [server.raw(30) for _ in range(number)]
    try:
        yield clients
    finally:
        for client in clients:
            client.close()


def slow(server: Running, number: int, seconds: float, room: int | None = None) -> Tally:
    """Keep many slow connections open while a normal client asks; all of them are closed, or all beyond `room`."""
    of = "slow connections" if room is None else f"connections where there is room for {room}"
    tally = Tally(f"{number} {of}, and one that is not slow")
    begin = head("POST", "/v1/tag", server.port, "Content-Type: application/json", "Content-Length: 1000")
    ways: list[Callable[[socket.socket], object]] = [
        lambda _: None,  # silence
        lambda client: client.sendall(b"G"),  # a header that does not end
        lambda client: client.sendall(begin + b"\r\n{"),  # a body that does not end
        lambda client: client.sendall(b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % server.port),
    ]
    stop = threading.Event()
    ended, rounds = [0], [0]

    def attack() -> None:
        while not stop.is_set():
            with crowd(server, number) as clients:
                for i, client in enumerate(clients):
                    with suppress(OSError):
                        ways[i % len(ways)](client)
                time.sleep(SECONDS + 1)
                ended[0] += sum(map(is_closed, clients))
                rounds[0] += 1

    attacker = threading.Thread(target=attack)
    attacker.start()
    took: list[float] = []
    until = time.monotonic() + seconds
    while time.monotonic() < until or not rounds[0]:
        began = time.monotonic()
        try:
            status, _ = server.ask("POST", "/v1/tag", REQUEST)
        except ConnectionError:
            status = 0
        took.append(time.monotonic() - began)
        tally.check(status == 200, f"a normal client got {status}")
        time.sleep(0.005)
    stop.set()
    attacker.join()
    took.sort()
    tally.check(ended[0] >= rounds[0] * (number - (room or 0)), f"{ended[0]} of {rounds[0]} times {number} were closed")
    tally.note = f"p99 {1000 * took[int(0.99 * len(took))]:.0f} ms, longest {1000 * took[-1]:.0f} ms"
    tally.check(took[int(0.99 * len(took))] < SECONDS, "normal clients waited for slow ones")
    return tally


def is_closed(client: socket.socket) -> bool:
    """Whether the other side has closed a connection."""
    client.settimeout(0.01)
    try:
        while client.recv(65536):
            pass
    except ConnectionError:
        return True
    except OSError:
        return False
    return True


def memory(server: Running, requests: int) -> Tally:
    """Ask very often; memory stays as it is."""
    tally = Tally("memory after many requests")
    rng = random.Random(2)
    bodies_ = [json.dumps({"sentences": [[rng.choice(STRINGS)] * rng.randint(1, 9)]}).encode() for _ in range(100)]
    bodies_ += [b'{"sentences":[[7]]}', b"{", b'{"text":"The dog barks."}']

    def ask(times: int) -> None:
        connection = server.connect()
        for i in range(times):
            connection.request("POST", f"/v1/{rng.random()}" if i % 97 == 0 else "/v1/tag", bodies_[i % len(bodies_)],
                               {"Content-Type": "application/json"})  # fmt: skip
            reply = connection.getresponse()
            reply.read()
            tally.check(reply.status in (200, 400, 404, 422), f"status {reply.status}")
        connection.close()

    ask(1_000)
    before = server.resident()
    ask(requests)
    grown = server.resident() - before
    tally.note = f"{grown / 2**20:+.1f} MiB after {requests:,} requests"
    tally.check(grown <= GROWTH, f"memory grew by {grown} bytes")
    return tally


def reloading(model: Path, requests: int, *options: str) -> Tally:
    """Load models again while clients ask: no request is dropped."""
    tally = Tally("models loaded again, no request dropped")
    expected = Tagger.load(model).predict(REQUEST["sentences"])[0]
    with running({"m": str(model)}, *options) as server:
        stop = threading.Event()

        def reload() -> None:
            while not stop.is_set():
                server.process.send_signal(signal.SIGHUP)
                assert server.process.stderr is not None
                tally.check('"before"' in server.process.stderr.readline(), "a reload failed")

        thread = threading.Thread(target=reload)
        thread.start()
        connection = server.connect()
        for _ in range(requests):
            connection.request("POST", "/v1/tag", json.dumps(REQUEST), {"Content-Type": "application/json"})
            reply = connection.getresponse()
            body = reply.read()
            right = reply.status == 200 and json.loads(body)["sentences"][0]["labels"] == expected
            tally.check(right, f"{reply.status} {body[:200]!r}")
        stop.set()
        thread.join()
        connection.close()
    return tally


def ending(model: Path, times: int, *options: str) -> Tally:
    """Stop and kill servers during requests: stopped ones end with status 0 in a few seconds; the file stays."""
    tally = Tally("stopped and killed during requests")
    before = model.read_bytes()
    lines = (json.dumps(["The", "dog", "barks"]) + "\n").encode() * 200
    for turn in range(times):
        number = (signal.SIGTERM, signal.SIGKILL, signal.SIGINT)[turn % 3]
        with running({"m": str(model)}, *options) as server:
            stop = threading.Event()

            def stream(server: Running = server, stop: threading.Event = stop) -> None:
                with suppress(OSError), server.raw(10) as client:
                    kind = ("Content-Type: application/x-ndjson", "Transfer-Encoding: chunked")
                    client.sendall(head("POST", "/v1/tag", server.port, *kind) + b"\r\n")
                    while not stop.is_set():
                        client.sendall(f"{len(lines):x}\r\n".encode() + lines + b"\r\n")
                        client.recv(65536)

            thread = threading.Thread(target=stream)
            thread.start()
            time.sleep(0.2)
            began = time.monotonic()
            status = server.stop(number, 20)
            took = time.monotonic() - began
            stop.set()
            thread.join()
            expected = -signal.SIGKILL if number == signal.SIGKILL else 0
            tally.check(status == expected, f"signal {number}: status {status}")
            tally.check(took < 10, f"signal {number}: took {took:.1f} s")
    tally.check(model.read_bytes() == before, "the model file was changed")
    return tally
