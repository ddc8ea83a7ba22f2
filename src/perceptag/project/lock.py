"""One process has a project open. The lock is that of an open file, so it ends with the process, however that ends."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from perceptag.errors import ProjectError, reason
from perceptag.system.platform.open_files import delete_locked, file_system, is_deleted, try_lock

_NETWORK = {
    *("nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "afs", "ceph", "lustre", "gpfs", "beegfs", "glusterfs"),
    *("fuse.sshfs", "fuse.glusterfs", "fuse.davfs", "davfs", "fuse.s3fs", "fuse.rclone"),
}


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
                raise ProjectError(
                    f"{project}: expected a project that is not open elsewhere, found it open in {holder}"
                )
            if not is_deleted(descriptor):
                os.ftruncate(descriptor, 0)
                os.write(descriptor, f" {os.getpid()}\n".encode())
                return descriptor
            os.close(descriptor)  # its holder has removed it in the meantime

    def release(self) -> None:
        """Let the next process in."""
        if self._descriptor >= 0:
            delete_locked(self.path)
            os.close(self._descriptor)
            self._descriptor = -1


def _locked(descriptor: int) -> bool:
    with suppress(OSError):
        return try_lock(descriptor)
    return False


def _holder(descriptor: int) -> str:
    with suppress(OSError, ValueError):
        return f"process {int(os.read(descriptor, 20))}"
    return "another process"


def refuse_network(project: Path) -> None:
    """Refuse a file system that several machines may use: SQLite's log of writes does not work there."""
    kind = file_system(project.parent)
    if kind in _NETWORK:
        raise ProjectError(f"{project}: expected a local disk, found a network file system ({kind})")
