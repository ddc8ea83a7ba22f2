"""Ask the application of a server without a network: requests in, replies out, in one loop."""

from __future__ import annotations

import asyncio
import atexit
import json
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from perceptag import Tagger
from perceptag.server.access import Access, Person, TokenHolder, digest_of
from perceptag.server.limits import Limits
from perceptag.server.routes import make_app
from perceptag.server.served import ModelTable
from perceptag.server.service import Service
from pipelines import corpus, ner_tagger, over_documents, pos_tagger, whole

HOST = "127.0.0.1:8765"
LOOP = asyncio.new_event_loop()
atexit.register(LOOP.close)
JSON, LINES = "application/json", "application/x-ndjson"


def held(people: Mapping[str, Person]) -> Callable[[], list[TokenHolder]]:
    """Who has which token, for `Access`."""
    holders = [TokenHolder(digest_of(token.encode()), person) for token, person in people.items()]
    return lambda: holders


@dataclass(frozen=True)
class Reply:
    """What a server answered."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)

    def lines(self) -> list[Any]:
        """The body as JSON lines."""
        return [json.loads(line) for line in self.body.decode().split("\n") if line]


class Asked:
    """A server to ask."""

    def __init__(self, paths: dict[str, str], limits: Limits | None = None, **access: Any) -> None:
        access = {"hosts": frozenset({HOST}), **access}
        self.service = Service(ModelTable(paths), Access(**access), limits or Limits(), cores=2)
        self.app = make_app(self.service)

    def __call__(
        self,
        method: str,
        path: str,
        body: bytes | Iterable[bytes] = b"",
        headers: dict[str, str] | None = None,
        kind: str = JSON,
    ) -> Reply:
        """Send a request; a body may come in parts."""
        parts = [body] if isinstance(body, bytes) else list(body)
        given = {"host": HOST, **({"content-type": kind} if method == "POST" else {}), **(headers or {})}
        return LOOP.run_until_complete(self._ask(method, path, parts, given))

    def post(self, path: str, **body: Any) -> Reply:
        """Send JSON."""
        return self("POST", path, json.dumps(body).encode())

    def tag(self, **body: Any) -> list[dict[str, Any]]:
        """The sentences of a reply that must be good."""
        reply = self.post("/v1/tag", **body)
        assert reply.status == 200, reply.body
        found: list[dict[str, Any]] = reply.json()["sentences"]
        return found

    async def _ask(self, method: str, path: str, parts: list[bytes], headers: dict[str, str]) -> Reply:
        route, _, query = path.partition("?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "path": route,
            "raw_path": route.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()],
        }
        waiting = [{"type": "http.request", "body": p, "more_body": i < len(parts)} for i, p in enumerate(parts, 1)]
        sent: list[Any] = []

        async def receive() -> Any:
            return waiting.pop(0) if waiting else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        await self.app(scope, receive, send)
        assert sent[0]["type"] == "http.response.start"
        assert not sent[-1].get("more_body", False)
        named = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        return Reply(sent[0]["status"], named, b"".join(message["body"] for message in sent[1:]))


@cache
def guided_tagger() -> Tagger:
    """Chooses the order in which it labels."""
    return Tagger("shen-pos", epochs=2, labels_column="pos").fit(corpus("train", "form", "pos"))


@cache
def chunk_tagger() -> Tagger:
    """Gives phrases in IOB2, is not calibrated, and has no tag dictionary."""
    tagger = Tagger("basic-ner", epochs=2, labels_column="chunk", templates=("form[0]", "suffix3[0]", "bias * y-1 y0"))
    return tagger.fit(corpus("train", "form", "chunk"))


@cache
def folder() -> Path:
    """A folder for the files of models, which lasts as long as the process."""
    made = tempfile.TemporaryDirectory()
    atexit.register(made.cleanup)
    return Path(made.name)


@cache
def model_paths() -> dict[str, str]:
    """The files of some models by their names."""
    made = {
        "text": whole(),
        "documents": over_documents(),
        "pos": pos_tagger(),
        "ner": ner_tagger(),
        "guided": guided_tagger(),
        "chunks": chunk_tagger(),
    }
    for name, model in made.items():
        model.save(folder() / f"{name}.model")
    return {name: str(folder() / f"{name}.model") for name in made}


@cache
def asked() -> Asked:
    """A server with all of them."""
    return Asked(model_paths())
