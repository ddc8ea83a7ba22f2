"""Names of earlier releases. They still work, and each use is announced with the new name and the end of the old one.

Python hides a `DeprecationWarning` unless the code that caused it is a script or a test. So the warning names the code
that called perceptag, however deep inside the package the old name is noticed.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TextIO

from perceptag.errors import FileWarning

ENDS = "0.5.0"  # the release without them; CONTRIBUTING.md has the rule
_PASSED = ("perceptag", "importlib")  # `warnings` itself does not count the frames of an import


class OldNameWarning(DeprecationWarning):
    """A name of an earlier release is used."""


def warn_of_old_name(what: str, old: str, new: str) -> None:
    """Warn that `what`, such as a recipe, is called by its old name."""
    frame: FrameType | None = sys._getframe()
    level = 1
    while frame is not None and (name := frame.f_globals.get("__name__", "").partition(".")[0]) in _PASSED:
        frame, level = frame.f_back, level + (name == "perceptag")
    message = f"the {what} {old!r} is now called {new!r}; the old name ends with perceptag {ENDS}"
    warnings.warn(message, OldNameWarning, stacklevel=level)


@contextmanager
def old_names_told(tell: Callable[[str], None]) -> Iterator[None]:
    """Call `tell` with each message on an old name, or on a file, once."""
    told: set[str] = set()
    with warnings.catch_warnings():
        for kind in (OldNameWarning, FileWarning):
            warnings.filterwarnings("always", category=kind)
        show = warnings.showwarning

        def show_or_tell(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: TextIO | None = None,
            line: str | None = None,
        ) -> None:
            if not issubclass(category, (OldNameWarning, FileWarning)):
                show(message, category, filename, lineno, file, line)
            elif str(message) not in told:
                told.add(str(message))
                tell(f"warning: {message}" if issubclass(category, FileWarning) else str(message))

        warnings.showwarning = show_or_tell
        yield
