"""Ctrl-C and SIGTERM before there is anything to stop: while modules are imported and words are parsed."""

from __future__ import annotations

import os
import signal
from collections import namedtuple
from types import FrameType

INTERRUPTED = 130


def leave_quietly() -> None:
    """From here on an interrupt ends the process at once: nothing has been begun that could be left half done."""
    signal.signal(signal.SIGINT, _leave)
    signal.signal(signal.SIGTERM, _leave)


def raise_again() -> None:
    """From here on Ctrl-C is a KeyboardInterrupt, as Python has it, if `leave_quietly` had changed that."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def forget() -> None:
    """Let the process end with a status of its own after an interrupt that was caught.

    If it came while Python executed a string, as the making of a data class does, Python would kill itself by the
    same signal at the end, caught or not (`run_eval_code_obj` in its source). Another string, here that of a named
    tuple, makes it forget that.
    """
    namedtuple("Anything", ())


def _leave(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - as signal.signal wants it
    os._exit(INTERRUPTED)
