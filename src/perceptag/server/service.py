"""What the routes share: models, limits, counts, and threads for work that takes long."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

from starlette.routing import Route

from perceptag.server.deadline import Within
from perceptag.server.limits import Limits
from perceptag.server.metrics import Metrics
from perceptag.server.page_files import PageFile, page_files
from perceptag.server.problems import HttpProblem
from perceptag.server.receiving import Bodies
from perceptag.server.roles import EVERYBODY, Person
from perceptag.server.served import ModelTable
from perceptag.server.work import busy

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
    metrics: Metrics = field(default_factory=Metrics)
    page: dict[str, PageFile] = field(default_factory=page_files)
    further: Sequence[Route] = ()  # endpoints of the workbench
    on_stop: list[Callable[[], object]] = field(default_factory=list)  # called when the server is about to stop
    is_stopping: bool = False
    bodies: Bodies = field(init=False)
    reloads: dict[str, asyncio.Task[tuple[str, str]]] = field(default_factory=dict)  # that have not begun
    reloader: ThreadPoolExecutor = field(init=False)  # one thread, so that reloads do not delay other requests
    _pool: ThreadPoolExecutor = field(init=False)

    def __post_init__(self) -> None:
        self.bodies = Bodies(self.limits)
        self._pool = ThreadPoolExecutor(self.cores, "perceptag-work")
        self.reloader = ThreadPoolExecutor(1, "perceptag-reload")

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
