"""Errors as replies: ``application/problem+json`` (RFC 9457) with the place in the request."""

from __future__ import annotations

import errno
import json
import re
import traceback
from http import HTTPStatus
from typing import Any

from perceptag.errors import ModelError, NotOfferedError, PerceptagError, StorageError
from perceptag.server.log_lines import log
from perceptag.text.lines import OTHER_ENCODING

TITLES = {413: "Content Too Large", 422: "Unprocessable Content"}  # Python's names for these have changed
FULL_DISK = (errno.ENOSPC, errno.EDQUOT)
MEDIA_TYPE = "application/problem+json"
_SENTENCE = re.compile(r"sentence (\d+)(?:, token (\d+))?")
_LINE = re.compile(r"body:(\d+)")
_CHARACTER = re.compile(r"character (\d+)")
_OPTION = re.compile(r"(\bperceptag [a-z][^';(]*)|(?<![\w-])--(?=[a-z])")  # commands are kept


class HttpProblem(Exception):  # noqa: N818 - so RFC 9457 calls it
    """What a client is told instead of what it asked for."""

    def __init__(self, status: int, detail: str, **more: Any) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.more = more
        self.headers: list[tuple[bytes, bytes]] = []
        self.reason = ""  # for counts

    def with_header(self, name: bytes, value: bytes) -> HttpProblem:
        """Return the same problem with one more header in the reply."""
        self.headers.append((name, value))
        return self

    def because(self, reason: str) -> HttpProblem:
        """Return the same problem with a reason that is counted; else the status or the limit is the reason."""
        self.reason = reason
        return self

    def to_dict(self) -> dict[str, Any]:
        """Return the body of the reply."""
        title = TITLES.get(self.status) or HTTPStatus(self.status).phrase
        return {"type": "about:blank", "title": title, "status": self.status, "detail": self.detail, **self.more}

    def body(self) -> bytes:
        """Return the body of the reply as bytes; text that is not valid is escaped."""
        return json.dumps(self.to_dict()).encode()


def too_much(name: str, limit: float, found: float, status: int = 422, **more: Any) -> HttpProblem:
    """Return the problem of a request that is beyond a limit."""
    return HttpProblem(
        status, f"{name}: expected at most {limit}, found {found}", limit=name, most=limit, found=found, **more
    )


def problem_of(error: PerceptagError) -> HttpProblem:
    """Return what a client is told of an error: mostly one in its data."""
    if isinstance(error, StorageError):
        return no_storage()
    told = str(error).replace(OTHER_ENCODING, f"charset= in Content-Type {OTHER_ENCODING.partition(' ')[2]}")
    detail = _OPTION.sub(r"\1", told)  # options of the command line are parameters here
    where = _place(str(getattr(error, "where", "")) or detail)
    status = 409 if isinstance(error, (NotOfferedError, ModelError)) else 422
    return HttpProblem(status, detail, **({"where": where} if where else {}))


def other_method(allowed: str) -> HttpProblem:
    """Return the refusal of a method; `allowed` lists those that the address has."""
    methods = ", ".join(sorted(filter(None, (name.strip() for name in allowed.split(",")))))
    return HttpProblem(405, f"method: expected {methods.replace(', ', ' or ')}").with_header(b"allow", methods.encode())


def problem_of_any(error: Exception, **ids: str) -> HttpProblem:
    """Return what a client is told of any error; the log has what only the operator should know, and the `ids`."""
    if isinstance(error, HttpProblem):
        return error
    if isinstance(error, StorageError) or (isinstance(error, OSError) and error.errno in FULL_DISK):
        log(event="storage", error=str(error), **ids)
        return no_storage()
    if isinstance(error, PerceptagError):
        return problem_of(error)
    if isinstance(error, MemoryError):
        return HttpProblem(503, "the server has not enough memory for this request").with_header(b"retry-after", b"5")
    frames = [f"{f.filename}:{f.lineno} {f.name}" for f in traceback.extract_tb(error.__traceback__)]
    log(event="error", kind=type(error).__name__, frames=frames, **ids)  # the message may hold text of the user
    return HttpProblem(500, "this is a bug in perceptag; its place is in the log of the server")


def no_storage() -> HttpProblem:
    """Return what a client is told when the disk of the server is full or broken; where that is, the log says."""
    detail = "the server cannot write to its disk, so nothing was saved; the same request can be sent again"
    return HttpProblem(507, detail).with_header(b"retry-after", b"10")


def _place(text: str) -> dict[str, int]:
    if found := _SENTENCE.match(text):
        return {name: int(n) for name, n in zip(("sentence", "token"), found.groups(), strict=True) if n is not None}
    if found := _LINE.match(text):
        return {"line": int(found[1])}
    if found := _CHARACTER.match(text):
        return {"character": int(found[1])}
    return {}
