"""The endpoint that was probably meant by an address at which there is none: /tag, /api/predict, /health."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from starlette.routing import Route

LONGEST, WORDS = 200, 4  # characters and parts of an address that are compared
# What other servers call it, and what people try first.
CALLED = {
    "tag": "analyze annotate infer inference invocations label labels ner parse pos predict predictions tagger",
    "livez": "alive health healthz live liveness ping status",
    "readyz": "readiness ready",
    "models": "model",
    "openapi.json": "docs openapi redoc swagger",
}


def near_endpoint(path: str, routes: Iterable[Route]) -> str:
    """Return what to say of an address without an endpoint: the nearest one, or where all are described."""
    known = _by_name(routes)
    meant = {word: name for name, words in CALLED.items() for word in words.split()} | {name: name for name in known}
    for word in path[:LONGEST].lower().strip("/").split("/")[: -WORDS - 1 : -1]:
        for name in [meant[word]] if word in meant else get_close_matches(word, known, n=1):
            return f"; did you mean {known[name]}?"
    return "; GET /v1/openapi.json describes all endpoints"


def _by_name(routes: Iterable[Route]) -> dict[str, str]:
    """Return endpoints by the last word of their addresses; those without parts that vary come first."""
    found: dict[str, str] = {}
    for route in sorted(routes, key=lambda route: "{" in route.path):
        method = min(route.methods or (), key=lambda name: name == "HEAD")
        found.setdefault(route.path.rpartition("/")[2], f"{method} {route.path}")
    return {name: said for name, said in found.items() if "{" not in name}
