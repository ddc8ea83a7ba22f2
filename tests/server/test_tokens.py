"""Tokens of a server: files with names, expiry and digests, read again when they change; separate rights."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from asked import HOST, Asked, Reply, held, model_paths
from perceptag.errors import SettingError
from perceptag.server import access, watched_file
from perceptag.server.access import VISITOR, Person
from perceptag.server.token_file import create_token, read_tokens
from perceptag.server.watched_file import WatchedFile
from running import running
from waiting import wait_until

ONE, TWO, ADMIN = "a" * 40, "b" * 40, "c" * 40
BODY = json.dumps({"model": "pos", "sentences": [["a"]]}).encode()


def written(path: Path, text: str, mode: int = 0o600) -> str:
    """A file of tokens, replaced as a careful editor does."""
    part = path.with_suffix(".part")
    part.write_text(text, "utf-8")
    part.chmod(mode)
    part.replace(path)
    return str(path)


def server_of(people: dict[str, Person], **more: Any) -> Asked:
    return Asked({"pos": model_paths()["pos"]}, holders=held(people), **more)


def ask(server: Asked, method: str, path: str, token: str = "") -> Reply:
    body = BODY if path == "/v1/tag" else b"{}" if method == "POST" else b""
    return server(method, path, body, {"authorization": f"Bearer {token}"} if token else {})


def test_a_file_has_names_digests_and_days_of_expiry(tmp_path: Path) -> None:
    digest = hashlib.sha256(TWO.encode()).hexdigest()
    text = (
        f"# tokens\n\n{ADMIN}\nweb  {ONE} expires=2027-01-02\n  batch sha256:{digest} expires=2027-01-02T01:00+01:00\n"
    )
    found = read_tokens(written(tmp_path / "t", text), "--token-file", "read")
    assert [holder.person for holder in found] == [Person(name, "read") for name in ("default", "web", "batch")]
    assert [holder.digest.hex() for holder in found] == [
        hashlib.sha256(token.encode()).hexdigest() for token in (ADMIN, ONE, TWO)
    ]
    assert [holder.expires for holder in found] == [access.NEVER, 1798848000.0, 1798848000.0]
    assert read_tokens(written(tmp_path / "t", "# all are revoked\n"), "--token-file", "read") == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a token of 32 characters or more on one line, found none"),
        ("short", "line 1: expected a token of 32 characters or more, or its SHA-256"),
        (f"# x\nweb {ONE}\nweb {TWO}", "line 3: expected different names, found 'web' twice"),
        (f"{ONE}\n{TWO}", "line 2: expected different names, found 'default' twice"),
        (f"web {ONE} now", r"line 1: expected \[NAME\] TOKEN \[expires=DATE\], found 3 words"),
        (f"web {ONE} expires=soon", "line 1: expected expires=2027-06-30 or with a time, found 'soon'"),
        ("expires=2027-01-02", "line 1: expected .* found 1 words"),
        ("web sha256:12", "line 1: expected sha256: and 64 hexadecimal digits"),
        (f"we/b {ONE}", "line 1: expected .* with a name of letters"),
        ("".join(f"n{i} {ONE}\n" for i in range(1001)), "expected at most 1000 tokens, found 1001"),
    ],
)
def test_a_wrong_file_is_refused_and_no_token_is_told(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(SettingError, match=message) as error:
        read_tokens(written(tmp_path / "t", text), "--token-file", "read")
    assert ONE not in str(error.value) and TWO not in str(error.value)


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
def test_others_may_read_digests_but_not_tokens(tmp_path: Path) -> None:
    digest = hashlib.sha256(ONE.encode()).hexdigest()
    assert len(read_tokens(written(tmp_path / "t", f"# note\na sha256:{digest}\n", 0o644), "--token-file", "read")) == 1
    with pytest.raises(SettingError, match="only its owner can read"):
        read_tokens(written(tmp_path / "t", f"a sha256:{digest}\nb {ONE}\n", 0o644), "--token-file", "read")


def test_a_new_file_has_one_token(tmp_path: Path) -> None:
    token = create_token(str(tmp_path / "t"), "--token-file")
    (holder,) = read_tokens(str(tmp_path / "t"), "--token-file", "admin")
    assert holder.digest == hashlib.sha256(token.encode()).digest()
    assert create_token(str(tmp_path / "t"), "--token-file") == ""


def test_a_watched_file_is_read_again_and_a_wrong_one_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watched_file, "EVERY", 0.0)
    logged: list[dict[str, Any]] = []
    path = tmp_path / "t"
    written(path, f"one {ONE}\n")
    tokens = WatchedFile(
        str(path), lambda: read_tokens(str(path), "--token-file", "read"), lambda **entry: logged.append(entry)
    )

    def names() -> list[str]:
        return [holder.person.name for holder in tokens()]

    assert (names(), logged) == (["one"], [])
    written(path, f"one {ONE}\ntwo {TWO}\n")
    assert names() == ["one", "two"]
    written(path, f"one {ONE}\ntwo tooshort\n")
    assert names() == names() == ["one", "two"]
    path.unlink()
    assert names() == ["one", "two"]
    written(path, f"two {TWO}\n")
    assert names() == ["two"]
    assert [entry["result"] for entry in logged] == ["read again", "unchanged", "unchanged", "read again"]
    assert "line 2" in logged[1]["error"] and "tooshort" not in str(logged)
    assert logged[0]["file"] == str(path)


def test_files_are_not_looked_at_for_every_request(tmp_path: Path) -> None:
    path = tmp_path / "t"
    written(path, "1")
    content = WatchedFile(str(path), lambda: path.read_text("utf-8"), print)
    written(path, "22")
    assert content() == "1"  # the last look was a moment ago


def test_tagging_and_management_have_tokens_of_their_own() -> None:
    server = server_of({ONE: Person("web", "read"), ADMIN: Person("ops", "admin")})
    managed = [("POST", "/v1/models/pos/reload"), ("GET", "/metrics")]
    assert [ask(server, *what, ONE).status for what in managed] == [403, 403]
    assert [ask(server, *what, ADMIN).status for what in managed] == [200, 200]
    assert [ask(server, *what).status for what in managed] == [401, 401]
    assert [ask(server, "POST", "/v1/tag", token).status for token in (ONE, ADMIN, TWO)] == [200, 200, 401]
    text = ask(server, "GET", "/metrics", ADMIN).body.decode()
    assert 'perceptag_token_requests_total{token="web",status="200"} 1' in text
    assert 'perceptag_token_requests_total{token="web",status="403"} 2' in text
    assert ONE not in text and ADMIN not in text


def test_if_only_management_needs_a_token_everybody_may_tag() -> None:
    server = server_of({ADMIN: Person("ops", "admin")}, visitor=VISITOR)
    assert ask(server, "POST", "/v1/tag").status == 200
    assert ask(server, "GET", "/metrics").status == 403
    assert ask(server, "GET", "/metrics", ADMIN).status == 200
    assert ask(server, "POST", "/v1/tag", TWO).status == 401  # a wrong token is not ignored


def test_a_token_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time()
    holder = access.TokenHolder(access.digest_of(ONE.encode()), Person("web", "read"), now + 100)
    server = Asked({"pos": model_paths()["pos"]}, holders=lambda: [holder])
    assert ask(server, "POST", "/v1/tag", ONE).status == 200
    monkeypatch.setattr(access.time, "time", lambda: now + 101)
    reply = ask(server, "POST", "/v1/tag", ONE)
    assert (reply.status, reply.json()["detail"]) == (401, "Authorization: the token 'web' has expired")
    assert reply.headers["www-authenticate"] == "Bearer"


def test_every_digest_is_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    server = server_of({ONE: Person("one", "read"), TWO: Person("two", "read"), ADMIN: Person("ops", "admin")})
    compared: list[int] = []
    compare = hmac.compare_digest

    def counted(first: bytes, second: bytes) -> bool:
        compared.append(len(first))
        return compare(first, second)

    monkeypatch.setattr(access.hmac, "compare_digest", counted)
    for token in (ONE, "x", "y" * 500):
        ask(server, "GET", "/v1/models", token)
    assert compared == [32] * 9


def test_a_server_reads_its_token_files_again(tmp_path: Path) -> None:
    """All of it at once, in a process: two files, of which one is made; revocation; what the log says."""
    tagging, admin = tmp_path / "tagging", tmp_path / "admin"
    written(tagging, f"one {ONE}\n")
    files = ("--token-file", str(tagging), "--admin-token-file", str(admin), "--log-requests")
    with running({"pos": model_paths()["pos"]}, *files) as server:
        assert server.token == admin.read_text("ascii").strip()

        def status(method: str, path: str, token: str) -> int:
            return server.ask(method, path, {} if method == "POST" else None, Authorization=f"Bearer {token}")[0]

        assert status("GET", "/v1/models", ONE) == 200
        assert status("POST", "/v1/models/pos/reload", ONE) == 403
        assert status("POST", "/v1/models/pos/reload", server.token) == 200
        written(tagging, f"two {TWO}\n")
        wait_until(lambda: status("GET", "/v1/models", TWO) == 200)
        assert status("GET", "/v1/models", ONE) == 401
        server.stop()
        assert server.process.stderr is not None
        log = server.process.stderr.read()
    entries = [json.loads(line) for line in log.splitlines()]
    assert [e["token"] for e in entries if e["event"] == "request" and "token" in e][:3] == ["one", "one", "default"]
    assert {"event": "file", "file": str(tagging), "result": "read again"}.items() <= next(
        entry for entry in entries if entry["event"] == "file"
    ).items()
    assert not any(secret in log for secret in (ONE, TWO, server.token))
    assert HOST not in log


def test_refused_requests_are_counted_by_their_routes() -> None:
    server = server_of({ONE: Person("one", "read")})
    assert ask(server, "POST", "/v1/tag", ONE).status == 200
    asked = [("GET", "/v1/models"), ("POST", "/v1/models/pos/reload"), ("GET", "/v1/none")]
    assert [ask(server, *what, TWO).status for what in asked] == [401, 401, 401]
    assert server.service.metrics.requests == {
        ("POST", "/v1/tag", 200): 1,
        ("GET", "/v1/models", 401): 1,
        ("POST", "/v1/models/{name}/reload", 401): 1,
        ("GET", "other", 401): 1,
    }
