"""A limit on the time that a task may wait."""

from __future__ import annotations

import asyncio
from types import TracebackType


class Deadline:
    """Cancels the task that is inside it when the time is over, and turns that into `TimeoutError`.

    Python 3.10 has no `asyncio.timeout`; `asyncio.wait_for` would start a task for every wait.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._is_over = False

    async def __aenter__(self) -> Deadline:
        task = asyncio.current_task()
        assert task is not None
        self._task = task
        self._handle = asyncio.get_running_loop().call_later(self._seconds, self._end)
        return self

    def _end(self) -> None:
        self._is_over = True
        self._task.cancel()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._handle.cancel()
        if self._is_over and kind is asyncio.CancelledError:
            if hasattr(self._task, "uncancel"):
                self._task.uncancel()
            raise TimeoutError from error
