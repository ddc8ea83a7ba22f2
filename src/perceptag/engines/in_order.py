"""Calls of a training command, whose results come in the order of the calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from perceptag.engines.calls import Call, Crew
from perceptag.engines.outcomes import LostWorkerError
from perceptag.errors import DataError


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
