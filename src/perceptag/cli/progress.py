"""What training shows while it runs: a line for each pass, and a bar on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from perceptag.cli.streams import write_stderr
from perceptag.training.pass_table import PassTable
from perceptag.training.train import PassReport, Training


def run(training: Training, quiet: bool) -> Iterator[PassReport]:
    """Run all passes and show each; the caller gets the reports."""
    if quiet:
        yield from training.run()
        return
    table = PassTable(training)
    write_stderr(table.head())
    for report in training.reports:
        write_stderr(table.line(report))
    with _bar(table.epochs, len(training.reports)) as bar:
        for report in training.run():
            bar(table.line(report))
            yield report


class _Bar:
    def __init__(self, total: int, done: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress

        self.console = Console(stderr=True, markup=False, highlight=False)
        self.rich = RichProgress(
            TextColumn("training"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=self.console,
            transient=True,
            refresh_per_second=4,
        )
        self.task = self.rich.add_task("", total=total, completed=done)

    def __call__(self, line: str) -> None:
        self.console.print(line, soft_wrap=True)
        self.rich.advance(self.task)


@contextmanager
def _bar(total: int, done: int) -> Iterator[Callable[[str], None]]:
    """A function that prints a line, above a bar if stderr is a terminal."""
    if not sys.stderr.isatty():
        yield write_stderr
        return
    bar = _Bar(total, done)
    with bar.rich:
        yield bar
