"""The pool of the front process with workers that are played by the test: each step happens when the test says so."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from perceptag.server import worker_pool
from perceptag.server.limits import Limits
from perceptag.server.metrics import Metrics
from perceptag.server.text_jobs import TextJob
from perceptag.server.worker_pool import WorkerPool
from perceptag.server.worker_runner import WorkerRunner
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


def test_a_job_that_takes_too_long_is_ended_and_those_of_its_batch_are_done(monkeypatch: Any) -> None:
    clock = PlayedClock(monkeypatch)

    async def script(pool: WorkerPool, zygote: PlayedZygote) -> None:
        first = ask(pool, "first")
        await zygote.workers[0].jobs()
        both = [ask(pool, "endless"), ask(pool, "quick")]
        await asyncio.sleep(0)
        zygote.workers[0].reply(1)
        await first
        assert await zygote.workers[0].jobs() == ["endless", "quick"]
        clock.pass_by(20)
        quick = endless = 0
        for turn in (1, 2):
            while len(zygote.workers) <= turn:
                await asyncio.sleep(0.001)
            (job,) = await zygote.workers[turn].jobs()
            if job == "quick":
                quick += 1
                zygote.workers[turn].reply(1)
                (job,) = await zygote.workers[turn].jobs() if turn == 1 else ("",)
            if job == "endless":
                endless += 1
                clock.pass_by(20)
            if endless and quick:
                break
        status, detail = await problem_of(both[0])
        assert (status, detail) == (504, "the request took longer than 20 s of work, and was ended")
        await both[1]
        assert zygote.ended[0] == 0

    assert play(script, 1, work_seconds=20, answer_seconds=100).worker_restarts["deadline"] == 2


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


def test_an_old_pool_ends_after_its_last_job_and_the_last_request_that_holds_it() -> None:
    async def script(pool: WorkerPool, zygote: PlayedZygote) -> None:
        service: Any = SimpleNamespace(metrics=Metrics(), limits=Limits())
        runner = WorkerRunner(service, 1)
        runner.pool = pool
        with runner.pinned() as held:
            retired = asyncio.ensure_future(pool.retire())
            for number in range(2):
                job = asyncio.ensure_future(held.run(TextJob("tag", b"line %d" % number), "a"))
                assert await zygote.workers[0].jobs() == [f"line {number}"]
                zygote.workers[0].reply(1)
                await job
            assert not retired.done()
        await asyncio.wait_for(retired, 20)  # seconds; only a failure waits for all of them
        with pytest.raises(asyncio.IncompleteReadError):
            await zygote.workers[0].jobs()

    play(script, 1)


def test_without_a_zygote_jobs_wait_to_be_adopted() -> None:
    async def script(pool: WorkerPool, zygote: PlayedZygote) -> None:
        asked = ask(pool, "one")
        await zygote.workers[0].jobs()
        zygote.is_gone = True
        zygote.workers[0].die()
        while not pool.is_lost:
            await asyncio.sleep(0.001)
        assert pool.trouble() == "there is no worker"
        next_zygote = PlayedZygote()
        new = WorkerPool(next_zygote, 1, Limits(), Metrics())  # type: ignore[arg-type]
        await new.start()
        pool.leave_to(new)
        assert await next_zygote.workers[0].jobs() == ["one"]
        next_zygote.workers[0].reply(1)
        assert (await asked).body == b"{}"
        new.close()

    play(script, 1)
