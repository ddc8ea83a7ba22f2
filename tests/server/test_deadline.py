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


def test_time_that_is_over_is_told_and_the_task_goes_on() -> None:
    async def main() -> str:
        with pytest.raises(TimeoutError):
            await Within(0.01, after(60, 1))
        await asyncio.sleep(0.01)
        return "went on"

    assert asyncio.run(main()) == "went on"


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
