"""Long work in steps: a generator that yields between steps and returns its result at the end."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

T = TypeVar("T")
Steps = Generator[None, None, T]


def finish(steps: Steps[T]) -> T:
    """Run all steps, and return the result."""
    results: list[T] = []

    def run() -> Steps[None]:
        results.append((yield from steps))

    for _ in run():
        pass
    return results[0]
