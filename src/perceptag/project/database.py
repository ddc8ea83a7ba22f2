"""Connections to a project file: one that writes, behind a lock, and as many as needed that read."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from perceptag.errors import DataError, PerceptagError, ProjectError, SettingError, StorageError, reason
from perceptag.project.schema import APPLICATION, SCHEMA, VERSION
from perceptag.system.platform.open_files import delete_locked, file_system, is_deleted, try_lock

_LARGEST_LOG = 1 << 24  # bytes that the log of writes keeps on the disk after a large import
_FULL = ("full", "disk I/O", "readonly", "unable to open", "locked")


class Database:
    """A project file that is open in this process."""

    def __init__(self, path: Path, lock: FileLock) -> None:
        self.path = path
        self._lock = lock
        self._mutex = threading.RLock()
        self._idle: list[sqlite3.Connection] = []
        self._is_closed = False
        self.diagnose: Callable[[], str] = str  # says what is wrong with the file, or ""
        with naming_faults(path):
            self._writer = _connect(path)
            _check_settings(self._writer, path)

    @classmethod
    def create(cls, path: Path, fill: Callable[[sqlite3.Connection], object]) -> Database:
        """Make a project file, with what `fill` writes. It appears whole or not at all."""
        refuse_network(path)
        lock = FileLock(path)
        temporary = path.with_name(f"{path.name}.new")
        try:
            if path.exists():
                raise ProjectError(f"{path}: expected a new project, found a file of this name")
            refuse_backup(path)
            with naming_faults(path):
                temporary.unlink(missing_ok=True)
                _build(temporary, fill)
                temporary.replace(path)
            return cls(path, lock)
        except BaseException:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            lock.release()
            raise

    @classmethod
    def open(cls, path: Path) -> Database:
        """Open a project file; refuse another kind of file, a damaged one, and one that is open elsewhere."""
        if not path.is_file():
            raise ProjectError(f"{path}: expected a project file, found {'a folder' if path.is_dir() else 'nothing'}")
        refuse_network(path)
        lock = FileLock(path)
        try:
            refuse_foreign(path)
            refuse_links(path)
            return cls(path, lock)
        except BaseException:
            lock.release()
            raise

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Write in one transaction, which is on the disk when the block ends well, and never happened otherwise."""
        with self._mutex, self._blaming(), naming_faults(self.path):
            self._check_open()
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
                self._writer.execute("COMMIT")
            except BaseException:
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")
                raise

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Read one state of the file, whatever is written in the meantime. Any thread may do that."""
        with self._blaming(), naming_faults(self.path):
            connection = self._take()
            try:
                connection.execute("BEGIN")
                yield connection
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                self._give_back(connection)

    @contextmanager
    def _blaming(self) -> Iterator[None]:
        """After an unexpected error, check the file, and report the damage if there is any."""
        try:
            yield
        except PerceptagError:
            raise
        except (TypeError, ValueError, LookupError, AttributeError) as error:
            diagnose, self.diagnose = self.diagnose, str  # looking at the file must not come back here
            try:
                wrong = diagnose()
            finally:
                self.diagnose = diagnose
            if not wrong:
                raise
            raise ProjectError(damaged(self.path, wrong)) from error

    def _take(self) -> sqlite3.Connection:
        with self._mutex:
            self._check_open()
            if self._idle:
                return self._idle.pop()
        connection = _connect(self.path)
        connection.execute("PRAGMA query_only=ON")
        return connection

    def _give_back(self, connection: sqlite3.Connection) -> None:
        with self._mutex:
            if not self._is_closed:
                self._idle.append(connection)
                return
        connection.close()

    def _check_open(self) -> None:
        if self._is_closed:
            raise ProjectError(f"{self.path}: expected an open project, found a closed one")

    def close(self) -> None:
        """Close the file and let others open it."""
        with self._mutex:
            if self._is_closed:
                return
            self._is_closed = True
            for connection in [*self._idle, self._writer]:
                with suppress(sqlite3.Error):
                    connection.close()
            self._lock.release()


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=5.0, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute(f"PRAGMA journal_size_limit={_LARGEST_LOG}")
        connection.execute("PRAGMA trusted_schema=OFF")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _check_settings(connection: sqlite3.Connection, path: Path) -> None:
    """Switch to the log of writes, and look at every page."""
    try:
        mode = connection.execute("PRAGMA journal_mode=WAL").fetchone()[0]
        if mode != "wal":
            raise ProjectError(f"{path}: expected a disk on which SQLite can write its log, found journal mode {mode}")
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise ProjectError(damaged(path, found))
        if _schema(connection) != _expected_schema():
            raise ProjectError(damaged(path, "its tables are not those of a project"))
    except BaseException:
        connection.close()
        raise


def refuse_foreign(path: Path) -> None:
    """Refuse a file that is not a project, or that a newer perceptag has written, before SQLite may change it."""
    with naming_faults(path), path.open("rb") as file:
        header = file.read(100)
    if len(header) < 100 or not header.startswith(b"SQLite format 3\0"):
        found = "an empty file" if not header else "another kind of file"
        raise ProjectError(f"{path}: expected a project file, found {found}")
    if int.from_bytes(header[68:72], "big") != APPLICATION:
        raise ProjectError(f"{path}: expected a project file, found another SQLite database")
    version = int.from_bytes(header[60:64], "big")
    if version != VERSION:
        raise ProjectError(f"{path}: expected a project file of version {VERSION}, found version {version}")


def backup_of(path: Path) -> Path:
    """Return where the copy of a project is that is made at the end and once a day."""
    return path.with_name(f"{path.name}.backup")


def refuse_backup(path: Path) -> None:
    """Refuse a new project where the copy of another one is, which may be all that is left of it."""
    backup = backup_of(path)
    if backup.exists():
        raise ProjectError(
            f"{path}: expected no copy of a project where a new one is made, found {backup.name}; "
            f"to continue with that project, copy {backup.name} to {path.name}; to begin a new one, move it away"
        )


def refuse_links(path: Path) -> None:
    """Refuse a file with several names: SQLite's log of writes is that of one name, and the lock too."""
    with naming_faults(path):
        names = path.stat().st_nlink
    if names > 1:
        raise ProjectError(
            f"{path}: expected a file with one name, found one with {names} (hard links); use a copy of it instead"
        )


def _build(path: Path, fill: Callable[[sqlite3.Connection], object]) -> None:
    make_private(path)
    connection = _connect(path)
    try:
        connection.execute(f"PRAGMA application_id={APPLICATION}")
        connection.execute(f"PRAGMA user_version={VERSION}")
        connection.executescript(f"BEGIN;{SCHEMA}COMMIT;")
        connection.execute("BEGIN IMMEDIATE")
        fill(connection)
        connection.execute("COMMIT")
    finally:
        connection.close()


def make_private(path: Path) -> None:
    """Create an empty file that only its owner can read; the files that SQLite puts next to it get the same mode."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def _schema(connection: sqlite3.Connection) -> list[tuple[str, ...]]:
    return connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name").fetchall()


@cache
def _expected_schema() -> list[tuple[str, ...]]:
    """What an empty project has. Code that others have put into a file, such as triggers, is not run."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(SCHEMA)
        return _schema(connection)
    finally:
        connection.close()


def damaged(path: Path, what: object) -> str:
    """Return the message for a file whose content makes no sense."""
    copy = backup_of(path)
    told = f"; {copy.name} next to it is its last copy" if copy.exists() else ""
    return f"{path}: the project file is damaged: {what}{told}"


@contextmanager
def naming_faults(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and of the system into a `ProjectError` with the name of the file."""
    try:
        yield
    except UnicodeEncodeError:  # of an argument; a file cannot contain one
        raise DataError("expected text, found a lone surrogate") from None
    except (sqlite3.ProgrammingError, sqlite3.InterfaceError, OverflowError) as error:
        raise SettingError(f"expected numbers of 64 bits and text, found another value: {error}") from None
    except (sqlite3.Error, UnicodeDecodeError) as error:  # SQLite may quote damaged text
        text = str(error)
        if any(word in text for word in _FULL):
            raise StorageError(f"{path}: cannot read or write: {text}") from None
        raise ProjectError(damaged(path, text)) from None
    except OSError as error:
        raise StorageError(f"{path}: cannot read or write: {error.strerror or error}") from None


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
