"""Waiting for an event instead of a time: a busy machine makes a test slower, but not red."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")

PATIENCE = 180.0  # seconds; only a failure waits for all of them


def wait_until(condition: Callable[[], Found], what: str = "it") -> Found:
    """Ask until the answer is true, and return it."""
    limit = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < limit, f"{what} did not happen within {PATIENCE:g} seconds"
        time.sleep(0.005)
    return found
