"""Run workers in Ray actors, on one machine or a cluster. Ray is imported only here, and only on demand.

Everyone who reaches a cluster of Ray can run code on it: it must not be open to others.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from importlib.util import find_spec
from typing import Any

from perceptag.engines.calls import Call, Done, FailedCall, Holder, Lost, Outcome, WorkerError, portable
from perceptag.engines.dispatch import Dispatcher
from perceptag.errors import DataError, SettingError
from perceptag.system.cores import cores

_STORE = 256 << 20  # bytes of the object store of a cluster of our own; more goes to the disk
_QUIET: dict[str, Any] = {"logging_level": "ERROR", "log_to_driver": False}
_STARTS = 3  # times to try to start a cluster
_LOOK = 2.0  # seconds between two looks at the size of the cluster
_REACH = 10.0  # seconds in which the machine of an address must answer
_SETTINGS = 4  # the type of that frame in HTTP/2: RFC 9113, section 6.5
_FRAME_OF_SETTINGS = bytes([0, 0, 0, _SETTINGS, 0, 0, 0, 0, 0])
_AT_END = 10.0  # seconds to wait for actors that were told to end


class RayEngine:
    """One worker for each core of the cluster; workers that join are used, lost ones are made again."""

    name = "ray"

    def __init__(self, address: str = "", workers: int = 0) -> None:
        _imported()  # before any file is read or written
        self.address = address
        self.workers = workers

    def crew(self, make: Callable[[], object]) -> Dispatcher:
        """Workers that `make` makes, each in its actor."""
        ray = _imported()
        own = not ray.is_initialized()
        if own:
            _connect(ray, self.address, self.workers)
        return Dispatcher(_Actors(ray, make, self.workers, own))


def _imported() -> Any:
    try:
        import ray
        import ray.exceptions
    except ImportError:
        raise SettingError(
            "--on ray: the package 'ray' is missing; it comes with the extra 'ray': pip install 'perceptag[ray]'"
        ) from None
    return ray


def _connect(ray: Any, address: str, workers: int) -> None:
    """Join the cluster of this address, or that of RAY_ADDRESS; otherwise start one on this machine."""
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # Ray warns of a change unless this is set
    if named := address or os.environ.get("RAY_ADDRESS", ""):
        _refuse_without_client(named)
        refuse_unreachable(named, ray.util.get_node_ip_address())
    try:
        if named:
            ray.init(address=address or None, **_QUIET)
        else:
            start(ray, cores(workers))
    except Exception as error:  # Ray raises whatever it likes
        told = " ".join(str(error).split())
        raise DataError(f"--on ray: cannot use {address or 'a cluster of Ray'}: {told}") from None


def _refuse_without_client(address: str) -> None:
    if address.startswith("ray://") and find_spec("grpc") is None:
        raise SettingError(
            f"--on {address}: the client of Ray is missing; it comes with the extra 'ray': pip install 'perceptag[ray]'"
        )


def refuse_unreachable(address: str, own: str) -> None:
    """Refuse a machine that does not answer, which Ray itself would ask for minutes. `own`: the address of this one."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdecimal():
        return  # it has a meaning for Ray, such as 'auto'
    told = ""
    for one in (host.strip("[]"), *([own] if host in ("localhost", "127.0.0.1") else [])):
        try:
            with socket.create_connection((one, int(port)), _REACH) as connection:
                if _is_tls() or _speaks_http2(connection):
                    return
            told = "it answers, but not as Ray does"
        except (OSError, OverflowError, ValueError) as error:  # noqa: PERF203
            told = str(getattr(error, "strerror", None) or error)
    raise DataError(f"--on ray: cannot reach {address}: {told}")


def _is_tls() -> bool:
    """Whether Ray encrypts what it sends, so that nothing can be said to it in plain bytes."""
    return os.environ.get("RAY_USE_TLS", "0").lower() in ("1", "true")


def _speaks_http2(connection: socket.socket) -> bool:
    """Whether the other side begins as every server of gRPC does, such as those of Ray: with its settings."""
    connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + _FRAME_OF_SETTINGS)
    found = b""
    while len(found) < len(_FRAME_OF_SETTINGS) and (more := connection.recv(64)):
        found += more
    return len(found) >= len(_FRAME_OF_SETTINGS) and found[3] == _SETTINGS


def start(ray: Any, workers: int, **options: Any) -> None:
    """Start a cluster on this machine. Where the machine is very busy, Ray gives up too soon, so it is tried again."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    given = {"num_cpus": workers, "include_dashboard": False, "object_store_memory": _STORE, **_QUIET, **options}
    for left in reversed(range(_STARTS)):
        try:
            ray.init(**given)
            return
        except Exception:  # noqa: PERF203
            ray.shutdown()
            if not left:
                raise


class _Actor(Holder):
    """What an actor does."""

    def __init__(self, make: Callable[[], object], folder: str) -> None:
        super().__init__(make)
        with suppress(OSError):  # names of files mean the same as for the driver, if machines share their storage
            os.chdir(folder)

    def hello(self) -> Done:
        """Say that it is there."""
        return Done(None)

    def call(self, method: str, *arguments: object) -> Outcome:
        """Carry out a call; Ray has replaced shared values in the arguments."""
        return portable(self.carry_out(method, arguments))


class _Actors:
    copies = True
    tries = 5

    def __init__(self, ray: Any, make: Callable[[], object], workers: int, own: bool) -> None:
        self._ray = ray
        self._make = make
        self._most = workers
        self._own = own  # whether Ray was started, or joined, for this crew
        self._actor = ray.remote(num_cpus=1, max_restarts=0)(_Actor)
        self._folder = os.getcwd()  # noqa: PTH109
        self._results: dict[Any, Any] = {}  # of each actor the reference of what it will return
        self._seen, self._size = 0.0, 1

    def wanted(self) -> int:
        if time.monotonic() - self._seen > _LOOK:
            self._size = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
            self._seen = time.monotonic()
        return min(self._most or self._size, self._size)

    def hire(self) -> Any:
        actor = self._actor.remote(self._make, self._folder)
        self._results[actor] = actor.hello.remote()
        return actor

    def begin(self, worker: Any, call: Call) -> None:
        self._results[worker] = worker.call.remote(call.method, *call.arguments)

    def wait(self, busy: Collection[Any], seconds: float | None) -> list[tuple[Any, Outcome]]:
        by_result = {self._results[worker]: worker for worker in busy}
        limit = _LOOK if seconds is None else seconds  # so that new workers can join
        ready, _ = self._ray.wait(list(by_result), num_returns=1, timeout=limit)
        return [(by_result[one], self._outcome(one)) for one in ready]

    def _outcome(self, result: Any) -> Outcome:
        try:
            outcome: Outcome = self._ray.get(result)
        except self._ray.exceptions.RayTaskError as error:  # e.g. a result that cannot be pickled
            return FailedCall(WorkerError(str(error)))
        except self._ray.exceptions.RayError as error:
            return Lost(" ".join(str(error).split()))
        return outcome

    def share(self, value: object) -> object:
        return self._ray.put(value)

    def dismiss(self, workers: Collection[Any]) -> None:
        for worker in workers:
            self._ray.kill(worker)
        results = [self._results[worker] for worker in workers]
        if results:
            self._ray.wait(results, num_returns=len(results), timeout=_AT_END)
        if self._own:
            self._ray.shutdown()
