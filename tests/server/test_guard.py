"""Who may ask, how much, and what every reply carries."""

from __future__ import annotations

import errno
import json
import socket
from pathlib import Path
from typing import Any

import pytest

from asked import HOST, JSON, LINES, Asked, asked, model_paths
from perceptag.cli.serve import USUAL
from perceptag.errors import StorageError
from perceptag.server.access import host_names
from perceptag.server.limits import Limits, check_runs
from perceptag.server.service import page_files

ONE = json.dumps({"model": "pos", "sentences": [["a"]]}).encode()
PLAIN = ("sentences", "tokens", "sentence_tokens", "token_characters")


def only(name: str = "pos", limits: Limits | None = None, **access: Any) -> Asked:
    return Asked({name: model_paths()[name]}, limits, **access)


def test_the_own_page_may_ask() -> None:
    headers = {"origin": f"http://{HOST}", "sec-fetch-site": "same-origin"}
    assert asked()("POST", "/v1/tag", ONE, headers).status == 200


def test_an_origin_that_is_allowed_may_ask_and_no_other() -> None:
    server = only(origins=frozenset({"https://a.example"}))
    given = {"origin": "https://a.example", "sec-fetch-site": "cross-site"}
    reply = server("POST", "/v1/tag", ONE, given)
    assert (reply.status, reply.headers["access-control-allow-origin"]) == (200, "https://a.example")
    assert "access-control-allow-credentials" not in reply.headers
    asks = server("OPTIONS", "/v1/tag", headers=given)
    assert (asks.status, asks.headers["access-control-allow-headers"]) == (204, "authorization, content-type")
    assert server("POST", "/v1/tag", ONE, {"origin": "https://b.example"}).status == 403
    assert server("OPTIONS", "/v1/tag", headers={"origin": "https://b.example"}).status == 403


def test_a_connection_is_closed_if_its_body_was_not_read() -> None:
    assert "connection" not in asked()("POST", "/v1/tag", b"{").headers
    for path, headers in (("/none", {}), ("/livez", {}), ("/v1/tag", {"origin": "null"})):
        assert asked()("POST", path, ONE, headers).headers["connection"] == "close"
    assert asked()("POST", "/v1/tag", ONE, kind="text/html").headers["connection"] == "close"


def test_streams_are_not_limited_but_their_lines_are() -> None:
    server = only(limits=Limits(body=100, line=50))
    good = b'["a", "b"]\n' * 1000
    reply = server("POST", "/v1/tag", [good[i : i + 64] for i in range(0, len(good), 64)], kind=LINES)
    assert (reply.status, len(reply.lines())) == (200, 1000)
    long = server("POST", "/v1/tag", [b'["a"]\n', b'["' + b"a" * 30, b"a" * 30], kind=LINES)
    assert (long.status, long.json()["limit"], long.json()["where"]) == (413, "line", {"line": 2})


def test_a_reply_is_not_larger_than_its_limit_in_any_format() -> None:
    server = only(limits=Limits(reply=60))
    many = [["the", "dog"]] * 10
    assert server.post("/v1/tag", sentences=[["the"]]).json()["limit"] == "reply"  # the digest alone is longer
    assert server.post("/v1/explain", tokens=["the", "dog"]).json()["limit"] == "reply"
    lines = b"".join(json.dumps(tokens).encode() + b"\n" for tokens in many)
    assert server("POST", "/v1/tag", lines, kind=LINES).json()["limit"] == "reply"
    assert server("POST", "/v1/tag", b"the\n" * 30, kind="text/plain; format=columns").json()["limit"] == "reply"
    assert server("POST", "/v1/tag", b"the\n", kind="text/plain; format=columns").status == 200


def test_a_full_disk_is_not_the_fault_of_the_client(capsys: pytest.CaptureFixture[str]) -> None:
    server = only()
    errors = [StorageError("/home/anna/p.ptag: database or disk is full"), OSError(errno.ENOSPC, "full")]
    for error in errors:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr("perceptag.server.text_jobs.plain_request", lambda *_, error=error: raise_(error))
            reply = server.post("/v1/tag", sentences=[["a"]])
        assert (reply.status, reply.headers["retry-after"]) == (507, "10")
        assert "p.ptag" not in reply.json()["detail"]
    assert "p.ptag" in capsys.readouterr().err  # the log says where


def raise_(error: Exception) -> None:
    raise error


@pytest.mark.parametrize("name", [*PLAIN, "text", "nbest", "reply", "work", "explain_sentences"])
def test_a_request_at_its_limit_is_taken_and_one_beyond_it_is_not(name: str) -> None:
    body: dict[str, Any] = {"sentences": [["aaa", "b", "c"], ["d"], ["ee"]]}
    if name == "text":
        body = {"text": "abc d"}
    elif name == "explain_sentences":
        body |= {"sentence": 0}
    elif name not in PLAIN:
        body |= {"want": ["nbest"], "n": 3}

    def ask(most: int) -> Any:
        path = "/v1/explain" if "sentence" in body else "/v1/tag"
        return only("documents" if "sentence" in body else "pos", Limits(**{name: most})).post(path, **body)  # type: ignore[arg-type]

    needed = 1
    while (reply := ask(needed)).status != 200:  # the size of a reply is first estimated, then counted
        assert reply.json()["found"] > needed
        needed = reply.json()["found"]
    assert needed > 1
    assert ask(needed - 1).json()["found"] == needed


def test_a_word_beyond_all_measure_is_refused() -> None:
    for before in ("", "x " * 700):
        found = Asked({"text": model_paths()["text"]}).post("/v1/tag", text=before + "é1" * 50_000 + " end").json()
        expected = (422, "token_characters", 1000, 100_000)
        assert (found["status"], found["limit"], found["most"], found["found"]) == expected
    check_runs("漢字，" * 2_000 + "ann@example.org," * 500 + "a" * 1_000, Limits())  # words, if without spaces


def test_too_many_at_a_time_are_told_to_come_back() -> None:
    server = only(limits=Limits(queue=3))
    server.service.metrics.waiting = 3 + server.service.cores
    reply = server.post("/v1/tag", sentences=[["a"] * 100] * 100)
    assert (reply.status, reply.headers["retry-after"]) == (503, "1")
    assert server("POST", "/v1/tag", ONE).status == 200  # small work does not wait


def test_bodies_together_have_a_limit_that_small_ones_do_not_feel() -> None:
    server = only(limits=Limits(bodies=100_000))
    large = [b" " * 60_000] * 3
    assert server("POST", "/v1/tag", [*large[:2], ONE]).status == 200
    assert server("POST", "/v1/tag", [*large, ONE]).status == 503
    server.service.bodies.held = 100_000  # others send
    assert server("POST", "/v1/tag", [*large[:2], ONE]).status == 503
    assert server("POST", "/v1/tag", [large[0], ONE]).status == 200
    assert server.service.bodies.held == 100_000


def test_files_of_the_page_come_from_a_table(tmp_path: Path) -> None:
    (tmp_path / "vendor").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html>")
    (tmp_path / "vendor" / "a.js").write_text("1")
    (tmp_path / "secret.model").write_text("no")
    found = page_files(tmp_path)
    assert {name: file.media_type for name, file in found.items()} == {
        "/": "text/html; charset=utf-8",
        "/vendor/a.js": "text/javascript; charset=utf-8",
    }
    page = asked()("GET", "/")
    assert (page.status, page.headers["cache-control"]) == (200, "no-cache")
    again = asked()("GET", "/", headers={"if-none-match": page.headers["etag"]})
    assert (again.status, again.body) == (304, b"")
    assert asked()("POST", "/", b"{}").status == 405


def test_a_bug_is_told_without_the_text_of_the_user(capsys: pytest.CaptureFixture[str]) -> None:
    server = only()

    def broken(*args: object) -> None:
        raise RuntimeError("secret text")

    server.service.table.find = broken  # type: ignore[method-assign, assignment]
    reply = server.post("/v1/tag", sentences=[["secret"]])
    assert (reply.status, b"secret" in reply.body) == (500, False)
    logged = capsys.readouterr().err
    assert "secret" not in logged
    assert json.loads(logged)["kind"] == "RuntimeError"
    assert JSON in asked()("GET", "/livez").headers["content-type"]


def test_who_listens_everywhere_answers_for_this_machine_and_the_names_that_are_given() -> None:
    names = host_names("0.0.0.0", 8000, ["tagger.example", "other.example:443"])
    expected = {"127.0.0.1:8000", "localhost:8000", "tagger.example:8000", "tagger.example", "other.example:443"}
    assert expected <= names
    assert f"{socket.gethostname().lower()}:8000" in names
    assert "evil.example:8000" not in names


@pytest.mark.parametrize(("has_tls", "port"), [(False, 80), (True, 443)])
def test_only_the_usual_port_may_be_left_out_of_an_address(has_tls: bool, port: int) -> None:
    assert "localhost" in host_names("localhost", port, [], USUAL[has_tls])
    for other in (8765, 80 if has_tls else 443):
        assert "localhost" not in host_names("localhost", other, [], USUAL[has_tls])
