"""``/v1/tag`` for files: the same bytes as `perceptag tag` writes."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from typing import Any

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response

from perceptag.errors import brief, nearest
from perceptag.pipeline.pipeline import Pipeline
from perceptag.server.limits import Limits
from perceptag.server.problems import HttpProblem, too_much
from perceptag.server.service import Service
from perceptag.server.work import check_sizes, check_steps, steps_of_lengths
from perceptag.tagging.file import tag_file
from perceptag.tagging.job import TagOptions
from perceptag.text.formats import by_name

PARAMETERS = (
    "model",
    "layer",
    "to",
    "columns",
    "label",
    "replace",
    "keep_given",
    "nbest",
    "confidence",
    "min_confidence",
)
FORMATS = ("columns", "conllu", "jsonl", "text")


class Body(io.BytesIO):
    """The bytes of a request, with a name for messages."""

    name = "body"


def refuse_repeated(parameters: QueryParams) -> None:
    """Refuse a parameter that is given twice, of which only one could count."""
    names = [name for name, _ in parameters.multi_items()]
    for name in names:
        if names.count(name) > 1:
            raise HttpProblem(422, f"parameters: expected {name} once, found it {names.count(name)} times")


async def tag_body(service: Service, request: Request, data: bytes) -> Response:
    """Tag a file that is the body of a request."""
    refuse_repeated(request.query_params)
    options = read_parameters(request.query_params)
    format_ = _format(request.headers["content-type"])
    served = service.table.find(options.pop("model", ""))
    opened = served.ending_with(options.pop("layer", ""))
    if options.get("nbest", 1) > service.limits.nbest:
        raise too_much("nbest", service.limits.nbest, options["nbest"])

    def work() -> tuple[int, bytes]:
        check_file(data, format_, opened, options.get("nbest", 1), service.limits)
        out = io.BytesIO()
        return tag_file(opened, Body(data), out, TagOptions(format=format_, **options)), out.getvalue()

    tokens, written = await service.in_thread(work)
    service.metrics.tokens[served.name] += tokens
    headers = {"cache-control": "no-store", "perceptag-model": served.digest}
    return Response(written, 200, headers, "text/plain; charset=utf-8")


def _format(content_type: str) -> str:
    parameters = dict(part.strip().partition("=")[::2] for part in content_type.lower().split(";")[1:])
    found = parameters.get("format", "")
    if found not in FORMATS:
        raise HttpProblem(
            415, f"Content-Type: expected text/plain; format={'|'.join(FORMATS)}, found {brief(content_type)}"
        )
    return found


def read_parameters(given: Mapping[str, str]) -> dict[str, Any]:
    """Return the parameters of an address as `TagOptions`, with the model and the layer."""
    found: dict[str, Any] = {}
    for name, value in given.items():
        if name not in PARAMETERS:
            expected = f"expected some of {', '.join(PARAMETERS)}"
            raise HttpProblem(422, f"parameters: {expected}; found {name[:60]!r}{nearest(name, PARAMETERS)}")
        found[name] = _parameter(name, value)
    return found


def _parameter(name: str, value: str) -> Any:
    if name in ("replace", "keep_given", "confidence"):
        if value not in ("0", "1"):
            raise HttpProblem(422, f"{name}: expected 0 or 1, found {brief(value)}")
        return value == "1"
    if name == "columns":
        columns = value.split(",")
        if not all(columns) or len(set(columns)) != len(columns):
            raise HttpProblem(422, f"columns: expected different names separated by commas, found {brief(value)}")
        return columns
    if name == "to":
        return by_name(value).name
    return number_in(name, value) if name in ("nbest", "min_confidence") else value


def number_in(name: str, value: str) -> float:
    """Return the number that a parameter has."""
    try:
        number = int(value) if name == "nbest" else float(value)
    except ValueError:
        number = -1
    if not (number >= 1 if name == "nbest" else 0 <= number <= 1):
        expected = "a number from 1 on" if name == "nbest" else "a number from 0 to 1"
        raise HttpProblem(422, f"{name}: expected {expected}, found {brief(value)}")
    return number


def check_file(data: bytes, format_: str, opened: Pipeline, n: int, limits: Limits) -> None:
    """Refuse a file that is beyond the limits of a request."""
    if format_ == "text":
        if len(data) > limits.text:  # bytes are never fewer than characters
            raise too_much("text", limits.text, len(data), 413)
        check_steps(steps_of_lengths(opened, [len(data) // 2], n), limits)
    elif format_ != "jsonl":
        lengths = list(_lengths(data))
        check_sizes(lengths, limits)
        check_steps(steps_of_lengths(opened, lengths, n), limits)
    else:
        check_sizes([0] * data.count(b"\n"), limits)
        check_steps(steps_of_lengths(opened, [data.count(b",") + data.count(b"\n")], n), limits)


def _lengths(data: bytes) -> Iterator[int]:
    """Yield how many lines each paragraph has, which is at least the number of its tokens."""
    length = 0
    for line in data.splitlines():
        if line.strip():
            length += 1
        elif length:
            yield length
            length = 0
    if length:
        yield length
