"""One process has a project open. The lock is that of an open file, so it ends with the process, however that ends."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from perceptag.errors import ProjectError, reason

try:
    import fcntl
except ImportError:  # not a POSIX system
    fcntl = None  # type: ignore[assignment]

_NETWORK = {
    *("nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "afs", "ceph", "lustre", "gpfs", "beegfs", "glusterfs"),
    *("fuse.sshfs", "fuse.glusterfs", "fuse.davfs", "davfs", "fuse.s3fs", "fuse.rclone"),
}
_MOUNTS = Path("/proc/self/mounts")


class FileLock:
    """Holds ``PROJECT.lock`` until it is released."""

    def __init__(self, project: Path) -> None:
        self.path = project.with_name(f"{project.name}.lock")
        self._descriptor = self._acquire(project)

    def _acquire(self, project: Path) -> int:
        while True:
            try:
                descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
            except OSError as error:
                raise ProjectError(f"{project}: cannot lock the project: {reason(error)}") from None
            if not _locked(descriptor):
                holder = _holder(descriptor)
                os.close(descriptor)
                raise ProjectError(f"{project}: expected a project that nobody has open, found it open in {holder}")
            if os.name != "posix" or os.fstat(descriptor).st_nlink:
                os.ftruncate(descriptor, 0)
                os.write(descriptor, f" {os.getpid()}\n".encode())
                return descriptor
            os.close(descriptor)  # its holder has removed it in the meantime

    def release(self) -> None:
        """Let the next process in."""
        if self._descriptor >= 0:
            if os.name == "posix":
                with suppress(OSError):
                    self.path.unlink()
            os.close(self._descriptor)
            self._descriptor = -1


def _locked(descriptor: int) -> bool:
    try:
        if fcntl is not None:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    except OSError:
        return False
    return True


def _holder(descriptor: int) -> str:
    with suppress(OSError, ValueError):
        os.lseek(descriptor, 1, os.SEEK_SET)  # the first byte is the one that Windows locks
        return f"process {int(os.read(descriptor, 20))}"
    return "another process"


def refuse_network(project: Path) -> None:
    """Refuse a file system that several machines may use: SQLite's log of writes does not work there."""
    kind = _file_system(project.parent)
    if kind in _NETWORK:
        raise ProjectError(f"{project}: expected a local disk, found a network file system ({kind})")


def _file_system(folder: Path) -> str:
    """The type of the file system of a folder, or "" where that cannot be told."""
    try:
        rows = [line.split(" ")[1:3] for line in _MOUNTS.read_text("utf-8", "replace").splitlines()]
    except OSError:
        return ""
    above = {str(folder), *map(str, folder.parents)}
    found = [(len(where), kind) for where, kind in rows if where.replace("\\040", " ") in above]
    return max(found, default=(0, ""))[1]
