"""Run the lines of `abilities.txt`: each names an ability, a command that shows it, and what this must print.

All commands run in one temporary folder, two at a time. `python: X` is a Python expression (after statements, if any),
whose `repr` is compared; `http: ADDRESS` takes `-X METHOD`, `-H HEADER` and `-d BODY` as curl does, and prints status
and body; anything else is a line for bash, whose standard output counts, and whose status if it is not 0. In what is
expected, `…` stands for any text, and white space is one blank.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import importlib.util
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

LIST = Path(__file__).with_name("abilities.txt")
SECONDS = 120  # for one command, on a busy machine


class Ability(NamedTuple):
    """A line of the list; `needs` is the library without which it is skipped."""

    guide: str
    name: str
    needs: str
    command: str
    expected: str


class Listing(NamedTuple):
    """The list: files and commands before the abilities, servers beside them, and the abilities."""

    files: dict[str, str]
    before: list[str]
    services: dict[str, str]
    variables: dict[str, str]
    abilities: list[Ability]


class Output(NamedTuple):
    """The output of a command: what counts, and what helps to understand it."""

    text: str
    messages: str = ""


def check(only: Sequence[str] = ()) -> list[str]:
    """Return the abilities that do not hold, of all whose name, guide or command contains one of the texts `only`."""
    listing = read_list(LIST)
    chosen = [one for one in listing.abilities if not only or any(text in " ".join(one) for text in only)]
    missing = {one.needs for one in chosen if one.needs and importlib.util.find_spec(one.needs) is None}
    for one in chosen:
        if one.needs in missing:
            print(f"skipped: {one.name} (no {one.needs})")
    present = [one for one in chosen if one.needs not in missing]
    with tempfile.TemporaryDirectory(prefix="abilities-") as folder, ThreadPoolExecutor(2) as pool:
        place = Place(Path(folder))
        failures = place.prepare(listing, pool)
        if not failures:
            kept = place.digests()
            with place.services(listing, failures):
                failures += [fault for fault in pool.map(place.fault, present) if fault]
            failures += [f"{name}: a file that a command only reads has changed" for name in place.changed(kept)]
    print(f"{len(present)} abilities, {len(failures)} failures, {len(chosen) - len(present)} skipped")
    return failures


def read_list(path: Path) -> Listing:
    """Return the contents of a list; a line that is of no kind is an error."""
    listing = Listing({}, [], {}, {}, [])
    guide = ""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        kind, _, rest = line.partition(" ")
        fields = [field.strip() for field in line.split(" :: ")]
        if not line or kind == "#":
            continue
        if kind == "==":
            guide = rest
        elif kind in ("file", "service", "variable") and len(fields) == 2:
            name = fields[0].removeprefix(kind).strip()
            if kind == "file":
                listing.files[name] = ast.literal_eval(f'"""{fields[1]}"""')
            else:
                (listing.services if kind == "service" else listing.variables)[name] = fields[1]
        elif kind == "before":
            listing.before.append(rest)
        elif len(fields) == 3 and all(fields):
            name, _, needs = fields[0].removesuffix("]").partition(" [needs ")
            listing.abilities.append(Ability(guide, name, needs, *fields[1:]))
        else:
            raise ValueError(f"{path}:{number}: expected 'ability :: command :: expected text', found {line!r}")
    return listing


def fits(output: str, expected: str) -> bool:
    """Tell whether an output is the expected one, where `…` stands for any text."""
    pattern = ".*".join(re.escape(part.strip()) for part in expected.split("…"))
    return re.fullmatch(pattern, output, re.DOTALL) is not None


class Place:
    """The folder in which all commands run, with its environment."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        own = {name: value for name, value in os.environ.items() if not name.startswith("PERCEPTAG_")}
        paths = {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": f"{LIST.parent.parent}{os.pathsep}{folder}",
            "TMPDIR": str(folder),
        }
        self.environment = own | paths | {"COLUMNS": "120", "NO_COLOR": "1", "TERM": "dumb", "LC_ALL": "C.UTF-8"}

    def prepare(self, listing: Listing, pool: ThreadPoolExecutor) -> list[str]:
        """Write the files and run the commands before the abilities; return the faults."""
        for name, text in listing.files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8", newline="")
        outputs = list(pool.map(self.shell, listing.before))
        pairs = zip(listing.before, outputs, strict=True)
        return [f"before {line}\n  came: {out.text} {out.messages}" for line, out in pairs if "status " in out.text]

    def digests(self) -> dict[Path, str]:
        """Return the digests of all files that there are."""
        files = (path for path in self.folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
        return {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}

    def changed(self, kept: dict[Path, str]) -> list[str]:
        """Return the names of the files that are not as they were."""
        now = self.digests()
        return sorted(path.name for path, digest in kept.items() if now.get(path) != digest)

    @contextmanager
    def services(self, listing: Listing, failures: list[str]) -> Iterator[None]:
        """Start the servers on free ports, wait until they are ready, and end them by SIGTERM."""
        started = {}
        try:
            for name, command in listing.services.items():
                self.environment[name] = f"http://127.0.0.1:{free_port()}"
                port = self.environment[name].rpartition(":")[2]
                with (self.folder / f"{name}.log").open("wb") as log:
                    started[name] = self.start(f"exec {command} --port {port}", log, log)
            for name, process in started.items():
                if fault := self.unready(name, process):
                    failures.append(fault)
            for name, command in listing.variables.items():
                self.environment[name] = self.shell(command).text
            yield
        finally:
            for name, process in started.items():
                process.terminate()
                if status := process.wait(SECONDS):
                    failures.append(f"{name}: expected status 0 after SIGTERM, found {status}: {self.said(name)}")

    def unready(self, name: str, process: subprocess.Popen[bytes]) -> str:
        """Wait until a server is ready; return why it never will be, or nothing."""
        address = f"{self.environment[name]}/readyz"
        with suppress(TimeoutError):
            wait_for(lambda: process.poll() is not None or http(address).startswith("200"))
            if process.poll() is None:
                return ""
        return f"{name}: expected a server that is ready, found {self.said(name)}"

    def said(self, name: str) -> str:
        """Return the end of what a server has written."""
        return (self.folder / f"{name}.log").read_text("utf-8", "replace")[-1000:]

    def fault(self, ability: Ability) -> str:
        """Run the command of an ability and return what is wrong, or nothing."""
        kind, _, rest = ability.command.partition(" ")
        runs: dict[str, Callable[[str], Output]] = {"python:": self.python, "http:": self.curl}
        output = runs[kind](rest) if kind in runs else self.shell(ability.command)
        if fits(output.text, ability.expected):
            return ""
        messages = f"\n  messages: {output.messages}" if output.messages else ""
        return (
            f"{ability.guide}: {ability.name}\n  command: {ability.command}\n"
            f"  expected: {ability.expected}\n  came: {output.text[-2000:]}{messages}"
        )

    def shell(self, command: str) -> Output:
        """Run a line of bash."""
        return self.finish(self.start(command))

    def python(self, code: str) -> Output:
        """Run Python code in a process of its own."""
        return self.shell(f"exec python -m gauge.abilities {shlex.quote(code)}")

    def curl(self, line: str) -> Output:
        """Send a request."""
        words = shlex.split(re.sub(r"\$(\w+)", lambda name: self.environment[name[1]], line))
        parser = argparse.ArgumentParser(prog="http:")
        parser.add_argument("address")
        parser.add_argument("-X", dest="method")
        parser.add_argument("-d", dest="body")
        parser.add_argument("-H", dest="headers", action="append", default=[])
        try:
            return Output(clean(http(**vars(parser.parse_args(words)))))
        except OSError as error:
            return Output(f"no reply: {error}")

    def start(
        self, command: str, output: Any = subprocess.PIPE, messages: Any = subprocess.PIPE
    ) -> subprocess.Popen[bytes]:
        """Start a line of bash as the leader of a group of processes."""
        return subprocess.Popen(
            ["bash", "-c", command],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=messages,
            start_new_session=True,
        )

    def finish(self, process: subprocess.Popen[bytes]) -> Output:
        """Wait for a process, and end what it has left behind."""
        late = ""
        try:
            data = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            late = f" after {SECONDS} seconds"
            end_group(process)
            data = process.communicate()
        end_group(process)
        status = f" status {process.returncode}{late}" if process.returncode else ""
        text, messages = (clean(stream.decode("utf-8", "backslashreplace")) for stream in data)
        return Output(f"{text}{status}".strip(), messages[-2000:])


def end_group(process: subprocess.Popen[bytes]) -> None:
    """End all processes of a group, if there are any."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def clean(text: str) -> str:
    """Return a text with single blanks for white space."""
    return " ".join(text.split())


def free_port() -> int:
    """Return a port that nobody uses."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def wait_for(ready: Callable[[], Any], seconds: float = 60) -> Any:
    """Return the first true value of a function that is asked again and again."""
    end = time.monotonic() + seconds
    while True:
        try:
            if value := ready():
                return value
        except (URLError, ConnectionError, FileNotFoundError):
            pass
        if time.monotonic() > end:
            raise TimeoutError(f"not ready within {seconds} seconds")
        time.sleep(0.05)


def http(address: str, body: str | None = None, method: str | None = None, headers: Sequence[str] = ()) -> str:
    """Send a request and return the status and the body of the reply."""
    fields = dict(header.split(": ", 1) for header in headers)
    if body is not None:
        fields.setdefault("Content-Type", "application/json")
    request = Request(address, None if body is None else body.encode(), fields, method=method)
    try:
        with urlopen(request, timeout=SECONDS) as reply:
            return f"{reply.status} {reply.read().decode()}"
    except HTTPError as error:
        return f"{error.code} {error.read().decode()}"


class Workbench:
    """A process of `perceptag annotate` of its own, for lines that end it."""

    def __init__(self, project: str, *options: str) -> None:
        self.address = f"http://127.0.0.1:{free_port()}"
        port = self.address.rpartition(":")[2]
        command = ["perceptag", "annotate", project, "--annotator", "ben", "--port", port, *options]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(lambda: http(f"{self.address}/readyz").startswith("200"))
        self.token = token(project, "ben")

    def ask(self, path: str, body: str | None = None, method: str | None = None) -> str:
        """Send a request to the API of the project."""
        address = f"{self.address}/v1/project/{path}"
        return http(address, body, method, [f"Authorization: Bearer {self.token}"])

    def kill(self) -> None:
        """End the process at once."""
        self.process.kill()
        self.process.wait()


def token(project: str, person: str) -> str:
    """Return the token of a person of a project."""
    import json

    return str(json.loads(Path(f"{project}.tokens").read_text("utf-8"))[person]["token"])


def error(call: Callable[[], Any]) -> str:
    """Return the kind and the message of the error that a call raises."""
    try:
        call()
    except Exception as raised:
        return f"{type(raised).__name__}: {raised}"
    return "no error"


def run_line(code: str) -> None:
    """Run statements and print the `repr` of the expression at their end."""
    import perceptag

    tree = ast.parse(code)
    last = tree.body.pop()
    assert isinstance(last, ast.Expr), f"expected an expression at the end: {code}"
    names = {"perceptag": perceptag, "error": error, "Workbench": Workbench, "Path": Path}
    exec(compile(tree, "<ability>", "exec"), names)
    print(repr(eval(compile(ast.Expression(last.value), "<ability>", "eval"), names)))


if __name__ == "__main__":
    run_line(sys.argv[1])
