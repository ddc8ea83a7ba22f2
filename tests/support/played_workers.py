"""Workers and a zygote that are played by a test: each step happens when the test says so."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from typing import Any

from perceptag.server.limits import Limits
from perceptag.server.metrics import Metrics
from perceptag.server.problems import HttpProblem
from perceptag.server.text_jobs import TextJob, TextReply
from perceptag.server.worker_frames import jobs_in, pack_replies, receive
from perceptag.server.worker_pool import WorkerPool
from perceptag.server.zygote_link import ZygoteGoneError


class Played:
    """A worker whose replies the test decides."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def jobs(self) -> list[str]:
        """The bodies of the next jobs."""
        return [job.body.decode() for job in jobs_in(await receive(self.reader))]

    def reply(self, number: int) -> None:
        """Answer so many jobs."""
        self.writer.write(pack_replies([TextReply(b"{}", "application/json", "m", "d", 1)] * number, 0.0))

    def die(self) -> None:
        """End."""
        self.writer.close()


class PlayedZygote:
    """A zygote whose workers are in this process."""

    def __init__(self) -> None:
        self.workers: list[Played] = []
        self.ended: list[int] = []
        self.is_gone = False

    async def fork(self) -> tuple[int, socket.socket]:
        """A new worker; its number is that of a process."""
        if self.is_gone:
            raise ZygoteGoneError
        ours, theirs = socket.socketpair()
        try:
            self.workers.append(Played(*await asyncio.open_connection(sock=theirs)))
        except asyncio.CancelledError:  # the test is over
            ours.close()
            theirs.close()
            raise
        return len(self.workers) - 1, ours

    async def end(self, pid: int) -> int:
        """End a worker."""
        self.ended.append(pid)
        self.workers[pid].die()
        return -9

    def close(self) -> None:
        """End."""
        for worker in self.workers:
            worker.die()


def play(script: Callable[[WorkerPool, PlayedZygote], Awaitable[None]], number: int, **limits: Any) -> Metrics:
    """Run a test in a loop of its own."""

    async def main() -> Metrics:
        zygote, metrics = PlayedZygote(), Metrics()
        pool = WorkerPool(zygote, number, Limits(**limits), metrics)  # type: ignore[arg-type]
        await pool.start()
        await script(pool, zygote)
        pool.close()
        await asyncio.sleep(0.01)  # in which connections close
        return metrics

    return asyncio.run(asyncio.wait_for(main(), 120))


def ask(pool: WorkerPool, body: str, client: str = "a", kind: str = "tag") -> asyncio.Task[TextReply]:
    return asyncio.ensure_future(pool.run(TextJob(kind, body.encode()), client))


async def problem_of(asked: asyncio.Task[TextReply]) -> tuple[int, str]:
    try:
        await asked
    except HttpProblem as problem:
        return problem.status, problem.detail
    raise AssertionError("it was answered")
