"""``perceptag --version``: the version, and how it was built."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

from perceptag._version import __version__


def version_text() -> str:
    """Return the version in a line of its own, then how the extension was built, and what it runs on."""
    python = ".".join(map(str, sys.version_info[:3]))
    details = {**build(), "Python": python, "numpy": _version_of_numpy()}
    return f"perceptag {__version__}\n{', '.join(f'{name} {value}' for name, value in details.items())}\n"


def build() -> dict[str, str]:
    """The commit, the compiler and the instructions of the extension."""
    try:
        from perceptag import _core
    except ImportError:
        return {"extension": "cannot be loaded"}
    return {
        "commit": _core.build_commit() or "unknown",
        "compiler": _core.build_compiler(),
        "CPU": _core.cpu_instructions(),
    }


def _version_of_numpy() -> str:
    """Read from the name of a folder: importing numpy, or what reads metadata, would take longer than all the rest."""
    spec = find_spec("numpy")
    folders = Path(spec.origin).parent.parent.glob("numpy-*.dist-info") if spec and spec.origin else ()
    return next((folder.name.split("-")[1].removesuffix(".dist") for folder in folders), "unknown")
