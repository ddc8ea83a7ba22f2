"""Jobs about text in worker processes: the pool of now, and the older ones that still have something to do.

A reload makes a new zygote and a new pool beside the old one, which ends after its last job. If the zygote is gone,
both are made again from the files of the models.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from perceptag.errors import PerceptagError, reason
from perceptag.server.load_watch import LoadWatch
from perceptag.server.log_lines import log
from perceptag.server.problems import HttpProblem
from perceptag.server.receiving import Within
from perceptag.server.runners import JobRunner, stays
from perceptag.server.served import loading
from perceptag.server.text_jobs import TextJob, TextReply
from perceptag.server.worker_pool import WorkerPool
from perceptag.server.zygote import setup_line
from perceptag.server.zygote_link import ZygoteGoneError, ZygoteLink
from perceptag.system.platform.network import collect_children, inherit_orphans

if TYPE_CHECKING:
    from perceptag.server.service import Service

CHECKS = 0.2  # seconds between two looks at the zygote
PAUSES = (0.0, 1.0, 2.0, 5.0, 10.0, 30.0)  # seconds before each new try to start a zygote; the last one is repeated


class WorkerRunner:
    """Does jobs in `number` worker processes."""

    def __init__(self, service: Service, number: int) -> None:
        self.service = service
        self.number = number
        self.pool: WorkerPool | None = None
        self.loading = LoadWatch()  # of the first models
        self._tasks: set[asyncio.Task[Any]] = set()
        self._old: set[WorkerPool] = set()
        self._reloading = asyncio.Lock()
        self._is_failing = False  # the zygote is gone, and a new one could not be started
        gauges = service.metrics.gauges
        gauges["perceptag_workers", "Worker processes."] = lambda: sum(len(pool.workers) for pool in self.pools)
        gauges["perceptag_workers_busy", "Worker processes that do a job."] = lambda: sum(
            bool(worker.batch) for pool in self.pools for worker in pool.workers
        )
        gauges["perceptag_jobs_waiting", "Jobs that wait for a worker."] = self.waiting

    @property
    def most_files(self) -> int:
        """How many files it may have open: a socket of each worker, and some of zygotes, old and new in a reload."""
        return 2 * (self.number + 4)

    async def start(self) -> None:
        """Load the models and start the workers."""
        inherit_orphans()
        with self.loading:
            await self._use(await self._start_zygote())
        self._keep(self._watch())

    async def run(self, job: TextJob, client: str, is_gone: Callable[[], bool] = stays) -> TextReply:
        """Return the reply to a job."""
        return await self._current().run(job, client, is_gone)

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
        """Read a model again (`ModelTable.reload`); return its digest before and after. If that fails, it stays."""
        async with self._reloading:
            before, seconds = self.service.table.find(name).digest, self.service.limits.reload_seconds
            try:
                zygote = await Within(seconds, self._current().zygote.reload(name))
                after = {about["name"]: about["digest"] for about in zygote.told}[name]
                if after == before:
                    zygote.close()
                else:
                    await self._use(zygote)
            except TimeoutError:
                raise PerceptagError(f"it was not loaded within {seconds} s (--limit reload_seconds)") from None
            except OSError as error:  # files of models are read by the zygote, which names them
                raise PerceptagError(f"its workers cannot be started: {reason(error)}") from None
            except ZygoteGoneError:
                raise PerceptagError("the process that loads models has ended; it is started again") from None
            return before, after

    def waiting(self) -> int:
        """Return how many jobs wait for a worker."""
        return sum(len(pool.queue) for pool in self.pools)

    def trouble(self) -> str:
        """Return why requests are not welcome now, or nothing."""
        if self.pool is None:
            return self.loading.trouble()
        if self._is_failing and not self.pool.workers:
            return _not_loaded().detail
        return self.pool.trouble()

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
            raise loading()
        if self._is_failing and not self.pool.workers:
            raise _not_loaded()
        return self.pool

    async def _start_zygote(self) -> ZygoteLink:
        setup = setup_line(self.service.table.paths, self.service.limits, self.service.encoding)
        return await ZygoteLink.start(setup, self.loading.begin)

    async def _use(self, zygote: ZygoteLink) -> None:
        """Give new jobs to the workers of a zygote."""
        pool = WorkerPool(zygote, self.number, self.service.limits, self.service.metrics)
        try:
            await pool.start()
        except BaseException:
            pool.close()  # the workers that were started end, too
            raise
        old, self.pool = self.pool, pool
        self.service.table.show(zygote.told)
        if old is not None:
            self._old.add(old)
            self._keep(self._retire(old))

    async def _retire(self, pool: WorkerPool) -> None:
        if (pool.is_lost or pool.zygote.is_gone) and self.pool is not None:
            pool.leave_to(self.pool)
        await pool.retire()
        self._old.discard(pool)

    async def _watch(self) -> None:
        """Start a new zygote when the one of now is gone; let go of old ones."""
        while True:
            await asyncio.sleep(CHECKS)
            collect_children()
            for pool in self.pools:
                pool.look()
            if self.pool is not None and (self.pool.is_lost or self.pool.zygote.is_gone):
                async with self._reloading:
                    await self._start_again()

    async def _start_again(self) -> None:
        self.service.metrics.worker_restarts["zygote"] += 1
        log(event="workers", error="the process that loads models has ended; it is started again")
        for number in range(1 << 30):
            await asyncio.sleep(PAUSES[min(number, len(PAUSES) - 1)])
            try:
                await self._use(await Within(self.service.limits.reload_seconds, self._start_zygote()))
            except (PerceptagError, OSError, ZygoteGoneError) as error:  # also TimeoutError
                log(event="workers", error=self.service.table.without_paths(str(error)))
                self._is_failing = True
                if self.pool is not None and not self.pool.workers:
                    self.pool.refuse_all(_not_loaded())
            else:
                self._is_failing = False
                return

    def _keep(self, coroutine: Any) -> None:
        task = asyncio.ensure_future(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _not_loaded() -> HttpProblem:
    detail = "the models cannot be loaded now; the log of the server says why"
    return HttpProblem(503, detail).because("loading").with_header(b"retry-after", b"5")


class _PinnedPool:
    """Gives jobs to one pool, whatever is loaded since."""

    def __init__(self, pool: WorkerPool) -> None:
        self._pool = pool

    async def run(self, job: TextJob, client: str, is_gone: Callable[[], bool] = stays) -> TextReply:
        return await self._pool.run(job, client, is_gone)

    @contextmanager
    def pinned(self) -> Iterator[JobRunner]:
        yield self
