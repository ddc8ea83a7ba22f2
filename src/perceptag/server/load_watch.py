"""How long models take to load: one that takes long is named in the log, and with `--workers` by /readyz."""

from __future__ import annotations

import threading
import time

from perceptag.server.log_lines import log

SLOW = 30.0  # seconds of loading until the log says so; it is said again after twice as long


class LoadWatch:
    """Watches how models are loaded, from a thread of its own: the one that loads them may wait for a disk."""

    def __init__(self) -> None:
        self._model, self._since = "", time.monotonic()
        self._is_over = threading.Event()

    def begin(self, model: str) -> None:
        """Note which model is loaded now."""
        self._model, self._since = model, time.monotonic()

    def trouble(self) -> str:
        """Return what is loaded, and for how long."""
        seconds = time.monotonic() - self._since
        if not self._model or seconds < SLOW:
            return "the models are being loaded"
        taken = f"{self._model!r} has taken {seconds:.0f} s so far"
        return f"the models are being loaded; {taken}: the disk of its file may not answer"

    def __enter__(self) -> LoadWatch:
        threading.Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._is_over.set()

    def _watch(self) -> None:
        wait = SLOW
        while not self._is_over.wait(wait):
            log(event="loading", model=self._model, error=self.trouble())
            wait *= 2
