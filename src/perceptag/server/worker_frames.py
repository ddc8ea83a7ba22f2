"""What the front process and its workers say to each other: frames of a JSON object and some bodies.

    12 bytes: lengths of the object and of all bodies │ the object, with the sizes of the bodies │ the bodies

JSON and not pickles: a worker reads text of strangers, and must not be able to run code in the front process.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, BinaryIO

from perceptag.server.problems import HttpProblem
from perceptag.server.text_jobs import TextJob, TextReply

if TYPE_CHECKING:
    import asyncio  # workers start without it

_LENGTHS = struct.Struct(">IQ")
Frame = tuple[dict[str, Any], list[bytes]]


def pack(head: dict[str, Any], bodies: Sequence[bytes] = ()) -> bytes:
    """Return a frame."""
    sizes = [len(body) for body in bodies]
    written = json.dumps({**head, "sizes": sizes}).encode()
    return b"".join([_LENGTHS.pack(len(written), sum(sizes)), written, *bodies])


async def receive(reader: asyncio.StreamReader) -> Frame:
    """Await a frame; raise `asyncio.IncompleteReadError` if the other side is gone."""
    length, size = _LENGTHS.unpack(await reader.readexactly(_LENGTHS.size))
    return _frame(await reader.readexactly(length + size), length)


def read(stream: BinaryIO) -> Frame | None:
    """Return the next frame; None if the other side is gone."""
    start = stream.read(_LENGTHS.size)
    if len(start) < _LENGTHS.size:
        return None
    length, size = _LENGTHS.unpack(start)
    return _frame(stream.read(length + size), length)


def _frame(data: bytes, length: int) -> Frame:
    head = json.loads(data[:length])
    ends = list(accumulate(head["sizes"], initial=length))
    return head, [data[first:end] for first, end in pairwise(ends)]


def pack_jobs(jobs: Sequence[TextJob], seconds: float) -> bytes:
    """Return a frame of jobs, and after how many seconds the worker is to end itself."""
    listed = [{"kind": job.kind, "options": dict(job.options), "ids": dict(job.ids)} for job in jobs]
    return pack({"jobs": listed, "seconds": seconds}, [job.body for job in jobs])


def jobs_in(frame: Frame) -> list[TextJob]:
    """Return the jobs in a frame."""
    head, bodies = frame
    return [
        TextJob(one["kind"], body, one["options"], one["ids"]) for one, body in zip(head["jobs"], bodies, strict=True)
    ]


def pack_replies(replies: Sequence[TextReply | HttpProblem], seconds: float, is_last: bool = False) -> bytes:
    """Return a frame of replies, how many seconds of work they took, and whether the worker asks to be replaced."""
    listed, bodies = [], []
    for reply in replies:
        if isinstance(reply, HttpProblem):
            headers = [(name.decode(), value.decode()) for name, value in reply.headers]
            own = {"status": reply.status, "detail": reply.detail, "more": reply.more, "headers": headers}
            listed.append({**own, "reason": reply.reason})
        else:
            about = {"media": reply.media_type, "model": reply.model, "digest": reply.digest, "tokens": reply.tokens}
            listed.append(about)
            bodies += [reply.body, reply.held]
    return pack({"replies": listed, "seconds": seconds, "is_last": is_last}, bodies)


def replies_in(frame: Frame) -> list[TextReply | HttpProblem]:
    """Return the replies in a frame."""
    head, bodies = frame
    left = iter(bodies)
    return [_problem_in(one) if "status" in one else _reply_in(one, next(left), next(left)) for one in head["replies"]]


def _problem_in(one: dict[str, Any]) -> HttpProblem:
    problem = HttpProblem(one["status"], one["detail"], **one["more"]).because(one["reason"])
    for name, value in one["headers"]:
        problem.with_header(name.encode(), value.encode())
    return problem


def _reply_in(one: dict[str, Any], body: bytes, held: bytes) -> TextReply:
    return TextReply(body, one["media"], one["model"], one["digest"], one["tokens"], held)
