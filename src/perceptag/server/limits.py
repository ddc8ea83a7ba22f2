"""What a request may ask for. All limits are settings, and ``GET /v1/limits`` tells them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Any

from perceptag.errors import SettingError, brief, nearest

MEBIBYTE = 1 << 20


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
    write_seconds: float = _limit(30, "of waiting for a client to read a part of its reply")
    stop_seconds: float = _limit(3, "for requests in flight when the server stops")
    queue: int = _limit(64, "requests that wait for a core")
    bodies: int = _limit(
        256 * MEBIBYTE, "bytes of all bodies that are being received, but for the first 64 KiB of each"
    )
    connections: int = _limit(1_000, "open connections; beyond them the one that has waited longest is closed")

    def to_dict(self) -> dict[str, float]:
        """Return all limits by name."""
        return {one.name: getattr(self, one.name) for one in fields(self)}


def about_limits() -> dict[str, str]:
    """Return what each limit is about."""
    return {one.name: one.metadata["about"] for one in fields(Limits)}


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
