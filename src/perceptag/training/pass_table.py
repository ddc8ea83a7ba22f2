"""Run the passes of a training from Python: show them as a table, and report them to functions of the user."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

from perceptag.arrays import plain
from perceptag.errors import SettingError, brief
from perceptag.training.live_curve import LiveCurve, in_notebook
from perceptag.training.train import PassReport, Training

Callback = Callable[[PassReport], object]


def run_passes(training: Training, verbose: object, callbacks: Iterable[Callback]) -> None:
    """Run all passes. A callback that returns True ends training after the pass; all callbacks are asked first."""
    show, functions = _shower(PassTable(training), verbose), checked_callbacks(callbacks)
    for report in training.run():
        show(report)
        answers = [plain(function(report)) for function in functions]
        if any(answer is True for answer in answers):
            return


def _shower(table: PassTable, verbose: object) -> Callable[[PassReport], None]:
    """What shows a pass: a curve in a notebook, else a line of a table, or nothing."""
    if checked_verbose(verbose) and in_notebook():
        curve = LiveCurve(table.head(), table.score, table.kept)
        return lambda report: curve.add(report, table.line(report))
    say = printer(verbose)
    say(table.head())
    return lambda report: say(table.line(report))


def printer(verbose: object) -> Callable[[str], None]:
    """What shows a line to the user, or does not."""
    return _say if checked_verbose(verbose) else _say_nothing


def checked_verbose(verbose: object) -> bool:
    """Whether passes are shown. The argument is a truth value or a number, as scikit-learn has it."""
    given = plain(verbose)
    if not isinstance(given, int) or given < 0:
        raise SettingError(f"verbose: expected 0 or 1, found {brief(verbose)}")
    return given > 0


def checked_callbacks(callbacks: object) -> list[Callback]:
    """The functions that get a report after each pass."""
    if not isinstance(callbacks, (list, tuple)) or not all(map(callable, callbacks)):
        raise SettingError(f"callbacks: expected a list of functions, found {brief(callbacks)}")
    return list(callbacks)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _say_nothing(line: str) -> None:
    del line


class PassTable:
    """Makes a table of the passes of a training run, line by line."""

    def __init__(self, training: Training) -> None:
        recipe, label_set = training.task.recipe, training.task.label_set
        self.epochs = recipe.epochs
        self.kept = recipe.kinds_of_weights[0]
        self.score = "accuracy" if label_set.outer == "none" else "F1"
        self.unit = "words" if label_set.is_open else "documents" if recipe.unit == "document" else "sentences"
        self.has_dev = training.task.dev is not None
        self.has_likelihood = training.trainer.log_likelihood is not None

    def head(self) -> str:
        """The names of the columns."""
        scores = f"  {f'dev {self.score}, last':>18}  {self.kept:>8}" if self.has_dev else ""
        likelihood = f"  {'log-likelihood':>14}" if self.has_likelihood else ""
        return f"{'pass':>4}  {f'wrong {self.unit}':>22}{likelihood}{scores}  {'seconds':>8}"

    def line(self, report: PassReport) -> str:
        """One pass."""
        wrong = f"{report.mistakes} of {report.sequences} ({100 * report.mistakes / report.sequences:.1f} %)"
        scores = ""
        if report.dev_last is not None and report.dev_kept is not None:
            scores = f"  {report.dev_last:18.2f}  {report.dev_kept:8.2f}"
        likelihood = f"  {report.log_likelihood:14.2f}" if report.log_likelihood is not None else ""
        best = "  new best" if self.has_dev and report.is_best else ""
        return f"{report.epoch:4}  {wrong:>22}{likelihood}{scores}  {report.seconds:8.2f}{best}"
