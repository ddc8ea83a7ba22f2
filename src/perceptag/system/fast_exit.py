"""The end of a process, without taking every object apart first: for a model that takes longer than tagging a page."""

from __future__ import annotations

import atexit
import os
import sys
import threading
from contextlib import suppress
from typing import NoReturn


def leave(status: int) -> NoReturn:
    """End the process as `sys.exit` does, at once if nobody waits for the rest of it.

    Files must be closed. What was registered with `atexit` runs, and the standard streams are flushed.
    """
    if threading.active_count() == 1 and not _is_watched():
        atexit._run_exitfuncs()
        try:
            sys.stdout.flush()
        except (OSError, ValueError):
            if not status:
                sys.exit(status)  # Python says what is wrong; an error has been told already
        with suppress(OSError, ValueError):  # where nobody could be told
            sys.stderr.flush()
        os._exit(status)
    sys.exit(status)


def _is_watched() -> bool:
    """Whether a profiler or a debugger wants to see the end."""
    if sys.version_info >= (3, 12) and any(map(sys.monitoring.get_tool, range(6))):
        return True
    return bool(sys.gettrace() or sys.getprofile())
