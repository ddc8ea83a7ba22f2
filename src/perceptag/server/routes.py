"""The endpoints of the server."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from difflib import get_close_matches
from importlib.resources import files
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, Router
from starlette.types import Receive, Scope

from perceptag.errors import PerceptagError
from perceptag.server.access import require
from perceptag.server.guard import Guard, Reply
from perceptag.server.line_stream import LineStream
from perceptag.server.problems import HttpProblem, other_method
from perceptag.server.receiving import Within
from perceptag.server.request_body import parse_json, read_keys
from perceptag.server.service import Service
from perceptag.server.tag_files import refuse_repeated
from perceptag.system.strict_json import strict_dumps

NO_STORE = {"cache-control": "no-store"}


def make_app(service: Service) -> Guard:
    """Return the ASGI application of a server."""
    routes = Routes(service)
    listed = [*routes.listed(), *service.further]
    router = Router(listed, redirect_slashes=False, default=routes.page)
    return Guard(FirstRoute(routes, router), service, listed)


Handler = TypeVar("Handler", bound=Callable[..., Awaitable[Response]])


def endpoint(written: str) -> Callable[[Handler], Handler]:
    """Mark a method of `Endpoints` with the method and the path of its requests, such as ``POST /v1/tag``."""

    def mark(handler: Handler) -> Handler:
        handler.endpoint = written.split()  # type: ignore[attr-defined]
        return handler

    return mark


class Endpoints:
    """Answers requests by those of its methods that are marked as an `endpoint`."""

    def listed(self) -> list[Route]:
        """Return the endpoints, in the order of the methods."""
        marked = {name: own.endpoint for name, own in vars(type(self)).items() if hasattr(own, "endpoint")}
        return [Route(path, getattr(self, name), methods=[method]) for name, (method, path) in marked.items()]


class Routes(Endpoints):
    """The endpoints of a server; the files of the page are answered by `page`."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self._openapi = files("perceptag.server").joinpath("openapi.json").read_bytes()

    # --- about text ---

    @endpoint("POST /v1/tag")
    async def tag(self, request: Request) -> Response:
        """Tag sentences, text, a stream of JSON lines, or a file."""
        kind = media_type(request)
        if kind == "application/x-ndjson":
            return LineStream(self.service, request)
        if kind == "text/plain":
            refuse_repeated(request.query_params)
            body = await self._body(request, kind)
            about = {"content_type": request.headers["content-type"], "parameters": dict(request.query_params)}
            return await self._answer(request, "file", body, about)
        return await self._answer(request, "tag", await self._json(request))

    @endpoint("POST /v1/explain")
    async def explain(self, request: Request) -> Response:
        """Explain the labels of a sentence."""
        return await self._answer(request, "explain", await self._json(request))

    @endpoint("POST /v1/order")
    async def order(self, request: Request) -> Response:
        """Show in which order the tokens of a sentence are labelled."""
        return await self._answer(request, "order", await self._json(request))

    async def _answer(
        self, request: Request, kind: str, body: bytes, options: dict[str, Any] | None = None
    ) -> Response:
        reply = await self.service.answer(request.scope, kind, body, options)
        headers = {**NO_STORE, "perceptag-model": reply.digest}
        return Response(reply.body, 200, headers, reply.media_type)

    async def tag_json(self, scope: Scope, receive: Receive, send: Reply) -> None:
        """Do what `tag` does with a JSON body, without the objects of the framework."""
        service = self.service
        body = await service.bodies.read(receive, scope["perceptag.headers"])
        scope["perceptag.is_read"] = True
        reply = await service.answer(scope, "tag", body)
        headers = (
            (b"content-type", reply.media_type.encode()),
            (b"cache-control", b"no-store"),
            (b"perceptag-model", reply.digest.encode()),
        )
        await send.whole(headers, reply.body)

    async def _json(self, request: Request) -> bytes:
        """Read a JSON body; what it should say must not be in the address, where nothing looks at it."""
        body = await self._body(request, "application/json")
        if request.query_params:
            names = ", ".join(request.query_params)
            raise HttpProblem(422, f"parameters: expected them as keys of the JSON body, found in the address: {names}")
        return body

    async def _body(self, request: Request, expected: str) -> bytes:
        return await read_body(self.service, request, expected)

    # --- about the server ---

    @endpoint("GET /livez")
    async def live(self, request: Request) -> Response:  # noqa: ARG002 - the router passes it
        """Say that the process answers."""
        return json_reply({"ok": True})

    @endpoint("GET /readyz")
    async def ready(self, request: Request) -> Response:  # noqa: ARG002
        """Say whether requests are welcome: the models are loaded, and there is room for work."""
        trouble = "the server stops" if self.service.is_stopping else self.service.runner.trouble()
        if trouble:
            raise HttpProblem(503, trouble).because("not ready")
        return json_reply({"ok": True})

    @endpoint("GET /metrics")
    async def metrics(self, request: Request) -> Response:
        """Tell what the server has done."""
        require(request, "admin")
        text = self.service.metrics.render(self.service.table)
        return Response(text, media_type="text/plain; version=0.0.4", headers=NO_STORE)

    @endpoint("GET /v1/limits")
    async def limits(self, request: Request) -> Response:  # noqa: ARG002
        """Tell all limits."""
        return json_reply(self.service.limits.to_dict())

    @endpoint("GET /v1/openapi.json")
    async def openapi(self, request: Request) -> Response:  # noqa: ARG002
        """Describe all endpoints."""
        return Response(self._openapi, media_type="application/json", headers=NO_STORE)

    @endpoint("GET /v1/models")
    async def models(self, request: Request) -> Response:  # noqa: ARG002
        """Describe all models."""
        return json_reply([served.about for served in self.service.table])

    @endpoint("GET /v1/models/{name}")
    async def model(self, request: Request) -> Response:
        """Describe one model."""
        return json_reply(self.service.table.find(request.path_params["name"]).about)

    @endpoint("POST /v1/models/{name}/reload")
    async def reload(self, request: Request) -> Response:
        """Load a model again from its file."""
        require(request, "admin")
        name = request.path_params["name"]
        self.service.table.find(name)
        read_keys(parse_json(await self._body(request, "application/json") or b"{}"), {})
        before, after = await _reloaded(self.service, name)
        return json_reply({"from": before, "to": after})

    # --- the page ---

    async def page(self, scope: Any, receive: Any, send: Any) -> None:
        """Send a file of the page; anything else is not there."""
        found = self.service.page.get(scope["path"])
        if found is None:
            near = near_endpoint(scope["path"], [*self.listed(), *self.service.further])
            raise HttpProblem(404, f"there is nothing at this address{near}")
        if scope["method"] not in ("GET", "HEAD"):
            raise other_method("GET, HEAD")
        headers = {"etag": found.tag, "cache-control": "no-cache"}
        is_known = scope["perceptag.headers"].get(b"if-none-match", b"").decode("latin-1") == found.tag
        body = b"" if is_known else found.data
        reply = Response(body, 304 if is_known else 200, headers, found.media_type)
        if scope["method"] == "HEAD":
            reply.body = b""
        await reply(scope, receive, send)


class FirstRoute:
    """Leads the most frequent requests, ``POST /v1/tag`` with JSON, to their handler; a router leads the others."""

    def __init__(self, routes: Routes, router: Router) -> None:
        self._routes = routes
        self._router = router
        self._route = next(route for route in routes.listed() if route.path == "/v1/tag")

    async def __call__(self, scope: Scope, receive: Receive, send: Reply) -> None:
        """Answer one request."""
        is_tag = scope["path"] == "/v1/tag" and scope["method"] == "POST" and not scope["query_string"]
        if is_tag and scope["perceptag.headers"].get(b"content-type") == b"application/json":
            scope["route"] = self._route
            await self._routes.tag_json(scope, receive, send)
        else:
            await self._router(scope, receive, send)


async def _reloaded(service: Service, name: str) -> tuple[str, str]:
    """Load a model again for a client, which waits only so long. Return the digests before and after."""
    seconds = service.limits.answer_seconds
    try:
        return await Within(seconds, reload_model(service, name))
    except TimeoutError:
        detail = f"the server did not answer within {seconds} s; the model is still being loaded"
        raise HttpProblem(503, detail).because("deadline").with_header(b"retry-after", b"5") from None


async def reload_model(service: Service, name: str) -> tuple[str, str]:
    """Load a model again; return the digests before and after. Requests for a reload that has not begun share it."""
    task = service.reloads.get(name)
    if task is None:
        task = service.reloads[name] = asyncio.ensure_future(_reload(service, name))
        task.add_done_callback(_look_at)
    return await asyncio.shield(task)


def _look_at(done: asyncio.Task[tuple[str, str]]) -> None:
    if not done.cancelled():
        done.exception()  # marks it as retrieved, even if the client is gone


async def _reload(service: Service, name: str) -> tuple[str, str]:
    """Load a model again, after those that are being loaded, and count it; if that fails, the old one stays."""
    async with service.reloading:
        service.reloads.pop(name, None)  # the file may change from now on
        try:
            digests = await service.runner.reload(name)
        except (PerceptagError, OSError) as error:
            service.metrics.reloads[name, "failed"] += 1
            detail = str(error) if isinstance(error, PerceptagError) else "its file cannot be read"
            raise HttpProblem(409, f"model {name!r} stays as it was: {service.table.without_paths(detail)}") from error
    service.metrics.reloads[name, "done"] += 1
    return digests


async def read_body(service: Service, request: Request, expected: str) -> bytes:
    """Return the body of a request; refuse one of another type."""
    if media_type(request) != expected:
        found = request.headers.get("content-type", "nothing")[:60]
        raise HttpProblem(415, f"Content-Type: expected {expected}, found {found}")
    data = await service.bodies.read(request.receive, request.scope["perceptag.headers"])
    request.scope["perceptag.is_read"] = True
    return data


def media_type(request: Request) -> str:
    """Return the type of a body, without its parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def json_reply(value: object, headers: dict[str, str] | None = None) -> Response:
    """Return a reply of JSON."""
    return Response(strict_dumps(value).encode(), 200, {**NO_STORE, **(headers or {})}, "application/json")


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
