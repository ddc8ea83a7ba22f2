"""Scratch files of a run, shared by all workers of a machine and deleted at the end."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory, gettempdir, mkdtemp

from perceptag.errors import DataError, reason
from perceptag.system.platform.open_files import is_own, try_lock

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


def write_whole(path: Path, data: bytes) -> None:
    """Write a file completely or not at all. Another worker may write the same bytes at the same time."""
    with _saying(path), NamedTemporaryFile(dir=path.parent, delete=False) as stream:
        try:
            stream.write(data)
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
