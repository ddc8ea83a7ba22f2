"""``perceptag train --on``: training on files that are read in parts, by threads, processes or the machines of Ray."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import zip_longest

from perceptag.cli.bar import Bar
from perceptag.cli.input_files import DEV_IS_TRAIN, other_first_column, read_dev, refuse_single_label
from perceptag.cli.training_run import (
    Keeping,
    Run,
    Say,
    TrainingFiles,
    TrainingResult,
    carry_out,
    checkpoint_of,
    notes_on_recipe,
    refuse_inputs,
)
from perceptag.cluster.one_place import find_place, require_memory
from perceptag.cluster.refusals import why_together
from perceptag.cluster.sources import Source, open_source
from perceptag.cluster.training import Spread, spread_trainings
from perceptag.engines.calls import Engine
from perceptag.engines.engine_names import engine as named_engine
from perceptag.errors import DataError, SettingError
from perceptag.foreign.label_column import choose_label
from perceptag.recipe.recipe import Recipe
from perceptag.system.cores import cores
from perceptag.tagging.naming import format_of
from perceptag.text.sentence import Sentence
from perceptag.training.checkpoint import files_of
from perceptag.training.fit import Plan
from perceptag.training.train import Training

QUICK = 2.0  # seconds: a pass that is quicker gains nothing from other machines


def train_on(
    files: TrainingFiles,
    plan: Plan,
    model: str,
    keeping: Keeping,
    run: Run,
    describe: Callable[[Training], list[str]],
    option: str = "",
) -> TrainingResult | None:
    """Train on the engine of a plan and write the model; None if one process must hold all sentences, as a note says.

    `describe` says what the data are. `option`: one that needs all sentences.
    """
    engine, note = plan.on, plan.note
    assert engine is not None
    source = open_source([files.train], files.format, files.columns)
    refuse_inputs(model, paths := list(dict.fromkeys(part.path for part in source.parts)))  # which a pattern may find
    if why := f"{option} looks at all of them" if option else why_together(plan.recipe):
        note_on_one_place(paths, why, note)
        return None
    _refuse_other_first_column(source, files)
    column = _label(source, files, plan.recipe)
    with Bar("reading", None, "parts") as bar:
        place = find_place(plan, source, column, bool(files.dev), engine, _on(bar))
    if place.resolved is None:
        note_on_one_place(paths, place.why, note)
        return None
    refuse_inputs(model, files_of(place.resolved.recipe))
    dev = read_dev(files.dev, files.format, files.columns, [source.first()], column) if files.dev else None
    if dev and _are_the_same(source, dev):
        note(DEV_IS_TRAIN)
    for line in notes_on_recipe(place.resolved, plan.settings):
        note(line)
    with ExitStack() as open_until_the_end:
        with Bar("reading", None, "parts") as bar:
            spread = Spread(source, dev, cores(files.workers), plan.code.allowed, _on(bar))
            make = open_until_the_end.enter_context(spread_trainings(place.resolved.recipe, engine, spread))
        if len(make.label_set.names) < 2 and not make.label_set.is_open:
            refuse_single_label(list(source.read(source.first_part())), make.label_set.column)
        checkpoint = checkpoint_of(model) if keeping.resume else ""
        one = replace(plan, threads=1)  # one short run at a time: all of them have the same workers
        training = one.begin(place.resolved, (), dev, checkpoint=checkpoint, make=make)
        for line in (*describe(training), *training.task.notes):
            note(line)
        outcome = carry_out(training, model, run, keeping=keeping, note=note)
    if engine.name != "threads" and outcome.reports and max(r.seconds for r in outcome.reports) < QUICK:
        note("note: a pass took less than two seconds; one machine, without --on, is faster for this data")
    return outcome


def engine_of(files: TrainingFiles) -> Engine:
    """The engine that --on names, for files that can be read in parts."""
    found = named_engine(files.on, files.workers)
    if files.train == "-":
        raise SettingError("--train: expected files, which can be read in parts, with --on; found standard input")
    return found


def note_on_one_place(paths: Sequence[str], why: str, note: Say) -> None:
    """Say why this process trains the model, if it can hold all sentences."""
    require_memory(paths, why)
    note(f"note: this process holds all sentences: {why}")


def _refuse_other_first_column(source: Source, files: TrainingFiles) -> None:
    """Refuse a column file whose first column, in its first part, has something else than words."""
    first = source.first_part()
    path = source.parts[first].path
    if not files.columns and (hint := other_first_column(path, files.format, list(source.read(first)))):
        raise DataError(hint, path)


def _label(source: Source, files: TrainingFiles, recipe: Recipe) -> str:
    """The column of the labels. What is usual in the format counts only if the first part shows it."""
    named = files.label or recipe.labels_column
    if named:
        return choose_label([source.first()], named)
    first = source.first_part()
    form = format_of(source.parts[first].path, files.format)  # a pattern need not have the ending of its files
    sentences = [s for s in source.read(first) if len(s)]
    found = choose_label(sentences, "", form)
    usual = [name for name in form.label_columns if name in sentences[0].columns] or [*form.label_columns[:1]]
    if usual and found != usual[0]:
        raise SettingError(
            f"--label: expected the column of the labels, since {usual[0]!r} is empty in the first part of the data"
        )
    return found


def _are_the_same(source: Source, dev: Sequence[Sentence]) -> bool:
    """Whether the dev data is the training data. Only as much is read as is equal, and the part where it is not."""
    train = (sentence for number in range(len(source.parts)) for sentence in source.read(number))
    return all(a is not None and b is not None and a.columns == b.columns for a, b in zip_longest(train, dev))


def _on(bar: Bar) -> Callable[[str, int, int, int], None]:
    """Return a function that shows on a bar how far the survey is."""

    def show(what: str, done: int, of: int, _: int) -> None:
        bar.what = what
        bar.show(done, of)

    return show
