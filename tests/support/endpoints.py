"""Every endpoint of the server and of the workbench as the descriptions list them, and what a good request needs."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import described
from asked import Asked, Reply, held, model_paths
from benches import GOLD, PEOPLE, TOKENS, Benched, new_project
from perceptag.server.guard import POLICY
from perceptag.server.limits import Limits
from pipelines import TEXT

DESCRIBED = {
    side: json.loads(files(f"perceptag.{side}").joinpath("openapi.json").read_bytes())
    for side in ("server", "workbench")
}
KEY = {"key": "some-key-1"}
BASE = {"base_revision": 0, **KEY}  # the number is that of the sentence when the request is sent


class Good(NamedTuple):
    """The least role that may send a request, its body, and its address if that of the description will not do."""

    role: str = "read"
    body: Any = None
    address: str = ""


GOOD = {
    "GET /metrics": Good("admin"),
    "POST /v1/models/{name}/reload": Good("admin", {}),
    "POST /v1/tag": Good(
        body={"text": TEXT, "want": ["spans", "confidence", "layers", "margin", "nbest"], "n": 2, "min_confidence": 0.9}
    ),
    "POST /v1/explain": Good(body={"model": "text", "text": "Anna left. Ben stayed.", "sentence": 1, "top": 1}),
    "POST /v1/order": Good(body={"model": "guided", "tokens": ["The", "dog"], "given": [None, "NN"]}),
    "GET /v1/project/next": Good("annotate", address="/v1/project/next?k=3"),
    "POST /v1/project/presence": Good("annotate", {"sentence": 1}),
    "PUT /v1/project/sentences/{id}/labels": Good(
        "annotate", {"labels": GOLD[1], "seconds": 1.5, "actions": 2, "source": "accepted", "version": 0, **BASE}
    ),
    "POST /v1/project/sentences/{id}/skip": Good("annotate", BASE),
    "POST /v1/project/sentences/{id}/unskip": Good("annotate", BASE, "/v1/project/sentences/4/unskip"),
    "POST /v1/project/sentences/{id}/flag": Good("annotate", {"on": True, **KEY}),
    "POST /v1/project/sentences/{id}/comment": Good("annotate", {"text": "odd", **KEY}),
    "POST /v1/project/undo": Good("annotate", KEY),
    "POST /v1/project/redo": Good("annotate", KEY),
    "GET /v1/project/versions/{version}/model": Good("admin"),
    "POST /v1/project/train": Good("admin", {"recipe": "auto"}),
    "PUT /v1/project/guidelines": Good(
        "admin", {"text": "# All", "labels": {"PER": {"description": "people", "examples": ["x"]}}, "base_version": 0}
    ),
    "POST /v1/project/labels": Good("admin", {"name": "NEW"}),
    "POST /v1/project/import": Good("admin", {"name": "a.txt", "text": "a\n", "columns": ["form"]}),
    "GET /v1/project/export": Good("admin"),
}  # fmt: skip


# Other requests that get replies of another shape.
FURTHER: list[tuple[str, str, Any]] = [
    ("POST /v1/tag", "/v1/tag", {"sentences": [["a"], []], "model": "pos", "given": [["NN"], []]}),
    ("POST /v1/tag", "/v1/tag", {"rows": [[{"form": "a", "pos": "NN"}]], "model": "ner"}),
    *(("POST /v1/explain", "/v1/explain", {"model": m, "tokens": ["The", "dog"]}) for m in ("pos", "guided", "chunks")),
    ("POST /v1/explain", "/v1/explain", {"model": "documents", "tokens": ["The", "dog"], "token": 0, "rival": "B-ORG"}),
    *(("GET /v1/project/disagreements", f"?kind={k}", None) for k in ("people", "decided")),
    ("GET /v1/project/guidelines", "?version=0", None),
    ("GET /v1/project/sentences/{id}", "/v1/project/sentences/6", None),
]  # fmt: skip


@dataclass(frozen=True)
class Endpoint:
    """A method at an address, as the description of its side has it."""

    side: str
    method: str
    path: str
    operation: dict[str, Any] = field(hash=False)

    @property
    def good(self) -> Good:
        """What a good request has."""
        return GOOD.get(f"{self.method} {self.path}", Good())

    @property
    def address(self) -> str:
        """The address of a good request."""
        return self.good.address or self.path.format(name="pos", id=1, version=1)

    @property
    def keys(self) -> dict[str, Any]:
        """The keys of its JSON body, each with its schema."""
        content = self.operation.get("requestBody", {}).get("content", {}).get("application/json")
        schema = content["schema"] if content else {}
        return self.schemas.get(schema.get("$ref", "").rpartition("/")[2], schema).get("properties", {})

    @property
    def schemas(self) -> dict[str, Any]:
        """The schemas of its side."""
        found: dict[str, Any] = DESCRIBED[self.side]["components"]["schemas"]
        return found

    @property
    def parameters(self) -> list[str]:
        """The names of what may stand behind the ``?`` of its address."""
        return [one["name"] for one in self.operation.get("parameters", ()) if one["in"] == "query"]


ENDPOINTS = [
    Endpoint(side, method.upper(), path, operation)
    for side, file in DESCRIBED.items()
    for path, operations in file["paths"].items()
    for method, operation in operations.items()
]


class Sides:
    """A server and a workbench to ask, and a watch over the headers that all replies have."""

    def __init__(self, folder: Path, limits: Limits | None = None) -> None:
        self.bench = Benched(new_project(folder), limits)
        self.asked = {"server": Asked(model_paths(), limits, holders=held(PEOPLE)), "workbench": self.bench}

    def ask(self, endpoint: Endpoint, body: Any = b"", who: str = "anna", method: str = "", **headers: str) -> Reply:
        """Send a request to an endpoint; keywords are headers."""
        given = {"authorization": f"Bearer {TOKENS[who]}", "content-type": "application/json", "x-request-id": "mine"}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        data = body if isinstance(body, (bytes, list)) else json.dumps(body).encode()
        reply = self.asked[endpoint.side](method or endpoint.method, endpoint.address, data, given)
        assert reply.headers["x-request-id"] == "mine"
        assert reply.headers["content-security-policy"] == POLICY
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] == "no-referrer"
        assert reply.headers["cache-control"] == "no-store"
        assert (
            reply.headers["cross-origin-opener-policy"]
            == reply.headers["cross-origin-resource-policy"]
            == "same-origin"
        )
        assert "access-control-allow-origin" not in reply.headers
        return reply

    def good(self, endpoint: Endpoint) -> Any:
        """The body of a good request now."""
        body = endpoint.good.body
        if body is not None and "base_revision" in body:
            number = int(re.findall(r"sentences/(\d+)/", endpoint.address)[0])
            body = {**body, "base_revision": self.bench.get(f"/sentences/{number}")["revision"]}
        return b"" if body is None else body


def refused(endpoint: Endpoint, reply: Reply, *statuses: int) -> dict[str, Any]:
    """Check that a reply is a problem as it is described, with what was expected; return it."""
    assert reply.status in statuses, reply.body
    assert reply.headers["content-type"] == "application/problem+json"
    problem: dict[str, Any] = reply.json()
    content = endpoint.operation["responses"]["default"]["content"]["application/problem+json"]
    assert list(described.complaints(problem, content["schema"], endpoint.schemas)) == []
    assert problem["status"] == reply.status and ("expected" in problem["detail"] or reply.status in (404, 409, 413))
    return problem
