"""The work on text that a request asks for, as plain data: a thread or another process can do it.

    request ─▶ TextJob ─▶ prepare: read, check, count the work ─▶ finish: tag and write ─▶ TextReply
                                                              └─▶ HttpProblem

Jobs keep no state. `answer_jobs` does several at once; those of the same model and options share one call of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from perceptag.errors import PerceptagError
from perceptag.server.explaining import EXPLAIN_KEYS, ORDER_KEYS, check_explain, explain_reply, order_reply
from perceptag.server.json_lines import prepare_lines
from perceptag.server.limits import Limits, check_reply, is_small
from perceptag.server.plain_tagging import plain_request
from perceptag.server.problems import HttpProblem, problem_of_any
from perceptag.server.request_body import Asked, BodyKey, parse_json, read_input, read_keys
from perceptag.server.served import Served, ServedModels
from perceptag.server.tag_files import tag_body
from perceptag.server.tagging import KEYS, ReplyOptions, check_wanted, read_wanted, tag_reply, tag_sentences
from perceptag.system.strict_json import strict_dumps

SMALL_BODY = 32_000  # bytes that are parsed without a thread


@dataclass(slots=True)  # never changed, but a frozen one takes three times as long to make
class TextJob:
    """What is asked about a text."""

    kind: str  # tag, explain, order, file or lines
    body: bytes
    options: Mapping[str, Any] = field(default_factory=dict)  # of files and lines: JSON values
    ids: Mapping[str, str] = field(default_factory=dict)  # the names of the request, for the log


@dataclass(slots=True)  # never changed, but a frozen one takes three times as long to make
class TextReply:
    """The reply to a job."""

    body: bytes
    media_type: str
    model: str
    digest: str
    tokens: int
    held: bytes = b""  # lines of a stream whose document has not ended


@dataclass(slots=True)  # never changed, but a frozen one takes three times as long to make
class PreparedJob:
    """A job that was read and checked."""

    is_small: bool
    finish: Callable[[], TextReply]
    tagging: tuple[Asked, ReplyOptions] | None = None  # what can be done together with others


def prepare(job: TextJob, models: ServedModels) -> PreparedJob:
    """Read a job and check it against the limits."""
    return _KINDS[job.kind](job, models)


def answer_job(job: TextJob, models: ServedModels) -> TextReply:
    """Do a job."""
    return prepare(job, models).finish()


def answer_jobs(jobs: Sequence[TextJob], models: ServedModels) -> list[TextReply | HttpProblem]:
    """Do several jobs. An error is the reply to its job alone."""
    prepared = [_caught(job, partial(prepare, job, models)) for job in jobs]
    together = _tagged_together([one for one in prepared if isinstance(one, PreparedJob)], models.limits)
    return [
        one if isinstance(one, HttpProblem) else _caught(job, together.get(id(one), one.finish))
        for job, one in zip(jobs, prepared, strict=True)
    ]


def _caught(job: TextJob, work: Callable[[], Any]) -> Any:
    try:
        return work()
    except Exception as error:
        return problem_of_any(error, **job.ids)


# --- requests in JSON ---


def _prepare_tag(job: TextJob, models: ServedModels) -> PreparedJob:
    plain = plain_request(job.body, models)
    if plain is None:
        return _prepare_any_tag(job, models)

    def finish() -> TextReply:
        body = plain.reply()
        if body is None:
            return _prepare_any_tag(job, models).finish()
        return _reply(plain.served, body, "application/json", plain.tokens)

    return PreparedJob(plain.is_small, finish)


def _prepare_any_tag(job: TextJob, models: ServedModels) -> PreparedJob:
    asked, keys = _read(job, KEYS, models)
    wanted = read_wanted(keys, models.limits)
    steps = check_wanted(asked, wanted, models.limits)
    return _prepared(asked, steps, lambda: tag_reply(asked, wanted), models.limits, (asked, wanted))


def _prepare_explain(job: TextJob, models: ServedModels) -> PreparedJob:
    asked, keys = _read(job, EXPLAIN_KEYS, models)
    steps = check_explain(asked, keys, models.limits)
    return _prepared(asked, steps, lambda: explain_reply(asked, keys, models.limits), models.limits)


def _prepare_order(job: TextJob, models: ServedModels) -> PreparedJob:
    asked, keys = _read(job, ORDER_KEYS, models)
    steps = check_explain(asked, keys, models.limits)
    return _prepared(asked, steps, lambda: order_reply(asked, keys, models.limits), models.limits)


def _read(job: TextJob, known: dict[str, BodyKey], models: ServedModels) -> tuple[Asked, dict[str, Any]]:
    keys = read_keys(parse_json(job.body), known)
    return read_input(keys, models.table, models.limits), keys


def _prepared(
    asked: Asked,
    steps: int,
    work: Callable[[], dict[str, Any]],
    limits: Limits,
    tagging: tuple[Asked, ReplyOptions] | None = None,
) -> PreparedJob:
    small = is_small(sum(map(len, asked.sentences)), steps)
    return PreparedJob(small, lambda: _json_reply(asked, work(), limits), tagging)


def _json_reply(asked: Asked, value: dict[str, Any], limits: Limits) -> TextReply:
    body = strict_dumps(value).encode()
    check_reply(len(body), limits)
    return _reply(asked.served, body, "application/json", sum(map(len, asked.sentences)))


def _reply(served: Served, body: bytes, media_type: str, tokens: int, held: bytes = b"") -> TextReply:
    return TextReply(body, media_type, served.name, served.digest, tokens, held)


# --- files and streams ---


def _prepare_file(job: TextJob, models: ServedModels) -> PreparedJob:
    def finish() -> TextReply:
        served, tokens, written = tag_body(job.body, job.options["content_type"], job.options["parameters"], models)
        return _reply(served, written, "text/plain; charset=utf-8", tokens)

    return PreparedJob(False, finish)


def _prepare_lines(job: TextJob, models: ServedModels) -> PreparedJob:
    batch = prepare_lines(job.options["parameters"], models)
    if job.options.get("digest", batch.served.digest) != batch.served.digest:
        detail = "the model of this stream has been replaced by another version; send the stream again"
        raise HttpProblem(503, detail).because("replaced").with_header(b"retry-after", b"1")

    def finish() -> TextReply:
        body, tokens, held = batch.tag(job.body, job.options["first"], job.options["is_last"])
        return _reply(batch.served, body, "application/x-ndjson", tokens, held)

    return PreparedJob(not job.body, finish)


_KINDS: dict[str, Callable[[TextJob, ServedModels], PreparedJob]] = {
    "tag": _prepare_tag,
    "explain": _prepare_explain,
    "order": _prepare_order,
    "file": _prepare_file,
    "lines": _prepare_lines,
}


# --- several jobs in one call of a model ---


def _tagged_together(prepared: Sequence[PreparedJob], limits: Limits) -> dict[int, Callable[[], TextReply]]:
    """Tag the sentences of jobs of the same model and options in one call; return what finishes each of these jobs."""
    groups: dict[Any, list[PreparedJob]] = {}
    for one in prepared:
        if one.tagging is not None and (key := _common(*one.tagging)) is not None:
            groups.setdefault(key, []).append(one)
    found: dict[int, Callable[[], TextReply]] = {}
    for group in groups.values():
        if len(group) > 1:
            found |= _finished(group, limits)
    return found


def _common(asked: Asked, wanted: ReplyOptions) -> Any:
    """Return what jobs must have in common to share a call; None: this one shares with none.

    A model that looks at documents would take the sentences of several jobs for one document.
    """
    plain = all(set(sentence.columns) == set(asked.opened.inputs) for sentence in asked.sentences)
    if asked.given is not None or not plain or asked.opened.looks_at_documents():
        return None
    return id(asked.opened), wanted, asked.offsets is None


def _finished(group: Sequence[PreparedJob], limits: Limits) -> dict[int, Callable[[], TextReply]]:
    parts = [one.tagging for one in group if one.tagging is not None]
    first, wanted = parts[0]
    sentences = [sentence for asked, _ in parts for sentence in asked.sentences]
    offsets = None if first.offsets is None else [place for asked, _ in parts for place in asked.offsets or []]
    whole = Asked(first.served, first.opened, sentences, None, offsets, "", [])
    try:
        tagged = tag_sentences(whole, wanted)
    except (PerceptagError, HttpProblem, MemoryError):
        return {}  # each alone will say whose error it is
    found: dict[int, Callable[[], TextReply]] = {}
    for one, (asked, _) in zip(group, parts, strict=True):
        own, tagged = tagged[: len(asked.sentences)], tagged[len(asked.sentences) :]
        found[id(one)] = partial(_json_reply, asked, tag_reply(asked, wanted, own), limits)
    return found
