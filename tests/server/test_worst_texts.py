"""Small requests are answered while other clients send the worst texts that fit into a request of a few KB."""

from __future__ import annotations

import json
import threading
import time
from http.client import HTTPConnection
from pathlib import Path

import pytest

from asked import asked, model_paths
from running import running

WORST = [
    {"text": "0 " * 600, "model": "text"},
    {"sentences": [["a"] * 900], "model": "documents"},
    {"sentences": [["a"] * 2000], "model": "documents"},
    {"text": "| 0 " * 400, "model": "text"},
    {"text": "." * 600, "model": "text"},
]
SMALL = {"sentences": [["The", "dog"]], "model": "pos"}


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="workers need a system with forks")
def test_the_worst_texts_do_not_delay_small_requests() -> None:
    """Attackers come from another address, and hold at most one of two workers for long."""
    paths = {name: model_paths()[name] for name in ("pos", "text", "documents")}
    limits = ("--limit", "work_seconds=2", "--limit", "answer_seconds=10")
    with running(paths, "--workers", "2", *limits) as server:
        stop, sent = threading.Event(), [0]

        def attack(first: int) -> None:
            connection = HTTPConnection("127.0.0.1", server.port, timeout=60, source_address=("127.0.0.2", 0))
            while not stop.is_set():
                body = json.dumps(WORST[(first + sent[0]) % len(WORST)])
                connection.request("POST", "/v1/tag", body, {"Content-Type": "application/json"})
                reply = connection.getresponse()
                reply.read()
                assert reply.status in (200, 422, 503, 504)
                sent[0] += 1
            connection.close()

        threads = [threading.Thread(target=attack, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        took, expected = [], asked().post("/v1/tag", **SMALL).json()
        while len(took) < 40 or sent[0] < 2 * len(WORST):
            began = time.monotonic()
            status, body = server.ask("POST", "/v1/tag", SMALL)
            took.append(time.monotonic() - began)
            assert (status, json.loads(body)) == (200, expected)
        stop.set()
        for thread in threads:
            thread.join()
        assert server.ask("GET", "/readyz")[0] == 200
    assert sorted(took)[len(took) // 2] < 5  # seconds: this machine may be busy with other things
