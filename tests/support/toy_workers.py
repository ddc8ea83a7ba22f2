"""A worker that computes, refuses, fails and dies."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from perceptag.errors import DataError


class Squares:
    """A worker."""

    def square(self, number):
        return number * number

    def add(self, numbers, more):
        return sum(numbers) + more

    def refuse(self, number):
        raise DataError(f"found {number}", "here:1")

    def fail(self):
        raise KeyError("a bug")

    def die(self, flag):
        if not Path(flag).exists():
            Path(flag).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return "alive"
