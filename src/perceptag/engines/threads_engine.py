"""Run workers in threads of this process."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Collection

from perceptag.engines.calls import Call, Done, Holder, Outcome
from perceptag.engines.dispatch import Dispatcher
from perceptag.system.cores import cores

_local = threading.local()


def is_dismissed() -> bool:
    """Whether the result of the call in this thread is not needed any more; long work may ask now and then."""
    worker: _Thread | None = getattr(_local, "worker", None)
    return worker is not None and worker.is_dismissed


class ThreadsEngine:
    """One worker for each thread. Native code that releases the GIL runs in parallel; Python code takes turns."""

    name = "threads"

    def __init__(self, workers: int = 0) -> None:
        self.workers = cores(workers)

    def crew(self, make: Callable[[], object]) -> Dispatcher:
        """Workers that `make` makes, each in its thread."""
        return Dispatcher(_Threads(make, self.workers) if self.workers > 1 else _Here(make))


class _Here:
    """One worker in the thread of the caller, so that an interrupt reaches it."""

    copies = False
    tries = 1

    def __init__(self, make: Callable[[], object]) -> None:
        self._holder = Holder(make)
        self._call: Call | None = None

    def wanted(self) -> int:
        return 1

    def hire(self) -> Holder:
        return self._holder

    def begin(self, worker: Holder, call: Call) -> None:
        del worker
        self._call = call

    def wait(self, busy: Collection[Holder], seconds: float | None) -> list[tuple[Holder, Outcome]]:
        del busy, seconds
        if self._call is None:
            return [(self._holder, Done(None))]
        return [(self._holder, self._holder.carry_out(self._call.method, self._call.arguments))]

    def share(self, value: object) -> object:
        return value

    def dismiss(self, workers: Collection[Holder]) -> None:
        del workers


class _Thread:
    """A thread that carries out what comes into its queue, until None comes."""

    def __init__(self, make: Callable[[], object], outcomes: queue.SimpleQueue[tuple[_Thread, Outcome]]) -> None:
        self.calls: queue.SimpleQueue[Call | None] = queue.SimpleQueue()
        self._holder = Holder(make)
        self._outcomes = outcomes
        self.is_dismissed = False
        self.thread = threading.Thread(target=self._work, name="perceptag-worker", daemon=True)
        self.thread.start()

    def _work(self) -> None:
        _local.worker = self
        while call := self.calls.get():
            self._outcomes.put((self, self._holder.carry_out(call.method, call.arguments)))


class _Threads:
    copies = False  # it is one machine
    tries = 1

    def __init__(self, make: Callable[[], object], workers: int) -> None:
        self._make = make
        self._workers = workers
        self._outcomes: queue.SimpleQueue[tuple[_Thread, Outcome]] = queue.SimpleQueue()

    def wanted(self) -> int:
        return self._workers

    def hire(self) -> _Thread:
        thread = _Thread(self._make, self._outcomes)
        self._outcomes.put((thread, Done(None)))
        return thread

    def begin(self, worker: _Thread, call: Call) -> None:
        worker.calls.put(call)

    def wait(self, busy: Collection[_Thread], seconds: float | None) -> list[tuple[_Thread, Outcome]]:
        del busy
        try:
            return [self._outcomes.get(timeout=seconds)]
        except queue.Empty:
            return []

    def share(self, value: object) -> object:
        return value

    def dismiss(self, workers: Collection[_Thread]) -> None:
        for worker in workers:
            worker.is_dismissed = True
            worker.calls.put(None)
        for worker in workers:
            worker.thread.join()
