"""What training shows while it runs: a line for each pass, and a bar on a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from perceptag.cli.bar import Bar
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
    with Bar("training", table.epochs, "passes", done=len(training.reports)) as bar:
        for report in training.run():
            bar.advance()
            write_stderr(table.line(report))
            yield report
