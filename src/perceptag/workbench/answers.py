"""Answers of the learner that requests wait for: each is asked for once, however many wait for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Any

from perceptag.server.deadline import Within
from perceptag.server.problems import Problem

PATIENCE = 120.0  # seconds for the learner to answer
OPEN = 4  # questions at a time
KEPT = 4  # answers


class Answers:
    """The newest answers, and those that are awaited. It is used in one event loop."""

    def __init__(self) -> None:
        self._tasks: dict[Hashable, asyncio.Task[Any]] = {}

    async def of(self, key: Hashable, ask: Callable[[], Future[Any]]) -> Any:
        """Return the answer to a question; `ask` is called in a thread if nobody has asked the same."""
        task = self._tasks.get(key) or self._asked(key, ask)
        try:
            return await Within(PATIENCE, asyncio.shield(task))
        except TimeoutError:
            raise _busy(f"the learner did not answer within {PATIENCE} s") from None
        except asyncio.CancelledError:
            if task.cancelled():
                raise _busy("the learner is stopping") from None
            raise

    def _asked(self, key: Hashable, ask: Callable[[], Future[Any]]) -> asyncio.Task[Any]:
        done = [old for old, task in self._tasks.items() if task.done()]
        if len(self._tasks) - len(done) >= OPEN:
            raise _busy(f"the learner: expected at most {OPEN} questions at a time, found more")
        for old in done[: len(done) - KEPT + 1] if len(done) >= KEPT else []:
            del self._tasks[old]
        task = self._tasks[key] = asyncio.ensure_future(_answered(ask))
        task.add_done_callback(lambda _: self._drop_failed(key, task))
        return task

    def _drop_failed(self, key: Hashable, task: asyncio.Task[Any]) -> None:
        """Forget an answer that is an error: the next one who asks may have more luck."""
        if (task.cancelled() or task.exception() is not None) and self._tasks.get(key) is task:
            del self._tasks[key]


async def _answered(ask: Callable[[], Future[Any]]) -> Any:
    return await asyncio.wrap_future(await asyncio.to_thread(ask))


def _busy(detail: str) -> Problem:
    return Problem(503, detail).with_header(b"retry-after", b"5")
