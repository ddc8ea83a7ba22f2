"""Limits of requests, and the work that a request asks for, counted before it begins: a search cannot be stopped.

All limits are settings, and ``GET /v1/limits`` tells them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from perceptag.errors import SettingError, brief, nearest
from perceptag.models.protocol import ReadyModel
from perceptag.pipeline.pipeline import Pipeline
from perceptag.server.problems import HttpProblem, too_much
from perceptag.text.sentence import Sentence

MEBIBYTE = 1 << 20
_RUN = re.compile(r"[^\W_]*")  # of what `str.isalnum` accepts


def _limit(value: float, about: str) -> Any:
    return field(default=value, metadata={"about": about})


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a server; times are in seconds."""

    header: int = _limit(1 << 16, "bytes of the header of a request")
    header_lines: int = _limit(256, "lines of the header of a request")
    body: int = _limit(8 * MEBIBYTE, "bytes of a body; a stream of JSON lines may be of any length")
    line: int = _limit(MEBIBYTE, "bytes of a line in a stream of JSON lines")
    reply: int = _limit(32 * MEBIBYTE, "bytes of a reply about text; a part of a stream of JSON lines is a reply")
    text: int = _limit(1_000_000, "characters of running text in a request")
    sentences: int = _limit(10_000, "sentences in a request")
    tokens: int = _limit(200_000, "tokens in a request, and of a document in a stream")
    sentence_tokens: int = _limit(5_000, "tokens of a sentence")
    token_characters: int = _limit(1_000, "characters of a token, or of a value in another column")
    nbest: int = _limit(100, "labellings in a list of the n best")
    explain_sentences: int = _limit(50, "sentences of a document of which one is explained")
    work: int = _limit(1_000_000_000, "steps of search, counted before they begin: tokens times pairs of labels")
    header_seconds: float = _limit(5, "until the header of a request is complete")
    body_seconds: float = _limit(10, "of waiting for a body; each MiB that has come adds one second")
    stream_seconds: float = _limit(20, "of silence in a stream of JSON lines")
    idle_seconds: float = _limit(5, "between two requests of a connection")
    answer_seconds: float = _limit(30, "until a request is answered")
    work_seconds: float = _limit(10, "of work on a request by a worker, which is then ended (--workers)")
    worker_jobs: int = _limit(100_000, "calls of a worker, which is then replaced (--workers)")
    worker_growth: int = _limit(256 * MEBIBYTE, "bytes by which a worker may grow until it is replaced (--workers)")
    reload_seconds: float = _limit(120, "until a model is loaded again; the old one then stays (--workers)")
    unready_seconds: float = _limit(
        5, "with a full queue, or all threads or workers busy with one request each, until /readyz fails"
    )
    write_seconds: float = _limit(30, "of waiting for a client to read a part of its reply")
    stop_seconds: float = _limit(3, "for requests in flight when the server stops")
    queue: int = _limit(64, "requests that wait for a core")
    bodies: int = _limit(
        256 * MEBIBYTE, "bytes of all bodies that are being received, but for the first 64 KiB of each"
    )
    connections: int = _limit(
        1_000,
        "open connections; beyond them those that wait are closed, the longest first, from the address with the most",
    )

    def to_dict(self) -> dict[str, float]:
        """Return all limits by name."""
        return {one.name: getattr(self, one.name) for one in fields(self)}


def limits_of(words: Iterable[str]) -> Limits:
    """Make limits of words such as ``body=1000``; the others are as usual."""
    known = {one.name: one.type for one in fields(Limits)}
    found: dict[str, float] = {}
    for word in words:
        name, _, value = word.partition("=")
        if name not in known:
            raise SettingError(
                f"--limit: expected one of {', '.join(known)}; found {brief(name)}{nearest(name, known)}"
            )
        found[name] = _number(name, value, whole=known[name] == "int")
    return Limits(**found)  # type: ignore[arg-type]  # each has the type of its field


def _number(name: str, value: str, whole: bool) -> float:
    try:
        number: float = int(value) if whole else float(value)
    except ValueError:
        number = math.nan
    if not 0 < number < 1 << 50:
        kind = "whole number" if whole else "number"
        raise SettingError(f"--limit: expected {name}=VALUE with a {kind} above 0, found {brief(value)}")
    return number


AT_ONCE = 300  # tokens that are tagged without a thread: few enough that others do not wait for them
STEPS_AT_ONCE = 20_000_000


def check_runs(text: str, limits: Limits) -> None:
    """Refuse letters and digits in a row that are far too many for a token, before anything searches them for tokens.

    Runs up to twice as long as a token may go through: only longer ones surely have a whole piece of the text inside.
    """
    size = limits.token_characters + 1
    for place in range(0, len(text) - size + 1, size):
        if text[place : place + size].isalnum():
            before, after = _RUN.match(text[:place][::-1]), _RUN.match(text, place)
            assert before is not None
            assert after is not None
            raise too_much("token_characters", size - 1, len(before[0]) + len(after[0]))


def check_sizes(lengths: Sequence[int], limits: Limits) -> None:
    """Refuse too many sentences, too many tokens, or a sentence that is too long."""
    if len(lengths) > limits.sentences:
        raise too_much("sentences", limits.sentences, len(lengths), 413)
    if sum(lengths) > limits.tokens:
        raise too_much("tokens", limits.tokens, sum(lengths), 413)
    if max(lengths, default=0) > limits.sentence_tokens:
        number = next(i for i, length in enumerate(lengths) if length > limits.sentence_tokens)
        raise too_much("sentence_tokens", limits.sentence_tokens, lengths[number], where={"sentence": number})


def steps_of_tagging(opened: Pipeline, sentences: Sequence[Sentence], n: int = 1) -> int:
    """Return the steps that the labels of all layers take, and lists of the n best labellings."""
    return steps_of_lengths(opened, [len(sentence) for sentence in sentences], n)


def steps_of_lengths(opened: Pipeline, lengths: Sequence[int], n: int = 1) -> int:
    """Return the same for sentences of these lengths."""
    each = sum(_each(layer.ready) for layer in opened.layers)
    return sum(lengths) * (each + (n - 1) * _labels(opened.top.ready))


def steps_of_explaining(ready: ReadyModel, sentences: Sequence[Sentence]) -> int:
    """Return the steps that an explanation takes: a search of the sequence for every token."""
    lengths = [sum(map(len, sequence)) for sequence in ready.reader.sequences(sentences)]
    return sum(length * length for length in lengths) * _each(ready)


def check_steps(steps: int, limits: Limits) -> None:
    """Refuse work that would take too long."""
    if steps > limits.work:
        raise too_much("work", limits.work, steps)


def check_reply(size: int, limits: Limits) -> None:
    """Refuse a reply that is, or will at least be, too large."""
    if size > limits.reply:
        raise too_much("reply", limits.reply, size)


def _each(ready: ReadyModel) -> int:
    """Return the steps at one token."""
    return int(_labels(ready) ** (ready.label_order + 1)) + _labels(ready) * (ready.most_candidates or 0)


def _labels(ready: ReadyModel) -> int:
    return len(ready.model.label_set.names)


def is_small(tokens: int, steps: int) -> bool:
    """Return whether work is done sooner than a thread for it would begin."""
    return tokens <= AT_ONCE and steps <= STEPS_AT_ONCE


def busy() -> HttpProblem:
    """Return what a client is told when too many others wait."""
    return HttpProblem(503, "the server is busy; try again").because("queue").with_header(b"retry-after", b"1")
