"""The pool of the front process with workers that are played by the test: each step happens when the test says so."""

from __future__ import annotations

import asyncio
from typing import Any

from perceptag.server import worker_pool
from perceptag.server.worker_pool import WorkerPool
from played_clock import PlayedClock
from played_workers import Played, PlayedZygote, ask, play, problem_of


def test_small_jobs_of_a_client_share_a_call_and_clients_take_turns() -> None:
    async def script(pool: WorkerPool, zygote: PlayedZygote) -> None:
        (worker,) = zygote.workers
        first = ask(pool, "first")
        assert await worker.jobs() == ["first"]
        waiting = [ask(pool, f"a{i}") for i in range(20)]
        waiting += [ask(pool, "x" * 5000), ask(pool, "b0", "b"), ask(pool, "b1", "b", "explain"), ask(pool, "b2", "b")]
        await asyncio.sleep(0)
        taken = []
        worker.reply(1)
        for _ in range(6):
            jobs = await worker.jobs()
            taken.append([job[:5] for job in jobs])
            worker.reply(len(jobs))
        await asyncio.gather(first, *waiting)
        assert taken == [
            [f"a{i}" for i in range(16)], ["b0"], [f"a{i}" for i in range(16, 20)], ["b1"], ["xxxxx"], ["b2"]
        ]  # fmt: skip

    metrics = play(script, 1)
    assert metrics.batch_jobs.counts[:1] == [5] and metrics.queue_seconds.lines("x")


def test_a_job_whose_worker_dies_is_tried_once_more() -> None:
    async def script(pool: WorkerPool, zygote: PlayedZygote) -> None:
        asked = ask(pool, "one")
        await zygote.workers[0].jobs()
        zygote.workers[0].die()
        while len(zygote.workers) < 2:
            await asyncio.sleep(0.001)
        assert await zygote.workers[1].jobs() == ["one"]
        zygote.workers[1].reply(1)
        assert (await asked).body == b"{}"
        again = ask(pool, "two")
        for turn in (1, 2):
            while len(zygote.workers) <= turn:
                await asyncio.sleep(0.001)
            assert await zygote.workers[turn].jobs() == ["two"]
            zygote.workers[turn].die()
        assert await problem_of(again) == (500, "the worker ended during this request; the log says how")

    assert play(script, 1).worker_restarts["died"] == 3


def test_the_queue_is_bounded_and_waiting_has_an_end(monkeypatch: Any) -> None:
    clock = PlayedClock(monkeypatch)

    async def script(pool: WorkerPool, zygote: PlayedZygote) -> None:
        running = ask(pool, "running")
        await zygote.workers[0].jobs()
        waiting = [ask(pool, str(i), "many") for i in range(3)]
        await asyncio.sleep(0)
        assert await problem_of(waiting[2]) == (503, "the server is busy; try again")
        other = ask(pool, "other", "few")
        assert await problem_of(waiting[1]) == (503, "the server is busy; try again")
        assert pool.full_since is not None and pool.trouble() == ""
        clock.pass_by(21)
        assert pool.trouble() == "all workers have been busy with one request for more than 20 s"
        clock.pass_by(40)
        for one in (waiting[0], other):
            assert await problem_of(one) == (503, "all workers were busy for 60 s")
        assert await problem_of(running) == (504, "the server did not answer within 60 s, and the request was ended")
        assert pool.full_since is None

    play(script, 1, queue=2, work_seconds=100, answer_seconds=60, unready_seconds=20)


def test_a_slow_client_may_not_have_the_last_worker(monkeypatch: Any) -> None:
    monkeypatch.setattr(worker_pool, "SLOW", 4)
    monkeypatch.setattr(worker_pool, "REMEMBERED", 100)
    clock = PlayedClock(monkeypatch)

    async def script(pool: WorkerPool, zygote: PlayedZygote) -> None:
        before = ask(pool, "quick", "quick")
        await zygote.workers[0].jobs()
        zygote.workers[0].reply(1)
        await before
        slow = ask(pool, "slow", "slow")
        held = await first_with_a_job(zygote)
        clock.pass_by(5)
        second = ask(pool, "slow too", "slow")
        await asyncio.sleep(0.05)
        assert len(pool.queue) == 1  # although a worker is free
        quick = ask(pool, "quick", "quick")
        free = next(worker for worker in zygote.workers if worker is not held)
        assert await free.jobs() == ["quick"]
        free.reply(1)
        await quick
        held.reply(1)
        await slow
        (await first_with_a_job(zygote)).reply(1)
        await second

    play(script, 2)


async def first_with_a_job(zygote: PlayedZygote) -> Played:
    """The worker that gets the next job."""
    asked = {asyncio.ensure_future(worker.jobs()): worker for worker in zygote.workers}
    done, waiting = await asyncio.wait(asked, return_when="FIRST_COMPLETED")
    for one in waiting:
        one.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)  # until then the others are being read
    return asked[done.pop()]
