"""``/v1/tag`` for a stream of JSON lines: a sentence on every line, of any number, in bounded memory.

    bytes as they come ─▶ whole lines ─▶ batches of sentences ─▶ one thread for each batch ─▶ lines of the reply

The reply begins while the request still comes, so a client must read while it writes. An error before the first reply
has a status of its own; a later one is the last line, ``{"error": …}``.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from perceptag.errors import PerceptagError, brief, nearest
from perceptag.server.limits import check_reply, check_sizes
from perceptag.server.problems import HttpProblem, problem_of, too_much
from perceptag.server.receiving import body_chunks
from perceptag.server.request_body import Asked, check_characters
from perceptag.server.service import Service
from perceptag.server.tag_files import Body, number_in, refuse_repeated
from perceptag.server.tagging import ReplyOptions, check_wanted, read_wanted, tag_sentences, words_in
from perceptag.text.jsonl import read_jsonl
from perceptag.text.sentence import Sentence

LINES, BYTES = 1_000, 1 << 20  # of a batch
PATIENCE = 0.2  # seconds that lines may wait for others to come
PARAMETERS = ("model", "layer", "want", "n", "min_confidence")


class LineStream(Response):
    """A reply that is made while the request comes."""

    def __init__(self, service: Service, request: Request) -> None:
        self.service = service
        given = _parameters(request)
        self.served = service.table.find(given["model"])
        self.opened = self.served.ending_with(given["layer"] or self.served.usual)
        self.wanted: ReplyOptions = read_wanted(given, service.limits)
        self.documents = _DocumentStream(self.opened.looks_at_documents())
        check_wanted(self._asked([]), self.wanted, service.limits)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """Read and answer the lines."""
        self.has_begun = False
        try:
            async for first, lines in self._batches(receive):
                await self._send(send, await self._tagged(first, lines))
            await self._send(send, await self._tag_rest())
        except (HttpProblem, PerceptagError) as error:
            problem = error if isinstance(error, HttpProblem) else problem_of(error)
            if not self.has_begun:
                raise problem from None
            await self._send(send, json.dumps({"error": problem.to_dict()}).encode() + b"\n")
        await send({"type": "http.response.body", "body": b""})

    async def _send(self, send: Send, data: bytes) -> None:
        if not self.has_begun:
            self.has_begun = True
            headers = [(b"content-type", b"application/x-ndjson"), (b"cache-control", b"no-store")]
            headers.append((b"perceptag-model", self.served.digest.encode()))
            await send({"type": "http.response.start", "status": 200, "headers": headers})
        if data:
            await send({"type": "http.response.body", "body": data, "more_body": True})

    async def _batches(self, receive: Receive) -> AsyncIterator[tuple[int, list[bytes]]]:
        """Yield the number of the first line, and lines."""
        limit, rest, size, first = self.service.limits.line, b"", 0, 1
        answered = time.monotonic()
        lines: list[bytes] = []
        async for chunk in body_chunks(receive, self.service.limits, self.service.limits.stream_seconds):
            *whole, rest = (rest + chunk).split(b"\n")
            lines += whole
            size += len(chunk)
            for i, line in enumerate([*whole, rest], first + len(lines) - len(whole)):
                if len(line) > limit:
                    raise too_much("line", limit, len(line), 413, where={"line": i})
            is_late = bool(lines) and time.monotonic() - answered > PATIENCE
            if len(lines) >= LINES or size >= BYTES or is_late:
                for begin in range(0, len(lines), LINES):
                    yield first + begin, lines[begin : begin + LINES]
                first, lines, size, answered = first + len(lines), [], 0, time.monotonic()
        if rest:
            lines.append(rest)
        for begin in range(0, len(lines), LINES):
            yield first + begin, lines[begin : begin + LINES]

    async def _tagged(self, first: int, lines: list[bytes]) -> bytes:
        return await self.service.in_thread(lambda: self._tag(self._read(first, lines)))

    async def _tag_rest(self) -> bytes:
        rest = self.documents.end()
        return await self.service.in_thread(lambda: self._tag(rest)) if rest else b""

    def _read(self, first: int, lines: list[bytes]) -> list[Sentence]:
        try:
            found = list(read_jsonl(Body(b"\n".join(lines) + b"\n")))
        except PerceptagError as error:
            problem = problem_of(error)
            if "line" in (place := problem.more.get("where", {})):
                line = place["line"]
                place["line"] += first - 1
                problem.detail = problem.detail.replace(f"body:{line}", f"body:{place['line']}")
            raise problem from None
        return self.documents.take(found)

    def _tag(self, sentences: list[Sentence]) -> bytes:
        limits = self.service.limits
        check_sizes([len(sentence) for sentence in sentences], limits)
        check_characters(sentences, limits)
        asked = self._asked(sentences)
        check_wanted(asked, self.wanted, limits)
        found = tag_sentences(asked, self.wanted)
        self.service.metrics.tokens[self.served.name] += sum(map(len, sentences))
        dump = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
        reply = "".join(f"{dump(entry)}\n" for entry in found).encode()
        check_reply(len(reply), limits)
        return reply

    def _asked(self, sentences: list[Sentence]) -> Asked:
        return Asked(self.served, self.opened, sentences, None, None, "", [])


class _DocumentStream:
    """Keeps documents whole for models that look at them, from one batch to the next."""

    def __init__(self, needed: bool) -> None:
        self._needed = needed
        self._held: list[Sentence] = []
        self._last: object = None

    def take(self, sentences: list[Sentence]) -> list[Sentence]:
        """Return the sentences whose documents have ended."""
        for sentence in sentences[:1]:
            name = _document(sentence)
            if name is not None and name == self._last:
                sentence.starts_document = False  # it continues the document of the last batch
        self._last = _document(sentences[-1]) if sentences else self._last
        if not self._needed:
            return sentences
        ready = self._held + sentences
        begins = [i for i, s in enumerate(ready) if s.starts_document or _document(s) is None]
        cut = begins[-1] if begins else 0
        if ready and _document(ready[-1]) is None:
            cut = len(ready)
        self._held = ready[cut:]
        return ready[:cut]

    def end(self) -> list[Sentence]:
        """Return what is left."""
        return self._held


def _document(sentence: Sentence) -> Any:
    record = getattr(sentence.layout, "record", None)
    return record.get("document") if isinstance(record, dict) else None


def _parameters(request: Request) -> dict[str, Any]:
    found: dict[str, Any] = {"model": "", "layer": "", "want": "", "n": "1", "min_confidence": "0"}
    refuse_repeated(request.query_params)
    for name, value in request.query_params.items():
        if name not in PARAMETERS:
            expected = f"expected some of {', '.join(PARAMETERS)}"
            raise HttpProblem(422, f"parameters: {expected}; found {brief(name)}{nearest(name, PARAMETERS)}")
        found[name] = value
    found["want"] = words_in(found["want"], "want")
    found["n"] = int(number_in("nbest", found["n"]))
    return found | {"min_confidence": number_in("min_confidence", found["min_confidence"])}
