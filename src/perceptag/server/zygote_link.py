"""The zygote as the front process sees it: started, asked for workers, told to end them."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from perceptag.errors import ModelError
from perceptag.server.worker_frames import receive
from perceptag.server.zygote import command

_RUN = "import sys; sys.path[:] = sys.argv[2:]; from perceptag.server.zygote import main; main()"
_GONE = (asyncio.IncompleteReadError, OSError)


class ZygoteGoneError(Exception):
    """The zygote has ended."""


class ZygoteLink:
    """A zygote that has loaded its models."""

    def __init__(self, control: socket.socket, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._control = control  # a second descriptor of the same socket, since streams cannot pass descriptors
        self._reader, self._writer = reader, writer
        self._turn = asyncio.Lock()  # replies come in the order of commands
        self.told: list[dict[str, Any]] = []  # of its models, as `ModelTable.told` has it
        self.pid = 0

    @staticmethod
    async def start(setup: bytes, begin: Callable[[str], object]) -> ZygoteLink:
        """Start a zygote, and wait until it has loaded the models of its `setup_line`; tell which one begins."""
        ours, theirs = socket.socketpair()
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-c", _RUN, str(theirs.fileno()), *sys.path],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},  # more threads would be in the way of a fork
            )
        ours.sendall(setup)
        try:
            return await _linked(ours, begin)
        except BaseException:
            process.kill()  # it may still be loading
            raise
        finally:
            process.returncode = 0  # `collect_children` will find out

    async def reload(self, name: str) -> ZygoteLink:
        """Return a new zygote that has loaded a model again, and shares the others with this one."""
        ours, theirs = socket.socketpair()
        with theirs:
            async with self._turn:
                await self._send(command("reload", name=name), theirs)
        return await _linked(ours)

    async def fork(self) -> tuple[int, socket.socket]:
        """Return a new worker: its process id, and the socket that takes its jobs."""
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                said = await self._ask(command("fork"), theirs)
                if "error" in said:
                    raise OSError(said["errno"], said["error"])
                return int(said["pid"]), ours
            except BaseException:
                ours.close()
                raise

    async def end(self, pid: int) -> int:
        """Kill a worker, if it still runs; return its exit status, which is negative for a signal."""
        return int((await self._ask(command("end", pid=pid)))["status"])

    @property
    def is_gone(self) -> bool:
        """Whether the zygote has ended."""
        return self._reader.at_eof()

    def close(self) -> None:
        """Let the zygote end; it kills the workers that it has left."""
        self._control.close()
        self._writer.close()

    async def _ask(self, said: bytes, given: socket.socket | None = None) -> dict[str, Any]:
        async with self._turn:
            await self._send(said, given)
            return await _received(self._reader)

    async def _send(self, said: bytes, given: socket.socket | None = None) -> None:
        given_too = [] if given is None else [given.fileno()]
        while said:
            try:
                said = said[socket.send_fds(self._control, [said], given_too) :]
                given_too = []
            except BlockingIOError:  # noqa: PERF203 - it happens once in a while
                await asyncio.sleep(0.01)
            except OSError as error:
                raise ZygoteGoneError from error


async def _linked(ours: socket.socket, begin: Callable[[str], object] = str) -> ZygoteLink:
    second = ours.dup()
    link = ZygoteLink(second, *await asyncio.open_connection(sock=ours))
    try:
        while "loading" in (said := await _received(link._reader)):
            begin(said["loading"])
    except BaseException:
        link.close()
        raise
    if "error" in said:
        link.close()
        raise ModelError(said["error"])
    link.told, link.pid = said["models"], said["pid"]
    return link


async def _received(reader: asyncio.StreamReader) -> dict[str, Any]:
    try:
        return (await receive(reader))[0]
    except _GONE as error:
        raise ZygoteGoneError from error
