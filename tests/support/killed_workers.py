"""Workers that are killed with SIGKILL while they carry out a call, each run once."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from perceptag.engines.calls import Engine

KILLING = ("learn", "differentiate")  # methods of workers within which one dies


class MortalWorker:
    """A worker whose process dies in its second call of such a method, unless another one has died before."""

    def __init__(self, make: Callable[[], Any], flag: Path) -> None:
        self._worker, self._flag, self._calls = make(), flag, 0

    def __getattr__(self, name: str) -> Any:
        if name in KILLING:
            self._calls += 1
            if self._calls == 2 and not self._flag.exists():
                self._flag.touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return getattr(self._worker, name)


class MortalEngine:
    """An engine one of whose workers is killed."""

    def __init__(self, engine: Engine, flag: Path) -> None:
        self.name, self._engine, self._flag = engine.name, engine, flag

    def crew(self, make: Callable[[], object]) -> Any:
        """Workers, one of which dies."""
        return self._engine.crew(partial(MortalWorker, make, self._flag))
