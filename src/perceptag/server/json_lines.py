"""``/v1/tag`` for lines of JSON, a sentence on each: some lines of a stream at a time (`line_stream.py` cuts it)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from perceptag.errors import PerceptagError, brief, nearest
from perceptag.pipeline.pipeline import Pipeline
from perceptag.server.limits import check_reply, check_sizes
from perceptag.server.plain_tagging import PlainSentences, plain_lines
from perceptag.server.problems import HttpProblem, problem_of, too_much
from perceptag.server.request_body import Asked, check_characters
from perceptag.server.served import Served, ServedModels
from perceptag.server.tag_files import Body, number_in
from perceptag.server.tagging import ReplyOptions, check_wanted, read_wanted, tag_sentences, words_in
from perceptag.system.strict_json import strict_dumps
from perceptag.text.jsonl import read_jsonl
from perceptag.text.sentence import Sentence

PARAMETERS = ("model", "layer", "want", "n", "min_confidence")


def prepare_lines(given: Mapping[str, str], models: ServedModels) -> LineBatch:
    """Read the parameters of a stream, and refuse what its model cannot do."""
    keys = _parameters(given)
    served = models.table.find(keys["model"])
    opened = served.ending_with(keys["layer"] or served.usual)
    batch = LineBatch(models, served, opened, read_wanted(keys, models.limits))
    check_wanted(batch.asked([]), batch.wanted, models.limits)
    return batch


@dataclass(frozen=True, slots=True)
class LineBatch:
    """How the lines of a stream are tagged."""

    models: ServedModels
    served: Served
    opened: Pipeline
    wanted: ReplyOptions

    def tag(self, lines: bytes, first: int, is_last: bool) -> tuple[bytes, int, bytes]:
        """Tag lines; `first` is the number of the first of them, for messages.

        Return the lines of the reply, the number of tokens, and the lines at the end that are needed again: those of a
        document that may not have ended, if the model looks at documents.
        """
        plain = self._plain(lines)
        if plain is not None and (reply := plain.lines()) is not None:
            return reply, plain.tokens, b""
        sentences = _read(lines, first)
        cut = len(sentences) if is_last or not self.opened.looks_at_documents() else _end_of_documents(sentences)
        held = _from_line(lines, sentences[cut].line) if cut < len(sentences) else b""
        if len(held) > self.models.limits.body:
            raise too_much("body", self.models.limits.body, len(held), 413)
        self._check(sentences[cut:])
        return self._tag(sentences[:cut]), sum(map(len, sentences[:cut])), held

    def _plain(self, lines: bytes) -> PlainSentences | None:
        is_plain = self.wanted == ReplyOptions()
        return plain_lines(lines, self.served, self.opened.top.name, self.models.limits) if is_plain else None

    def _check(self, sentences: list[Sentence]) -> None:
        check_sizes([len(sentence) for sentence in sentences], self.models.limits)
        check_characters(sentences, self.models.limits)

    def _tag(self, sentences: list[Sentence]) -> bytes:
        self._check(sentences)
        asked = self.asked(sentences)
        check_wanted(asked, self.wanted, self.models.limits)
        reply = "".join(f"{strict_dumps(entry)}\n" for entry in tag_sentences(asked, self.wanted)).encode()
        check_reply(len(reply), self.models.limits)
        return reply

    def asked(self, sentences: list[Sentence]) -> Asked:
        """Return sentences as those of a request."""
        return Asked(self.served, self.opened, sentences, None, None, "", [])


def _read(lines: bytes, first: int) -> list[Sentence]:
    try:
        return list(read_jsonl(Body(lines)))
    except PerceptagError as error:
        problem = problem_of(error)
        if "line" in (place := problem.more.get("where", {})):
            line = place["line"]
            place["line"] += first - 1
            problem.detail = problem.detail.replace(f"body:{line}", f"body:{place['line']}")
        raise problem from None


def _end_of_documents(sentences: list[Sentence]) -> int:
    """Return how many sentences are in documents that have ended. A sentence without a document is one."""
    if not sentences or _document(sentences[-1]) is None:
        return len(sentences)
    return max((i for i, s in enumerate(sentences) if s.starts_document or _document(s) is None), default=0)


def _from_line(lines: bytes, number: int) -> bytes:
    """Return the lines from one on, counted from 1, with line ends as the reader counts them."""
    return b"\n".join(lines.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")[number - 1 :])


def _document(sentence: Sentence) -> Any:
    record = getattr(sentence.layout, "record", None)
    return record.get("document") if isinstance(record, dict) else None


def _parameters(given: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {"model": "", "layer": "", "want": "", "n": "1", "min_confidence": "0"}
    for name, value in given.items():
        if name not in PARAMETERS:
            expected = f"expected some of {', '.join(PARAMETERS)}"
            raise HttpProblem(422, f"parameters: {expected}; found {brief(name)}{nearest(name, PARAMETERS)}")
        found[name] = value
    found["want"] = words_in(found["want"], "want")
    found["n"] = int(number_in("n", found["n"]))
    return found | {"min_confidence": number_in("min_confidence", found["min_confidence"])}
