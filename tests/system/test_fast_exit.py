"""The end of a process is that of `sys.exit`."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

LEAVE = "from perceptag.system.fast_exit import leave\n"


def ended(code: str) -> tuple[int, str]:
    command, buffered = [sys.executable, "-c", LEAVE + code], {**os.environ, "PYTHONUNBUFFERED": ""}
    done = subprocess.run(command, env=buffered, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_streams_are_flushed_and_functions_run() -> None:
    assert ended("import atexit; atexit.register(print, 'last'); print('first'); leave(3)") == (3, "first\nlast\n")


@pytest.mark.parametrize(
    "code",
    [
        "import threading, time; threading.Thread(target=lambda: (time.sleep(0.05), print('last'))).start(); leave(3)",
        "import sys; sys.setprofile(lambda *_: None)\ntry: leave(3)\nfinally: print('last')",
        "import sys; sys.settrace(lambda *_: None)\ntry: leave(3)\nfinally: print('last')",
    ],
)
def test_who_waits_for_the_end_sees_it(code: str) -> None:
    assert ended(code) == (3, "last\n")


def test_after_an_interrupt_other_threads_are_left_behind() -> None:
    code = (
        "import threading, time; threading.Thread(target=lambda: (time.sleep(60), print('last'))).start(); leave(130)"
    )
    assert ended(code) == (130, "")


def test_an_output_that_cannot_be_flushed_is_reported() -> None:
    code = "import os; print('x'); os.close(1); leave(0)"
    assert ended(code) == (120, "")


@pytest.mark.parametrize(("verb", "status"), [("serve", 0), ("annotate", 0), ("train", 130), ("", 130)])
def test_only_servers_are_told_to_stop_without_an_error(verb: str, status: int) -> None:
    code = f"""
import signal, sys
from perceptag.system.interrupts import leave_quietly
sys.argv = {["perceptag", verb]}
leave_quietly()
signal.raise_signal(signal.SIGTERM)
"""
    assert ended(code) == (status, "")


def test_ctrl_c_after_the_work_ends_it_without_a_traceback() -> None:
    code = """
import atexit, signal, sys
from perceptag.__main__ import command
sys.stderr, sys.argv = sys.stdout, ["perceptag", "--version"]
atexit.register(signal.raise_signal, signal.SIGINT)
command()
"""
    status, printed = ended(code)
    assert (status, len(printed.splitlines())) == (130, 2)  # the version, and how it was built
