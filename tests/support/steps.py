"""Cost counted in steps, which do not depend on the machine: the byte codes of Python that a call executes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, TypeVar

Text = TypeVar("Text")

ALLOWED = 1.3  # times as much for each token of a longer text; a quadratic cost would be `TIMES` times as much
TIMES = 4


def byte_codes(work: Callable[[], object]) -> int:
    """How many instructions of Python a call executes."""
    count = 0

    def trace(frame: FrameType, event: str, _: object) -> Callable[..., Any]:
        nonlocal count
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def growth(work: Callable[[Text], object], make: Callable[[int], Text], n: int) -> float:
    """By how many times the steps for each unit of a text grow, if it becomes `TIMES` as long."""
    few, many = make(n), make(TIMES * n)
    work(make(n // 2))  # what is made once; of another length, since answers may be remembered
    return byte_codes(lambda: work(many)) / byte_codes(lambda: work(few)) / TIMES
