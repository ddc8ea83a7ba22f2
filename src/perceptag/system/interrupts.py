"""Ctrl-C and SIGTERM during start-up, while modules are imported and arguments are parsed."""

from __future__ import annotations

import os
import signal
import sys
from collections import namedtuple
from types import FrameType

INTERRUPTED = 130
SERVERS = ("serve", "annotate")  # commands that run until they are interrupted


def leave_quietly() -> None:
    """Exit immediately on an interrupt from now on, since no work has begun."""
    signal.signal(signal.SIGINT, _leave)
    signal.signal(signal.SIGTERM, _leave)


def raise_again() -> None:
    """Raise KeyboardInterrupt on Ctrl-C again; undoes `leave_quietly`."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def forget() -> None:
    """Let the process choose its exit status after it has caught an interrupt.

    If the interrupt came while Python executed a string, as it does to make a data class, Python would kill itself by
    the same signal at the end, caught or not (`run_eval_code_obj` in its source). Executing another string, here that
    of a named tuple, makes it forget that.
    """
    namedtuple("Anything", ())


def _leave(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - the signature of signal.signal
    os._exit(0 if sys.argv[1:2] and sys.argv[1] in SERVERS else INTERRUPTED)
