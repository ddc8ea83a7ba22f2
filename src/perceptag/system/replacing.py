"""The rule for every output: what may be written where a file is already.

An existing file is replaced only by one of its own kind, or with ``--overwrite``. A file that is read is never
replaced.

Commands call `check_output` before they read anything, Python helpers before they write. An empty file, a pipe, a
device and an open stream hold nothing that could be lost.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from perceptag.errors import DataError, SettingError, reason
from perceptag.system.file_kinds import MODEL, FileKind, described, head_of
from perceptag.system.output_files import Target, copy_of, refuse_unwritable
from perceptag.system.platform.open_files import descriptor_named

_STDIN, _STDOUT = 0, 1


def check_output(
    option: str, target: Target, kind: FileKind, inputs: Iterable[str | None] = (), *, overwrite: bool = False
) -> None:
    """Refuse a target that cannot be written, that is one of the inputs, or that is a file of another kind.

    `option` is what messages call the target: an option of the command line, or an argument in Python.
    """
    if not isinstance(target, (str, os.PathLike)):
        return
    name = os.fspath(target)
    refuse_input(option, name, inputs)
    if name == "-" or descriptor_named(name) is not None:
        return
    refuse_unwritable(name)
    refuse_other_kind(option, name, kind, overwrite=overwrite)


def refuse_input(option: str, target: str, inputs: Iterable[str | None]) -> None:
    """Refuse to write into a file that is read."""
    if any(path and is_same_file(target, path) for path in inputs):
        name = "standard output" if target == "-" else target
        raise SettingError(f"{option}: {name} is also an input; writing it would destroy it")


def kept_note(path: str) -> str:
    """Say that the model in a file will be replaced, and what its copy is called; nothing if there is none."""
    copy = copy_of(path)
    return f"note: {path} is replaced; the model that was there is kept as {copy}" if copy else ""


def refuse_file_for_folder(option: str, folder: str | Path) -> None:
    """Refuse a file where a folder is needed."""
    if Path(folder).exists() and not Path(folder).is_dir():
        raise SettingError(f"{option}: expected a folder, found a file: {folder}")


def is_same_file(target: str, source: str) -> bool:
    """Return whether an output and an input are one file: by a link, another spelling or a redirection, too."""
    written = file_identity(target, _STDOUT)
    return written is not None and written == file_identity(source, _STDIN)


def file_identity(path: str, stream: int = _STDIN) -> tuple[int, int] | None:
    """Return what all names of a regular file share; ``-`` is a standard stream. None: it is something else."""
    try:
        found = os.fstat(stream) if path == "-" else os.stat(path)  # noqa: PTH116 - a string, not a path
    except (OSError, ValueError):  # there is no such file; a NUL in the name
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def refuse_other_kind(option: str, target: str, kind: FileKind, *, overwrite: bool = False) -> None:
    """Refuse to replace a file of another kind, or the copy of a model that is replaced, unless that is asked for."""
    for name in (target, copy_of(target)) if kind is MODEL else (target,):
        if not overwrite:
            _refuse_other_kind(option, name, kind)


def _refuse_other_kind(option: str, target: str, kind: FileKind) -> None:
    # os.path: a name that is too long is an error of `Path`, and is reported when the file is opened
    if target == "-" or not os.path.isfile(target) or not os.path.getsize(target):  # noqa: PTH113, PTH202
        return
    try:
        head = head_of(Path(target))
    except OSError as error:
        raise DataError(f"cannot see what would be replaced: {reason(error)}", where=target) from None
    if head.data.strip() and not kind.fits(head):
        in_python = option.islower() and not option.startswith("-")
        remedy = f"{'overwrite=True' if in_python else '--overwrite'} replaces it"
        found = f"expected a new file or {kind.name} to replace, found {described(head)}"
        raise SettingError(f"{option}: {found}: {target}; {remedy}")
