"""Run workers in processes of this machine, so that Python code runs in parallel too."""

from __future__ import annotations

import multiprocessing
import pickle
import signal
from collections.abc import Callable, Collection
from contextlib import suppress
from itertools import count
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from weakref import WeakValueDictionary

from perceptag.engines.calls import Call, Done, Holder, Lost, Outcome, portable
from perceptag.engines.dispatch import Dispatcher
from perceptag.system.cores import cores

_AT_END = 10.0  # seconds that a process may take to end


class ProcessesEngine:
    """One worker for each process."""

    name = "processes"

    def __init__(self, workers: int = 0) -> None:
        self.workers = cores(workers)

    def crew(self, make: Callable[[], object]) -> Dispatcher:
        """Workers that `make` makes, each in its process."""
        return Dispatcher(Processes(make, self.workers))


class _Shared:
    """A value that each process gets once, when it first needs it."""

    def __init__(self, number: int, data: bytes) -> None:
        self.number = number
        self.data = data


class _Number(int):
    """Stands for a shared value in the arguments of a call."""


class Process:
    """A worker in its process."""

    def __init__(self, make: Callable[[], object]) -> None:
        context = multiprocessing.get_context("spawn")  # a forked process would share the state of native threads
        self.connection, there = context.Pipe()
        self.process: BaseProcess = context.Process(target=_work, args=(there,), daemon=True)
        self.process.start()
        there.close()  # so that the pipe ends when the process ends
        self.known: set[int] = set()  # shared values that the process has
        self.send(make)

    def send(self, value: object) -> None:
        with suppress(BrokenPipeError, ConnectionResetError):  # the process has died, which `wait` will find
            self.connection.send_bytes(_pickled(value))


class Processes:
    """What a `Dispatcher` asks of processes."""

    copies = False  # it is one machine
    tries = 3

    def __init__(self, make: Callable[[], object], workers: int) -> None:
        self._make = make
        self._workers = workers
        self._numbers = count()
        self._shared: WeakValueDictionary[int, _Shared] = WeakValueDictionary()

    def wanted(self) -> int:
        return self._workers

    def hire(self) -> Process:
        return Process(self._make)

    def begin(self, worker: Process, call: Call) -> None:
        given = {a.number: a.data for a in call.arguments if isinstance(a, _Shared) and a.number not in worker.known}
        gone = [number for number in worker.known if number not in self._shared]
        worker.known = (worker.known - set(gone)) | set(given)
        arguments = [_Number(a.number) if isinstance(a, _Shared) else a for a in call.arguments]
        worker.send((gone, given, call.method, arguments))

    def wait(self, busy: Collection[Process], seconds: float | None) -> list[tuple[Process, Outcome]]:
        by_connection = {worker.connection: worker for worker in busy}
        ready = [by_connection[one] for one in wait(list(by_connection), seconds)]  # type: ignore[index]
        return [(worker, _outcome(worker)) for worker in ready]

    def share(self, value: object) -> object:
        shared = _Shared(next(self._numbers), _pickled(value))
        self._shared[shared.number] = shared
        return shared

    def dismiss(self, workers: Collection[Process]) -> None:
        for worker in workers:
            worker.process.terminate()
        for worker in workers:
            worker.process.join(_AT_END)
            if worker.process.is_alive():
                worker.process.kill()
            worker.connection.close()


def _outcome(worker: Process) -> Outcome:
    try:
        outcome: Outcome = worker.connection.recv()
    except (EOFError, ConnectionError):
        worker.process.join()
        return Lost(f"a process ended without a result (exit status {worker.process.exitcode})")
    return outcome


def _pickled(value: object) -> bytes:
    return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)


def _work(connection: Connection) -> None:
    """Carry out calls until the process at the other end closes the pipe or ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the process that started this one
    shared: dict[int, object] = {}
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        holder = Holder(connection.recv())
        connection.send(Done(None))
        while True:
            gone, given, method, arguments = connection.recv()
            for number in gone:
                del shared[number]
            shared |= {number: pickle.loads(data) for number, data in given.items()}
            values = [shared[a] if isinstance(a, _Number) else a for a in arguments]
            connection.send(portable(holder.carry_out(method, values)))
