"""Worker processes with the same models, and the queue that they take jobs from.

    run ─▶ FairQueue ─▶ a slot takes a batch ─▶ its worker ─▶ replies
                        one client, small jobs               deadline: the worker is killed and replaced, 504
                                                             death: a new worker, once more, then 500

Each slot has one worker at a time. Jobs wait only if all workers are busy; then small ones of the same client share a
call. If there are several clients, one whose jobs take long may not have the last worker that is free, so that the
others find one.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from perceptag.errors import reason
from perceptag.server.fair_queue import FairQueue
from perceptag.server.limits import Limits, busy
from perceptag.server.log_lines import log
from perceptag.server.metrics import Metrics
from perceptag.server.problems import HttpProblem
from perceptag.server.receiving import ClientGoneError, Within
from perceptag.server.runners import stays
from perceptag.server.text_jobs import TextJob, TextReply
from perceptag.server.worker_frames import pack_jobs, receive, replies_in
from perceptag.server.zygote_link import ZygoteGoneError, ZygoteLink

BATCH, BATCH_BYTES = 16, 4_096  # jobs that share a call, and the size up to which a job is small
GRACE = 5.0  # seconds after which a worker ends itself that should have been killed
SLOW, REMEMBERED = 0.5, 10.0  # a client one of whose jobs took this long is slow for so many seconds
TRIES = 2  # workers that a job may cost
PAUSE = 0.5  # seconds until the next try to start a worker that the system has no room for
_GONE = (asyncio.IncompleteReadError, OSError)


@dataclass(eq=False, slots=True)
class QueuedJob:
    """A job and who waits for its reply."""

    job: TextJob
    client: str
    reply: asyncio.Future[TextReply]
    came: float
    deadline: float
    pool: WorkerPool  # that will do it
    is_gone: Callable[[], bool] = stays  # tells whether the client has closed the connection
    tries: int = 0

    @property
    def is_small(self) -> bool:
        """Whether it may share a call: small ones may, unless a worker ended over them."""
        return self.job.kind == "tag" and len(self.job.body) <= BATCH_BYTES and not self.tries

    def refuse(self, problem: Exception) -> None:
        """Answer with a problem."""
        if not self.reply.done():
            self.reply.set_exception(problem)


@dataclass(eq=False, slots=True)
class Worker:
    """A worker process."""

    pid: int
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    batch: list[QueuedJob] = field(default_factory=list)
    since: float = 0.0  # when it began its batch
    left: list[Mapping[str, str]] = field(default_factory=list)  # the names of the requests that it ended over


class WorkerPool:
    """The workers of one zygote."""

    def __init__(self, zygote: ZygoteLink, number: int, limits: Limits, metrics: Metrics) -> None:
        self.zygote = zygote
        self.number = number
        self.limits = limits
        self.metrics = metrics
        self.queue: FairQueue[QueuedJob] = FairQueue(limits.queue)
        self.workers: set[Worker] = set()
        self.pins = 0  # requests of several jobs that need these models
        self.is_lost = False  # the zygote is gone, so that workers cannot be replaced
        self.heir: WorkerPool | None = None  # takes the jobs of a lost pool
        self.full_since: float | None = None  # when the queue became full
        self._idle: deque[asyncio.Future[None]] = deque()
        self._slow: dict[str, float] = {}  # clients, and until when
        self._seen: dict[str, float] = {}  # the last two clients, and when
        self._is_ending = False
        self._slots: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Start the workers."""
        first = [await self._new_worker() for _ in range(self.number)]
        self._slots = [asyncio.ensure_future(self._slot(worker)) for worker in first]

    # --- jobs ---

    async def run(self, job: TextJob, client: str, is_gone: Callable[[], bool] = stays) -> TextReply:
        """Return the reply to a job."""
        loop, now = asyncio.get_running_loop(), time.monotonic()
        self._note_client(client, now)
        queued = QueuedJob(job, client, loop.create_future(), now, now + self.limits.answer_seconds, self, is_gone)
        timer = loop.call_later(self.limits.answer_seconds, lambda: queued.pool._expire(queued))
        self._put(queued)
        try:
            return await queued.reply
        finally:
            timer.cancel()
            if queued.reply.cancelled():  # with the request
                queued.pool.queue.remove(client, queued)

    def _note_client(self, client: str, now: float) -> None:
        if client not in self._seen:
            self._seen = {**dict(list(self._seen.items())[-1:]), client: now}
        elif next(reversed(self._seen)) != client:
            del self._seen[client]
        self._seen[client] = now

    def leave_to(self, heir: WorkerPool) -> None:
        """Give the jobs of this pool, whose zygote is gone, to another one; later ones too, if no worker is left."""
        self.heir = heir
        while (taken := self.queue.take()) is not None:
            heir._put(taken[1])

    def refuse_all(self, problem: HttpProblem) -> None:
        """Refuse the jobs that wait."""
        while (taken := self.queue.take()) is not None:
            taken[1].refuse(problem)

    def _put(self, queued: QueuedJob, again: bool = False) -> None:
        if self.heir is not None and not self.workers:
            self.heir._put(queued, again)
            return
        queued.pool = self
        without_room = self.queue.put(queued.client, queued, is_first=again)
        if without_room is not None:
            without_room.refuse(busy())
        self._note_fullness()
        self._wake()

    def _expire(self, queued: QueuedJob) -> None:
        """Refuse a job that has waited too long; one that a worker has taken is ended by its slot."""
        if not any(queued in worker.batch for worker in self.workers):
            self.queue.remove(queued.client, queued)
            self._note_fullness()
            seconds = self.limits.answer_seconds
            detail, why = f"all workers were busy for {seconds} s", "queue"
            if not self.workers:
                detail, why = f"the models could not be loaded again within {seconds} s; the log says why", "loading"
            queued.refuse(HttpProblem(503, detail).because(why).with_header(b"retry-after", b"5"))

    def _note_fullness(self) -> None:
        if len(self.queue) < self.queue.most:
            self.full_since = None
        elif self.full_since is None:
            self.full_since = time.monotonic()

    def _wake(self) -> None:
        while self._idle:
            slot = self._idle.popleft()
            if not slot.done():
                slot.set_result(None)
                return

    # --- slots ---

    async def _slot(self, worker: Worker) -> None:
        """Give jobs to a worker; if it ends, get another one."""
        with suppress(ZygoteGoneError):
            while not self._is_ending or len(self.queue):
                if worker.reader.at_eof():  # it died while it was idle
                    self.metrics.worker_restarts["died"] += 1
                    worker = await self._replaced(worker)
                elif not (batch := self._take()):
                    await self._woken()
                elif not await self._do(worker, batch):
                    worker = await self._replaced(worker)
            await self._end(worker)
            return
        self.is_lost = True
        if self.heir is not None and not self.workers:
            self.leave_to(self.heir)

    async def _replaced(self, worker: Worker) -> Worker:
        """Return a new worker, as soon as the system has room for one."""
        await self._end(worker)
        has_failed = False
        while True:
            try:
                return await self._new_worker()
            except OSError as error:  # noqa: PERF203 - it ends the loop otherwise
                if not has_failed:
                    log(event="worker", error=f"cannot start a new one: {reason(error)}")
                has_failed = True
                await asyncio.sleep(PAUSE)

    async def _new_worker(self) -> Worker:
        pid, connection = await self.zygote.fork()
        try:
            worker = Worker(pid, *await asyncio.open_connection(sock=connection))
        except BaseException:
            connection.close()
            raise
        self.workers.add(worker)
        return worker

    async def _end(self, worker: Worker) -> None:
        self.workers.discard(worker)
        worker.writer.close()
        status = await self.zygote.end(worker.pid)
        if not self._is_ending:
            log(event="worker", pid=worker.pid, status=status, **({"requests": worker.left} if worker.left else {}))

    async def _woken(self) -> None:
        """Wait until there may be a job."""
        woken = asyncio.get_running_loop().create_future()
        self._idle.append(woken)
        await woken

    def look(self) -> None:
        """Let slots see that their workers have died while they were idle."""
        if any(worker.reader.at_eof() and not worker.batch for worker in self.workers):
            self._wake_all()

    def _wake_all(self) -> None:
        while self._idle:
            self._wake()

    def _take(self) -> list[QueuedJob]:
        """Return the next jobs; those of clients that have gone are dropped."""
        while batch := self._next_batch():
            for queued in batch:
                if queued.is_gone():
                    queued.refuse(ClientGoneError())
            if left := [queued for queued in batch if not queued.reply.done()]:
                return left
        return []

    def _next_batch(self) -> list[QueuedJob]:
        holders = Counter(worker.batch[0].client for worker in self.workers if worker.batch)
        is_last = self.number > 1 and holders.total() == self.number - 1
        taken = self.queue.take(lambda client: not (is_last and holders[client] and self._leaves_room(client)))
        if taken is None:
            return []
        client, first = taken
        all_busy = holders.total() >= self.number - 1  # but for this one
        most = BATCH - 1 if first.is_small and all_busy else 0
        more = self.queue.take_more(client, lambda one: one.is_small, most)
        self._note_fullness()
        return [first, *more]

    def _leaves_room(self, client: str) -> bool:
        """Return whether a client is slow, and there are others that need a worker from time to time."""
        now = time.monotonic()
        if not any(name != client and when > now - REMEMBERED for name, when in self._seen.items()):
            return False
        running = max((now - worker.since for worker in self.workers if _is_of(worker, client)), default=0.0)
        return running > SLOW or self._slow.get(client, 0.0) > now

    async def _do(self, worker: Worker, batch: list[QueuedJob]) -> bool:
        """Do jobs; return whether the worker can take others."""
        now = worker.since = time.monotonic()
        worker.batch = batch
        self.metrics.batch_jobs.add(len(batch))
        for queued in batch:
            self.metrics.queue_seconds.add(now - queued.came)
        seconds = max(min(self.limits.work_seconds, min(one.deadline for one in batch) - now), 0.001)
        try:
            replies, is_last = await Within(seconds, _exchange(worker, batch, seconds + GRACE))
        except TimeoutError:
            worker.left = [queued.job.ids for queued in batch if queued.job.ids]
            self._failed(batch, "deadline", self._too_long(seconds))
            return False
        except Exception as error:  # mostly the end of the connection
            worker.left = [queued.job.ids for queued in batch if queued.job.ids]
            if not isinstance(error, _GONE):
                log(event="error", kind=type(error).__name__, requests=worker.left)
            self._failed(batch, "died", HttpProblem(500, "the worker ended during this request; the log says how"))
            return False
        finally:
            worker.batch = []
            self._note_time(batch[0].client, time.monotonic() - now)
            self._wake()  # another slot may be waiting for this one to be free
        self.metrics.work_seconds.add(time.monotonic() - now)
        for queued, reply in zip(batch, replies, strict=True):
            if isinstance(reply, HttpProblem):
                queued.refuse(reply)
            elif not queued.reply.done():
                queued.reply.set_result(reply)
        if is_last:
            self.metrics.worker_restarts["used"] += 1
        return not is_last

    def _too_long(self, seconds: float) -> HttpProblem:
        detail = f"the request took longer than {self.limits.work_seconds} s of work, and was ended"
        if seconds < self.limits.work_seconds:  # it had waited for a worker before
            detail = f"the server did not answer within {self.limits.answer_seconds} s, and the request was ended"
        return HttpProblem(504, detail).because("deadline")

    def _failed(self, batch: list[QueuedJob], why: str, problem: HttpProblem) -> None:
        """Count the loss of a worker. Jobs of a batch are tried alone, and one whose worker died is tried again."""
        self.metrics.worker_restarts[why] += 1
        for queued in batch:
            queued.tries += 1
            is_over = len(batch) == 1 and (why == "deadline" or queued.tries >= TRIES)
            if is_over or queued.deadline <= time.monotonic():
                queued.refuse(problem)
            else:
                self._put(queued, again=True)

    def _note_time(self, client: str, seconds: float) -> None:
        now = time.monotonic()
        if seconds > SLOW:
            self._slow = {name: until for name, until in self._slow.items() if until > now}
            self._slow[client] = now + REMEMBERED

    # --- the pool ---

    def trouble(self) -> str:
        """Return why requests are not welcome now, or nothing."""
        now, most = time.monotonic(), self.limits.unready_seconds
        if not self.workers:
            return "there is no worker"
        if all(worker.batch and now - worker.since > most for worker in self.workers):
            return f"all workers have been busy with one request for more than {most} s"
        if self.full_since is not None and now - self.full_since > most:
            return f"the queue has been full for more than {most} s"
        return ""

    async def retire(self) -> None:
        """End the pool after its last job; requests that hold it (`pins`) come first."""
        while self.pins or len(self.queue):
            await asyncio.sleep(0.05)
        self._is_ending = True
        self._wake_all()
        await asyncio.gather(*self._slots, return_exceptions=True)
        self.close()

    def close(self) -> None:
        """End everything now."""
        self._is_ending = True
        for slot in self._slots:
            slot.cancel()
        for worker in self.workers:
            worker.writer.close()
        self.zygote.close()


def _is_of(worker: Worker, client: str) -> bool:
    return bool(worker.batch) and worker.batch[0].client == client


async def _exchange(
    worker: Worker, batch: list[QueuedJob], seconds: float
) -> tuple[list[TextReply | HttpProblem], bool]:
    """Return the replies to jobs, and whether the worker asks to be replaced."""
    worker.writer.write(pack_jobs([queued.job for queued in batch], seconds))
    await worker.writer.drain()
    frame = await receive(worker.reader)
    return replies_in(frame), bool(frame[0]["is_last"])
