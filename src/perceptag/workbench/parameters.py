"""What a request to the workbench may have: parameters of addresses, and keys of bodies."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from perceptag.errors import brief, nearest
from perceptag.server.problems import HttpProblem
from perceptag.server.request_body import BodyKey
from perceptag.server.tag_files import refuse_repeated

LABEL_CHARACTERS = 100  # of the name of a label
COMMENT_CHARACTERS = 10_000
LARGEST = 2**53  # numbers up to here are the same in every language

_UNIQUE = re.compile(r"[A-Za-z0-9._:-]{8,100}")
_TAB = re.compile(r"[A-Za-z0-9._:-]{1,100}")


@dataclass(frozen=True, slots=True)
class RequestParameter:
    """A parameter of an address."""

    read: Callable[[str], Any]  # raises ValueError
    expected: str
    default: Any = None


def number(low: int, high: int, default: int | None = None) -> RequestParameter:
    """A whole number within bounds."""

    def read(text: str) -> int:
        if not text.isascii() or not text.isdigit() or len(text) > 16 or not low <= int(text) <= high:
            raise ValueError
        return int(text)

    return RequestParameter(read, f"a number from {low} to {high}", default)


def one_of(*words: str, default: str | None = None) -> RequestParameter:
    """One of some words."""

    def read(text: str) -> str:
        if text not in words:
            raise ValueError
        return text

    return RequestParameter(read, f"one of {', '.join(words)}", default)


def some_text(most: int) -> RequestParameter:
    """Text of any kind."""

    def read(text: str) -> str:
        if len(text) > most:
            raise ValueError
        return text

    return RequestParameter(read, f"at most {most} characters", "")


def numbers(most: int) -> RequestParameter:
    """Numbers of sentences, separated by commas."""

    def read(text: str) -> list[int]:
        found = [int(word) for word in text.split(",") if word]
        if len(found) > most or any(not 0 <= n < LARGEST for n in found):
            raise ValueError
        return found

    return RequestParameter(read, f"at most {most} numbers separated by commas", ())


def flag_parameter() -> RequestParameter:
    """0 or 1."""
    return RequestParameter(lambda text: {"0": False, "1": True}[text], "0 or 1")


def read_parameters(request: Request, known: Mapping[str, RequestParameter]) -> dict[str, Any]:
    """Return the values of all parameters; refuse those that are not known."""
    refuse_repeated(request.query_params)
    found = {name: parameter.default for name, parameter in known.items()}
    for name, text in request.query_params.items():
        if name not in known:
            expected = f"expected some of {', '.join(known)}" if known else "expected none"
            raise HttpProblem(422, f"parameters: {expected}; found {name[:60]!r}{nearest(name, known)}")
        if text:
            found[name] = _value(name, text, known[name])
    return found


def _value(name: str, text: str, parameter: RequestParameter) -> Any:
    try:
        return parameter.read(text)
    except (ValueError, KeyError):
        raise HttpProblem(422, f"{name}: expected {parameter.expected}, found {brief(text)}") from None


def tab_of(request: Request) -> str:
    """Return the tab that asks; without one, the person counts as a tab."""
    found = request.headers.get("perceptag-tab", "")
    if found and not _TAB.fullmatch(found):
        raise HttpProblem(
            422, f"Perceptag-Tab: expected at most 100 letters, digits and any of .:_-; found {brief(found)}"
        )
    return found or f"person:{request.scope['perceptag.person'].name}"


def id_of(request: Request) -> int:
    """Return the number of the sentence in an address."""
    text = request.path_params["id"]
    if not text.isascii() or not text.isdigit() or len(text) > 16:
        raise HttpProblem(404, "there is no such sentence")
    return int(text)


def required(keys: dict[str, Any], *names: str) -> None:
    """Refuse a body without one of these keys."""
    for name in names:
        if keys[name] is None:
            raise HttpProblem(422, f"body: expected the key {name}, found none")


KEY = {
    "key": BodyKey(str, "a key of 8 to 100 letters, digits and any of .:_-, of which each change has its own", None,
               lambda text: bool(_UNIQUE.fullmatch(text))),
}  # fmt: skip
BASE = {"base_revision": BodyKey(int, "the number of a revision", None, lambda n: 0 <= n < LARGEST)} | KEY
