"""The description of the addresses is held to the routes, to what requests may have, and to replies."""

from __future__ import annotations

import json
from typing import Any

import pytest

import described
from asked import LINES, asked
from perceptag.server.explaining import EXPLAIN_KEYS, ORDER_KEYS
from perceptag.server.json_lines import PARAMETERS as LINE_PARAMETERS
from perceptag.server.routes import Routes
from perceptag.server.tag_files import PARAMETERS as FILE_PARAMETERS
from perceptag.server.tagging import KEYS
from pipelines import TEXT

FILE = asked()("GET", "/v1/openapi.json").json()
SCHEMAS = FILE["components"]["schemas"]


def complaints(value: Any, schema: dict[str, Any]) -> list[str]:
    """What is wrong with a value."""
    return list(described.complaints(value, schema, SCHEMAS))


def check(method: str, path: str, route: str, body: Any = None, status: int = 200) -> None:
    reply = asked()(method, path, b"" if body is None else json.dumps(body).encode())
    assert reply.status == status, reply.body
    described = FILE["paths"][route][method.lower()]["responses"]["200" if status == 200 else "default"]
    schema = described["content"][reply.headers["content-type"].partition(";")[0]]["schema"]
    assert complaints(reply.json(), schema) == []


def test_all_routes_are_described_and_no_others() -> None:
    service, routes = asked().service, dict[str, list[str]]()
    for route in Routes(service).listed():
        routes.setdefault(route.path, []).extend(m for m in route.methods or () if m != "HEAD")
    assert {path: sorted(methods) for path, methods in routes.items()} == {
        path: sorted(method.upper() for method in methods) for path, methods in FILE["paths"].items()
    }


def test_all_keys_of_requests_are_described_and_no_others() -> None:
    described = {"TagRequest": KEYS, "ExplainRequest": EXPLAIN_KEYS, "OrderRequest": ORDER_KEYS}
    for name, keys in described.items():
        assert set(SCHEMAS[name]["properties"]) == set(keys)
    parameters = {parameter["name"] for parameter in FILE["paths"]["/v1/tag"]["post"]["parameters"]}
    assert parameters == {*FILE_PARAMETERS, *LINE_PARAMETERS}


@pytest.mark.parametrize("path", ["/livez", "/readyz", "/v1/limits", "/v1/models", "/v1/openapi.json"])
def test_replies_about_the_server(path: str) -> None:
    check("GET", path, path)


@pytest.mark.parametrize(
    "body",
    [
        {"text": TEXT, "want": ["spans", "confidence", "layers", "margin", "nbest"], "n": 2, "min_confidence": 0.9},
        {"sentences": [["a"], []], "model": "pos", "given": [["NN"], []]},
        {"rows": [[{"form": "a", "pos": "NN"}]], "model": "ner"},
    ],
)
def test_replies_of_tagging(body: dict[str, Any]) -> None:
    assert complaints(body, SCHEMAS["TagRequest"]) == []
    check("POST", "/v1/tag", "/v1/tag", body)


def test_other_replies_are_as_described() -> None:
    tokens = ["The", "dog", "barks"]
    for model in ("text", "pos", "guided", "documents", "chunks"):
        check("POST", "/v1/explain", "/v1/explain", {"model": model, "tokens": tokens, "top": 1})
    check("POST", "/v1/explain", "/v1/explain", {"model": "text", "text": TEXT, "sentence": 1, "token": 0})
    check("POST", "/v1/order", "/v1/order", {"model": "guided", "tokens": tokens, "given": [None, "NN", None]})
    check("GET", "/v1/models/pos", "/v1/models/{name}")
    check("POST", "/v1/models/pos/reload", "/v1/models/{name}/reload", {})
    for line in asked()("POST", "/v1/tag?want=spans,confidence", b'["a"]\n["b"]', kind=LINES).lines():
        assert complaints(line, SCHEMAS["Sentence"]) == []


def test_problems_are_as_described() -> None:
    check("POST", "/v1/tag", "/v1/tag", {"sentences": [["a", 7]]}, 422)
    check("POST", "/v1/tag", "/v1/tag", {"sentences": [["a"]], "n": 1000}, 422)
    check("POST", "/v1/order", "/v1/order", {"tokens": ["a"], "model": "pos"}, 409)
    check("GET", "/v1/models/none", "/v1/models/{name}", status=404)


def test_the_check_can_fail() -> None:
    assert complaints({"ok": 1}, SCHEMAS["Ok"]) == ["reply.ok: expected ['boolean'], found 1"]
    assert complaints({}, SCHEMAS["Ok"]) == ["reply: ok is missing"]
    assert complaints({"ok": True, "x": 1}, SCHEMAS["Ok"]) == ["reply: x is not described"]
    assert complaints({"start": "a", "end": 1, "label": "x"}, SCHEMAS["Span"]) != []
