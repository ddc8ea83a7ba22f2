"""Ctrl-C and SIGTERM before any work has begun: while modules are imported and arguments are parsed."""

from __future__ import annotations

import os
import signal
import sys
from collections import namedtuple
from types import FrameType

INTERRUPTED = 130
SERVERS = ("serve", "annotate")  # verbs that end when they are told to: that is not an error


def leave_quietly() -> None:
    """From now on an interrupt ends the process at once, since no work has begun that could be left half done."""
    signal.signal(signal.SIGINT, _leave)
    signal.signal(signal.SIGTERM, _leave)


def raise_again() -> None:
    """From now on Ctrl-C is a KeyboardInterrupt again, if `leave_quietly` has changed that."""
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
