"""The zygote: a process that loads the models once, and whose forks are the workers.

Forks share the memory of the models with it, and begin in milliseconds. Only a process with a single thread may fork,
so the zygote has no other thread, and nothing but this loop runs in it. The front process sends it commands of a fixed
size over a socket:

fork      with a socket: fork a worker that answers jobs from it
end       kill a worker, and say how it ended
reload    with a socket: fork a new zygote with one model loaded again; its commands come from the new socket

If the front process closes the socket or is gone, the zygote kills its workers and ends.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import socket
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from perceptag.errors import PerceptagError, reason
from perceptag.server.limits import Limits
from perceptag.server.served import ModelTable, ServedModels
from perceptag.server.worker import work
from perceptag.server.worker_frames import pack
from perceptag.system.platform import forks
from perceptag.text.sentence import Sentence

COMMAND = 512  # bytes, enough for a name of 100 characters; shorter ones are filled up with blanks
_QUIET = ("SIGINT", "SIGTERM", "SIGHUP")  # these are for the front process, which stops its workers in its own time


def command(do: str, **more: Any) -> bytes:
    """Return a command as bytes."""
    return json.dumps({"do": do, **more}, ensure_ascii=False).encode().ljust(COMMAND)


def main() -> None:
    """Load the models that the front process names, and obey it; the argument is the descriptor of its socket."""
    for name in _QUIET:
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    control = socket.socket(fileno=int(sys.argv[1]))
    with control.makefile("rb") as stream:
        setup = json.loads(stream.readline())
    with suppress(ConnectionError):  # the front process has stopped meanwhile
        _load(control, setup)


def _load(control: socket.socket, setup: dict[str, Any]) -> None:
    try:
        table = ModelTable(setup["paths"], is_elsewhere=True)
        table.load(lambda name: control.sendall(pack({"loading": name})))
    except (PerceptagError, OSError, MemoryError) as error:
        control.sendall(pack({"error": _said(error)}))
        return
    Zygote(control, ServedModels(table, Limits(**setup["limits"]), setup["encoding"])).obey()


class Zygote:
    """The process with the models."""

    def __init__(self, control: socket.socket, models: ServedModels) -> None:
        self.control = control
        self.models = models
        self._workers: set[int] = set()
        _warm_up(models.table)
        gc.collect()
        gc.freeze()  # a collection would else write to the pages that workers share
        control.sendall(pack({"pid": os.getpid(), "models": models.table.told()}))

    def obey(self) -> None:
        """Do what the front process says until it is gone."""
        try:
            while (received := _receive(self.control)) is not None:
                what, given = received
                if what["do"] == "fork":
                    self._fork(given[0])
                elif what["do"] == "end":
                    self._end(what["pid"])
                else:
                    self._reload(what["name"], given[0])
        finally:
            for pid in list(self._workers):
                forks.kill(pid)

    def _fork(self, given: int) -> None:
        pid = _forked(self.control)
        if pid != 0:
            os.close(given)
            if pid is not None:
                self._workers.add(pid)
                self.control.sendall(pack({"pid": pid}))
            return
        status = 1
        try:
            self.control.close()
            work(socket.socket(fileno=given), self.models)
            status = 0
        finally:
            os._exit(status)

    def _end(self, pid: int) -> None:
        status = forks.kill(pid) if pid in self._workers else 0
        self._workers.discard(pid)
        self.control.sendall(pack({"ended": pid, "status": status}))

    def _reload(self, name: str, given: int) -> None:
        """Fork a process that becomes the next zygote. Its parent ends at once, so that the front process adopts it."""
        control = socket.socket(fileno=given)
        pid = _forked(control)
        if pid != 0:
            control.close()
            if pid is not None:
                forks.wait_for(pid)
            return
        status = 1
        try:
            if _forked(control) == 0:
                _become_next(control, self.control, self.models, name)
            status = 0
        finally:
            os._exit(status)


def _forked(control: socket.socket) -> int | None:
    """Fork; return 0 in the new process. If the system has no room for it now, say so, and return None."""
    try:
        return forks.fork()
    except OSError as error:
        with suppress(OSError):
            control.sendall(pack({"error": reason(error), "errno": error.errno}))
        return None


def _become_next(control: socket.socket, old: socket.socket, models: ServedModels, name: str) -> None:
    old.close()
    gc.unfreeze()
    forks.end_after(models.limits.reload_seconds)  # the front process waits no longer
    try:
        models.table.reload(name)
    except (PerceptagError, OSError, MemoryError) as error:
        detail = str(error) if isinstance(error, PerceptagError) else "its file cannot be read"
        control.sendall(pack({"error": models.table.without_paths(detail)}))
        return
    forks.end_after(0)
    Zygote(control, models).obey()


def _receive(control: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """Return a command and the descriptors that came with it; None if the front process is gone."""
    data, given = b"", list[int]()
    while len(data) < COMMAND:
        try:
            part, more, _, _ = socket.recv_fds(control, COMMAND - len(data), 1)
        except OSError:
            return None
        if not part:
            return None
        data += part
        given += more
    return json.loads(data), given


def _warm_up(table: ModelTable) -> None:
    """Tag a word with every model, so that what is made on first use is made once, and shared."""
    for served in table:
        for opened in served.pipelines.values():
            sentence = Sentence({column: ["a"] for column in opened.inputs}, starts_document=True)
            with suppress(PerceptagError):
                opened.add_lower([sentence])
                opened.top.ready.tag([sentence])


def _said(error: BaseException) -> str:
    return str(error) if not isinstance(error, MemoryError) else "out of memory"


def setup_line(paths: Mapping[str, str], limits: Limits, encoding: str) -> bytes:
    """Return what a new zygote is told first: the files of the models by their names, limits, and an encoding."""
    said = {"paths": paths, "limits": limits.to_dict(), "encoding": encoding}
    return json.dumps(said).encode() + b"\n"
