"""Cost counted in steps, which do not depend on the machine: the lines of Python that a call runs.

What the core does has no such steps. There the processor times of two calls are compared, in the same process.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from types import FrameType
from typing import Any, TypeVar
from unittest import mock

Text = TypeVar("Text")

ALLOWED = 1.3  # times as much for each token of a longer text; a quadratic cost would be `TIMES` times as much
TIMES = 4
_SUBMIT = ThreadPoolExecutor.submit


def lines_run(work: Callable[[], object]) -> int:
    """How many lines of Python a call runs, here and in thread pools; each turn of a loop within one line counts."""
    count = 0

    def trace(_: FrameType, event: str, __: object) -> Callable[..., Any]:
        nonlocal count
        count += event == "line"
        return trace

    def traced(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            before = sys.gettrace()
            sys.settrace(trace)
            try:
                return function(*arguments, **named)
            finally:
                sys.settrace(before)

        return call

    def submit(pool: ThreadPoolExecutor, function: Callable[..., Any], *arguments: Any, **named: Any) -> Future[Any]:
        return _SUBMIT(pool, traced(function), *arguments, **named)

    with mock.patch.object(ThreadPoolExecutor, "submit", submit):
        traced(work)()
    return count


def growth(work: Callable[[Text], object], make: Callable[[int], Text], n: int) -> float:
    """By how many times the steps for each unit of a text grow, if it becomes `TIMES` as long."""
    few, many = make(n), make(TIMES * n)
    work(make(n // 2))  # what is made once; of another length, since answers may be remembered
    return lines_run(lambda: work(many)) / lines_run(lambda: work(few)) / TIMES


def costs_no_more(one: Callable[[], object], other: Callable[[], object], allowed: float = 1.0) -> bool:
    """Whether a call takes at most so many times the processor time of another; the least of each of its turns counts.

    Other processes may disturb a turn, so there are more turns until the answer is yes.
    """
    least = {one: float("inf"), other: float("inf")}
    for _ in range(20):
        for work, before in least.items():
            begin = time.process_time()
            work()
            least[work] = min(before, time.process_time() - begin)
        if least[one] <= allowed * least[other]:
            return True
    return False
