"""A server to be measured: its processes, their CPU time and memory, and clients that load it."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.request import urlopen

JSON = {"Content-Type": "application/json"}
PACE = 0.01  # seconds between two requests of a client that measures how long replies take
# Sends the bodies of a file, one on each line, in turn; says how many replies came, how long they took, and errors.
SCRIPT = """wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
local bodies, turn = {}, 0
init = function()
  for line in io.lines("BODIES") do bodies[#bodies + 1] = wrk.format(nil, nil, nil, line) end
end
request = function()
  turn = turn % #bodies + 1
  return bodies[turn]
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format("FOUND %d %f %f %d\\n", summary.requests, latency:percentile(50) / 1000,
    latency:percentile(99) / 1000, e.status + e.timeout + e.connect + e.read + e.write))
end
"""


@dataclass(frozen=True)
class Load:
    """What the server did under a load."""

    requests: int
    seconds: float
    cpu: float
    p50: float  # milliseconds
    p99: float
    errors: int

    @property
    def each(self) -> float:
        """Seconds of CPU for a request."""
        return self.cpu / max(self.requests, 1)


@dataclass(frozen=True)
class Case:
    """Requests that are sent again and again, one body after the other."""

    name: str
    path: str
    bodies: Sequence[bytes]
    tokens: int  # of one request
    connections: int


@dataclass(frozen=True)
class Server:
    """A server that answers: the process that was started, and its port."""

    pid: int
    port: int

    def processes(self) -> list[int]:
        """Return the process that was started and all below it."""
        return descendants(self.pid)

    def cpu(self) -> float:
        """Return the CPU seconds of all its processes so far, exact to the nanosecond."""
        return sum(map(cpu_seconds, self.processes()))

    def memory(self) -> int:
        """Return the memory of all its processes in bytes; what they share counts once."""
        return sum(map(proportional_memory, self.processes()))

    def load(self, case: Case, seconds: float, may_fail: bool = False) -> Load:
        """Let wrk ask for a while; raise an error if a request fails, unless that is to be counted."""
        with tempfile.TemporaryDirectory() as folder:
            bodies, script = Path(folder) / "bodies", Path(folder) / "post.lua"
            bodies.write_bytes(b"\n".join(case.bodies))
            text = SCRIPT.replace("BODIES", str(bodies))
            script.write_text(text if case.bodies else text[text.index("done =") :])
            before, began = self.cpu(), time.monotonic()
            how_long = f"-d{max(1, round(seconds))}s"  # wrk takes whole seconds
            command = ["wrk", "-t1", "--timeout", "60s", f"-c{case.connections}", how_long, "-s", str(script)]
            address = f"http://127.0.0.1:{self.port}{case.path}"
            done = subprocess.run([*command, address], capture_output=True, text=True, check=True)
            took, used = time.monotonic() - began, self.cpu() - before
        found = re.search(r"FOUND (\d+) ([\d.]+) ([\d.]+) (\d+)", done.stdout)
        assert found, done.stdout
        if int(found[4]) and not may_fail:
            raise RuntimeError(f"{case.name}: {found[4]} of {found[1]} requests failed")
        return Load(int(found[1]), took, used, float(found[2]), float(found[3]), int(found[4]))

    @contextmanager
    def attacked(self, bodies: Sequence[Any], clients: int) -> Iterator[list[int]]:
        """Send bodies from another address, again and again; yield the statuses of the replies."""
        stop, found = threading.Event(), list[int]()

        def attack(first: int) -> None:
            number = first
            while not stop.is_set():
                connection = HTTPConnection("127.0.0.1", self.port, timeout=60, source_address=("127.0.0.2", 0))
                with suppress(OSError, HTTPException):
                    connection.request("POST", "/v1/tag", json.dumps(bodies[number % len(bodies)]), JSON)
                    reply = connection.getresponse()
                    reply.read()
                    found.append(reply.status)
                connection.close()
                number += 1

        threads = [threading.Thread(target=attack, args=(number,), daemon=True) for number in range(clients)]
        for thread in threads:
            thread.start()
        try:
            yield found
        finally:
            stop.set()
            for thread in threads:
                thread.join()


def latencies(port: int, body: bytes, seconds: float) -> list[float]:
    """Return how long replies took, in seconds, to a client of its own process that asks about 100 times a second."""
    command = [sys.executable, "-m", "benchmarks.server_load", str(port), str(seconds)]
    done = subprocess.run(command, input=body, capture_output=True, check=True)
    found: list[float] = json.loads(done.stdout)
    return found


def _asked_in_turn(port: int, seconds: float, body: bytes) -> list[float]:
    connection, took, until = HTTPConnection("127.0.0.1", port, timeout=60), [], time.monotonic() + seconds
    while time.monotonic() < until:
        began = time.monotonic()
        connection.request("POST", "/v1/tag", body, JSON)
        reply = connection.getresponse()
        reply.read()
        took.append(time.monotonic() - began)
        assert reply.status == 200, reply.status
        time.sleep(PACE)
    return took


@contextmanager
def serving(command: Sequence[str]) -> Iterator[Server]:
    """Start a server; the words of the command end with the port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([*command, str(port)], stderr=subprocess.PIPE)
    try:
        assert process.stderr is not None
        process.stderr.readline()  # ours says where it serves when it is ready, the rival before
        while not _is_ready(port):
            if process.poll() is not None:
                raise RuntimeError(process.stderr.read().decode())
            time.sleep(0.01)
        threading.Thread(target=process.stderr.read, daemon=True).start()  # a full pipe would stop the server
        yield Server(process.pid, port)
    finally:
        process.terminate()
        process.wait()


def _is_ready(port: int) -> bool:
    try:
        return bool(urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5).status == 200)
    except OSError:
        return False


def descendants(pid: int) -> list[int]:
    """Return a process and all that it started, and they."""
    found = [pid]
    with suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            for child in (thread / "children").read_text("ascii").split():
                found += descendants(int(child))
    return found


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process so far."""
    used = 0
    with suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            used += int((thread / "schedstat").read_text("ascii").split()[0])
    return used / 1e9


def proportional_memory(pid: int) -> int:
    """Return the memory of a process in bytes; what it shares with n others counts as one nth.

    Mapped files, mostly libraries, are left out: their shares change with other programs that use them.
    """
    with suppress(OSError):
        found = dict(line.split()[:2] for line in Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines()[1:])
        return (int(found["Pss:"]) - int(found["Pss_File:"])) * 1024
    return 0


if __name__ == "__main__":
    print(json.dumps(_asked_in_turn(int(sys.argv[1]), float(sys.argv[2]), sys.stdin.buffer.read())))
