"""The promises that every endpoint of the server and of the workbench keeps; a new one is held to them at once."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import described
from asked import HOST, model_paths
from benches import GOLD, TOKENS
from endpoints import DESCRIBED, ENDPOINTS, FURTHER, Endpoint, Sides, refused
from perceptag.server.guard import POLICY
from perceptag.server.limits import Limits
from perceptag.server.routes import Routes
from perceptag.workbench.routes import routes_of

EVERYBODY = ("/livez", "/readyz")  # these need no token, and answer whatever page asks
WHO = {"read": "carl", "annotate": "ben", "admin": "anna"}
STREAM = "/v1/project/events"  # its reply does not end


def each(*chosen: Endpoint) -> pytest.MarkDecorator:
    """Run a test for each of these endpoints."""
    return pytest.mark.parametrize("endpoint", [pytest.param(e, id=f"{e.method} {e.path}") for e in chosen])


every = each(*ENDPOINTS)
secured = each(*(e for e in ENDPOINTS if e.path not in EVERYBODY))
answering = each(*(e for e in ENDPOINTS if e.path != STREAM))
with_body = each(*(e for e in ENDPOINTS if "requestBody" in e.operation))
reading = each(*(e for e in ENDPOINTS if e.method == "GET" and e.path != STREAM))


@pytest.fixture(scope="module")
def sides(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sides]:
    """Both, for requests that change nothing."""
    made = Sides(tmp_path_factory.mktemp("sides"))
    yield made
    assert made.bench.get("")["last_revision"] == 0 and made.bench.get("")["counts"]["sentences"] == len(GOLD)
    made.bench.close()


@pytest.fixture
def furnished(tmp_path: Path) -> Iterator[Sides]:
    """Both; the workbench has two readings, a model, a skipped sentence, and a step that was undone."""
    made = Sides(tmp_path)
    bench = made.bench
    bench.label(2)
    bench.label(2, ["O"] * len(GOLD[2]), who="dora", reading=True)
    bench.learned(1)
    bench.send("/sentences/4/skip", {"base_revision": 0, "key": "skip-key-1"})
    bench.send("/sentences/5/flag", {"on": True, "key": "flag-key-1"})
    bench.send("/undo", {"key": "undo-key-1"})
    yield made
    bench.close()


def test_all_routes_are_described_and_no_others(sides: Sides) -> None:
    listed = {"server": Routes(sides.asked["server"].service).listed(), "workbench": routes_of(sides.bench.bench)}
    for side, routes in listed.items():
        there = [(m, r.path) for r in routes for m in r.methods or () if m != "HEAD" and "/adapters/" not in r.path]
        assert sorted(there) == sorted((e.method, e.path) for e in ENDPOINTS if e.side == side)
        address = next(e.path for e in ENDPOINTS if e.side == side and e.path.endswith("/openapi.json"))
        assert (
            sides.asked[side]("GET", address, headers={"authorization": f"Bearer {TOKENS['carl']}"}).json()
            == DESCRIBED[side]
        )


@answering
def test_a_good_request_gets_the_reply_that_is_described(furnished: Sides, endpoint: Endpoint) -> None:
    body, order = furnished.good(endpoint), list(WHO)
    if endpoint.keys:
        content = endpoint.operation["requestBody"]["content"]["application/json"]
        assert list(described.complaints(body, content["schema"], endpoint.schemas)) == []
    revision = furnished.bench.project.last_revision
    for role in order[: order.index(endpoint.good.role)]:
        assert (
            f"expected {endpoint.good.role}"
            in refused(endpoint, furnished.ask(endpoint, body, WHO[role]), 403)["detail"]
        )
    assert furnished.bench.project.last_revision == revision
    reply = furnished.ask(endpoint, body)
    assert reply.status == 200, reply.body
    content = endpoint.operation["responses"]["200"]["content"]
    kind = reply.headers["content-type"].partition(";")[0]
    assert kind in content
    if kind == "application/json":
        assert list(described.complaints(reply.json(), content[kind]["schema"], endpoint.schemas)) == []


@pytest.mark.parametrize(("name", "address", "body"), FURTHER)
def test_replies_of_another_shape_are_described(furnished: Sides, name: str, address: str, body: Any) -> None:
    (found,) = (e for e in ENDPOINTS if f"{e.method} {e.path}" == name)
    asked = replace(found, path=found.path + address if address.startswith("?") else address or found.path)
    reply = furnished.ask(asked, b"" if body is None else body)
    assert reply.status == 200, reply.body
    schema = found.operation["responses"]["200"]["content"]["application/json"]["schema"]
    assert list(described.complaints(reply.json(), schema, found.schemas)) == []


def test_a_conflict_shows_what_is_there(furnished: Sides) -> None:
    (endpoint,) = (e for e in ENDPOINTS if e.path.endswith("/labels") and e.method == "PUT")
    body = {"labels": GOLD[2], "base_revision": 0, "key": "another-key"}
    problem = refused(endpoint, furnished.ask(replace(endpoint, path=endpoint.path.format(id=2)), body), 409)
    assert problem["current"]["labels"] == GOLD[2]


@every
def test_another_host_is_refused(sides: Sides, endpoint: Endpoint) -> None:
    for host in ("evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:8765", ""):
        assert "Host" in refused(endpoint, sides.ask(endpoint, host=host), 400)["detail"]


@secured
def test_pages_of_others_are_refused(sides: Sides, endpoint: Endpoint) -> None:
    for origin in ("http://evil.example", "null", f"http://{HOST}.evil.example", "http://127.0.0.1:1"):
        refused(endpoint, sides.ask(endpoint, origin=origin), 403)
    for site in ("cross-site", "same-site"):
        refused(endpoint, sides.ask(endpoint, sec_fetch_site=site), 403)


@secured
def test_a_token_is_needed(sides: Sides, endpoint: Endpoint) -> None:
    token = TOKENS["anna"]
    for text in ("", "Bearer", f"Bearer {token}x", f"Basic {token}", f"Bearer  {token}", "Bearer tést"):
        reply = sides.ask(endpoint, authorization=text)
        assert token not in refused(endpoint, reply, 401)["detail"]
        assert reply.headers["www-authenticate"] == "Bearer"


@every
def test_other_methods_are_refused(sides: Sides, endpoint: Endpoint) -> None:
    there = {e.method for e in ENDPOINTS if (e.side, e.path) == (endpoint.side, endpoint.path)}
    for method in {"GET", "POST", "PUT", "DELETE", "PATCH"} - there:
        reply = sides.ask(endpoint, method=method)
        refused(endpoint, reply, 405)
        assert set(reply.headers["allow"].split(", ")) - {"HEAD"} <= there


@with_body
def test_other_kinds_of_bodies_are_refused(sides: Sides, endpoint: Endpoint) -> None:
    for kind in ("", "text/html", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"):
        refused(endpoint, sides.ask(endpoint, endpoint.good.body or {}, content_type=kind), 415)
    for status, header in ((415, {"content_encoding": "gzip"}), (501, {"transfer_encoding": "gzip, chunked"})):
        reply = sides.ask(endpoint, endpoint.good.body or {}, **header)
        refused(endpoint, reply, status)
        assert reply.headers["connection"] == "close"


@with_body
def test_bodies_that_are_not_json_objects_are_refused(sides: Sides, endpoint: Endpoint) -> None:
    broken = [b"{", b"\xff", b"[" * 100_000, b'{"key":' * 50_000, b'{"key":NaN}', b"9" * 10_000]
    for data in [*broken, b'{"key":"a","key":"b"}']:
        refused(endpoint, sides.ask(endpoint, data), 400)
    for data in (b"[]", b"null", b"7", b'"x"'):
        assert "found" in refused(endpoint, sides.ask(endpoint, data), 422)["detail"]


@with_body
def test_keys_are_those_that_are_described(sides: Sides, endpoint: Endpoint) -> None:
    detail = refused(endpoint, sides.ask(endpoint, {"othre": 1}), 422)["detail"]
    known = re.findall(r"^body: expected the keys (.*); found 'othre'", detail)
    assert set(known[0].split(", ")) - {""} == set(endpoint.keys)


@reading
def test_parameters_are_those_that_are_described(sides: Sides, endpoint: Endpoint) -> None:
    if endpoint.side == "server" or endpoint.path.endswith("openapi.json") or "{" in endpoint.path:
        assert endpoint.parameters == []
        return
    asked = replace(endpoint, path=f"{endpoint.path}?othre=1")
    detail = refused(asked, sides.ask(asked), 422)["detail"]
    known = re.findall(r"^parameters: expected (?:none|some of (.*)); found 'othre'", detail)
    assert set(known[0].split(", ")) - {""} == set(endpoint.parameters)


@with_body
def test_values_of_any_kind_are_answered(furnished: Sides, endpoint: Endpoint) -> None:
    for name in endpoint.keys:
        for value in (None, True, [], {}, [[[]]], -1, 1e308, "", "\u0000", "\ud800", "x" * 20_000, [None], {"a": "b"}):
            reply = furnished.ask(endpoint, {**(endpoint.good.body or {}), name: value})
            assert reply.status in (200, 404, 409, 413, 422), (name, value, reply.body)


def test_bodies_have_a_limit(tmp_path: Path) -> None:
    small = Sides(tmp_path, Limits(body=1_000))
    for endpoint in (e for e in ENDPOINTS if "requestBody" in e.operation):
        told = small.ask(endpoint, b"", content_length="1001")  # refused before any of it comes
        counted = small.ask(endpoint, [b" " * 100] * 11)
        for reply in (told, counted):
            problem = refused(endpoint, reply, 413)
            assert (problem["limit"], problem["most"]) == ("body", 1_000) and problem["found"] > 1_000
        assert told.headers["connection"] == "close"
    small.bench.close()


@reading
def test_the_head_of_a_reply_has_the_same_status(furnished: Sides, endpoint: Endpoint) -> None:
    assert furnished.ask(endpoint, method="HEAD").status == furnished.ask(endpoint).status


class Opened:
    """The files that this process opens while a test is watching."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.is_watching = False

    def note(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Take an event of the interpreter; what listens to them cannot be removed."""
        if self.is_watching and event == "open" and isinstance(arguments[0], (str, bytes)):
            self.names.append(os.fsdecode(arguments[0]))


OPENED = Opened()


@pytest.fixture(scope="module")
def bait(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A file that requests name, and nobody opens."""
    path = tmp_path_factory.mktemp("bait") / "secret.txt"
    path.write_bytes(Path(model_paths()["pos"]).read_bytes())
    sys.addaudithook(OPENED.note)
    OPENED.is_watching = True
    yield str(path)
    OPENED.is_watching = False


@every
def test_nothing_in_a_request_names_a_file(furnished: Sides, endpoint: Endpoint, bait: str) -> None:
    OPENED.names.clear()
    for name, schema in endpoint.keys.items():
        for value in (bait, [bait], [[bait]]) if schema.get("type") != "object" else ({bait: {}},):
            furnished.ask(endpoint, {**(endpoint.good.body or {}), name: value})
    addresses = [endpoint.path.replace(f"{{{name}}}", bait) for name in ("name", "id", "version")]
    addresses += [f"{endpoint.address.partition('?')[0]}?{name}={bait}" for name in endpoint.parameters]
    addresses += [
        f"{endpoint.address.partition('?')[0]}/..{bait}",
        f"{endpoint.address.partition('?')[0]}/%2e%2e{bait}",
    ]
    for address in {*addresses} - {STREAM}:
        asked = replace(endpoint, path=address)
        assert furnished.ask(asked, endpoint.good.body or b"", perceptag_tab=bait).status < 500
    assert [path for path in OPENED.names if path.startswith(bait)] == []


@pytest.mark.parametrize("side", DESCRIBED)
def test_pages_are_sent_to_everybody_once(sides: Sides, side: str) -> None:
    asked = sides.asked[side]
    assert {"/", "/js/app.js"} <= set(asked.service.page)
    for path in asked.service.page:
        page, head = (
            asked("GET", path, headers={"sec-fetch-site": "cross-site"}),
            asked("HEAD", path),
        )  # a link leads here
        assert (page.status, page.headers["cache-control"]) == (200, "no-cache")
        assert page.body and (head.status, head.body, head.headers["etag"]) == (200, b"", page.headers["etag"])
        again = asked("GET", path, headers={"if-none-match": page.headers["etag"]})
        assert (again.status, again.body) == (304, b"")
        assert page.headers["content-security-policy"] == POLICY and "unsafe" not in POLICY and "*" not in POLICY
        wrong = asked("POST", path, b"{}")
        assert (wrong.status, wrong.headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize("side", DESCRIBED)
@pytest.mark.parametrize(
    "path",
    ["/../pyproject.toml", "/%2e%2e/x", "/..\\x", "//etc/passwd", "/index.html\0", "/page/../index.html", "/.", "/v1/",
     "/v1/models/", "/v1/models/../pos", "/v1/models/a/b/reload", "/V1/models", "/livez/", "/v1/project/..",
     "/v1/project/sentences/1/../2", "/v1/project/sentences/1%00", "/v1/project//next", "/v1/project/versions/1/model/",
     "/v1/project/export/..%2f..%2fetc/passwd"],
)  # fmt: skip
def test_other_addresses_lead_nowhere(sides: Sides, side: str, path: str) -> None:
    for method, statuses in (("GET", (404,)), ("POST", (404, 405))):
        reply = sides.asked[side](method, path, b"", {"authorization": f"Bearer {TOKENS['anna']}"})
        assert reply.status in statuses, reply.body
