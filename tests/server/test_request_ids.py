"""Names of requests: those of the client if they have the right form, otherwise new ones; sent back and logged."""

from __future__ import annotations

import json

import pytest

from asked import Asked, asked, model_paths

TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"


def test_names_of_the_client_come_back() -> None:
    headers = {"X-Request-ID": "a-1.b:c/d=", "traceparent": f"00-{TRACE}-{SPAN}-01"}
    reply = asked()("GET", "/livez", headers=headers)
    assert reply.headers["x-request-id"] == "a-1.b:c/d="
    version, trace, span, flags = reply.headers["traceparent"].split("-")
    assert (version, trace, flags) == ("00", TRACE, "01") and span != SPAN and len(span) == 16


@pytest.mark.parametrize("given", ["", "a b", "x" * 129, 'a"b', "a\x1bb", "é", "a{}", "a,b"])
def test_other_names_are_replaced(given: str) -> None:
    first, second = (asked()("GET", "/livez", headers={"X-Request-ID": given}).headers for _ in range(2))
    assert len(first["x-request-id"]) == 32 and first["x-request-id"] != second["x-request-id"]


@pytest.mark.parametrize(
    "given",
    [
        "",
        f"01-{TRACE}-{SPAN}-01",
        f"00-{'0' * 32}-{SPAN}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE.upper()}-{SPAN}-01",
        f"00-{TRACE}-{SPAN}-01-more",
        f"00-{TRACE}-{SPAN}",
    ],
)
def test_other_traces_are_replaced(given: str) -> None:
    found = asked()("GET", "/livez", headers={"traceparent": given}).headers["traceparent"].split("-")
    assert [len(part) for part in found] == [2, 32, 16, 2] and found[1] != TRACE


def test_problems_have_names_too_and_the_log_has_them(capsys: pytest.CaptureFixture[str]) -> None:
    server = Asked({"pos": model_paths()["pos"]})
    server.service.log_requests = True
    reply = server("GET", "/nothing", headers={"X-Request-ID": "mine", "traceparent": f"00-{TRACE}-{SPAN}-00"})
    assert (reply.status, reply.headers["x-request-id"]) == (404, "mine")
    logged = json.loads(capsys.readouterr().err)
    assert (logged["request_id"], logged["trace_id"], logged["status"]) == ("mine", TRACE, 404)
    assert logged["span_id"] == reply.headers["traceparent"].split("-")[2]
    assert 'perceptag_refused_total{reason="not found"} 1' in server("GET", "/metrics").body.decode()
