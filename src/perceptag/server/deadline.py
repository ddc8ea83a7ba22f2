"""A limit on the time that a task may wait."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine, Generator
from typing import Any, Generic, TypeVar

Result = TypeVar("Result")


class Within(Generic[Result]):
    """Await something, but only so long: then it is cancelled, and `TimeoutError` is raised.

    Most of what a server awaits is there at once. `asyncio.wait_for` would start a task, and `asyncio.timeout`, which
    Python 3.10 does not have, a timer; here nothing is started until there is something to wait for.
    """

    __slots__ = ("_coroutine", "_is_over", "_seconds")

    def __init__(self, seconds: float, awaited: Awaitable[Result]) -> None:
        self._seconds = seconds
        self._coroutine = awaited if isinstance(awaited, Coroutine) else _coroutine(awaited)
        self._is_over = False

    def __await__(self) -> Generator[Any, Any, Result]:
        try:
            waiting = self._coroutine.send(None)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        task = asyncio.current_task()
        assert task is not None
        timer = asyncio.get_running_loop().call_later(self._seconds, self._end, task)
        try:
            while True:
                try:
                    yield waiting
                except BaseException as error:  # noqa: PERF203 - what waits must see what is thrown
                    waiting = self._coroutine.throw(error)
                else:
                    waiting = self._coroutine.send(None)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        except asyncio.CancelledError as error:
            if not self._is_over:
                raise
            if hasattr(task, "uncancel"):
                task.uncancel()
            raise TimeoutError from error
        finally:
            timer.cancel()

    def _end(self, task: asyncio.Task[Any]) -> None:
        self._is_over = True
        task.cancel()


async def _coroutine(awaited: Awaitable[Result]) -> Result:
    return await awaited
