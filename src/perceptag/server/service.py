"""What the endpoints share: models, limits, metrics, the files of the page, and a thread pool for long work."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import time
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from starlette.routing import Route

from perceptag._version import __version__
from perceptag.server.access import EVERYBODY, Person
from perceptag.server.limits import Limits, busy
from perceptag.server.problems import HttpProblem
from perceptag.server.receiving import Bodies, Within
from perceptag.server.runners import JobRunner, ThreadRunner
from perceptag.server.served import ModelTable, ServedModels
from perceptag.system.platform.machine import resident_bytes

FOLDER = Path(__file__).parent / "page"
INDEX = "index.html"
MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
}


@dataclass(frozen=True, slots=True)
class PageFile:
    """One file, ready to be sent."""

    data: bytes
    media_type: str
    tag: str  # changes with the bytes


def page_files(folder: Path = FOLDER) -> dict[str, PageFile]:
    """Return all files of the page by the path that a browser asks for; ``/`` is the page itself."""
    found: dict[str, PageFile] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix in MEDIA_TYPES:
            data = path.read_bytes()
            tag = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
            name = path.relative_to(folder).as_posix()
            found["/" if name == INDEX else f"/{name}"] = PageFile(data, MEDIA_TYPES[path.suffix], tag)
    return found


BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_ESCAPED = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


class Metrics:
    """Counts of requests, seconds and tokens."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, str, int]] = Counter()
        self.buckets: dict[str, list[int]] = defaultdict(lambda: [0] * (len(BOUNDS) + 1))
        self.seconds: dict[str, float] = defaultdict(float)
        self.tokens: Counter[str] = Counter()
        self.reloads: Counter[tuple[str, str]] = Counter()
        self.in_flight = 0
        self.waiting = 0

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one reply."""
        self.requests[method, route, status] += 1
        self.buckets[route][bisect_left(BOUNDS, seconds)] += 1
        self.seconds[route] += seconds

    def render(self, table: ModelTable) -> str:
        """Return all of it as text."""
        return "".join(f"{line}\n" for line in self._lines(table))

    def _lines(self, table: ModelTable) -> Iterator[str]:
        yield from _kind("perceptag_info", "gauge", "The version of perceptag.")
        yield f'perceptag_info{{version="{__version__}"}} 1'
        yield from _kind("perceptag_model_info", "gauge", "The models and their digests.")
        for served in table:
            yield f'perceptag_model_info{{model="{_text(served.name)}",digest="{served.digest}"}} 1'
        yield from _kind("perceptag_requests_total", "counter", "Requests by route and status.")
        for (method, route, status), number in sorted(self.requests.items()):
            yield f'perceptag_requests_total{{method="{method}",route="{route}",status="{status}"}} {number}'
        yield from self._seconds()
        yield from _kind("perceptag_tokens_total", "counter", "Tokens that were tagged.")
        for name, number in sorted(self.tokens.items()):
            yield f'perceptag_tokens_total{{model="{_text(name)}"}} {number}'
        yield from _kind("perceptag_reloads_total", "counter", "Models that were loaded again, by how it ended.")
        for (name, result), number in sorted(self.reloads.items()):
            yield f'perceptag_reloads_total{{model="{_text(name)}",result="{result}"}} {number}'
        yield from _kind("perceptag_requests_in_flight", "gauge", "Requests that are being answered.")
        yield f"perceptag_requests_in_flight {self.in_flight}"
        yield from _kind("perceptag_requests_waiting", "gauge", "Requests that wait for a core.")
        yield f"perceptag_requests_waiting {self.waiting}"
        yield from _of_process()

    def _seconds(self) -> Iterator[str]:
        yield from _kind("perceptag_request_seconds", "histogram", "Seconds until a reply was sent.")
        for route, buckets in sorted(self.buckets.items()):
            total = 0
            for bound, number in zip([*BOUNDS, "+Inf"], buckets, strict=True):
                total += number
                yield f'perceptag_request_seconds_bucket{{route="{route}",le="{bound}"}} {total}'
            yield f'perceptag_request_seconds_sum{{route="{route}"}} {self.seconds[route]:.6f}'
            yield f'perceptag_request_seconds_count{{route="{route}"}} {total}'


def _kind(name: str, kind: str, about: str) -> Iterator[str]:
    yield f"# HELP {name} {about}"
    yield f"# TYPE {name} {kind}"


def _text(value: str) -> str:
    return value.translate(_ESCAPED)


def _of_process() -> Iterator[str]:
    yield from _kind("process_cpu_seconds_total", "counter", "CPU time of the process.")
    yield f"process_cpu_seconds_total {time.process_time():.3f}"
    if (size := resident_bytes()) is not None:
        yield from _kind("process_resident_memory_bytes", "gauge", "Memory of the process.")
        yield f"process_resident_memory_bytes {size}"


Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Access:
    """Who may ask: the hosts that the server answers for, other origins, and the token, if one is needed.

    A server that knows people has a token for each of them in place of the one for all.
    """

    hosts: frozenset[str]
    origins: frozenset[str] = frozenset()
    token: str = ""
    people: Mapping[str, Person] = field(default_factory=dict)  # by token

    def find(self, given: bytes) -> Person | None:
        """Return who has a token. All tokens are compared, so that the time does not tell which is near."""
        known = {**self.people, self.token: EVERYBODY} if self.token else self.people
        matching = [person for token, person in known.items() if hmac.compare_digest(given, token.encode())]
        return matching[0] if matching else None

    @property
    def is_open(self) -> bool:
        """Whether no token is needed."""
        return not self.token and not self.people


@dataclass(slots=True)
class Service:
    """The state of a server."""

    table: ModelTable
    access: Access
    limits: Limits = field(default_factory=Limits)
    cores: int = 1
    log_requests: bool = False
    encoding: str = ""  # of files whose request names none; empty: UTF-8, or UTF-16 by its mark
    metrics: Metrics = field(default_factory=Metrics)
    page: dict[str, PageFile] = field(default_factory=page_files)
    further: Sequence[Route] = ()  # endpoints of the workbench
    on_stop: list[Callable[[], object]] = field(default_factory=list)  # called when the server is about to stop
    is_stopping: bool = False
    bodies: Bodies = field(init=False)
    reloads: dict[str, asyncio.Task[tuple[str, str]]] = field(default_factory=dict)  # that have not begun
    reloader: ThreadPoolExecutor = field(init=False)  # one thread, so that reloads do not delay other requests
    runner: JobRunner = field(init=False)  # does the jobs about text
    _pool: ThreadPoolExecutor = field(init=False)

    def __post_init__(self) -> None:
        self.bodies = Bodies(self.limits)
        self._pool = ThreadPoolExecutor(self.cores, "perceptag-work")
        self.reloader = ThreadPoolExecutor(1, "perceptag-reload")
        self.runner = ThreadRunner(self, lambda: ServedModels(self.table, self.limits, self.encoding))

    async def in_thread(self, work: Callable[[], Result], pool: Executor | None = None) -> Result:
        """Run work in the thread pool, which has a thread for each core. Answer 503 if it takes too long.

        Native code cannot be interrupted: it runs to its end, which the limits keep short, and its result is dropped.
        """
        if self.metrics.waiting >= self.limits.queue + self.cores:
            raise busy()
        self.metrics.waiting += 1
        future = asyncio.get_running_loop().run_in_executor(pool or self._pool, work)
        future.add_done_callback(self._done)
        try:
            return await Within(self.limits.answer_seconds, asyncio.shield(future))
        except TimeoutError:
            detail = f"the server did not answer within {self.limits.answer_seconds} s"
            raise HttpProblem(503, detail).with_header(b"retry-after", b"5") from None

    def _done(self, future: asyncio.Future[Result]) -> None:
        self.metrics.waiting -= 1
        if not future.cancelled():
            future.exception()  # marks it as retrieved, even if the client is gone

    def stop(self) -> None:
        """Announce that the server is about to stop."""
        self.is_stopping = True
        for tell in self.on_stop:
            tell()

    def close(self) -> None:
        """Stop the thread pool; running work is finished."""
        for pool in (self._pool, self.reloader):
            pool.shutdown(wait=False, cancel_futures=True)
