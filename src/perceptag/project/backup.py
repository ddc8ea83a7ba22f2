"""A copy of a project file, whole or not at all, while others read and write it."""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from pathlib import Path

from perceptag.errors import ProjectError
from perceptag.project.database import Database, make_private, naming_faults
from perceptag.system.output_files import followed
from perceptag.system.platform.open_files import sync_folder

_BEGIN = "SELECT chain FROM event WHERE id = 1"


def back_up(database: Database, target: Path) -> None:
    """Write a copy to `target`, in place of an older one."""
    path = followed(str(target))
    if path == database.path:
        raise ProjectError(f"{target}: expected a file for the copy, found the project itself")
    temporary = path.with_name(f"{path.name}.new")
    with naming_faults(path):
        temporary.unlink(missing_ok=True)
    try:
        _copy(database.path, temporary)
        with naming_faults(path):
            _sync(temporary)
            temporary.replace(path)
            sync_folder(path.parent)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def refuse_other(database: Database, target: Path) -> None:
    """Refuse to write over the copy of another project, which may be all that is left of it."""
    with database.reading() as connection:
        own = connection.execute(_BEGIN).fetchone()
    if _begin_of(target) not in (None, own):
        raise ProjectError(
            f"{target}: expected the copy of {database.path.name}, found that of another project; move it away"
        )


def _begin_of(path: Path) -> object:
    """The digest of the first event of a project, which no other has; None if there is no project."""
    with suppress(sqlite3.Error, OSError, ValueError):
        connection = sqlite3.connect(f"{path.resolve(strict=True).as_uri()}?mode=ro&immutable=1", uri=True)
        try:
            return connection.execute(_BEGIN).fetchone()
        finally:
            connection.close()
    return None


def _copy(path: Path, target: Path) -> None:
    with naming_faults(target):
        make_private(target)
        connection = sqlite3.connect(path, isolation_level=None)
        try:
            connection.execute("VACUUM INTO ?", (str(target),))
        finally:
            connection.close()


def _sync(path: Path) -> None:
    with path.open("r+b") as file:
        os.fsync(file.fileno())
