"""Jobs about text in worker processes: the pool of now, and the older ones that still have something to do.

A reload makes a new zygote and a new pool beside the old one, which ends after its last job. If the zygote is gone,
both are made again from the files of the models.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from perceptag.errors import PerceptagError
from perceptag.server.log_lines import log
from perceptag.server.problems import HttpProblem
from perceptag.server.runners import JobRunner
from perceptag.server.text_jobs import TextJob, TextReply
from perceptag.server.worker_pool import WorkerPool
from perceptag.server.zygote_link import ZygoteGoneError, ZygoteLink
from perceptag.system.platform.network import collect_children, inherit_orphans

if TYPE_CHECKING:
    from perceptag.server.service import Service

CHECKS = 0.2  # seconds between two looks at the zygote
PAUSES = (0.0, 1.0, 2.0, 5.0, 10.0, 30.0)  # seconds before each new try to start a zygote; the last one is repeated


class WorkerRunner:
    """Does jobs in `number` worker processes."""

    def __init__(self, service: Service, paths: Mapping[str, str], number: int) -> None:
        self.service = service
        self.paths = dict(paths)
        self.number = number
        self.pool: WorkerPool | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._old: set[WorkerPool] = set()
        self._reloading = asyncio.Lock()
        gauges = service.metrics.gauges
        gauges["perceptag_workers", "Worker processes."] = lambda: sum(len(pool.workers) for pool in self.pools)
        gauges["perceptag_workers_busy", "Worker processes that do a job."] = lambda: sum(
            bool(worker.batch) for pool in self.pools for worker in pool.workers
        )
        gauges["perceptag_jobs_waiting", "Jobs that wait for a worker."] = lambda: sum(
            len(pool.queue) for pool in self.pools
        )

    async def start(self) -> None:
        """Load the models and start the workers."""
        inherit_orphans()
        await self._use(await ZygoteLink.start(self.paths, self.service.limits, self.service.encoding))
        self._keep(self._watch())

    async def run(self, job: TextJob, client: str) -> TextReply:
        """Return the reply to a job."""
        return await self._current().run(job, client)

    @contextmanager
    def pinned(self) -> Iterator[JobRunner]:
        """Return a runner that keeps the models of now."""
        pool = self._current()
        pool.pins += 1
        try:
            yield _PinnedPool(pool)
        finally:
            pool.pins -= 1

    async def reload(self, name: str) -> tuple[str, str]:
        """Load a model again; return its digest before and after. If that fails, the old one stays."""
        async with self._reloading:
            before = self.service.table.find(name).digest
            try:
                zygote = await self._current().zygote.reload(name)
                after = {about["name"]: about["digest"] for about in zygote.models}[name]
                if after == before:
                    zygote.close()
                else:
                    await self._use(zygote)
            except ZygoteGoneError:
                raise PerceptagError("the process that loads models has ended; it is started again") from None
            return before, after

    def trouble(self) -> str:
        """Return why requests are not welcome now, or nothing."""
        return self.pool.trouble() if self.pool is not None else "the models are being loaded"

    def close(self) -> None:
        """End all workers now."""
        for task in self._tasks:
            task.cancel()
        for pool in {*self._old, *([self.pool] if self.pool is not None else [])}:
            pool.close()

    @property
    def pools(self) -> list[WorkerPool]:
        """All pools; the last one takes new jobs."""
        return [*self._old, *([self.pool] if self.pool is not None else [])]

    def _current(self) -> WorkerPool:
        if self.pool is None:
            detail = "the models are being loaded; try again"
            raise HttpProblem(503, detail).because("loading").with_header(b"retry-after", b"1")
        return self.pool

    async def _use(self, zygote: ZygoteLink) -> None:
        """Give new jobs to the workers of a zygote."""
        pool = WorkerPool(zygote, self.number, self.service.limits, self.service.metrics)
        try:
            await pool.start()
        except BaseException:
            pool.close()  # the workers that were started end, too
            raise
        old, self.pool = self.pool, pool
        self.service.table.show(zygote.models)
        if old is not None:
            self._old.add(old)
            self._keep(self._retire(old))

    async def _retire(self, pool: WorkerPool) -> None:
        if (pool.is_lost or pool.zygote.is_gone) and self.pool is not None:
            while (taken := pool.queue.take()) is not None:
                self.pool.adopt(taken[1])
        await pool.retire()
        self._old.discard(pool)

    async def _watch(self) -> None:
        """Start a new zygote when the one of now is gone; let go of old ones."""
        while True:
            await asyncio.sleep(CHECKS)
            collect_children()
            if self.pool is not None and (self.pool.is_lost or self.pool.zygote.is_gone):
                async with self._reloading:
                    await self._start_again()

    async def _start_again(self) -> None:
        self.service.metrics.worker_restarts["zygote"] += 1
        log(event="workers", error="the process that loads models has ended; it is started again")
        for number in range(1 << 30):
            await asyncio.sleep(PAUSES[min(number, len(PAUSES) - 1)])
            try:
                await self._use(await ZygoteLink.start(self.paths, self.service.limits, self.service.encoding))
            except (PerceptagError, OSError, ZygoteGoneError) as error:
                log(event="workers", error=self.service.table.without_paths(str(error)))
            else:
                return

    def _keep(self, coroutine: Any) -> None:
        task = asyncio.ensure_future(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class _PinnedPool:
    """Gives jobs to one pool, whatever is loaded since."""

    def __init__(self, pool: WorkerPool) -> None:
        self._pool = pool

    async def run(self, job: TextJob, client: str) -> TextReply:
        return await self._pool.run(job, client)

    @contextmanager
    def pinned(self) -> Iterator[JobRunner]:
        yield self
