"""A bar on the terminal for work that takes longer than two seconds: what is done, how fast, and the time left.

It is one line on stderr, and only at a terminal: pipes, logs and CI never see it. It is gone when the work ends,
however it ends. A thread draws it twice a second, so the work itself only has to store a number.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import TracebackType

from perceptag.system.read_positions import place_in

APPEARS = 2.0  # seconds after the beginning
EVERY = 0.5  # seconds between two drawings
BYTES = "MB"  # the unit of work that is counted in bytes
_WIDEST = 30  # characters of the bar itself
_ERASE = "\r\x1b[K"

_shown: Bar | None = None  # there is one line, so there is one bar
_is_quiet = False


class Bar:
    """Shows how far some work is while the block runs. `done` is set by the work, or asked of `ask`."""

    def __init__(
        self,
        what: str,
        total: int | None = None,
        unit: str = "",
        *,
        done: int = 0,
        hide: bool = False,
        ask: Callable[[], int | None] | None = None,
    ) -> None:
        self.what, self.total, self.unit = what, total, unit
        self.done = self.first = done
        self._ask = ask
        self._hide = hide
        self._began = time.monotonic()
        self._changed = self._began, done  # when the work last got further, and how far
        self._lock = threading.RLock()
        self._end = threading.Event()
        self._thread: threading.Thread | None = None
        self._is_drawn = False
        self._pid = os.getpid()

    def __enter__(self) -> Bar:
        global _shown  # noqa: PLW0603 - there is one terminal
        if _shown is None and not self._hide and is_wanted():
            _shown = self
            self._thread = threading.Thread(target=self._draw_often, name="perceptag-bar", daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        global _shown  # noqa: PLW0603
        if self._thread is not None:
            _shown = None
            self._end.set()
            self._thread.join()
            self._erase()

    def advance(self, number: int = 1) -> None:
        """Count one more, or some more."""
        self.done += number

    def counting(self, note: Callable[[str], object]) -> Callable[[str], None]:
        """Wrap a function so that each call advances the bar."""

        def counted(text: str) -> None:
            self.advance()
            note(text)

        return counted

    def show(self, done: int, total: int) -> None:
        """Say how much is done of how much."""
        self.done, self.total = done, total

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Lines can be printed in the block; the bar is below them afterwards."""
        if self._pid != os.getpid():  # a forked worker, which has no thread that draws
            yield
            return
        with self._lock:
            was_drawn = self._is_drawn
            self._erase()
            try:
                yield
            finally:
                if was_drawn and not self._end.is_set():
                    self._draw()

    def _draw_often(self) -> None:
        seconds = APPEARS
        while not self._end.wait(seconds):
            seconds = EVERY
            with self._lock:
                if not self._end.is_set() and _is_in_front():
                    self._draw()

    def _draw(self) -> None:
        now = time.monotonic()
        if self._ask is not None and (found := self._ask()) is not None:
            self.done = found
        if self.done != self._changed[1]:
            self._changed = now, self.done
        spent, since = self._changed[0] - self._began, now - self._changed[0]
        text = line(self, spent, since, _columns() - 1, _has_blocks())
        self._write(_ERASE + text)
        self._is_drawn = True

    def _erase(self) -> None:
        if self._is_drawn:
            self._write(_ERASE)
            self._is_drawn = False

    def _write(self, text: str) -> None:
        with suppress(OSError, ValueError):  # a terminal that is gone does not end the work
            sys.stderr.write(text)
            sys.stderr.flush()


def line(bar: Bar, spent: float, since: float, width: int, blocks: bool) -> str:
    """The line of a bar. `spent`: seconds up to the last step; `since`: seconds after it. It fits into `width`."""
    rate = (bar.done - bar.first) / spent if spent > 0 else 0.0
    facts = [_amount(bar)] if bar.total or bar.done else []
    if rate:
        facts.append(_speed(rate, bar.unit))
    if rate and bar.total:
        from perceptag.system.visible import duration  # work that ends at once need not wait for it

        facts.append(f"about {duration(max(0.0, (bar.total - bar.done) / rate - since))} left")
    else:
        facts.append(f"{spent + since:.0f} s so far")
    while len(facts) > 1 and len(f"{bar.what}: {', '.join(facts)}") > width:
        del facts[-2]  # the time is what people look for
    text = ", ".join(facts)
    room = min(_WIDEST, width - len(bar.what) - len(text) - 3)
    if not bar.total or room < 5:
        return f"{bar.what}: {text}"[: max(0, width)]
    full = min(room, room * bar.done // bar.total)
    return f"{bar.what} {('━' if blocks else '#') * full}{('╌' if blocks else '-') * (room - full)} {text}"


def _amount(bar: Bar) -> str:
    if bar.unit == BYTES:
        of = "" if bar.total is None else f" of {bar.total / 1e6:.1f}"
        return f"{bar.done / 1e6:.1f}{of} MB"
    of = "" if bar.total is None else f" of {bar.total:,}"
    return f"{bar.done:,}{of} {bar.unit}".rstrip()


def _speed(rate: float, unit: str) -> str:
    if unit == BYTES:
        return f"{rate / 1e6:.1f} MB/s"
    return f"{rate:,.0f}/s" if rate >= 10 else f"{1 / rate:.1f} s each"


def is_quiet() -> bool:
    """Whether --quiet was given."""
    return _is_quiet


def be_quiet(quiet: bool) -> None:
    """Show no bar from now on, or show them again."""
    global _is_quiet  # noqa: PLW0603
    _is_quiet = quiet


def is_wanted() -> bool:
    """Whether stderr is a terminal on which a line can be replaced, with a person before it."""
    try:
        at_terminal = sys.stderr.isatty()
    except ValueError:  # it is closed
        return False
    return at_terminal and not _is_quiet and os.environ.get("TERM") != "dumb" and not os.environ.get("CI")


def reading(what: str, path: str, *, hide: bool = False) -> Bar:
    """A bar that shows how far the file `path` has been read; for standard input and other streams only the time."""
    is_file = path != "-" and os.path.isfile(path)  # noqa: PTH113 - any text may be there, and a NUL is refused later
    total = os.path.getsize(path) if is_file else None  # noqa: PTH202
    return Bar(what, total or None, BYTES if total else "", hide=hide, ask=lambda: place_in(path))


@contextmanager
def hidden() -> Iterator[None]:
    """Hide the bar, if there is one, while lines are printed."""
    if _shown is None:
        yield
        return
    with _shown.hidden():
        yield


def _columns() -> int:
    """How wide the terminal is now; the usual width if it does not say."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def _is_in_front() -> bool:
    """Whether this is the job that the terminal shows; one in the background must not write over a prompt."""
    try:
        return os.tcgetpgrp(sys.stderr.fileno()) == os.getpgrp()
    except (OSError, ValueError, AttributeError):  # it is the terminal of another session, or not a system with jobs
        return True


def _has_blocks() -> bool:
    try:
        "━╌".encode(getattr(sys.stderr, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
