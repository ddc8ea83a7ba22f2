"""File locks, durable renames, and open files by name."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows, which does not delete or rename files that are open
    fcntl = None  # type: ignore[assignment]

BINARY: int = getattr(os, "O_BINARY", 0)  # without it Windows writes other line ends
NO_FOLLOW: int = getattr(os, "O_NOFOLLOW", 0) | BINARY
_IS_POSIX = os.name == "posix"
_MOUNTS = Path("/proc/self/mounts")
_DESCRIPTOR = re.compile(r"(?:/dev|/proc/self)/(?:(stdout|stderr)|fd/(\d+))")
_FAR = 1 << 30  # Windows keeps others from a locked byte, so it is one that no file has


def lock(descriptor: int) -> None:
    """Wait until no other process has locked an open file, and lock it until it is closed. Windows needs no lock."""
    if fcntl is not None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)


def try_lock(descriptor: int) -> bool:
    """Lock an open file until it is closed. False if another process has locked it; OSError if it cannot be locked."""
    try:
        if fcntl is None:
            _lock_far_byte(descriptor)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _lock_far_byte(descriptor: int) -> None:
    import msvcrt

    place = os.lseek(descriptor, 0, os.SEEK_CUR)
    os.lseek(descriptor, _FAR, os.SEEK_SET)
    try:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    except PermissionError as error:
        raise BlockingIOError(*error.args) from None
    finally:
        os.lseek(descriptor, place, os.SEEK_SET)


def is_deleted(descriptor: int) -> bool:
    """Return whether an open file has no name any more."""
    return _IS_POSIX and not os.fstat(descriptor).st_nlink


def delete_locked(path: Path) -> None:
    """Delete a file that this process has locked. Windows leaves it."""
    if _IS_POSIX:
        with suppress(OSError):
            path.unlink()


def delete_unless_locked(path: Path) -> None:
    """Delete a file unless a process is writing it; on Windows, unless it is open."""
    if fcntl is None:
        with suppress(PermissionError):
            path.unlink(missing_ok=True)
        return
    descriptor = os.open(path, os.O_RDONLY | NO_FOLLOW)
    try:
        if try_lock(descriptor):
            path.unlink(missing_ok=True)
    finally:
        os.close(descriptor)


def sync_folder(path: Path) -> None:
    """Make the names of files in a folder durable. Windows opens no folders."""
    if not _IS_POSIX:
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def others_may_read(mode: int) -> bool:
    """Return whether the mode of a file lets other users in. On Windows the mode does not say."""
    return _IS_POSIX and bool(mode & 0o077)


def is_own(folder: Path) -> bool:
    """Return whether a folder, not a link to one, belongs to this user; always false on Windows."""
    return _IS_POSIX and not folder.is_symlink() and folder.lstat().st_uid == os.getuid()


def descriptor_named(name: str) -> int | None:
    """Return the file descriptor of a path such as ``/dev/stdout``; None for other paths."""
    found = _DESCRIPTOR.fullmatch(name)
    return ({"stdout": 1, "stderr": 2}.get(found[1]) or int(found[2])) if found else None


def file_system(folder: Path) -> str:
    """Return the type of the file system of a folder, or "" where that cannot be told."""
    try:
        rows = [line.split(" ")[1:3] for line in _MOUNTS.read_text("utf-8", "replace").splitlines()]
    except OSError:
        return ""
    above = {str(folder), *map(str, folder.parents)}
    found = [(len(where), kind) for where, kind in rows if where.replace("\\040", " ") in above]
    return max(found, default=(0, ""))[1]
