"""Start a server, and stop it: SIGTERM and Ctrl-C give requests in flight a few seconds, SIGHUP loads models again."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import socket
import stat
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import uvicorn

from perceptag.errors import ModelError, PerceptagError, SettingError, reason
from perceptag.server.connection_room import CROWD, SPARE
from perceptag.server.log_lines import log
from perceptag.server.problems import HttpProblem
from perceptag.server.protocol import protocol_for
from perceptag.server.routes import make_app, reload_model
from perceptag.server.service import Service
from perceptag.server.worker_runner import WorkerRunner
from perceptag.server.zygote_link import ZygoteGoneError
from perceptag.system.platform.machine import allow_files
from perceptag.system.platform.network import handle_signals, path_socket, reuse_address

OTHER_FILES = 32  # that the process may need besides connections
# As Python has it. Commands search for garbage more rarely, but with a server it adds up: connections leave cycles.
OBJECTS_BETWEEN_SEARCHES = 700, 10, 10
BACKLOG = 1024  # connections that the system keeps until they are accepted, all at once


class Server(uvicorn.Server):
    """uvicorn's server with signals of our own: it ends with status 0, and SIGHUP loads models again."""

    def __init__(self, config: uvicorn.Config, service: Service, on_start: Callable[[], object]) -> None:
        super().__init__(config)
        self.service = service
        self._on_start = on_start
        self._tasks: set[asyncio.Task[None]] = set()
        self.failure: PerceptagError | None = None  # why models could not be loaded after the start

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to `startup`, which has a loop to handle them in."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, and to signals too."""
        await super().startup(sockets)
        loop = asyncio.get_running_loop()
        with suppress(RuntimeError, ValueError):  # not in the main thread
            handle_signals(loop, {"SIGTERM": self.stop, "SIGINT": self.stop, "SIGHUP": self._reload_all})
        if isinstance(self.service.runner, WorkerRunner):
            self._keep(self._load(self.service.runner))
        else:
            self._on_start()

    async def _load(self, runner: WorkerRunner) -> None:
        """Load models while /livez and /readyz are answered already."""
        try:
            await runner.start()
        except (PerceptagError, OSError, ZygoteGoneError) as error:
            self.failure = _why_not_started(error)
            self.stop()
        else:
            self._on_start()

    def stop(self) -> None:
        """Take no more requests; those in flight may finish. The second time, stop at once."""
        self.force_exit = self.should_exit
        self.service.stop()
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close the listener, and answer the connections that wait at it: the system would reset them."""
        waiting = [connection for listener in sockets or [] for connection in _accept_all(listener)]
        for server in self.servers:
            server.close()
        loop = asyncio.get_running_loop()
        for connection in waiting:
            await loop.connect_accepted_socket(self._protocol, connection, ssl=self.config.ssl)
        await super().shutdown(sockets)

    def _protocol(self) -> asyncio.Protocol:
        """What uvicorn makes for a connection that it accepts."""
        made: asyncio.Protocol = self.config.http_protocol_class(
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )  # type: ignore[call-arg]
        return made

    def _reload_all(self) -> None:
        self._keep(self._reload())

    def _keep(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _reload(self) -> None:
        for name in self.service.table.paths:
            await self._reload_one(name)

    async def _reload_one(self, name: str) -> None:
        try:
            before, after = await reload_model(self.service, name)
        except HttpProblem as problem:
            log(event="reload", model=name, error=problem.detail)
        else:
            log(event="reload", model=name, before=before, after=after)


def _why_not_started(error: Exception) -> PerceptagError:
    if isinstance(error, PerceptagError):
        return error
    if isinstance(error, OSError):
        return SettingError(f"--workers: cannot start them: {reason(error)}")
    return ModelError("the process that loads the models has ended; the lines above may say why")


def _accept_all(listener: socket.socket) -> Iterator[socket.socket]:
    """Accept the connections that wait at a listener."""
    with suppress(OSError):  # BlockingIOError: there are no more
        while True:
            connection, _ = listener.accept()
            connection.setblocking(False)
            yield connection


def make_server(service: Service, on_start: Callable[[], object], backlog: int = BACKLOG, spare: int = CROWD) -> Server:
    """Return a server that is ready to run; it calls `on_start` once it listens."""
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # our own log has what matters, without user text
    protocol = protocol_for(service.limits, spare)
    room = protocol.room
    service.metrics.gauges["perceptag_connections", "Open connections."] = lambda: room.open
    service.metrics.connections_closed = lambda: room.closed
    cert, key = service.tls or (None, None)
    config = uvicorn.Config(
        make_app(service),
        http=protocol,
        ssl_certfile=cert,
        ssl_keyfile=key,
        loop="asyncio",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=backlog,
        timeout_keep_alive=service.limits.idle_seconds,  # type: ignore[arg-type]  # any number of seconds will do
        timeout_graceful_shutdown=service.limits.stop_seconds,  # type: ignore[arg-type]
    )
    return Server(config, service, on_start)


def serve(service: Service, listener: socket.socket, on_start: Callable[[], object]) -> None:
    """Answer requests until a signal stops the server."""
    gc.set_threshold(*OBJECTS_BETWEEN_SEARCHES)
    server = make_server(service, on_start, *_fit_connections(service))

    async def until_stopped() -> None:
        try:
            await server.serve([listener])
        finally:
            service.close()

    asyncio.run(until_stopped())
    if server.failure is not None:
        raise server.failure


def _fit_connections(service: Service) -> tuple[int, int]:
    """Lower the limit on connections to the limit on open files.

    Return how many may be accepted at once, and how many may be there beyond the limit.
    """
    most, others = service.limits.connections, OTHER_FILES + service.runner.most_files
    room = allow_files(most + CROWD + BACKLOG + others) - others
    if room < most + most // SPARE:
        most = max(1, room * 2 // 3)
        service.limits = replace(service.limits, connections=most)
        log(event="limits", connections=most, reason="the limit on open files (ulimit -n)")
    spare = CROWD if room >= most + CROWD + BACKLOG else most // SPARE
    return min(max(1, room - most - spare), BACKLOG), spare


@contextlib.contextmanager
def listening(host: str, port: int, unix: str) -> Iterator[socket.socket]:
    """Open a port, or a socket in the file system; its file is removed at the end, unless it is another server's."""
    with listen_at_path(unix) if unix else listen(host, port) as listener:
        own = _identity(unix)
        try:
            yield listener
        finally:
            if own is not None and _identity(unix) == own:
                Path(unix).unlink(missing_ok=True)


def _identity(path: str) -> tuple[int, int] | None:
    """Return what tells the file of a path from others; None without a path or a file."""
    try:
        found = os.lstat(path) if path else None
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if found else None


def listen(host: str, port: int) -> socket.socket:
    """Open a port."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol named, asyncio sends small packets at once; a reply would else wait 40 ms for the client.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    reuse_address(listener)
    try:
        listener.bind((host, port))
    except (OSError, OverflowError) as error:
        listener.close()
        raise SettingError(f"--host {host} --port {port}: cannot listen there: {reason(error)}") from None
    listener.set_inheritable(False)
    return listener


def listen_at_path(path: str) -> socket.socket:
    """Open a socket in the file system that only this user can use; one that a dead server has left is replaced."""
    with suppress(OSError):
        if not stat.S_ISSOCK(Path(path).stat().st_mode):
            raise SettingError(f"--unix {path}: expected a new file or a socket, found something else")
        if not _is_alive(path):
            Path(path).unlink()
    listener = path_socket()
    if listener is None:
        raise SettingError("--unix: this system has no sockets in the file system; use --host and --port")
    before = os.umask(0o177)
    try:
        listener.bind(path)
    except OSError as error:
        listener.close()
        raise SettingError(f"--unix {path}: cannot listen there: {reason(error)}") from None
    finally:
        os.umask(before)
    return listener


def _is_alive(path: str) -> bool:
    trial = path_socket()
    if trial is None:
        return True
    with trial:
        return trial.connect_ex(path) == 0
