"""The endpoints of the server."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from importlib.resources import files
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, Router

from perceptag.errors import PerceptagError
from perceptag.server.access import require
from perceptag.server.guard import Guard
from perceptag.server.line_stream import LineStream
from perceptag.server.problems import HttpProblem
from perceptag.server.receiving import Within
from perceptag.server.request_body import parse_json, read_keys
from perceptag.server.runners import client_of
from perceptag.server.service import Service
from perceptag.server.tag_files import refuse_repeated
from perceptag.server.text_jobs import TextJob, to_json

NO_STORE = {"cache-control": "no-store"}


def make_app(service: Service) -> Guard:
    """Return the ASGI application of a server."""
    routes = Routes(service)
    return Guard(Router([*routes.listed(), *service.further], redirect_slashes=False, default=routes.page), service)


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
            return await self._do(request, TextJob("file", body, about))
        return await self._do(request, TextJob("tag", await self._body(request, "application/json")))

    @endpoint("POST /v1/explain")
    async def explain(self, request: Request) -> Response:
        """Explain the labels of a sentence."""
        return await self._do(request, TextJob("explain", await self._body(request, "application/json")))

    @endpoint("POST /v1/order")
    async def order(self, request: Request) -> Response:
        """Show in which order the tokens of a sentence are labelled."""
        return await self._do(request, TextJob("order", await self._body(request, "application/json")))

    async def _do(self, request: Request, job: TextJob) -> Response:
        reply = await self.service.runner.run(job, client_of(request.scope))
        self.service.metrics.tokens[reply.model] += reply.tokens
        return Response(reply.body, 200, {**NO_STORE, "perceptag-model": reply.digest}, reply.media_type)

    async def _body(self, request: Request, expected: str) -> bytes:
        return await read_body(self.service, request, expected)

    # --- about the server ---

    @endpoint("GET /healthz")
    async def health(self, request: Request) -> Response:  # noqa: ARG002 - the router passes it
        """Say that the process answers."""
        return json_reply({"ok": True})

    @endpoint("GET /livez")
    async def live(self, request: Request) -> Response:
        """Say that the process answers, as /healthz does."""
        return await self.health(request)

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
        seconds = self.service.limits.answer_seconds
        try:
            before, after = await Within(seconds, reload_model(self.service, name))
        except TimeoutError:
            detail = f"the server did not answer within {seconds} s; the model is still being loaded"
            raise HttpProblem(503, detail).because("deadline").with_header(b"retry-after", b"5") from None
        return json_reply({"from": before, "to": after})

    # --- the page ---

    async def page(self, scope: Any, receive: Any, send: Any) -> None:
        """Send a file of the page; anything else is not there."""
        found = self.service.page.get(scope["path"])
        if found is None:
            raise HttpProblem(404, "there is nothing at this address")
        if scope["method"] not in ("GET", "HEAD"):
            raise HttpProblem(405, "this address has other methods").with_header(b"allow", b"GET, HEAD")
        headers = {"etag": found.tag, "cache-control": "no-cache"}
        is_known = scope["perceptag.headers"].get(b"if-none-match", b"").decode("latin-1") == found.tag
        body = b"" if is_known else found.data
        reply = Response(body, 304 if is_known else 200, headers, found.media_type)
        if scope["method"] == "HEAD":
            reply.body = b""
        await reply(scope, receive, send)


async def reload_model(service: Service, name: str) -> tuple[str, str]:
    """Load a model again; requests for a reload that has not begun share it. Return the digests before and after."""
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
    return Response(to_json(value), 200, {**NO_STORE, **(headers or {})}, "application/json")
