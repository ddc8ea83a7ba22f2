"""What training shows while it runs: a line for each pass, and a bar on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from perceptag.cli.streams import write_stderr
from perceptag.training.train import PassReport, Training


class Progress:
    """Prints a table to stderr, line by line."""

    def __init__(self, training: Training) -> None:
        recipe, label_set = training.task.recipe, training.task.label_set
        self.epochs = recipe.epochs
        self.kept = recipe.weights
        self.score = "accuracy" if label_set.outer == "none" else "F1"
        self.has_dev = training.task.dev is not None
        self.has_likelihood = training.trainer.log_likelihood is not None

    def head(self) -> str:
        """The names of the columns."""
        scores = f"  {f'dev {self.score}, last':>18}  {self.kept:>8}" if self.has_dev else ""
        likelihood = f"  {'log-likelihood':>14}" if self.has_likelihood else ""
        return f"{'pass':>4}  {'wrong sentences':>22}{likelihood}{scores}  {'seconds':>8}"

    def line(self, report: PassReport) -> str:
        """One pass."""
        wrong = f"{report.mistakes} of {report.sequences} ({100 * report.mistakes / report.sequences:.1f} %)"
        scores = ""
        if report.dev_last is not None and report.dev_kept is not None:
            scores = f"  {report.dev_last:18.2f}  {report.dev_kept:8.2f}"
        likelihood = f"  {report.log_likelihood:14.2f}" if report.log_likelihood is not None else ""
        best = "  best" if self.has_dev and report.is_best else ""
        return f"{report.epoch:4}  {wrong:>22}{likelihood}{scores}  {report.seconds:8.2f}{best}"


def run(training: Training, quiet: bool) -> Iterator[PassReport]:
    """Run all passes and show each; the caller gets the reports."""
    if quiet:
        yield from training.run()
        return
    progress = Progress(training)
    write_stderr(progress.head())
    for report in training.reports:
        write_stderr(progress.line(report))
    with _bar(progress.epochs, len(training.reports)) as bar:
        for report in training.run():
            bar(progress.line(report))
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
