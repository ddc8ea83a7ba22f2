"""The passes of a training run that is started from Python: shown, and reported to functions of the user."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

from perceptag.errors import SettingError, brief
from perceptag.numeric.scalars import plain
from perceptag.training.pass_table import PassTable
from perceptag.training.train import PassReport, Training

Callback = Callable[[PassReport], object]


def run_passes(training: Training, verbose: object, callbacks: Iterable[Callback]) -> None:
    """Run all passes. A callback that returns True ends training after the pass; all callbacks are asked first."""
    say, functions = printer(verbose), checked_callbacks(callbacks)
    table = PassTable(training)
    say(table.head())
    for report in training.run():
        say(table.line(report))
        answers = [plain(function(report)) for function in functions]
        if any(answer is True for answer in answers):
            return


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
