"""A day of a server: many requests while models are loaded again, workers die, clients are slow and disks are full.

    python -m trust.serving_day [--requests 2000000]

The requests are those of a day, sent as fast as the server answers (by `wrk`), in 24 parts. In each of these hours a
model is replaced and loaded again, a worker is killed, slow clients come, and a copy of a model to a full disk, half of
it, is refused; every six hours the process that loads models is killed. All the time the log is on a full disk, and a
client compares the labels of its replies. Nothing may be lost, and nothing is started by hand.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

from benchmarks.server_load import Case, Server
from perceptag import Tagger
from trust.__main__ import table
from trust.counts import Tally
from trust.operating import REQUEST, other_version, served
from trust.serving import crowd, hostile_model

from running import JSON, Running  # isort: skip - `trust.samples` makes it known
from waiting import wait_until  # isort: skip
from worker_processes import workers, zygotes  # isort: skip

HOURS = 24
SLOW = 100  # connections
GROWTH = 5_000_000  # bytes
RESTARTS = re.compile(r'^perceptag_worker_restarts_total\{reason="(\w+)"\} (\d+)', re.MULTILINE)


class Day:
    """The counts of a day."""

    def __init__(self, server: Running, model: Path, versions: list[bytes]) -> None:
        self.server, self.model, self.versions = server, model, versions
        self.sent = Tally("requests of wrk, all answered with 200")
        self.compared = Tally("replies with the labels of a version of the model")
        self.events = Tally("reloads, refused copies, kills, slow clients")
        self.expected = [self._labels(version) for version in versions]

    def _labels(self, version: bytes) -> list[str]:
        path = self.model.with_name("labels.model")
        path.write_bytes(version)
        return [*Tagger.load(path).predict(REQUEST["sentences"])[0]]

    def hour(self, number: int, requests: int) -> None:
        """Send requests, and let happen what happens in an hour."""
        stop = threading.Event()
        client = threading.Thread(target=self._compare, args=(stop,))
        client.start()
        happenings = threading.Thread(target=self._happen, args=(number,))
        happenings.start()
        case = Case("a day", "/v1/tag", [json.dumps(REQUEST).encode()], 3, 16)
        done = 0
        while done < requests or happenings.is_alive():
            load = Server(self.server.process.pid, self.server.port).load(case, 2, may_fail=True)
            done += load.requests
            self.sent.add(times=load.requests)
            for _ in range(load.errors):
                self.sent.fail(f"hour {number}: a request failed")
        stop.set()
        happenings.join()
        client.join()

    def _compare(self, stop: threading.Event) -> None:
        connection = self.server.connect()
        while not stop.is_set():
            try:
                connection.request("POST", "/v1/tag", json.dumps(REQUEST), JSON)
                reply = connection.getresponse()
                body = reply.read()
                right = reply.status == 200 and json.loads(body)["sentences"][0]["labels"] in self.expected
                self.compared.check(right, f"{reply.status} {body[:200]!r}")
            except OSError as error:
                self.compared.add(f"{error!r}")
                connection = self.server.connect()
            time.sleep(0.01)
        connection.close()

    def _happen(self, number: int) -> None:
        self._load_again(self.versions[(number + 1) % 2], 200)
        self._load_again(self.versions[number % 2][:5000], 409)  # a copy to a full disk ends somewhere
        self.model.write_bytes(self.versions[(number + 1) % 2])  # else a process that loads it could not begin
        with suppress(ProcessLookupError):
            if number % 6 == 5:
                os.kill(zygotes(self.server)[-1], signal.SIGKILL)
            elif found := workers(self.server):
                os.kill(found[number % len(found)], signal.SIGKILL)
        with crowd(self.server, SLOW) as clients:
            for client in clients:
                with suppress(OSError):
                    client.sendall(b"POST /v1/tag HTTP/1.1\r\nHost: ")
            time.sleep(1)
        self.events.check(len(wait_until(lambda: workers(self.server))) > 0, "there is no worker")

    def _load_again(self, version: bytes, expected: int) -> None:
        self.model.write_bytes(version)
        status, said = self.server.ask("POST", "/v1/models/m/reload", {})
        self.events.check(status == expected, f"a reload: expected {expected}, found {status} {said[:200]!r}")


def main() -> int:
    """Run a day and print a table; return 1 if anything was lost."""
    parser = argparse.ArgumentParser(prog="python -m trust.serving_day", description=__doc__.split("\n")[0])
    parser.add_argument("--requests", type=int, default=2_000_000, help="of the whole day")
    given = parser.parse_args()
    if shutil.which("wrk") is None or not Path("/dev/full").exists():
        print("trust-day: expected wrk (on Debian and Ubuntu: apt-get install wrk) and /dev/full", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "m.model"
        hostile_model(model)
        versions = [model.read_bytes(), other_version(Path(folder)).read_bytes()]
        with served(model) as server:
            day, began = Day(server, model, versions), time.monotonic()
            memory = Tally("memory of all processes after two hours, and at the end")
            sizes: list[int] = []
            for hour in range(HOURS):
                day.hour(hour, given.requests // HOURS)
                now = Server(server.process.pid, server.port).memory()
                sizes.append(now)
                print(f"hour {hour + 1}: {day.sent.tried:,} requests, {day.sent.failed} lost, {now / 1e6:.1f} MB",
                      file=sys.stderr, flush=True)  # fmt: skip
            grown = sizes[-1] - sizes[1]  # the second hour and the last have the same model
            memory.note = f"{grown / 1e6:+.1f} MB"
            memory.check(grown <= GROWTH, f"memory grew by {grown} bytes")
            memory.check(server.process.poll() is None, "the server has ended")
            restarts = dict(RESTARTS.findall(server.ask("GET", "/metrics")[1].decode()))
            day.events.note = ", ".join(f"{number} {reason}" for reason, number in restarts.items())
            day.sent.seconds = time.monotonic() - began
    tallies = [day.sent, day.compared, day.events, memory]
    print(table({"serving": tallies}))
    return 1 if any(tally.failed for tally in tallies) else 0


if __name__ == "__main__":
    sys.exit(main())
