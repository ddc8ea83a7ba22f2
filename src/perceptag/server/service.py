"""What the endpoints share: models, limits, metrics, the files of the page, and a thread pool for long work."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from starlette.routing import Route
from starlette.types import Scope

from perceptag.server.access import Access
from perceptag.server.limits import Limits, busy
from perceptag.server.metrics import Metrics
from perceptag.server.problems import HttpProblem
from perceptag.server.receiving import Bodies, Within
from perceptag.server.runners import JobRunner, ModelRunner, ThreadRunner, client_of, stays
from perceptag.server.served import ModelTable, ServedModels
from perceptag.server.text_jobs import TextJob, TextReply

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


Result = TypeVar("Result")


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
    tls: tuple[str, str] | None = None  # the files of a certificate and its key
    on_stop: list[Callable[[], object]] = field(default_factory=list)  # called when the server is about to stop
    is_stopping: bool = False
    bodies: Bodies = field(init=False)
    reloads: dict[str, asyncio.Task[tuple[str, str]]] = field(default_factory=dict)  # by model, that have not begun
    reloading: asyncio.Lock = field(default_factory=asyncio.Lock)
    reloader: ThreadPoolExecutor = field(init=False)  # one thread, so that reloads do not delay other requests
    runner: ModelRunner = field(init=False)  # does the jobs about text
    _pool: ThreadPoolExecutor = field(init=False)
    _began: dict[object, float] = field(default_factory=dict)  # when each thread began what it does
    _full_since: float | None = None  # when the queue became full

    def __post_init__(self) -> None:
        self.bodies = Bodies(self.limits)
        self._pool = ThreadPoolExecutor(self.cores, "perceptag-work")
        self.reloader = ThreadPoolExecutor(1, "perceptag-reload")
        self.runner = ThreadRunner(self, lambda: ServedModels(self.table, self.limits, self.encoding))

    async def answer(
        self,
        scope: Scope,
        kind: str,
        body: bytes,
        options: Mapping[str, Any] | None = None,
        runner: JobRunner | None = None,
    ) -> TextReply:
        """Do a job of a request, and count its tokens."""
        job = TextJob(kind, body, options or {}, scope["perceptag.ids"].to_dict())
        reply = await (runner or self.runner).run(job, client_of(scope), scope.get("perceptag.is_gone", stays))
        self.metrics.tokens[reply.model] += reply.tokens
        return reply

    def saturation(self) -> str:
        """Return why the thread pool has no room for requests, or nothing."""
        now, most = time.monotonic(), self.limits.unready_seconds
        began = list(self._began.values())
        if len(began) >= self.cores and now - max(began) > most:
            return f"all threads have been busy with one request for more than {most} s"
        if self._full_since is not None and now - self._full_since > most:
            return f"the queue has been full for more than {most} s"
        return ""

    async def in_thread(self, work: Callable[[], Result], pool: Executor | None = None) -> Result:
        """Run work in the thread pool, which has a thread for each core. Answer 503 if it takes too long.

        Native code cannot be interrupted: it runs to its end, which the limits keep short, and its result is dropped.
        """
        if self.metrics.waiting >= self.limits.queue + self.cores:
            self._full_since = self._full_since or time.monotonic()
            raise busy()
        self.metrics.waiting += 1
        own = self._timed(work) if pool is None else work
        future = asyncio.get_running_loop().run_in_executor(pool or self._pool, own)
        future.add_done_callback(self._done)
        try:
            return await Within(self.limits.answer_seconds, asyncio.shield(future))
        except TimeoutError:
            detail = f"the server did not answer within {self.limits.answer_seconds} s"
            raise HttpProblem(503, detail).because("deadline").with_header(b"retry-after", b"5") from None

    def _timed(self, work: Callable[[], Result]) -> Callable[[], Result]:
        """Return the same work, with a note of how long it waits and takes."""
        came = time.monotonic()

        def timed() -> Result:
            key, began = object(), time.monotonic()
            self._began[key] = began
            self.metrics.queue_seconds.add(began - came)
            try:
                return work()
            finally:
                del self._began[key]
                self.metrics.work_seconds.add(time.monotonic() - began)

        return timed

    def _done(self, future: asyncio.Future[Result]) -> None:
        self.metrics.waiting -= 1
        self._full_since = None
        if not future.cancelled():
            future.exception()  # marks it as retrieved, even if the client is gone

    def stop(self) -> None:
        """Announce that the server is about to stop."""
        self.is_stopping = True
        for tell in self.on_stop:
            tell()

    def close(self) -> None:
        """Stop the workers, and the thread pool; what its threads do is finished."""
        self.runner.close()
        for pool in (self._pool, self.reloader):
            pool.shutdown(wait=False, cancel_futures=True)
