"""Exit without freeing every object: freeing a large model takes longer than tagging a page."""

from __future__ import annotations

import atexit
import os
import sys
import threading
from contextlib import suppress
from typing import NoReturn

from perceptag.system.interrupts import INTERRUPTED


def leave(status: int) -> NoReturn:
    """Exit like `sys.exit`, but skip the clean-up of objects unless other threads, a profiler or a debugger are active.

    Files must be closed. Functions registered with `atexit` run, and the standard streams are flushed. After an
    interrupt other threads are left behind: Python would end them inside native code, which aborts the process.
    """
    is_alone = threading.active_count() == 1 or (status == INTERRUPTED and not _has_children())
    if is_alone and not _is_watched():
        atexit._run_exitfuncs()
        try:
            sys.stdout.flush()
        except (OSError, ValueError):
            if not status:
                sys.exit(status)  # Python reports the error, unless another one was reported
        with suppress(OSError, ValueError):  # there is no other stream to report it
            sys.stderr.flush()
        os._exit(status)
    sys.exit(status)


def _has_children() -> bool:
    """Return whether processes were started that Python ends with its own."""
    loaded = sys.modules.get("multiprocessing")
    return loaded is not None and bool(loaded.active_children())


def _is_watched() -> bool:
    """Return whether a profiler or a debugger is attached."""
    if sys.version_info >= (3, 12) and any(map(sys.monitoring.get_tool, range(6))):
        return True
    return bool(sys.gettrace() or sys.getprofile())
