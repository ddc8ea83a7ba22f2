"""Calls to workers in threads, processes or actors of Ray, and what becomes of them.

A call may be carried out several times and in any order, so it must be a pure function of its arguments, or write the
same bytes each time. Nothing that an engine does can then change a result.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from perceptag.errors import DataError, PerceptagError


@dataclass(frozen=True, slots=True)
class Call:
    """One piece of work."""

    key: int  # of the result
    method: str  # of the worker
    arguments: tuple[object, ...] = ()  # what `Crew.share` returned is replaced by its value
    prefers: int | None = None  # calls with the same number go to the same worker where possible: it has the data


class Crew(Protocol):
    """Workers that are made once and live through many runs."""

    @property
    def size(self) -> int:
        """How many calls are carried out at the same time."""

    def share(self, value: object) -> object:
        """Put a value where all workers can reach it, for many calls."""

    def run(self, calls: Sequence[Call]) -> Iterator[tuple[int, Any]]:
        """Yield keys and results in any order, each key once; the first result of a call counts.

        A `PerceptagError` of a worker is raised here. If workers are lost again and again with the
        same call, that is a `LostWorkerError`.
        """

    def close(self) -> None:
        """End the workers."""


class Engine(Protocol):
    """Makes crews."""

    name: str

    def crew(self, make: Callable[[], object]) -> Crew:
        """Workers that `make` makes, where they are; it must be possible to pickle it."""


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a call."""

    value: object


@dataclass(frozen=True, slots=True)
class FailedCall:
    """The error of a call: the same would come again elsewhere."""

    error: BaseException


@dataclass(frozen=True, slots=True)
class Lost:
    """The worker is gone; another one can carry the call out."""

    reason: str


Outcome = Done | FailedCall | Lost


class LostWorkerError(DataError):
    """Workers were lost again and again while they carried out the same call; `key` is that of the call."""

    key: int = -1


class WorkerError(RuntimeError):
    """A bug, or something else that perceptag does not expect, in a worker elsewhere; the text is its traceback."""


class Holder:
    """Holds a worker, which is made for the first call."""

    def __init__(self, make: Callable[[], object]) -> None:
        self._make = make
        self._worker: object = None

    def carry_out(self, method: str, arguments: Sequence[object]) -> Done | FailedCall:
        """Carry out a call; every error is an outcome."""
        try:
            if self._worker is None:
                self._worker = self._make()
            return Done(getattr(self._worker, method)(*arguments))
        except Exception as error:
            return FailedCall(error)


def portable(outcome: Done | FailedCall) -> Done | FailedCall:
    """The same outcome for another process: errors that are not meant for users become text."""
    if isinstance(outcome, FailedCall) and not isinstance(outcome.error, (PerceptagError, OSError, MemoryError)):
        return FailedCall(WorkerError("".join(traceback.format_exception(outcome.error))))
    return outcome


def shared(crew: Crew, value: object) -> object:
    """Put sentences, or what holds them, where all workers can reach them."""
    try:
        return crew.share(value)
    except RecursionError:
        raise DataError(
            "the sentences have lists or objects nested too deep for several processes; try --threads 1"
        ) from None


def in_order(
    crew: Crew,
    method: str,
    calls: Sequence[tuple[object, ...]],
    *,
    homes: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> list[Any]:
    """The results of a method for some arguments.

    `homes`: the calls of the same number go to the same worker, also in later runs, where that is possible.
    `progress` is called after each call with how many are done, and how many there are.
    """
    every = [Call(k, method, given, k if homes else None) for k, given in enumerate(calls)]
    found: dict[int, Any] = {}
    try:
        for key, result in crew.run(every):
            found[key] = result
            if progress:
                progress(len(found), len(every))
    except LostWorkerError as error:
        raise DataError(
            f"a training run ended without a result: {error}; if memory ran out, one run at a time may do: --threads 1"
        ) from None
    return [found[k] for k in range(len(calls))]
