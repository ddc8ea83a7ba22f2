"""Share large values among many calls (pickled once, unpickled once per worker), and scratch files among the workers of
a machine, which are deleted at the end of the run."""

from __future__ import annotations

import os
import pickle
import shutil
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory, gettempdir, mkdtemp
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from perceptag.errors import DataError, reason
from perceptag.system.platform.open_files import is_own, try_lock

Value = TypeVar("Value")


class Shared(Generic[Value]):
    """A value and its key, and something that is made of it once in each process.

    `value` is called when the value is needed: in the process of the driver what is `made` of it may be there
    already. In other processes it stays bytes until it is first used.
    """

    def __init__(self, key: str, value: Callable[[], Value], made: object = None) -> None:
        self.key = key
        self._factory: Callable[[], Value] | None = value
        self._value: Value | None = None
        self._bytes: npt.NDArray[np.uint8] | None = None
        self._made = made
        self._lock = threading.RLock()

    def get(self) -> Value:
        """The value."""
        with self._lock:
            if self._value is None:
                self._value = self._factory() if self._factory else self._unpickled()
            return self._value

    def _unpickled(self) -> Value:
        assert self._bytes is not None
        value: Value = pickle.loads(self._bytes.data)
        self._bytes = None
        return value

    def made(self, make: Callable[[Value], Any]) -> Any:
        """What `make` makes of the value, the first time; always the same afterwards."""
        with self._lock:
            if self._made is None:
                self._made = make(self.get())
            return self._made

    def __getstate__(self) -> tuple[str, npt.NDArray[np.uint8]]:
        """The key and the bytes, as an array, which engines can hand over without copying it."""
        with self._lock:
            if self._bytes is not None:
                return self.key, self._bytes
            value = self._factory() if self._factory else self._value
            return self.key, np.frombuffer(pickle.dumps(value, pickle.HIGHEST_PROTOCOL), np.uint8)

    def __setstate__(self, state: tuple[str, npt.NDArray[np.uint8]]) -> None:
        """Only bytes, until they are needed."""
        self.key, self._bytes = state
        self._factory = self._value = self._made = None
        self._lock = threading.RLock()


class SharedByKey:
    """The shared values that a worker has, by their keys."""

    def __init__(self) -> None:
        self._known: dict[str, Shared[Any]] = {}

    def own(self, shared: Shared[Value]) -> Shared[Value]:
        """The one that came first under this key, which may have been unpickled."""
        return self._known.setdefault(shared.key, shared)


_PREFIX, _OWNER = "perceptag-scratch-", "owner"


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder that only this user can read; it is gone at the end. Those of runs that were killed go at the start."""
    _remove_leftovers(Path(gettempdir()))
    with TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True) as path, _owned(Path(path)):
        yield Path(path)


@contextmanager
def _owned(root: Path) -> Iterator[None]:
    """Lock a file in the folder, which shows that its run is alive. The file appears when it is locked."""
    made = root / f"{_OWNER}.new"
    with made.open("w", encoding="utf-8") as stream:
        with suppress(OSError):  # without locks nothing is removed either
            try_lock(stream.fileno())
            stream.write(socket.gethostname())
            stream.flush()
            made.rename(root / _OWNER)
        yield


def _remove_leftovers(parent: Path) -> None:
    """Remove the folders of this user's runs on this machine that have ended without doing so."""
    for root in parent.glob(f"{_PREFIX}*"):
        with suppress(OSError, ValueError), (root / _OWNER).open(encoding="utf-8") as stream:
            is_ours = is_own(root) and stream.read() == socket.gethostname()
            if is_ours and try_lock(stream.fileno()):  # refused while the run is alive
                remove_scratch(root)


def make_scratch(root: Path) -> None:
    """Make the folder on a machine that does not have it yet."""
    with _saying(root):
        root.mkdir(mode=0o700, parents=True, exist_ok=True)


def remove_scratch(root: Path) -> None:
    """Delete the folder, and nothing else."""
    shutil.rmtree(root, ignore_errors=True)


def write_whole(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a file completely or not at all. Another worker may write the same bytes at the same time."""
    with _saying(path), NamedTemporaryFile(dir=path.parent, delete=False) as stream:
        try:
            stream.writelines(pieces)
            stream.close()
            os.replace(stream.name, path)  # noqa: PTH105 - a string, not a path
        except BaseException:
            Path(stream.name).unlink(missing_ok=True)
            raise


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """A folder to fill, which becomes `path` at the end, unless another worker was faster."""
    with _saying(path):
        made = Path(mkdtemp(dir=path.parent))
        try:
            yield made
            _rename(made, path)
        finally:
            remove_scratch(made)


def _rename(made: Path, path: Path) -> None:
    try:
        made.rename(path)
    except OSError:
        if not path.is_dir():  # otherwise the other one has made the same files
            raise


@contextmanager
def _saying(path: Path) -> Iterator[None]:
    """Report a full disk as an error of the user's data, with the place; TMPDIR says where scratch files go."""
    try:
        yield
    except OSError as error:
        raise DataError(
            f"cannot write: {reason(error)}; TMPDIR names the folder of scratch files", str(path)
        ) from error
