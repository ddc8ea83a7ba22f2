"""What goes wrong behind a server: lost loaders, no room for processes, clients that leave, memory that grows."""

from __future__ import annotations

import asyncio
import errno
import gc
import json
import os
import socket
import time
from types import SimpleNamespace
from typing import Any

import pytest

from asked import LINES, LOOP, Asked, held, model_paths
from command_line import run
from perceptag.cli.serve import TokenOptions
from perceptag.errors import ModelError, PerceptagError
from perceptag.server import run as running
from perceptag.server import text_jobs, worker, worker_pool, worker_runner
from perceptag.server.access import Access, Person, TokenHolder
from perceptag.server.limits import Limits
from perceptag.server.metrics import Metrics
from perceptag.server.problems import HttpProblem
from perceptag.server.receiving import ClientGoneError
from perceptag.server.runners import ThreadRunner
from perceptag.server.served import ModelTable, ServedModels
from perceptag.server.text_jobs import TextJob, TextReply, answer_jobs
from perceptag.server.worker import WorkerUse
from perceptag.server.worker_frames import pack_replies, receive
from perceptag.server.worker_pool import WorkerPool
from perceptag.server.worker_runner import WorkerRunner
from perceptag.server.zygote import Zygote
from played_workers import PlayedZygote, ask, play, problem_of

IDS = {"request_id": "r1", "trace_id": "t1", "span_id": "s1"}


async def until(condition: Any) -> None:
    while not condition():
        await asyncio.sleep(0.001)


def service_of(**limits: Any) -> Any:
    table = SimpleNamespace(
        files={}, show=lambda told: None, without_paths=str, find=lambda name: SimpleNamespace(digest="old")
    )
    return SimpleNamespace(metrics=Metrics(), limits=Limits(**limits), table=table, encoding="")


# --- a pool whose zygote is gone ---


async def lose(pool: WorkerPool, zygote: PlayedZygote) -> None:
    zygote.is_gone = True
    for one in zygote.workers:
        one.die()
    await until(lambda: pool.look() or (pool.is_lost and not pool.workers))


def test_a_job_that_was_adopted_is_told_why_it_ended() -> None:
    async def script(pool: WorkerPool, zygote: PlayedZygote) -> None:
        await lose(pool, zygote)
        asked = ask(pool, "one")
        await asyncio.sleep(0)
        next_zygote = PlayedZygote()
        new = WorkerPool(next_zygote, 1, pool.limits, Metrics())  # type: ignore[arg-type]
        await new.start()
        pool.leave_to(new)
        await next_zygote.workers[0].jobs()
        expected = "the server did not answer within 0.2 s, and the request was ended"
        assert await problem_of(asked) == (504, expected)  # not that all workers were busy: one worked on it
        new.close()

    play(script, 1, answer_seconds=0.2)


def test_a_job_that_waits_for_a_lost_loader_is_told_so() -> None:
    async def script(pool: WorkerPool, zygote: PlayedZygote) -> None:
        await lose(pool, zygote)
        expected = "the models could not be loaded again within 0.1 s; the log says why"
        assert await problem_of(ask(pool, "one")) == (503, expected)

    play(script, 1, answer_seconds=0.1)


def test_a_job_of_a_stream_goes_to_the_next_pool_when_no_worker_is_left() -> None:
    async def script(pool: WorkerPool, zygote: PlayedZygote) -> None:
        next_zygote = PlayedZygote()
        new = WorkerPool(next_zygote, 1, Limits(), Metrics())  # type: ignore[arg-type]
        await new.start()
        zygote.is_gone = True
        pool.leave_to(new)
        first = ask(pool, "with the worker that is left")
        await zygote.workers[0].jobs()
        zygote.workers[0].die()
        assert await next_zygote.workers[0].jobs() == ["with the worker that is left"]
        next_zygote.workers[0].reply(1)
        await first
        later = ask(pool, "later")
        assert await next_zygote.workers[0].jobs() == ["later"]
        next_zygote.workers[0].reply(1)
        await later
        new.close()

    play(script, 1)


def test_models_are_loaded_again_until_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_runner, "PAUSES", (0.0, 0.0))
    next_zygote, tried = PlayedZygote(), list[int]()
    next_zygote.told = {"models": []}  # type: ignore[attr-defined]

    async def start() -> Any:
        tried.append(len(tried))
        if len(tried) < 6:
            raise ModelError("m: broken")
        return next_zygote

    async def script(pool: WorkerPool, zygote: PlayedZygote) -> None:
        runner = WorkerRunner(service_of(), 1)
        runner.pool = pool
        monkeypatch.setattr(runner, "_start_zygote", start)
        await lose(pool, zygote)
        await runner._start_again()
        assert len(tried) == 6 and runner.pool is not pool and runner.trouble() == ""
        answered = asyncio.ensure_future(runner.run(TextJob("tag", b"one"), "a"))
        assert await next_zygote.workers[0].jobs() == ["one"]
        next_zygote.workers[0].reply(1)
        await answered
        runner.close()

    play(script, 1)


def test_jobs_are_refused_at_once_while_models_cannot_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_runner, "PAUSES", (0.0, 60.0))

    async def fails() -> Any:
        raise ModelError("m: broken")

    async def script(pool: WorkerPool, zygote: PlayedZygote) -> None:
        runner = WorkerRunner(service_of(), 1)
        runner.pool = pool
        monkeypatch.setattr(runner, "_start_zygote", fails)
        await lose(pool, zygote)
        waiting = ask(pool, "one")
        await asyncio.sleep(0)
        restart = asyncio.ensure_future(runner._start_again())
        expected = (503, "the models cannot be loaded now; the log of the server says why")
        assert await problem_of(waiting) == expected
        assert await problem_of(asyncio.ensure_future(runner.run(TextJob("tag", b"two"), "a"))) == expected
        restart.cancel()

    play(script, 1)


def test_a_stream_is_not_answered_by_another_version() -> None:
    models = ServedModels(ModelTable({"pos": model_paths()["pos"]}), Limits())
    options = {"parameters": {}, "first": 1, "is_last": True}
    (reply,) = answer_jobs([TextJob("lines", b'["The"]\n', options)], models)
    assert isinstance(reply, TextReply)
    same, other = (TextJob("lines", b'["The"]\n', {**options, "digest": d}) for d in (reply.digest, "sha256:0"))
    good, bad = answer_jobs([same, other], models)
    assert isinstance(good, TextReply) and isinstance(bad, HttpProblem)
    assert (bad.status, bad.reason) == (503, "replaced")


def test_a_stream_names_the_version_that_it_began_with(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Asked({"pos": model_paths()["pos"]})
    jobs: list[TextJob] = []
    real = ThreadRunner.run

    async def noted(self: ThreadRunner, job: TextJob, *more: Any) -> TextReply:
        jobs.append(job)
        return await real(self, job, *more)

    monkeypatch.setattr(ThreadRunner, "run", noted)
    lines = b'["The"]\n' * 1500
    assert server("POST", "/v1/tag", lines, kind=LINES).status == 200
    digest = server.service.table.find("pos").digest
    assert [job.options.get("digest") for job in jobs] == [None, *[digest] * (len(jobs) - 1)] and len(jobs) > 2


# --- no room for another process, or another file ---


def test_a_fork_that_fails_does_not_end_the_zygote(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room() -> int:
        raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    ours, theirs = socket.socketpair()
    with ours, theirs:
        zygote = Zygote(theirs, ServedModels(ModelTable({}), Limits()))
        gc.unfreeze()
        ours.recv(65536)
        monkeypatch.setattr("perceptag.system.platform.forks.fork", no_room)
        for act, said in ((zygote._fork, ours), (lambda given: zygote._reload("m", given), None)):
            mine, given = socket.socketpair()
            with mine:
                act(given.detach())
                (said or mine).settimeout(5)
                assert os.strerror(errno.EAGAIN).encode() in (said or mine).recv(65536)


def test_a_worker_that_cannot_be_replaced_now_is_replaced_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "PAUSE", 0.001)

    async def script(pool: WorkerPool, zygote: PlayedZygote) -> None:
        fork, tries = zygote.fork, []

        async def crowded() -> tuple[int, socket.socket]:
            tries.append(1)
            if len(tries) < 4:
                raise OSError(errno.EAGAIN, "no room")
            return await fork()

        monkeypatch.setattr(zygote, "fork", crowded)
        asked = ask(pool, "one")
        await zygote.workers[0].jobs()
        zygote.workers[0].die()
        await until(lambda: len(zygote.workers) == 2)
        assert await zygote.workers[1].jobs() == ["one"]
        zygote.workers[1].reply(1)
        await asked

    play(script, 1)


def test_a_reload_without_room_for_workers_says_so_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    class Crowded(PlayedZygote):
        told: list[dict[str, Any]] = [{"name": "m", "digest": "new"}]  # noqa: RUF012

        async def fork(self) -> tuple[int, socket.socket]:
            raise OSError(errno.EAGAIN, "no room")

    async def script(pool: WorkerPool, zygote: PlayedZygote) -> None:
        async def reload(name: str) -> Any:
            return Crowded()

        zygote.told, zygote.reload = [], reload  # type: ignore[attr-defined]
        runner = WorkerRunner(service_of(), 1)
        runner.pool = pool
        with pytest.raises(PerceptagError, match=r"^its workers cannot be started: no room$"):
            await runner.reload("m")
        assert runner.pool is pool

    play(script, 1)


def test_workers_count_as_open_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "allow_files", lambda wanted: 300)
    service = Asked({"pos": model_paths()["pos"]}).service
    assert (running._fit_connections(service), service.limits.connections) == ((55, 35), 178)
    service = Asked({"pos": model_paths()["pos"]}).service
    service.runner = WorkerRunner(service, 100)
    assert (running._fit_connections(service), service.limits.connections) == ((12, 8), 40)


@pytest.mark.parametrize(("asked", "most", "room"), [(224, 224, (1, 44)), (225, 178, (55, 35))])
def test_a_fifth_more_connections_must_fit(
    asked: int, most: int, room: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "allow_files", lambda wanted: 300)
    service = Asked({"pos": model_paths()["pos"]}, Limits(connections=asked)).service
    assert (running._fit_connections(service), service.limits.connections) == (room, most)


# --- workers that die or grow, clients that leave ---


def test_a_worker_that_dies_while_idle_is_replaced_before_a_job_comes() -> None:
    async def script(pool: WorkerPool, zygote: PlayedZygote) -> None:
        zygote.workers[0].die()
        await until(lambda: any(one.reader.at_eof() for one in pool.workers))
        pool.look()
        await until(lambda: zygote.ended == [0] and len(zygote.workers) == 3)

    assert play(script, 2).worker_restarts["died"] == 1


def test_a_worker_that_has_done_enough_is_replaced_and_no_job_is_lost() -> None:
    async def script(pool: WorkerPool, zygote: PlayedZygote) -> None:
        asked = ask(pool, "one")
        await zygote.workers[0].jobs()
        reply = pack_replies([TextReply(b"{}", "application/json", "m", "d", 1)], 0.0, is_last=True)
        zygote.workers[0].writer.write(reply)
        assert (await asked).body == b"{}"
        again = ask(pool, "two")
        await until(lambda: len(zygote.workers) == 2)
        assert zygote.ended == [0] and await zygote.workers[1].jobs() == ["two"]
        zygote.workers[1].reply(1)
        await again

    assert play(script, 1).worker_restarts == {"deadline": 0, "died": 0, "used": 1, "zygote": 0}


def test_when_a_worker_has_done_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    used = [0]
    monkeypatch.setattr(worker, "own_memory", lambda: used[0])
    use = WorkerUse(Limits(worker_jobs=3))
    assert [use.is_over(1) for _ in range(4)] == [False, False, True, True]
    use = WorkerUse(Limits(worker_growth=1000))
    used[0] = 1001
    assert [use.is_over(1) for _ in range(worker.LOOKS)] == [False] * (worker.LOOKS - 1) + [True]
    assert use.is_over(worker.LARGE + 1)  # a large text is looked at every time
    used[0] = 1000
    assert not use.is_over(worker.LARGE + 1)


def test_own_memory_is_seen_to_grow() -> None:
    from perceptag.system.platform.machine import own_memory

    before = own_memory()
    held = bytearray(os.urandom(1)) * (50 << 20)
    assert before == 0 or own_memory() - before > 40 << 20
    del held


def test_a_job_of_a_client_that_has_gone_is_not_done() -> None:
    async def script(pool: WorkerPool, zygote: PlayedZygote) -> None:
        first = ask(pool, "first")
        await zygote.workers[0].jobs()
        gone = asyncio.ensure_future(pool.run(TextJob("tag", b"gone"), "a", lambda: True))
        last = ask(pool, "last")
        await asyncio.sleep(0)
        zygote.workers[0].reply(1)
        assert await zygote.workers[0].jobs() == ["last"]
        zygote.workers[0].reply(1)
        await asyncio.gather(first, last)
        with pytest.raises(ClientGoneError):
            await gone

    play(script, 1)


def test_a_thread_does_not_work_for_a_client_that_has_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    service = Asked({"pos": model_paths()["pos"]}).service
    monkeypatch.setattr("perceptag.server.runners.SMALL_BODY", 0)
    monkeypatch.setattr("perceptag.server.runners.answer_job", lambda *given: pytest.fail("it was done"))
    with pytest.raises(ClientGoneError):
        LOOP.run_until_complete(service.runner.run(TextJob("tag", b"{}"), "a", lambda: True))


# --- what the log says ---


def test_an_error_in_a_worker_is_logged_with_its_request(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*given: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setitem(text_jobs._KINDS, "tag", broken)
    models = ServedModels(ModelTable({}), Limits())
    (reply,) = answer_jobs([TextJob("tag", b"secret", ids=IDS)], models)
    assert isinstance(reply, HttpProblem) and reply.status == 500
    (line,) = map(json.loads, capsys.readouterr().err.splitlines())
    assert line["kind"] == "ZeroDivisionError" and IDS.items() <= line.items()


def test_the_end_of_a_worker_is_logged_with_its_requests(capsys: pytest.CaptureFixture[str]) -> None:
    async def script(pool: WorkerPool, zygote: PlayedZygote) -> None:
        asked = asyncio.ensure_future(pool.run(TextJob("tag", b"secret", ids=IDS), "a"))
        assert (await receive(zygote.workers[0].reader))[0]["jobs"][0]["ids"] == IDS
        zygote.workers[0].die()
        await until(lambda: len(zygote.workers) == 2)
        zygote.workers[1].reply(1)
        await asked

    play(script, 1)
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["requests"] for line in lines if line["event"] == "worker"] == [[IDS]]


# --- reloads ---


def test_a_reload_that_does_not_end_is_given_up() -> None:
    class Stuck(PlayedZygote):
        async def reload(self, name: str) -> Any:
            await asyncio.sleep(3600)

    async def main() -> None:
        runner = WorkerRunner(service_of(reload_seconds=0.05), 1)
        runner.pool = WorkerPool(Stuck(), 1, Limits(), Metrics())  # type: ignore[arg-type]
        with pytest.raises(PerceptagError, match=r"it was not loaded within 0.05 s \(--limit reload_seconds\)"):
            await runner.reload("m")
        assert not runner._reloading.locked()

    asyncio.run(main())


def test_a_reload_before_the_models_are_loaded_is_told_to_wait() -> None:
    server = Asked({})
    server.service.table = ModelTable({"pos": "pos.model"}, is_elsewhere=True)
    for method, path in (
        ("POST", "/v1/models/pos/reload"),
        ("GET", "/v1/models/pos"),
    ):
        reply = server(method, path, b"{}" if method == "POST" else b"")
        assert (reply.status, reply.json()["detail"]) == (503, "the models are being loaded; try again"), path
        assert reply.headers["retry-after"] == "1"


# --- the start, and tokens that are revoked ---


def test_a_start_that_fails_leaves_no_socket(tmp_path: Any) -> None:
    (tmp_path / "broken.model").write_bytes(b"nothing")
    path = tmp_path / "socket"
    done = run("serve", "--model", f"m={tmp_path / 'broken.model'}", "--unix", path, "--workers", "1")
    assert done.status == 2 and not path.exists()


def test_a_stream_ends_when_its_token_is_revoked(monkeypatch: pytest.MonkeyPatch) -> None:
    tokens = held({"a" * 40: Person("one", "read")})()
    server = Asked({"pos": model_paths()["pos"]}, holders=lambda: tokens)
    real, asked = Access.still_admits, list[bool]()

    def still_admits(self: Access, scope: Any) -> bool:
        if len(asked) == 2:  # the parameters and the first batch have been answered
            tokens.clear()
        asked.append(real(self, scope))
        return asked[-1]

    monkeypatch.setattr(Access, "still_admits", still_admits)
    line = b'["The"]\n' * 1000
    reply = server("POST", "/v1/tag", [line, line], {"authorization": f"Bearer {'a' * 40}"}, LINES)
    assert asked == [True, True, False] and len(reply.lines()) == 1001
    assert reply.lines()[-1]["error"]["detail"] == "Authorization: the token of this stream has expired or was revoked"


def test_a_token_is_valid_until_it_is_removed_or_expires() -> None:
    digest, now = b"d", time.time()
    listed = [TokenHolder(digest, Person("one", "read"), now + 60)]
    access = Access(frozenset(), holders=lambda: listed)
    scope = {"perceptag.token": digest}
    assert access.still_admits(scope) and access.still_admits({}) and Access(frozenset()).still_admits({})
    listed[:] = [TokenHolder(digest, Person("one", "read"), now - 1)]
    assert not access.still_admits(scope)
    listed.clear()
    assert not access.still_admits(scope)


def test_the_terminal_names_the_file_of_the_admin_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", SimpleNamespace(isatty=lambda: True))
    assert TokenOptions("t", "a", {"t": "secret", "a": "other"}).told() == "#token=secret (admin token in a)"
    assert TokenOptions("t", "a", {"a": "other"}).told() == " (admin token in a)"
    monkeypatch.setattr("sys.stderr", SimpleNamespace(isatty=lambda: False))
    assert TokenOptions("t", "a", {"t": "secret", "a": "other"}).told() == " (token in t, admin token in a)"
    assert TokenOptions("t", "a").told() == ""
