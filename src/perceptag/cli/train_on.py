"""``perceptag train --on``: training on files that are read in parts, by threads, processes or the machines of Ray."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest

from perceptag.cli.bar import left
from perceptag.cli.input_files import DEV_IS_TRAIN, choose_label, read_dev, refuse_other_file, refuse_same_file
from perceptag.cli.training_run import Keeping, Run, Say, TrainingFiles, TrainingResult, carry_out, checkpoint_of
from perceptag.cluster.refusals import refuse_settings
from perceptag.cluster.sources import Source, open_source
from perceptag.cluster.training import Spread, spread_training
from perceptag.engines.engine_names import engine
from perceptag.errors import SettingError
from perceptag.recipe.recipe import Recipe
from perceptag.system.cores import cores
from perceptag.tagging.naming import format_of
from perceptag.text.sentence import Sentence
from perceptag.training.fit import Plan
from perceptag.training.train import PassReport, Training

EVERY = 5.0  # seconds between two lines about progress
QUICK = 2.0  # seconds: a pass that is quicker gains nothing from other machines


def train_on(
    files: TrainingFiles, plan: Plan, model: str, keeping: Keeping, run: Run, describe: Callable[[Training], list[str]]
) -> TrainingResult:
    """Train on an engine and write the model. `describe` says what the data are."""
    place, note = engine(files.on, files.workers), plan.note
    if files.train == "-":
        raise SettingError("--train: expected files, which can be read in parts, with --on; found standard input")
    refuse_settings(plan.recipe_without_choices())  # before any file is read
    source = open_source([files.train], files.format, files.columns)
    for output in (model, checkpoint_of(model)):  # which a pattern may find
        refuse_same_file("--model", output, {part.path for part in source.parts})
    refuse_other_file("--model", model)
    chosen = plan.recipe_without_choices(_label(source, files, plan.recipe))
    dev = read_dev(files.dev, files.format, files.columns, [source.first()]) if files.dev else None
    if dev and _are_the_same(source, dev):
        note(DEV_IS_TRAIN)
    spread = Spread(source, dev, cores(files.workers), plan.code.allowed, progress=ProgressLines(note))
    with spread_training(chosen, place, spread) as training:
        for line in (*describe(training), *training.task.notes):
            note(line)
        outcome = carry_out(training, model, lambda t: _with_speed(run(t), t, note), keeping=keeping, note=note)
    if place.name != "threads" and outcome.reports and max(r.seconds for r in outcome.reports) < QUICK:
        note("note: a pass took less than two seconds; one machine, without --on, is faster for this data")
    return outcome


def _label(source: Source, files: TrainingFiles, recipe: Recipe) -> str:
    """The column of the labels. What is usual in the format counts only if the first part shows it."""
    named = files.label or recipe.labels_column
    if named:
        return choose_label([source.first()], named)
    first = source.first_part()
    form = format_of(source.parts[first].path, files.format)  # a pattern need not have the ending of its files
    found = choose_label([s for s in source.read(first) if len(s)], "", form)
    if form.label_columns and found != form.label_columns[0]:
        raise SettingError(
            f"--label: expected the column of the labels, since {form.label_columns[0]!r} is empty in the first part "
            "of the data"
        )
    return found


def _are_the_same(source: Source, dev: Sequence[Sentence]) -> bool:
    """Whether the dev data is the training data. Only as much is read as is equal, and the part where it is not."""
    train = (sentence for number in range(len(source.parts)) for sentence in source.read(number))
    return all(a is not None and b is not None and a.columns == b.columns for a, b in zip_longest(train, dev))


class ProgressLines:
    """Says every few seconds how far the survey is."""

    def __init__(self, note: Say, clock: Callable[[], float] = time.monotonic) -> None:
        self._note, self._clock = note, clock
        self._what, self._began, self._said = "", 0.0, 0.0

    def __call__(self, what: str, done: int, of: int, tokens: int) -> None:
        """Count what is done; say so if it is time."""
        now = self._clock()
        if what != self._what:
            self._what, self._began, self._said = what, now, now
        if now - self._said < EVERY:
            return
        self._said = now
        spent = now - self._began
        self._note(f"{what}: {done} of {of}, {speed(tokens, spent)}, {left(spent / done * (of - done))}")


def _with_speed(reports: Iterator[PassReport], training: Training, note: Say) -> Iterator[PassReport]:
    """The reports of the passes; those that take long are followed by a line about speed and time."""
    for report in reports:
        yield report
        rest = (training.task.recipe.epochs - report.epoch) * report.seconds
        if report.seconds >= EVERY and rest:
            note(f"pass {report.epoch}: {speed(training.task.tokens, report.seconds)}, {left(rest)}")


def speed(tokens: int, seconds: float) -> str:
    """Tokens in each second, for people.

    >>> speed(1_234_567, 2), speed(900, 1)
    ('617 k tokens/s', '900 tokens/s')
    """
    each = tokens / max(seconds, 1e-9)
    return f"{each / 1000:.0f} k tokens/s" if each >= 10_000 else f"{each:.0f} tokens/s"
