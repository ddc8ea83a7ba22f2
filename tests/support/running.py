"""A server in a process of its own, and clients of it that do as they like."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from waiting import PATIENCE

ADDRESS = re.compile(r"https?://[^/]*:(\d+)/(?: \((?:admin )?token in (.+)\))?")
LINKS = re.compile(r"links with their tokens: (.+)")
LINK = re.compile(r"https?://[^/]*:(\d+)/#token=(\S+)")
JSON = {"Content-Type": "application/json"}


@dataclass(frozen=True)
class Running:
    """A server that answers."""

    process: subprocess.Popen[str]
    port: int
    token: str = ""

    @property
    def address(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"

    def connect(self, timeout: float = PATIENCE) -> HTTPConnection:
        """A connection that is kept for several requests."""
        return HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, bytes]:
        """The status and the body of one reply."""
        connection = self.connect()
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        connection.request(method, path, data, {**JSON, **headers})
        reply = connection.getresponse()
        found = reply.status, reply.read()
        connection.close()
        return found

    def raw(self, timeout: float = PATIENCE) -> socket.socket:
        """A bare connection."""
        return socket.create_connection(("127.0.0.1", self.port), timeout)

    def send(self, data: bytes, timeout: float = PATIENCE) -> bytes:
        """Send bytes, whatever they are; all that comes back until the server closes, or nothing if it resets."""
        with self.raw(timeout) as client:
            try:
                client.sendall(data)
                with suppress(OSError):  # the server may have reset the connection already
                    client.shutdown(socket.SHUT_WR)
                return b"".join(iter(lambda: client.recv(65536), b""))
            except ConnectionError:
                return b""

    def resident(self) -> int:
        """The memory of the process, in bytes."""
        return int(Path(f"/proc/{self.process.pid}/statm").read_text("ascii").split()[1]) * 4096

    def stop(self, number: int = signal.SIGTERM, seconds: float = PATIENCE) -> int:
        """Send a signal, and return the exit status."""
        self.process.send_signal(number)
        return self.process.wait(seconds)


@contextmanager
def running(paths: dict[str, str], *options: str) -> Iterator[Running]:
    """Start a server; it is gone at the end."""
    models = [word for name, path in paths.items() for word in ("--model", f"{name}={path}")]
    command = [sys.executable, "-m", "perceptag", "serve", "--port", "0", "--threads", "2", *models, *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        assert process.stderr is not None
        line = process.stderr.readline()
        while line.startswith("{"):  # of the log, on a machine that is slow
            line = process.stderr.readline()
        found = ADDRESS.search(line)
        assert found, line + process.stderr.read()
        yield Running(process, int(found[1]), Path(found[2]).read_text("ascii").strip() if found[2] else "")
    finally:
        process.kill()
        process.communicate()


def head(method: str, path: str, port: int, *more: str) -> bytes:
    """The header of a request, without the empty line that ends it."""
    return "".join(f"{line}\r\n" for line in (f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", *more)).encode()


@contextmanager
def annotating(project: Path, *options: str) -> Iterator[Running]:
    """Start a workbench; it is gone at the end. The token is that of the first person."""
    command = [sys.executable, "-m", "perceptag", "annotate", str(project), "--port", "0", "--threads", "2", *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        assert process.stderr is not None
        said = []
        for line in process.stderr:
            said.append(line)
            if found := LINKS.search(line):
                first = LINK.search(Path(found[1]).read_text("utf-8"))
                assert first
                yield Running(process, int(first[1]), first[2])
                return
        raise AssertionError("".join(said))
    finally:
        process.kill()
        process.communicate()
