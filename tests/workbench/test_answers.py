"""Questions to the learner: how many, and where they are asked."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future
from typing import Any

import pytest

from asked import LOOP
from benches import Benched
from perceptag.errors import ModelError
from perceptag.server.problems import HttpProblem
from perceptag.workbench import model_versions as module
from perceptag.workbench.model_versions import KEPT, OPEN, Answers


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


def test_only_some_are_open_at_a_time_and_only_some_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    answers, never = Answers(), Future[Any]()

    def done(value: int) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(value)
        return future

    async def run() -> None:
        for number in range(3 * KEPT):
            assert await answers.of(number, lambda: done(1)) == 1
        assert len(answers._tasks) == KEPT
        monkeypatch.setattr(module, "PATIENCE", 0.01)
        for number in range(OPEN):
            with pytest.raises(HttpProblem, match=r"did not answer within 0\.01 s"):
                await answers.of(f"open {number}", lambda: never)
        with pytest.raises(HttpProblem, match="at most 4 questions at a time"):
            await answers.of("one more", lambda: done(1))
        never.cancel()

    LOOP.run_until_complete(run())


def test_an_error_is_not_kept() -> None:
    answers, failed = Answers(), Future[Any]()
    failed.set_exception(ModelError("broken"))

    async def run() -> None:
        for _ in range(2):
            with pytest.raises(ModelError, match="broken"):
                await answers.of("a", lambda: failed)
            await asyncio.sleep(0)
        assert not answers._tasks

    LOOP.run_until_complete(run())


def test_changes_are_compared_once_and_not_in_the_thread_that_answers(bench: Benched) -> None:
    for number in (1, 2, 3, 4, 5, 6, 7):
        bench.label(number)
        bench.learned(number)
    asked, real = [], bench.bench.loop.ask

    def ask(what: str, **more: Any) -> Future[Any]:
        asked.append((what, threading.current_thread() is threading.main_thread()))
        return real(what, **more)

    bench.bench.loop.ask = ask  # type: ignore[method-assign]
    bench.bench.loop.kept.clear()
    bench.bench.loop.changes._found.clear()
    found = [bench.get("/changes?from=1&to=3", "carl") for _ in range(5)]
    assert found[0] == found[-1]
    assert asked == [("remake", False), ("remake", False), ("compare", False)]
