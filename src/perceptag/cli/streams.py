"""Write what the command line prints, and end with a status that has a meaning.

    stdout   data: tagged text, reports, JSON
    stderr   everything else: progress, notes, errors
    status   0 done · 1 failed check · 2 usage or bad input · 130 interrupted · 141 the reader of a pipe is gone

An error that a user can cause is shown in one line, without a traceback. Any other exception is a bug in perceptag,
and is shown with its traceback.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

from perceptag.cli import bar
from perceptag.errors import FileWarning, LostLabel, PerceptagError, SettingError, for_command_line
from perceptag.system.interrupts import INTERRUPTED, forget, raise_again
from perceptag.system.output_files import is_stdout, open_output, text_writer
from perceptag.system.platform.signals import hang_up
from perceptag.system.visible import visible_lines

DONE, FAILED_CHECK, BAD_INPUT, BUG, BROKEN_PIPE = 0, 1, 2, 70, 141


def write_stdout(text: str) -> None:
    """Write data to standard output, in UTF-8 whatever the locale."""
    write_text("-", text if text.endswith("\n") else f"{text}\n")


def write_text(path: str, text: str) -> None:
    """Write a file."""
    with open_output(path) as stream:
        text_writer(stream)(text)


def write_json(value: object) -> None:
    """Write one JSON object to standard output."""
    import json  # few commands write it

    write_stdout(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False))


def refuse_json_behind(option: str, path: str) -> None:
    """Refuse ``--json`` if the model goes to standard output: the JSON would damage it."""
    if is_stdout(path):
        raise SettingError(f"{option} {path} and --json: both would go to standard output; write the model to a file")


def write_stderr(text: str) -> None:
    """Tell the user something that is not data. If that fails, e.g. on a full disk, the work continues."""
    with suppress(OSError), bar.hidden():
        print(_in_width(visible_lines(text)), file=sys.stderr, flush=True)


def _in_width(text: str) -> str:
    """Lines that a terminal would cut inside a word, cut between words."""
    if not sys.stderr.isatty():
        return text
    from perceptag.system.table import in_terminal_width

    return in_terminal_width(text)


def stand_in_for_closed_streams() -> None:
    """Replace standard streams that the caller has closed, which Python sets to None.

    Reading from stdin or writing to stdout then fails as with any other file, and messages go nowhere. No file that is
    opened later can get the number of a standard stream.
    """
    for name, access, mode in (("stdin", os.O_WRONLY, "r"), ("stdout", os.O_RDONLY, "w"), ("stderr", os.O_WRONLY, "w")):
        if getattr(sys, name) is None:
            raw = io.FileIO(os.open(os.devnull, access), mode, closefd=False)  # without a buffer to flush at the end
            setattr(sys, name, io.TextIOWrapper(raw, "utf-8", write_through=True))


@contextmanager
def file_warnings_told(tell: Callable[[str], None]) -> Iterator[None]:
    """Call `tell` with each warning about a file, once."""
    told: set[str] = set()
    with warnings.catch_warnings():
        warnings.filterwarnings("always", category=FileWarning)
        show = warnings.showwarning

        def show_or_tell(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
            if not issubclass(category, FileWarning):
                show(message, category, *place, **more)
            elif str(message) not in told:
                told.add(str(message))
                tell(f"warning: {message}")

        warnings.showwarning = show_or_tell
        yield


def write_nothing(text: str) -> None:
    """Write no message at all."""
    del text


def write_losses(text: str) -> None:
    """Write as `write_stderr` does with ``--quiet``: only what is lost is said."""
    if isinstance(text, LostLabel):
        write_stderr(text)


def check_failed(message: str) -> SystemExit:
    """Return the exception to raise when the command worked but its check failed."""
    write_stderr(f"perceptag: {message}")
    return SystemExit(FAILED_CHECK)


def run_guarded(work: Callable[[], None]) -> None:
    """Turn errors that a user can cause into a line on stderr and an exit status."""
    status = BUG
    try:
        with sigterm_as_interrupt():
            raise_again()
            work()
        return
    except BrokenPipeError:
        status = BROKEN_PIPE
        _discard_stdout()
    except KeyboardInterrupt:
        status = INTERRUPTED
        write_stderr("perceptag: interrupted")
    except (PerceptagError, OSError, MemoryError) as error:
        status = BAD_INPUT
        write_stderr(f"perceptag: error: {describe(error)}")
    except Exception:
        import traceback

        traceback.print_exc()
        write_stderr("perceptag: this is a bug in perceptag; please report it with the lines above")
    raise SystemExit(status)


def describe(error: BaseException) -> str:
    """An error in one line."""
    if isinstance(error, MemoryError):
        return "out of memory"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename is not None else error.strerror
    return " ".join(for_command_line(error).split("\n"))


def _discard_stdout() -> None:
    """Let the interpreter flush into nothing: the reader is gone, and the user need not be told."""
    with suppress(OSError, ValueError):  # a stream without a descriptor does not need this
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def stoppable() -> Iterator[None]:
    """For a server that starts: who stops it gets status 0, as later."""
    try:
        yield
    except KeyboardInterrupt:
        forget()


@contextmanager
def sigterm_as_interrupt() -> Iterator[None]:
    """Let SIGTERM, and SIGHUP unless it is ignored (nohup), end the work as Ctrl-C does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    names = [signal.SIGTERM, *hang_up()]
    before = [signal.signal(name, _interrupt) for name in names]
    try:
        yield
    finally:
        for name, handler in zip(names, before, strict=True):
            signal.signal(name, handler)


def _interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - signal.signal passes them
    raise KeyboardInterrupt
