"""Where jobs about text are done: in the thread pool of this process, or in worker processes (`worker_pool.py`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from perceptag.server.receiving import ClientGoneError
from perceptag.server.served import ServedModels
from perceptag.server.text_jobs import SMALL_BODY, TextJob, TextReply, answer_job, prepare

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from perceptag.server.service import Service


def stays() -> bool:
    """Return that a client has not gone."""
    return False


class JobRunner(Protocol):
    """Does jobs about text."""

    async def run(self, job: TextJob, client: str, is_gone: Callable[[], bool] = stays) -> TextReply:
        """Return the reply to a job of a client; what it is refused with is raised as `HttpProblem`.

        A job that waits while its client has gone is not done: it raises `ClientGoneError`.
        """

    def pinned(self) -> AbstractContextManager[JobRunner]:
        """Return a runner that keeps the models of now, for a request of several jobs."""


class ModelRunner(JobRunner, Protocol):
    """Does jobs about text, and has the models for them."""

    @property
    def most_files(self) -> int:
        """How many files it may have open."""

    async def reload(self, name: str) -> tuple[str, str]:
        """Read a model again (`ModelTable.reload`); return its digest before and after. If that fails, it stays."""

    def trouble(self) -> str:
        """Return why requests are not welcome now, or nothing."""

    def close(self) -> None:
        """End what runs."""


@dataclass(frozen=True, slots=True)
class ThreadRunner:
    """Does small jobs at once, and others in the thread pool of this process."""

    service: Service
    models: Callable[[], ServedModels]
    most_files: int = 0

    async def run(self, job: TextJob, client: str, is_gone: Callable[[], bool] = stays) -> TextReply:  # noqa: ARG002 - threads do not tell clients apart
        """Return the reply to a job."""
        models = self.models()
        if len(job.body) > SMALL_BODY:
            return await self.service.in_thread(_unless(is_gone, lambda: answer_job(job, models)))
        prepared = prepare(job, models)
        return (
            prepared.finish() if prepared.is_small else await self.service.in_thread(_unless(is_gone, prepared.finish))
        )

    @contextmanager
    def pinned(self) -> Iterator[JobRunner]:
        """Return a runner that keeps the models of now."""
        now = self.models()
        kept = ServedModels(now.table.frozen(), now.limits, now.encoding)
        yield ThreadRunner(self.service, lambda: kept)

    async def reload(self, name: str) -> tuple[str, str]:
        """Read a model again, in a thread of its own."""
        return await self.service.in_thread(lambda: self.models().table.reload(name), self.service.reloader)

    def trouble(self) -> str:
        """Return why requests are not welcome now, or nothing."""
        return self.service.saturation()

    def close(self) -> None:
        """Leave the thread pool to the service."""


def _unless(is_gone: Callable[[], bool], work: Callable[[], TextReply]) -> Callable[[], TextReply]:
    """Return work that is not done if its client has gone meanwhile."""

    def guarded() -> TextReply:
        if is_gone():
            raise ClientGoneError
        return work()

    return guarded


def client_of(scope: Any) -> str:
    """Return who asks, for a queue that is fair between clients: the name of a token, or an address."""
    person, address = scope.get("perceptag.person"), scope.get("client")
    return (person.name if person is not None else "") or (str(address[0]) if address else "")
