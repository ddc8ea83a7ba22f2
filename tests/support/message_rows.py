"""Rows of the table of messages: how one is run, and what may stand in it."""

from __future__ import annotations

import re
import shlex
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path

from command_line import Result, run

Doing = str | tuple[object, ...] | Callable[[], object]


class Not(str):
    """A text that must not be said."""

    __slots__ = ()


def write_files(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write the files that a row reads."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def said_by(doing: Doing) -> str:
    """Return all that a command or a call says: output, warnings and the error, with single spaces."""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            result = doing() if callable(doing) else run(*(shlex.split(doing) if isinstance(doing, str) else doing))
        except Exception as error:
            result = str(error)
    if isinstance(result, Result):
        assert "Traceback" not in result.err, result.err
        assert (result.status == 2) == bool(re.search("^perceptag: error: ", result.err, re.MULTILINE)), result
        result = result.out + result.err
    return " ".join(" ".join([str(result), *(str(one.message) for one in warned)]).split())
