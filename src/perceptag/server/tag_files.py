"""``/v1/tag`` for files: the same bytes as `perceptag tag` writes."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from perceptag.errors import brief, nearest
from perceptag.pipeline.pipeline import Pipeline
from perceptag.server.limits import Limits, check_reply, check_sizes, check_steps, steps_of_lengths
from perceptag.server.problems import HttpProblem, too_much
from perceptag.server.request_body import check_characters, sentences_of_text
from perceptag.server.served import Served, ServedModels
from perceptag.server.tagging import checked_calibration
from perceptag.tagging.job import TagFileOptions
from perceptag.tagging.tag_file import tag_file
from perceptag.text.formats import by_name
from perceptag.text.jsonl import read_jsonl
from perceptag.text.lines import Transcoded, encoding_by_mark, is_utf8
from perceptag.text.sentence import Sentence

if TYPE_CHECKING:
    from starlette.datastructures import QueryParams

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
WHOLE = ("n", "nbest")  # the parameters that are whole numbers
FORMATS = ("columns", "conllu", "jsonl", "text")
# Those that take one step for each byte, which is not true of all that Python knows.
_ENCODINGS = re.compile(r"utf-(8|16|32)|ascii|iso8859-\d+|cp\d+|koi8-[rtu]|gb18030|gbk|big5|shift_jis|euc_(jp|kr)")


class Body(io.BytesIO):
    """The bytes of a request, with a name for messages."""

    name = "body"


class LimitedBuffer(io.BytesIO):
    """A reply in the making, which must not become too large."""

    def __init__(self, limits: Limits) -> None:
        super().__init__()
        self._limits = limits

    def write(self, data: Any, /) -> int:
        """Add bytes."""
        check_reply(self.tell() + len(data), self._limits)
        return super().write(data)


def refuse_repeated(parameters: QueryParams) -> None:
    """Refuse a parameter that is given twice, of which only one could count."""
    names = [name for name, _ in parameters.multi_items()]
    for name in names:
        if names.count(name) > 1:
            raise HttpProblem(422, f"parameters: expected {name} once, found it {names.count(name)} times")


def tag_body(
    received: bytes, content_type: str, parameters: Mapping[str, str], models: ServedModels
) -> tuple[Served, int, bytes]:
    """Tag a file that is the body of a request; return the model, the number of tokens, and the tagged file."""
    limits = models.limits
    options = read_parameters(parameters)
    format_, encoding = _content_type(content_type)
    served = models.table.find(options.pop("model", ""))
    opened = served.ending_with(options.pop("layer", ""))
    if options.get("nbest", 1) > limits.nbest:
        raise too_much("nbest", limits.nbest, options["nbest"])
    if options.get("confidence") or options.get("min_confidence"):
        checked_calibration(opened.top)
    data = in_utf8(received, encoding or models.encoding)
    check_file(data, format_, opened, options.get("nbest", 1), models)
    out = LimitedBuffer(limits)
    return served, tag_file(opened, Body(data), out, TagFileOptions(format=format_, **options)), out.getvalue()


def _content_type(content_type: str) -> tuple[str, str]:
    """Return the format of a file and its encoding, which is empty if the request does not name one."""
    parameters = dict(part.strip().partition("=")[::2] for part in content_type.lower().split(";")[1:])
    found, charset = parameters.get("format", ""), parameters.get("charset", "").strip('"')
    if found not in FORMATS:
        raise HttpProblem(
            415, f"Content-Type: expected text/plain; format={'|'.join(FORMATS)}, found {brief(content_type)}"
        )
    if charset and not may_be_sent(charset):
        raise HttpProblem(
            415, f"Content-Type: expected a charset such as utf-8, latin-1, cp1252 or utf-16, found {brief(charset)}"
        )
    return found, charset


def may_be_sent(encoding: str) -> bool:
    """Return whether files in an encoding are taken."""
    try:
        return bool(_ENCODINGS.fullmatch(codecs.lookup(encoding).name))
    except (LookupError, ValueError):
        return False


def in_utf8(data: bytes, encoding: str) -> bytes:
    """Return a file as UTF-8. UTF-16 is recognised by its byte order mark, as in files."""
    if is_utf8(encoding):
        encoding = encoding_by_mark(data)
    return Transcoded(Body(data), Body.name, encoding).read(-1) if encoding else data


def read_parameters(given: Mapping[str, str]) -> dict[str, Any]:
    """Return the parameters of an address as `TagFileOptions`, with the model and the layer."""
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
        return by_name(value, name).name
    return number_in(name, value) if name in ("nbest", "min_confidence") else value


def number_in(name: str, value: str) -> float:
    """Return the number that a parameter has."""
    try:
        number = int(value) if name in WHOLE else float(value)
    except ValueError:
        number = -1
    if not (number >= 1 if name in WHOLE else 0 <= number <= 1):
        expected = "a number from 1 on" if name in WHOLE else "a number from 0 to 1"
        raise HttpProblem(422, f"{name}: expected {expected}, found {brief(value)}")
    return number


def check_file(data: bytes, format_: str, opened: Pipeline, n: int, models: ServedModels) -> None:
    """Refuse a file that is beyond the limits of a request."""
    limits = models.limits
    if format_ == "text":
        if len(data) > limits.text:  # bytes are never fewer than characters
            raise too_much("text", limits.text, len(data), 413)
        check_steps(steps_of_lengths(opened, [len(data) // 2], n), limits)  # a token has a byte, and one before it
        text = data.decode("utf-8", "replace")
        lengths = _checked_lengths(
            sentences_of_text(text, "sentences", "", opened, models.table, limits).sentences, limits
        )
    elif format_ == "jsonl":
        check_sizes([0] * data.count(b"\n"), limits)
        lengths = _checked_lengths(list(read_jsonl(Body(data))), limits)
    else:
        lengths = list(_lengths(data))
        check_sizes(lengths, limits)
        _check_fields(data, "\t" if format_ == "conllu" else None, limits)
    check_steps(steps_of_lengths(opened, lengths, n), limits)


def _checked_lengths(sentences: list[Sentence], limits: Limits) -> list[int]:
    lengths = [len(sentence) for sentence in sentences]
    check_sizes(lengths, limits)
    check_characters(sentences, limits)
    return lengths


def _check_fields(data: bytes, separator: str | None, limits: Limits) -> None:
    """Refuse a value in a column that is too long. Lines that are short enough as a whole are not taken apart."""
    for number, line in enumerate(data.splitlines(), 1):
        if len(line) <= limits.token_characters or (separator and line.startswith(b"#")):
            continue
        longest = max(map(len, line.decode("utf-8", "replace").split(separator)), default=0)
        if longest > limits.token_characters:
            raise too_much("token_characters", limits.token_characters, longest, where={"line": number})


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
