"""What ``perceptag classes`` shows while it runs: a line for each size, and a bar on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from perceptag.classes.clustering import ClassPass
from perceptag.cli.bar import BYTES, Bar
from perceptag.cli.streams import write_stderr


@contextmanager
def reading(total: int | None) -> Iterator[Callable[[int], None]]:
    """A function that is told how many bytes have been read."""
    with Bar("counting", total, BYTES) as bar:

        def read(place: int) -> None:
            bar.done = place

        yield read


def clustering(passes: Iterable[ClassPass], words: int, most: int, sizes: int, quiet: bool) -> Iterator[ClassPass]:
    """Show each pass; the caller gets it. There are at most `most` for each of the `sizes`."""
    done: dict[int, int] = {}
    with Bar("clustering", most * sizes, "passes") as bar:
        for report in passes:
            done[report.size] = most if report.is_last else report.number
            bar.done = sum(done.values())
            bar.what = f"{report.size} classes, {report.moved} of {words} words moved"
            if report.is_last and not quiet:
                write_stderr(line(report))
            yield report


def line(report: ClassPass) -> str:
    """One size in a line."""
    return f"{report.size} classes: {report.number} passes, {-report.likelihood:.3f} bits for each word"
