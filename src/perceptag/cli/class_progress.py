"""What ``perceptag classes`` shows while it runs: on a terminal a bar, elsewhere a line for each size."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from perceptag.classes.clustering import ClassPass
from perceptag.cli.streams import write_stderr

if TYPE_CHECKING:
    from rich.progress import Progress


@contextmanager
def reading(total: int | None, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A function that is told how many bytes have been read."""
    with _bars(quiet) as bars:
        if bars is None:
            yield lambda _: None
            return
        task = bars.add_task("counting", total=total)
        yield lambda place: bars.update(task, completed=place)


def clustering(passes: Iterable[ClassPass], words: int, most: int, quiet: bool) -> Iterator[ClassPass]:
    """Show each pass; the caller gets it."""
    with _bars(quiet) as bars:
        tasks: dict[int, int] = {}
        for report in passes:
            if bars is not None:
                if report.size not in tasks:
                    tasks[report.size] = int(bars.add_task("", total=most))
                text = f"{report.size} classes, pass {report.number}: {report.moved} of {words} words moved"
                bars.update(tasks[report.size], description=text, completed=most if report.is_last else report.number)  # type: ignore[arg-type]
            if report.is_last and not quiet:
                _say(bars, line(report))
            yield report


def line(report: ClassPass) -> str:
    """One size in a line."""
    return f"{report.size} classes: {report.number} passes, {-report.likelihood:.3f} bits for each word"


def _say(bars: Progress | None, text: str) -> None:
    if bars is None:
        write_stderr(text)
    else:
        bars.console.print(text, soft_wrap=True)


@contextmanager
def _bars(quiet: bool) -> Iterator[Progress | None]:
    """Bars on a terminal; None elsewhere, and for those who want quiet."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True, markup=False, highlight=False)
    with Progress(console=console, transient=True, refresh_per_second=4) as bars:
        yield bars
