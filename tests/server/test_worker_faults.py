"""What goes wrong behind a server: lost loaders, no room for processes, clients that leave, memory that grows."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import pytest

from asked import LINES, Asked, held, model_paths
from command_line import run
from perceptag.server.access import Access, Person, TokenHolder
from perceptag.server.limits import Limits
from perceptag.server.problems import HttpProblem
from perceptag.server.served import ModelTable, ServedModels
from perceptag.server.text_jobs import TextJob, TextReply, answer_jobs
from perceptag.server.worker_frames import pack_replies, receive
from perceptag.server.worker_pool import WorkerPool
from played_workers import PlayedZygote, ask, play

IDS = {"request_id": "r1", "trace_id": "t1", "span_id": "s1"}


async def until(condition: Any) -> None:
    while not condition():
        await asyncio.sleep(0.001)


# --- a pool whose zygote is gone ---


def test_a_stream_is_not_answered_by_another_version() -> None:
    models = ServedModels(ModelTable({"pos": model_paths()["pos"]}), Limits())
    options = {"parameters": {}, "first": 1, "is_last": True}
    (reply,) = answer_jobs([TextJob("lines", b'["The"]\n', options)], models)
    assert isinstance(reply, TextReply)
    same, other = (TextJob("lines", b'["The"]\n', {**options, "digest": d}) for d in (reply.digest, "sha256:0"))
    good, bad = answer_jobs([same, other], models)
    assert isinstance(good, TextReply) and isinstance(bad, HttpProblem)
    assert (bad.status, bad.reason) == (503, "replaced")


# --- no room for another process, or another file ---


# --- workers that die or grow, clients that leave ---


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


# --- what the log says ---


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
