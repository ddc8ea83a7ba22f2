"""What waits too long is cancelled; what is there at once starts nothing."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from perceptag.server.limits import Limits
from perceptag.server.receiving import Within, body_chunks


async def at_once(value: Any) -> Any:
    return value


async def after(seconds: float, value: Any) -> Any:
    await asyncio.sleep(seconds)
    return value


def test_a_value_comes_through_at_once_or_later() -> None:
    async def main() -> list[Any]:
        future = asyncio.get_running_loop().create_future()
        asyncio.get_running_loop().call_soon(future.set_result, 3)
        return [await Within(9, at_once(1)), await Within(9, after(0.01, 2)), await Within(9, future)]

    assert asyncio.run(main()) == [1, 2, 3]


def test_errors_come_through() -> None:
    async def broken(seconds: float) -> None:
        await asyncio.sleep(seconds)
        raise KeyError("x")

    async def sooner() -> None:
        raise KeyError("x")

    for coroutine in (broken(0.01), broken(0), sooner()):
        with pytest.raises(KeyError):
            asyncio.run(_awaited(coroutine))


async def _awaited(coroutine: Any) -> Any:
    return await Within(9, coroutine)


def test_time_that_is_over_is_told_and_the_task_goes_on() -> None:
    async def main() -> str:
        with pytest.raises(TimeoutError):
            await Within(0.01, after(60, 1))
        await asyncio.sleep(0.01)
        return "went on"

    assert asyncio.run(main()) == "went on"


def test_what_is_awaited_may_clean_up_and_answer() -> None:
    async def stubborn() -> str:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            return "cleaned up"
        return "never"

    async def main() -> str:
        return await Within(0.01, stubborn())

    assert asyncio.run(main()) == "cleaned up"


def test_a_task_that_is_cancelled_by_others_is_cancelled() -> None:
    async def main() -> bool:
        task = asyncio.ensure_future(_awaited(after(60, 1)))
        await asyncio.sleep(0.01)
        task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            return True
        return False

    assert asyncio.run(main())


def test_a_body_ends_with_the_last_message_or_with_one_that_does_not_say() -> None:
    async def main(*messages: dict[str, Any]) -> list[bytes]:
        waiting = [{"type": "http.request", **message} for message in messages]
        return [chunk async for chunk in body_chunks(lambda: at_once(waiting.pop(0)), Limits())]

    assert asyncio.run(main({"body": b"a"})) == [b"a"]
    assert asyncio.run(main({"body": b"a", "more_body": True}, {"body": b"", "more_body": True}, {"body": b"b"})) == [
        b"a",
        b"b",
    ]


def test_a_large_body_has_a_second_more_for_each_mebibyte() -> None:
    waiting = [(0.0, {"body": b" " * (2 << 20), "more_body": True}), (0.01, {"body": b" "})]

    async def receive() -> dict[str, Any]:
        seconds, message = waiting.pop(0)
        return {"type": "http.request", **(await after(seconds, message) if seconds else message)}

    async def main() -> list[int]:
        return [len(chunk) async for chunk in body_chunks(receive, Limits(body_seconds=1))]

    assert asyncio.run(main()) == [2 << 20, 1]
