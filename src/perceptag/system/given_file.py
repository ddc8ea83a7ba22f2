"""Files that the user names: what is said about their content, and regular files read whole, up to a limit. (Pipes and
devices may block or never end.)"""

from __future__ import annotations

import codecs
import errno
import os
import stat
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from perceptag.errors import SettingError, brief

UNLABELLED = ("O", "missing")
AUTO = "auto"


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What a file cannot say itself."""

    encoding: str = ""  # empty or "auto": UTF-8, or UTF-16 if a byte order mark says so
    tokenizer: str = ""  # a model, for texts without tokens; empty: the installed English one
    unlabelled: str = "O"  # the labels of texts without spans: O, or missing
    label_names: tuple[str, ...] = ()  # of labels that are numbers
    label: str = ""  # the column that the user means
    text: str = ""  # the column of a table, or the key of records, that has the texts

    def __post_init__(self) -> None:
        _check_encoding(self.encoding, "--encoding")
        if self.unlabelled not in UNLABELLED:
            raise SettingError(f"--unlabelled: expected {' or '.join(UNLABELLED)}, found {self.unlabelled!r}")


def _check_encoding(encoding: object, argument: str) -> None:
    """Refuse anything but the name of an encoding of text, "auto", and nothing."""
    try:
        if encoding and encoding != AUTO:
            "".encode(codecs.lookup(encoding).name)  # type: ignore[arg-type]  # fails also for codecs that are not of text
    except (LookupError, TypeError, ValueError):
        expected = "auto, utf-8, latin-1, cp1252, utf-16 or another encoding"
        raise SettingError(f"{argument}: expected {expected}, found {brief(encoding)}") from None


class GivenFile(str):
    """A path that is read as the user says."""

    facts: FileFacts

    def __new__(cls, path: str, facts: FileFacts) -> GivenFile:
        """Return the path with these facts."""
        made = super().__new__(cls, path)
        made.facts = facts
        return made

    def __reduce__(self) -> tuple[type[GivenFile], tuple[str, FileFacts]]:
        return GivenFile, (str(self), self.facts)


NO_FACTS = FileFacts()


def facts_of(source: object) -> FileFacts:
    """Return what the user says about a file."""
    return source.facts if isinstance(source, GivenFile) else NO_FACTS


def in_encoding(source: Any, encoding: str) -> Any:
    """Return a path that is read in an encoding, if one is named; streams have decided theirs."""
    _check_encoding(encoding, "encoding")
    if not encoding or not isinstance(source, (str, os.PathLike)):
        return source
    return GivenFile(os.fspath(source), replace(facts_of(source), encoding=encoding))


_KINDS = {stat.S_IFIFO: "a pipe", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device", stat.S_IFSOCK: "a socket"}


def other_kind(path: str | os.PathLike[str]) -> str:
    """Return "a pipe", "a device" or "a socket" if a path is one; "" for regular files and folders."""
    return _KINDS.get(stat.S_IFMT(Path(path).stat().st_mode), "")


def read_whole(path: str | os.PathLike[str], most: int) -> bytes:
    """Return the bytes of a regular file of at most `most` bytes; raise OSError for anything else."""
    if kind := other_kind(path):
        raise OSError(errno.EINVAL, f"expected a regular file, found {kind}", os.fspath(path))
    with Path(path).open("rb") as stream:
        size = os.fstat(stream.fileno()).st_size
        if size > most:
            raise OSError(errno.EFBIG, f"expected at most {most} bytes, found {size}", os.fspath(path))
        return stream.read(size)
