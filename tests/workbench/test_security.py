"""Who may do what at every address of the workbench, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from benches import GOLD, TOKENS, Benched
from perceptag.workbench.events import EventStream
from perceptag.workbench.routes import routes_of
from serving import HOSTILE

KEY = {"key": "some-key"}
LABELS = {"labels": GOLD[1], "base_revision": 0, **KEY}
# Method, address, a good body, and the least role that may use it.
ADDRESSES: list[tuple[str, str, Any, str]] = [
    ("GET", "", None, "read"),
    ("GET", "/openapi.json", None, "read"),
    ("GET", "/next", None, "annotate"),
    ("POST", "/presence", {"sentence": 1}, "annotate"),
    ("GET", "/sentences", None, "read"),
    ("GET", "/sentences/1", None, "read"),
    ("GET", "/sentences/1/comments", None, "read"),
    ("GET", "/history", None, "read"),
    ("PUT", "/sentences/1/labels", LABELS, "annotate"),
    ("POST", "/sentences/1/skip", {"base_revision": 0, **KEY}, "annotate"),
    ("POST", "/sentences/1/unskip", {"base_revision": 0, **KEY}, "annotate"),
    ("POST", "/sentences/1/flag", {"on": True, **KEY}, "annotate"),
    ("POST", "/sentences/1/comment", {"text": "x", **KEY}, "annotate"),
    ("POST", "/undo", KEY, "annotate"),
    ("POST", "/redo", KEY, "annotate"),
    ("POST", "/mark-all", {"words": ["IBM"], "label": "ORG", "preview": True}, "annotate"),
    ("GET", "/progress", None, "read"),
    ("GET", "/model", None, "admin"),
    ("GET", "/changes", None, "read"),
    ("POST", "/sealed/open", {}, "admin"),
    ("GET", "/issues", None, "read"),
    ("GET", "/guidelines", None, "read"),
    ("PUT", "/guidelines", {"text": "# How to label", "base_version": 0}, "admin"),
    ("GET", "/disagreements", None, "read"),
    ("POST", "/labels", {"name": "NEW"}, "admin"),
    ("POST", "/import", {"text": "a\n", "columns": ["form"]}, "admin"),
    ("GET", "/export", None, "admin"),
]
ROLES = {"read": "carl", "annotate": "ben", "admin": "anna"}
WRITES = [(method, path, body) for method, path, body, _ in ADDRESSES if body is not None]


def test_the_list_has_every_address(bench: Benched) -> None:
    listed = {(sorted(r.methods - {"HEAD"})[0], r.path) for r in routes_of(bench.bench) if r.path.startswith("/v1")}
    here = {(method, f"/v1/project{path}".replace("/1", "/{}")) for method, path, _, _ in ADDRESSES}
    named = {(method, path.replace("{id}", "{}").replace("{version}", "{}")) for method, path in listed}
    assert named - here == {("GET", "/v1/project/events")} and here <= named


@pytest.mark.parametrize(("method", "path", "body", "least"), ADDRESSES)
def test_roles(bench: Benched, method: str, path: str, body: Any, least: str) -> None:
    order = list(ROLES)
    for role, who in ROLES.items():
        status = bench.ask(method, path, body, who).status
        assert (status == 403) == (order.index(role) < order.index(least)), (role, status)


def test_only_those_who_may_read_hear_events(bench: Benched) -> None:
    assert bench("GET", "/v1/project/events").status == 401
    assert EventStream(bench.bench.events, "x" * 100).number == 0


@pytest.mark.parametrize(("method", "path", "body", "least"), ADDRESSES)
def test_others_are_refused_everywhere(bench: Benched, method: str, path: str, body: Any, least: str) -> None:
    del least
    data = b"" if body is None else json.dumps(body).encode()
    good = {"authorization": f"Bearer {TOKENS['anna']}", "content-type": "application/json"}

    def status(**changed: str) -> int:
        headers = good | {name.replace("_", "-"): value for name, value in changed.items()}
        reply = bench(method, f"/v1/project{path}", data, headers)
        assert "access-control-allow-origin" not in reply.headers
        assert reply.headers["cache-control"] == "no-store" and reply.headers["x-content-type-options"] == "nosniff"
        return reply.status

    assert {status(host=host) for host in ("evil.example", "127.0.0.1:1", "", "localhost.evil.example:8765")} == {400}
    assert {status(origin=origin) for origin in ("http://evil.example", "null", "http://127.0.0.1:1")} == {403}
    assert {status(sec_fetch_site=site) for site in ("cross-site", "same-site")} == {403}
    bad = ("", "Bearer", f"Bearer {TOKENS['anna']}x", f"Basic {TOKENS['anna']}", f"Bearer {'z' * 43}")
    assert {status(authorization=text) for text in bad} == {401}
    if body is not None:
        assert {status(content_type=kind) for kind in ("", "text/plain", "application/x-www-form-urlencoded")} == {415}
        assert status(content_encoding="gzip") == 415
    assert bench.get("")["last_revision"] == 0


@pytest.mark.parametrize(("method", "path", "body"), WRITES)
def test_bodies_that_mean_harm(bench: Benched, method: str, path: str, body: Any) -> None:
    whole = json.dumps(body).encode()
    hostile = [b"", b"[]", b"{", b"null", b"7", b'"x"', b"[" * 100_000, b'{"key":' * 50_000, b'{"key":NaN}', b"\xff"]
    hostile += [b"9" * 10_000, whole[:-1] + b',"other":1}' if body else b'{"other":1}']
    for data in hostile:
        reply = bench.ask(method, path, data)
        assert reply.status in (400, 422), (data[:20], reply.status)
    for name in body:
        for value in (None, [], {}, [[[]]], -1, 1e308, "", "\u0000", "x" * 20_000, [None], {"a": "b"}):
            assert bench.ask(method, path, {**body, name: value}).status in (200, 404, 409, 413, 422), (name, value)


def test_a_body_beyond_the_limit(bench: Benched) -> None:
    for method, path, _ in WRITES:
        assert bench.ask(method, path, b" " * (9 << 20)).status == 413


@pytest.mark.parametrize(
    "path",
    ["/..", "/../models", "/sentences/..", "/sentences/1/../2", "/sentences/%2e%2e", "/sentences/1%00", "/sentences//1",
     "/labels/../model", "/model/", "/export/..%2f..%2fetc/passwd", "/", "/sentences/", "//next"],
)  # fmt: skip
def test_paths_lead_nowhere(bench: Benched, path: str) -> None:
    assert bench.ask("GET", path).status == 404


def test_hostile_strings_are_only_strings(bench: Benched) -> None:
    for n, text in enumerate(HOSTILE):
        bench.send("/sentences/1/comment", {"text": f"x{text}", "key": f"hostile-{n:04}"})
        assert bench.ask("GET", f"/sentences?q={n}").status == 200
    shown = [comment["text"] for comment in bench.get("/sentences/1/comments")["comments"]]
    assert shown == [f"x{text}".strip() for text in HOSTILE]
    rows = "\n".join(text.replace(" ", "_") for text in HOSTILE)
    bench.send("/import", {"name": "<b>.txt", "text": rows + "\n", "columns": ["form"]})
    assert bench.get("/sentences/9")["tokens"] == [text.replace(" ", "_") for text in HOSTILE]


def test_the_token_is_not_in_the_metrics(bench: Benched) -> None:
    bench.get("")
    headers = {"authorization": f"Bearer {TOKENS['anna']}"}
    text = bench("GET", "/metrics", headers=headers).body.decode()
    assert "/v1/project" in text
    assert all(token not in text for token in TOKENS.values())
