"""What every request must pass: host, origin and token. Every reply gets the same headers.

Host              one of the names that the server answers for: a page of another host cannot pose as this one
Origin            absent or own for everything but GET; no cookies are used, so nothing is sent unasked
Authorization     the token, if the server has one
"""

from __future__ import annotations

import time
from asyncio import CancelledError
from collections.abc import Awaitable, Callable, Sequence
from functools import lru_cache

from starlette.exceptions import HTTPException
from starlette.routing import Match, Route
from starlette.types import Message, Receive, Scope, Send

from perceptag.server.access import EVERYBODY
from perceptag.server.log_lines import log
from perceptag.server.problems import MEDIA_TYPE, HttpProblem, other_method, problem_of_any
from perceptag.server.protocol import header_lines, write_whole
from perceptag.server.receiving import ClientGoneError, Within
from perceptag.server.request_ids import RequestIds, ids_of
from perceptag.server.service import Service

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
METHODS = ("GET", "HEAD", "POST", "PUT", "OPTIONS")  # that are counted by their names
CLIENT_GONE = 499  # not sent to anybody: a status for counts
REASONS = {
    400: "malformed",
    401: "token",
    403: "not allowed",
    404: "not found",
    405: "method",
    408: "slow body",
    409: "not possible",
    415: "type",
    422: "invalid",
    500: "error",
    503: "busy",
    507: "storage",
}
OPEN = ("/livez", "/readyz")  # these answer without a token
OWN_SITE = (b"same-origin", b"none")
PREFLIGHT = [
    (b"access-control-allow-methods", b"GET, POST"),
    (b"access-control-allow-headers", b"authorization, content-type"),
    (b"access-control-max-age", b"600"),
]


Headers = tuple[tuple[bytes, bytes], ...]
_kept_lines = lru_cache(header_lines)  # of headers that many replies have


class ClientStuckError(Exception):
    """The client does not read its reply."""


class Guard:
    """Lets requests through to the routes, or answers them itself."""

    def __init__(
        self,
        routes: Callable[[Scope, Receive, Reply], Awaitable[None]],
        service: Service,
        listed: Sequence[Route] = (),
    ) -> None:
        self.routes = routes
        self.service = service
        self.listed = listed  # by which requests that are refused are counted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._other(scope, receive, send)
            return
        metrics, began = self.service.metrics, time.perf_counter()
        reply = Reply(send, self.service.limits.write_seconds)
        headers = scope["perceptag.headers"] = dict(scope["headers"])
        ids = scope["perceptag.ids"] = ids_of(headers)
        reply.name(ids)
        metrics.in_flight += 1
        try:
            self._check(scope, headers, reply)
            scope["app"] = self  # so that the router raises an exception for what it does not find
            if not reply.is_preflight:
                await self.routes(scope, receive, reply)
            else:
                await reply.empty(204)
        except (ClientGoneError, ClientStuckError):
            reply.status = CLIENT_GONE
            scope.get("perceptag.abort", str)()  # what is not sent yet is forgotten
        except CancelledError:  # the server stops
            await reply.problem(HttpProblem(503, "the server stops").with_header(b"connection", b"close"))
        except Exception as error:
            problem = _problem(error, ids)
            metrics.refused[reason_of(problem)] += 1
            if scope["method"] not in ("GET", "HEAD") and not scope.get("perceptag.is_read"):
                problem.with_header(b"connection", b"close")  # what is left of the body is of no use
            await reply.problem(problem)
        finally:
            metrics.in_flight -= 1
            route = self._route(scope, reply.status)
            seconds = time.perf_counter() - began
            method = scope["method"] if scope["method"] in METHODS else "other"
            metrics.count(method, route, reply.status, seconds)
            person = scope.get("perceptag.person", EVERYBODY)
            if person.name:
                metrics.by_token[person.name, reply.status] += 1
            if self.service.log_requests:
                whose = {"token": person.name} if person.name else {}
                ms = round(seconds * 1000, 3)
                log(event="request", method=method, route=route, status=reply.status, ms=ms, **whose, **ids.to_dict())

    def _route(self, scope: Scope, status: int) -> str:
        """Return the route of a request as metrics and logs name it, also if the request did not get that far."""
        route = scope.get("route")
        if route is None and status >= 400:
            route = next((one for one in self.listed if one.matches(scope)[0] is not Match.NONE), None)
        return getattr(route, "path", "/page" if status < 400 else "other")

    async def _other(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        while (await receive())["type"] != "lifespan.shutdown":
            await send({"type": "lifespan.startup.complete"})
        await send({"type": "lifespan.shutdown.complete"})

    def _check(self, scope: Scope, headers: dict[bytes, bytes], reply: Reply) -> None:
        access, path = self.service.access, scope["path"]
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        if len(hosts) != 1 or hosts[0].decode("latin-1").lower() not in access.hosts:
            raise HttpProblem(400, "Host: expected a name that this server answers for; --public-host NAME adds one")
        if path in OPEN:
            return
        self._check_origin(scope, headers, reply)
        if headers.get(b"transfer-encoding", b"chunked").strip().lower() != b"chunked":
            raise HttpProblem(501, "Transfer-Encoding: expected chunked, and nothing else")
        if headers.get(b"content-encoding", b"identity") != b"identity":
            raise HttpProblem(415, "Content-Encoding: expected a body that is not compressed")
        if reply.is_preflight or path in self.service.page:
            scope["perceptag.person"] = EVERYBODY
        else:
            access.admit(scope, _token(headers))

    def _check_origin(self, scope: Scope, headers: dict[bytes, bytes], reply: Reply) -> None:
        origin, site = headers.get(b"origin"), headers.get(b"sec-fetch-site", b"none")
        if origin is not None and origin.decode("latin-1") in self.service.access.origins:
            reply.allow(origin)
            reply.is_preflight = scope["method"] == "OPTIONS"
            return
        if origin is not None and not self._is_own(origin, headers[b"host"]):
            raise HttpProblem(403, "Origin: expected the page of this server; --allow-origin allows others")
        if site not in OWN_SITE and scope["path"] not in self.service.page:
            raise HttpProblem(403, "Sec-Fetch-Site: expected a request of the page of this server")

    def _is_own(self, origin: bytes, host: bytes) -> bool:
        scheme, _, rest = origin.lower().partition(b"://")
        return scheme in (b"http", b"https") and rest == host.lower()


def _token(headers: dict[bytes, bytes]) -> bytes:
    """Return the token of a request."""
    scheme, _, token = headers.get(b"authorization", b"").partition(b" ")
    return token if scheme.lower() == b"bearer" else b""


class Reply:
    """A reply on its way: with the headers that all have, and an end to waiting for a client that does not read."""

    def __init__(self, send: Send, seconds: float) -> None:
        self._send = send
        self._seconds = seconds
        self._headers: Headers = HEADERS
        self._names: Headers = ()
        self.status = 500
        self.has_begun = False
        self.is_preflight = False

    def name(self, ids: RequestIds) -> None:
        """Send the names of the request with the reply."""
        self._names = ids.headers()

    def allow(self, origin: bytes) -> None:
        """Let a page of another origin read the reply."""
        own = [(n, v) for n, v in HEADERS if n != b"cross-origin-resource-policy"]
        exposed = b"perceptag-model, x-request-id, traceparent"
        own += [(b"access-control-allow-origin", origin), (b"vary", b"origin")]
        self._headers = (*own, (b"access-control-expose-headers", exposed))

    async def __call__(self, message: Message) -> None:
        """Send a part of the reply."""
        if message["type"] == "http.response.start":
            self.status, self.has_begun = message["status"], True
            message["headers"] = [*message.get("headers", ()), *self._headers, *self._names]
        try:
            await Within(self._seconds, self._send(message))
        except TimeoutError:
            raise ClientStuckError from None

    async def whole(self, headers: Headers, body: bytes) -> None:
        """Send a whole reply, if possible at once. The headers must be sound: nothing checks them."""
        length = (b"content-length", b"%d" % len(body))
        lines = _kept_lines(headers) + _kept_lines(self._headers) + header_lines((*self._names, length))
        if write_whole(self._send, lines, body):
            self.status, self.has_begun = 200, True
        else:
            await self({"type": "http.response.start", "status": 200, "headers": [*headers, length]})
            await self({"type": "http.response.body", "body": body})

    async def problem(self, problem: HttpProblem) -> None:
        """Send an error, or if a reply has begun, end it where it is."""
        if self.has_begun:
            raise CancelledError
        body = problem.body()
        headers = [(b"content-type", MEDIA_TYPE.encode()), (b"cache-control", b"no-store"), *problem.headers]
        headers.append((b"content-length", str(len(body)).encode()))
        await self({"type": "http.response.start", "status": problem.status, "headers": headers})
        await self({"type": "http.response.body", "body": body})

    async def empty(self, status: int) -> None:
        """Send a reply without a body."""
        await self({"type": "http.response.start", "status": status, "headers": list(PREFLIGHT)})
        await self({"type": "http.response.body", "body": b""})


def _problem(error: Exception, ids: RequestIds) -> HttpProblem:
    return _of_router(error) if isinstance(error, HTTPException) else problem_of_any(error, **ids.to_dict())


def reason_of(problem: HttpProblem) -> str:
    """Return why a request was refused, in one of a few words: the name of a limit, or what the status stands for."""
    return problem.reason or str(problem.more.get("limit", "")) or REASONS.get(problem.status, "other")


def _of_router(error: HTTPException) -> HttpProblem:
    if error.status_code == 405:
        return other_method((error.headers or {}).get("Allow", ""))
    about = "there is nothing at this address" if error.status_code == 404 else error.detail
    found = HttpProblem(error.status_code, about)
    for name, value in (error.headers or {}).items():
        found.with_header(name.lower().encode(), value.encode())
    return found
