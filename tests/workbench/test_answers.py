"""Questions to the learner: how many, and where they are asked."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from typing import Any

from asked import LOOP
from perceptag.workbench.model_versions import Answers


def test_who_asks_the_same_waits_for_the_same_answer() -> None:
    asked: list[Future[Any]] = []
    answers = Answers()

    def ask() -> Future[Any]:
        asked.append(Future())
        return asked[-1]

    async def both() -> list[Any]:
        waiting = [asyncio.ensure_future(answers.of("a", ask)) for _ in range(3)]
        while not asked:
            await asyncio.sleep(0.001)
        asked[0].set_result(7)
        return await asyncio.gather(*waiting, answers.of("a", ask))

    assert LOOP.run_until_complete(both()) == [7, 7, 7, 7]
    assert len(asked) == 1
