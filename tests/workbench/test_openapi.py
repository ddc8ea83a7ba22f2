"""The description of the workbench's addresses is held to the routes, to what requests may have, and to replies."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import described
from benches import GOLD, Benched, keys
from perceptag.workbench.disagreement_routes import DISAGREEMENTS
from perceptag.workbench.guideline_routes import GUIDELINES, WRITTEN
from perceptag.workbench.issue_routes import ISSUES
from perceptag.workbench.label_routes import COMMENT, FLAG, LABELS
from perceptag.workbench.mark_all_routes import MARK
from perceptag.workbench.offer_routes import NEXT
from perceptag.workbench.parameters import BASE, KEY
from perceptag.workbench.presence_routes import PRESENCE
from perceptag.workbench.progress_routes import CHANGES, MODEL
from perceptag.workbench.routes import routes_of
from perceptag.workbench.sentence_routes import FIND, HISTORY
from perceptag.workbench.transfer_routes import EXPORT, IMPORT, LABEL

FILE = json.loads(files("perceptag.workbench").joinpath("openapi.json").read_text(encoding="utf-8"))
SCHEMAS = FILE["components"]["schemas"]
REQUESTS = {
    "LabelsRequest": LABELS, "BaseRequest": BASE, "FlagRequest": FLAG, "CommentRequest": COMMENT, "KeyRequest": KEY,
    "MarkAllRequest": MARK, "LabelRequest": LABEL, "ImportRequest": IMPORT, "SealedRequest": KEY,
    "PresenceRequest": PRESENCE, "GuidelinesRequest": WRITTEN,
}  # fmt: skip
PARAMETERS = {
    "next": NEXT, "sentences": FIND, "history": HISTORY, "issues": ISSUES, "changes": CHANGES, "model": MODEL,
    "export": EXPORT, "disagreements": DISAGREEMENTS, "guidelines": GUIDELINES,
}  # fmt: skip


def check(bench: Benched, method: str, path: str, route: str, body: Any = None, status: int = 200) -> Any:
    reply = bench.ask(method, path, body)
    assert reply.status == status, reply.body
    operation = FILE["paths"][f"/v1/project{route}"][method.lower()]
    if body is not None:
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        assert list(described.complaints(body, schema, SCHEMAS)) == []
    content = operation["responses"]["200" if status == 200 else "default"]["content"]
    schema = content[reply.headers["content-type"].partition(";")[0]]["schema"]
    assert list(described.complaints(reply.json(), schema, SCHEMAS)) == []
    return reply.json()


def test_all_routes_are_described_and_no_others(bench: Benched) -> None:
    routes: dict[str, list[str]] = {}
    for route in routes_of(bench.bench):
        if route.path.startswith("/v1"):
            routes.setdefault(route.path, []).extend(method for method in route.methods if method != "HEAD")
    assert routes == {path: [method.upper() for method in methods] for path, methods in FILE["paths"].items()}
    assert bench.get("/openapi.json") == FILE


def test_all_keys_and_parameters_are_described_and_no_others() -> None:
    for name, known in REQUESTS.items():
        assert set(SCHEMAS[name]["properties"]) == set(known), name
    for path, operations in FILE["paths"].items():
        for operation in operations.values():
            listed = {p["name"] for p in operation.get("parameters", ()) if p["in"] == "query"}
            known = {} if "{" in path or "requestBody" in operation else PARAMETERS.get(path.rpartition("/")[2], {})
            assert listed == set(known), path


def test_replies_are_as_described(bench: Benched) -> None:
    check(bench, "GET", "", "")
    check(bench, "GET", "/next?k=3", "/next")
    for number in (1, 2, 3):
        base = {"base_revision": 0, "key": next(keys)}
        body = {"labels": GOLD[number], "seconds": 1.5, "actions": 2, "source": "accepted", "version": 0, **base}
        check(bench, "PUT", f"/sentences/{number}/labels", "/sentences/{id}/labels", body)
        bench.learned(number)
    check(bench, "GET", "", "")
    check(bench, "GET", "/next?k=3", "/next")
    check(bench, "POST", "/presence", "/presence", {"sentence": 1})
    check(bench, "GET", "/sentences", "/sentences")
    check(bench, "GET", "/sentences/5", "/sentences/{id}")
    for name, body in (("comment", {"text": "x"}), ("flag", {"on": True}), ("skip", {"base_revision": 0})):
        check(bench, "POST", f"/sentences/5/{name}", f"/sentences/{{id}}/{name}", {**body, "key": next(keys)})
    body = {"base_revision": bench.get("/sentences/5")["revision"], "key": next(keys)}
    check(bench, "POST", "/sentences/5/unskip", "/sentences/{id}/unskip", body)
    check(bench, "GET", "/sentences/5/comments", "/sentences/{id}/comments")
    check(bench, "GET", "/history", "/history")
    for name in ("undo", "redo"):
        check(bench, "POST", f"/{name}", f"/{name}", {"key": next(keys)})
    check(bench, "GET", "/changes", "/changes")
    check(bench, "GET", "/progress", "/progress")
    for kind in ("errors", "inconsistent", "scheme", "labels"):
        check(bench, "GET", f"/issues?kind={kind}", "/issues")


def test_other_replies_are_as_described(bench: Benched) -> None:
    found = check(bench, "POST", "/mark-all", "/mark-all", {"words": ["IBM"], "label": "ORG", "preview": True})
    targets = [{name: match[name] for name in ("id", "start", "revision")} for match in found["matches"]]
    body = {"words": ["IBM"], "label": "ORG", "targets": targets, "key": next(keys)}
    check(bench, "POST", "/mark-all", "/mark-all", body)
    check(bench, "POST", "/labels", "/labels", {"name": "MISC", "key": "m"})
    check(bench, "GET", "/guidelines", "/guidelines")
    described_labels = {"PER": {"description": "people", "examples": ["**Anna** left"]}}
    check(bench, "PUT", "/guidelines", "/guidelines", {"text": "# All", "labels": described_labels, "base_version": 0})
    check(bench, "GET", "/guidelines?version=1", "/guidelines")
    check(bench, "GET", "", "")
    check(bench, "POST", "/import", "/import", {"name": "a.txt", "text": "a\n", "columns": ["form"]})
    bench.label(1)
    bench.label(1, who="ben", reading=True)
    check(bench, "GET", "/progress", "/progress")
    bench.label(1, ["O"] * 5, who="dora", reading=True)
    check(bench, "GET", "/disagreements", "/disagreements")
    bench.label(1, source="decided")
    for kind in ("people", "model", "decided"):
        check(bench, "GET", f"/disagreements?kind={kind}", "/disagreements")
    for path in ("/export", "/model"):
        bench.learned(1)
        reply = bench.ask("GET", path)
        described_as = FILE["paths"][f"/v1/project{path}"]["get"]["responses"]["200"]["content"]
        assert list(described_as) == [reply.headers["content-type"].partition(";")[0]]


def test_problems_are_as_described(bench: Benched) -> None:
    bench.label(1)
    body = {"labels": GOLD[1], "base_revision": 0, "key": next(keys)}
    found = check(bench, "PUT", "/sentences/1/labels", "/sentences/{id}/labels", body, 409)
    assert found["current"]["labels"] == GOLD[1]
    check(bench, "POST", "/redo", "/redo", {"key": next(keys)}, 409)
    check(bench, "GET", "/sentences/99", "/sentences/{id}", status=404)
    check(bench, "GET", "/next?k=99", "/next", status=422)
    check(bench, "POST", "/sealed/open", "/sealed/open", {}, 409)
