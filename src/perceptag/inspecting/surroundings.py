"""Versions, machine and terminal for a support request, without data, names or paths."""

from __future__ import annotations

import locale
import os
import platform
import re
import shutil
import sys
import sysconfig
import tempfile
from importlib import metadata
from pathlib import Path
from typing import Any

from perceptag.system.platform import machine
from perceptag.system.platform.open_files import file_system

_NOT_FOR_USERS = {"dev", "docs", "bench", "browser"}  # extras of those who work on perceptag
_WITHOUT_EXTRA = ("scikit-learn",)  # libraries that perceptag serves without asking for them
_REQUIREMENT = re.compile(r"([\w.-]+)[^;]*(?:;.*extra == ['\"]([\w-]+)['\"])?")
_HOMES = re.compile(r"(?:/home/|/Users/|[A-Za-z]:\\Users\\)[^/\\\s:'\"]+")


def surroundings() -> dict[str, Any]:
    """All facts, in groups."""
    return {
        "python": _python(),
        "libraries": _libraries(),
        "system": _system(),
        "text": _text(),
        "terminal": _terminal(),
        "temporary_folder": _temporary_folder(),
        "environment": sorted(name for name in os.environ if name.startswith("PERCEPTAG_")),
    }


def without_names(text: str) -> str:
    """A message without the home folder of anybody, and without the folder of temporary files.

    >>> without_names("/home/anna/x.model: cannot read")
    '~/x.model: cannot read'
    """
    for folder, stands_for in ((tempfile.gettempdir(), "TMP"), (os.path.expanduser("~"), "~")):  # noqa: PTH111
        if len(folder) > 1:
            text = text.replace(folder, stands_for)
    return _HOMES.sub("~", text)


def _python() -> dict[str, Any]:
    return {
        "version": platform.python_version(),
        "implementation": platform.python_implementation(),
        "bits": 64 if sys.maxsize > 1 << 32 else 32,
        "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    }


def _libraries() -> dict[str, Any]:
    """The versions of what perceptag needs and of what its extras bring; None for what is not installed."""
    try:
        needed = metadata.requires("perceptag") or []
    except metadata.PackageNotFoundError:  # a source tree that is not installed
        needed = []
    found: dict[str, Any] = {name: _version_of(name) for name in _WITHOUT_EXTRA}
    for requirement in needed:
        match = _REQUIREMENT.match(requirement)
        if match and match[2] not in _NOT_FOR_USERS:
            found[match[1]] = _version_of(match[1])
    return found


def _version_of(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _system() -> dict[str, Any]:
    return {
        "name": platform.system(),
        "release": platform.release(),
        "libc": " ".join(platform.libc_ver()).strip(),
        "machine": platform.machine(),
        "cpu": machine.cpu_name(),
        "cores": os.cpu_count(),
        "usable_cores": machine.usable_cores(),
        "memory": _bytes(machine.whole_memory()),
        "free_memory": _bytes(machine.free_memory()),
    }


def _bytes(size: int) -> int | None:
    return None if size == machine.UNLIMITED else size


def _text() -> dict[str, Any]:
    return {
        "locale": locale.setlocale(locale.LC_CTYPE),
        "preferred_encoding": locale.getpreferredencoding(False),
        "file_names": sys.getfilesystemencoding(),
        "stdout": getattr(sys.stdout, "encoding", None),
        "utf8_mode": bool(sys.flags.utf8_mode),
    }


def _terminal() -> dict[str, Any]:
    size = shutil.get_terminal_size()
    return {
        "stdin": _is_terminal(sys.stdin),
        "stdout": _is_terminal(sys.stdout),
        "stderr": _is_terminal(sys.stderr),
        "kind": os.environ.get("TERM", ""),
        "columns": size.columns,
        "no_colour": "NO_COLOR" in os.environ,
    }


def _is_terminal(stream: Any) -> bool:
    return bool(stream is not None and stream.isatty())


def _temporary_folder() -> dict[str, Any]:
    """How much room there is, and on which kind of disk; not where."""
    folder = Path(tempfile.gettempdir())
    return {"free": shutil.disk_usage(folder).free, "file_system": file_system(folder)}
