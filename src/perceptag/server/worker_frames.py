"""What the front process and its workers say to each other: frames of a JSON object and some bodies.

    4 bytes: length of the object │ the object, with the sizes of the bodies │ the bodies

JSON and not pickles: a worker reads text of strangers, and must not be able to run code in the front process.
"""

from __future__ import annotations

import asyncio
import json
import struct
from collections.abc import Sequence
from typing import Any, BinaryIO

from perceptag.server.problems import HttpProblem
from perceptag.server.text_jobs import TextJob, TextReply

_LENGTH = struct.Struct(">I")
Frame = tuple[dict[str, Any], list[bytes]]


def pack(head: dict[str, Any], bodies: Sequence[bytes] = ()) -> bytes:
    """Return a frame."""
    written = json.dumps({**head, "sizes": [len(body) for body in bodies]}).encode()
    return b"".join([_LENGTH.pack(len(written)), written, *bodies])


async def receive(reader: asyncio.StreamReader) -> Frame:
    """Await a frame; raise `asyncio.IncompleteReadError` if the other side is gone."""
    (length,) = _LENGTH.unpack(await reader.readexactly(_LENGTH.size))
    head = json.loads(await reader.readexactly(length))
    return head, [await reader.readexactly(size) for size in head["sizes"]]


def read(stream: BinaryIO) -> Frame | None:
    """Return the next frame; None if the other side is gone."""
    start = stream.read(_LENGTH.size)
    if len(start) < _LENGTH.size:
        return None
    head = json.loads(stream.read(_LENGTH.unpack(start)[0]))
    return head, [stream.read(size) for size in head["sizes"]]


def pack_jobs(jobs: Sequence[TextJob], seconds: float) -> bytes:
    """Return a frame of jobs, and after how many seconds the worker is to end itself."""
    listed = [{"kind": job.kind, "options": dict(job.options)} for job in jobs]
    return pack({"jobs": listed, "seconds": seconds}, [job.body for job in jobs])


def jobs_in(frame: Frame) -> list[TextJob]:
    """Return the jobs in a frame."""
    head, bodies = frame
    return [TextJob(one["kind"], body, one["options"]) for one, body in zip(head["jobs"], bodies, strict=True)]


def pack_replies(replies: Sequence[TextReply | HttpProblem], seconds: float) -> bytes:
    """Return a frame of replies, and how many seconds of work they took."""
    listed, bodies = [], []
    for reply in replies:
        if isinstance(reply, HttpProblem):
            headers = [(name.decode(), value.decode()) for name, value in reply.headers]
            listed.append({"status": reply.status, "detail": reply.detail, "more": reply.more, "headers": headers})
        else:
            listed.append(
                {"media": reply.media_type, "model": reply.model, "digest": reply.digest, "tokens": reply.tokens}
            )
            bodies += [reply.body, reply.held]
    return pack({"replies": listed, "seconds": seconds}, bodies)


def replies_in(frame: Frame) -> list[TextReply | HttpProblem]:
    """Return the replies in a frame."""
    head, bodies = frame
    left = iter(bodies)
    return [_problem_in(one) if "status" in one else _reply_in(one, next(left), next(left)) for one in head["replies"]]


def _problem_in(one: dict[str, Any]) -> HttpProblem:
    problem = HttpProblem(one["status"], one["detail"], **one["more"])
    for name, value in one["headers"]:
        problem.with_header(name.encode(), value.encode())
    return problem


def _reply_in(one: dict[str, Any], body: bytes, held: bytes) -> TextReply:
    return TextReply(body, one["media"], one["model"], one["digest"], one["tokens"], held)
