"""Where work is carried out: calls to workers, which threads, processes or the actors of Ray hold.

A call may be carried out several times and in any order, so it must be a pure function of its arguments, or write the
same bytes each time. Nothing that an engine does can then change a result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


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
