"""A clock that a test puts forward: a long time is over at once, and a busy machine makes none of it longer."""

from __future__ import annotations

import time

import pytest


class PlayedClock:
    """The clock of a process and of its event loops."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._ahead, real = 0.0, time.monotonic
        monkeypatch.setattr(time, "monotonic", lambda: real() + self._ahead)

    def pass_by(self, seconds: float) -> None:
        """Put it forward."""
        self._ahead += seconds
