"""Signals that not every system has. Every command looks here, so that nothing else is imported."""

from __future__ import annotations

import signal


def hang_up() -> list[signal.Signals]:
    """Return the signal of a closed terminal, where there is one and it is not ignored, as nohup makes it."""
    number = getattr(signal, "SIGHUP", None)
    return [number] if number is not None and signal.getsignal(number) == signal.SIG_DFL else []
