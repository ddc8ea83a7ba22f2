"""What becomes of a call, and how a worker carries it out, the same way in a thread, a process or an actor."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from perceptag.errors import DataError, PerceptagError


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
