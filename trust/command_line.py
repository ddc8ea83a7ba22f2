"""The command line inside this process, for as many commands as a check wants to give."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout

from perceptag.cli import main


def run(words: Sequence[str]) -> tuple[int, str, str]:
    """The status of a command with an empty input, and what it printed on both streams."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        sys.stdin = io.TextIOWrapper(io.BytesIO(), "utf-8")
        status = main(list(words))
    out.flush(), err.flush()
    return status, *(stream.buffer.getvalue().decode(errors="replace") for stream in (out, err))
