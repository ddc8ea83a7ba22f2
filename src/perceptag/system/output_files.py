"""Write files atomically."""

from __future__ import annotations

import errno
import hashlib
import io
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, TypeAlias

from perceptag.errors import DataError, SettingError, brief, reason
from perceptag.system.platform.open_files import (
    NO_FOLLOW,
    delete_unless_locked,
    descriptor_named,
    is_deleted,
    lock,
    sync_folder,
)

Target: TypeAlias = "str | os.PathLike[str] | IO[bytes] | IO[str]"


@contextmanager
def open_output(target: Target, *, keeps_old: bool = False) -> Iterator[IO[Any]]:
    """Open `target` for writing bytes; the file is replaced atomically when the block ends without an error.

    The bytes go to a temporary file next to the target, which is synced and renamed at the end. If anything
    fails, it is removed and the old file stays; if the process is killed, the next one that writes the same target
    removes it. ``-`` is standard output; pipes and devices are written to directly; a stream is used as it is and
    left open. An error of the system raises `DataError` with the path, except `BrokenPipeError`, which only the
    caller can judge. With `keeps_old` the file that is replaced is kept as `copy_of` names it.
    """
    if not isinstance(target, (str, os.PathLike)):
        if not hasattr(target, "write"):
            raise SettingError(f"target: expected a path or an open stream, found {brief(target)}")
        yield target
    elif target == "-":
        if not hasattr(sys.stdout, "buffer"):  # a notebook or a test has replaced it by a text stream
            yield sys.stdout
        else:
            with _naming("<stdout>"):
                sys.stdout.flush()  # so that what was printed before comes first
            with _guarded(sys.stdout.buffer, "<stdout>") as stream:
                yield stream
    else:
        name = os.fspath(target)
        direct = _open_special(name)
        if direct is None:
            with _replacing(name, copy_of(name) if keeps_old else "") as stream:
                yield stream
        else:
            with direct, _guarded(direct, name) as stream:
                yield stream


def copy_of(name: str) -> str:
    """Return the name under which a file that is replaced is kept; an empty string if there is nothing to lose."""
    # os.path: a name that is too long is an error of `Path`, and is reported when the file is opened
    is_file = name != "-" and descriptor_named(name) is None and os.path.isfile(name)  # noqa: PTH113
    return f"{name}.bak" if is_file and os.path.getsize(name) else ""  # noqa: PTH202


def is_stdout(target: Target) -> bool:
    """Return whether this target means standard output."""
    return isinstance(target, str) and (target == "-" or descriptor_named(target) == 1)


def text_writer(stream: IO[Any]) -> Callable[[str], None]:
    """Return a function that writes text to a binary stream in UTF-8, or to a text stream as it is.

    It raises `UnicodeEncodeError` for a lone surrogate, even if the stream itself would accept it.
    """
    is_text = isinstance(stream, io.TextIOBase)

    def put(text: str) -> None:
        data = text.encode("utf-8")
        stream.write(text if is_text else data)

    return put


def bytes_writer(stream: IO[Any]) -> Callable[[bytes], None]:
    """Return a function that writes UTF-8 to a binary stream as it is, or to a text stream as text."""
    is_text = isinstance(stream, io.TextIOBase)

    def put(data: bytes) -> None:
        stream.write(data.decode("utf-8") if is_text else data)

    return put


class _Guard(io.RawIOBase):
    """Passes bytes on at once, and turns errors of the system into `DataError` with the name of the file."""

    def __init__(self, inner: IO[bytes], name: str) -> None:
        self.inner = inner
        self.file_name = name

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self.inner.isatty()

    def write(self, data: Any) -> int:
        with _naming(self.file_name):
            count = self.inner.write(data)
            self.inner.flush()
            return count


@contextmanager
def _naming(name: str) -> Iterator[None]:
    try:
        yield
    except (BrokenPipeError, DataError):
        raise
    except (OSError, ValueError, OverflowError) as error:  # a NUL in the name; a descriptor too large
        raise DataError(f"cannot write: {reason(error)}", where=name) from None


@contextmanager
def _guarded(inner: IO[bytes], name: str) -> Iterator[IO[bytes]]:
    stream = io.BufferedWriter(_Guard(inner, name), 1 << 16)
    try:
        yield stream
        stream.flush()
    finally:
        # What came before an error is still written; if that fails too, the first error is the one to report.
        with suppress(DataError, OSError):
            stream.close()


def _open_special(name: str) -> IO[bytes] | None:
    """Open what must not be replaced by a new file: a descriptor of this process, a pipe, a device."""
    with _naming(name):
        if (number := descriptor_named(name)) is not None:
            # Opening the name again would truncate a redirected file, so the descriptor is shared instead.
            sys.stdout.flush()
            return os.fdopen(os.dup(number), "wb", buffering=0)
        path = Path(name)
        if path.exists() and not stat.S_ISREG(path.stat().st_mode):
            return path.open("wb", buffering=0)
    return None


@contextmanager
def _replacing(name: str, copy: str) -> Iterator[IO[bytes]]:
    with _naming(name):
        path = followed(name)
        old = path.stat() if path.exists() else None
        if old and not os.access(path, os.W_OK):
            raise DataError("cannot write: the file is read-only", where=name)
        _remove_leftovers(path)
        temporary, descriptor = _make_temporary(path)
    try:
        with os.fdopen(descriptor, "wb", buffering=0) as file:
            with _guarded(file, name) as stream:
                yield stream
            with _naming(name):
                os.fsync(descriptor)
                file.close()  # some file systems report only now that they have not stored the bytes
        with _naming(name):
            if old:
                temporary.chmod(stat.S_IMODE(old.st_mode))
            with _kept(path, copy):
                temporary.replace(path)
            sync_folder(path.parent)
    except BaseException:
        with suppress(OSError):  # the first error is the one to report; the next save removes the file
            temporary.unlink(missing_ok=True)
        raise


@contextmanager
def _kept(path: Path, copy: str) -> Iterator[None]:
    """Keep the file that is replaced as `copy`; if it cannot be replaced, an earlier copy stays as it is."""
    if not copy:
        yield
        return
    import shutil  # which tagging need not wait for

    new = Path(f"{copy}.new")
    try:
        shutil.copy2(path, new)
        yield
        new.replace(copy)
    finally:
        new.unlink(missing_ok=True)


def refuse_unwritable(name: str) -> None:
    """Refuse a folder, a file in a folder that does not exist, and one that may not be written, before any work."""
    with _naming(name):
        path = Path(name)
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        folder = followed(name).parent
        if not folder.is_dir():
            raise DataError(f"cannot write: there is no folder {str(folder)!r}", where=name)
        if path.exists() and not os.access(path, os.W_OK):
            raise DataError("cannot write: the file is read-only", where=name)
        if not path.exists() and not os.access(folder, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def followed(name: str) -> Path:
    """Resolve links, so that a link stays a link; raise `DataError` for a loop of links."""
    path = Path(os.path.realpath(name))
    if path.is_symlink():
        raise DataError(f"cannot write: {os.strerror(errno.ELOOP)}", where=name)
    return path


def _stem(path: Path) -> str:
    """Return the prefix of a target's temporary files: fixed, and short even for long names."""
    return f".perceptag-{hashlib.sha256(os.fsencode(path.name)).hexdigest()[:16]}-"


def _make_temporary(path: Path) -> tuple[Path, int]:
    """Create a temporary file next to `path`, locked while it is being written."""
    while True:
        temporary = path.with_name(f"{_stem(path)}{os.urandom(8).hex()}.tmp")
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_FOLLOW, 0o666)
        with suppress(OSError):  # a file system without locks
            lock(descriptor)
        if not is_deleted(descriptor):
            return temporary, descriptor
        os.close(descriptor)  # another process found it before it was locked, and removed it as a leftover


def _remove_leftovers(path: Path) -> None:
    """Remove what killed processes have left of `path`. Errors here are ignored."""
    with suppress(OSError):
        for name in os.listdir(path.parent):  # noqa: PTH208 - Path objects are slow for a large folder
            if name.startswith(_stem(path)) and name.endswith(".tmp"):
                delete_unless_locked(path.with_name(name))
