"""``perceptag tune --grow``: grow the templates of a recipe."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from perceptag.cli.bar import Bar
from perceptag.cli.declare import Option
from perceptag.cli.input_files import refuse_single_label
from perceptag.cli.options import AllowCode, FileOptions, Json, On, Overwrite, Quiet
from perceptag.cli.streams import write_json, write_nothing, write_stderr, write_stdout
from perceptag.cli.table import Table, render
from perceptag.cli.training_options import Jobs, RecipeOptions, Train, jobs_on
from perceptag.cli.tune import Pair, check_outputs, read_pair, work_of, write_text
from perceptag.errors import SettingError
from perceptag.recipe.toml_writer import to_toml
from perceptag.system.file_kinds import JSON_LINES, RECIPE
from perceptag.system.journal import Journal
from perceptag.trials.candidates import applied
from perceptag.trials.fold_trials import Effort, FoldTrials, OutOfTimeError
from perceptag.trials.grow import Growing, GrowLimits, Grown, check_recipe, keep_apart
from perceptag.trials.random_search import MAX_TRIALS

DEV = "Sentences for the final figure; default: a part of the training data is kept apart for it."


def tune_grow_cli(
    train_file: Train,
    reading: FileOptions,
    chosen: RecipeOptions,
    dev_file: Annotated[str, Option("--dev FILE", DEV)] = "",
    trials: Annotated[
        int, Option("N", "Recipes trained on all folds at most, with the unchanged one.", min=2, max=MAX_TRIALS)
    ] = 20,
    confirm: Annotated[int, Option("N", "Candidates that are trained in each round.", min=1, max=1000)] = 4,
    folds: Annotated[int, Option("N", "Parts of the training data for cross-validation.", min=2, max=100)] = 5,
    runs: Annotated[int, Option("N", "Trainings on each fold, with different seeds.", min=1, max=100)] = 1,
    passes: Annotated[
        int, Option("N", "Passes of the trainings on folds; 0: as the recipe says.", min=0, max=1000)
    ] = 5,
    errors: Annotated[
        float, Option("X", "Keep a change only if its gain is above X standard errors.", min=0, max=100)
    ] = 2.0,
    remove: Annotated[bool, Option("--remove", "Try to leave templates out, too.")] = False,
    minutes: Annotated[float, Option("X", "End after so many minutes; 0: no limit.", min=0, max=1e6)] = 0.0,
    out: Annotated[str, Option("--output -o OUT.toml", "Where to write the grown recipe.")] = "grown.toml",
    seed: Annotated[int, Option("N", "Seed of the trainings.", min=0, max=2**30)] = 0,
    jobs: Jobs = 0,
    on: On = "",
    overwrite: Overwrite = False,
    allow_code: AllowCode = False,
    quiet: Quiet = False,
    json_: Json = False,
) -> None:
    """Grow the templates of a recipe.

    Feature induction: ranks new templates (other offsets and attributes, pairs of columns and attributes) by how well
    they explain what the recipe gets wrong on held-out folds, trains with the best few, and keeps the best one if its
    gain is clear; then again. Writes the recipe to OUT.toml and every training to OUT.journal: an interrupted search
    continues where it stopped. The final figure is measured on data that had no part in the search.
    """
    inputs = [train_file, dev_file, chosen.recipe_name]
    check_outputs(out, {".toml": RECIPE, ".journal": JSON_LINES}, inputs, overwrite)
    data = read_pair(train_file, dev_file, reading, chosen)
    note = write_nothing if quiet else write_stderr
    for line in data.notes:
        note(line)
    effort = Effort(folds, runs, passes, seed, jobs_on(on, jobs), on, allow_code)
    limits = GrowLimits(trials, confirm, errors, remove)
    found = grow(data, effort, limits, out=out, note=note, goes_on=_watch(minutes))
    saved = {"recipe": out}
    write_json(saved | found.to_dict()) if json_ else write_stdout(f"{show(found)}\nsaved {out}")


def _watch(minutes: float) -> Callable[[], bool]:
    """Whether there is time left."""
    end = time.monotonic() + 60 * minutes
    return lambda: not minutes or time.monotonic() < end


def grow(
    data: Pair,
    effort: Effort,
    limits: GrowLimits,
    *,
    out: str,
    note: Callable[[str], None] = write_nothing,
    goes_on: Callable[[], bool] = lambda: True,
) -> Grown:
    """Search from where the journal ends; write the recipe and the journal."""
    check_recipe(data.recipe)
    refuse_single_label(data.train, data.recipe.labels_column)
    sentences, apart = keep_apart(data.train, data.dev, effort.folds)
    trials = FoldTrials(data.recipe, sentences, apart, effort)
    settings = {"grow": [effort.folds, effort.runs, effort.passes], "seed": effort.seed}
    journal = Journal(str(Path(out).with_suffix(".journal")), work_of(data, **settings))
    trials.take(journal.open(trials.fault))
    most = trials.needed(limits.trials)
    kept = "the dev data" if data.dev else f"{len(apart)} sentences, kept apart,"
    note(f"at most {most} trainings: {limits.trials} trials of {trials.units}, and 6 on {kept} for the final figure")
    if trials.done:
        note(f"{journal.path}: {len(trials.done)} trainings are done")
    with Bar("trainings", most, done=len(trials.done)) as bar:

        def keep(entry: dict[str, object]) -> None:
            journal.add(entry)
            bar.advance()

        trials.keep, trials.goes_on = keep, goes_on
        try:
            found = Growing(trials, limits, note).run()
        except OutOfTimeError:
            raise SettingError(
                "--minutes: the time was over before the recipe as it is was trained on all folds; "
                "the same command goes on from here"
            ) from None
    write_text(out, _grown_recipe(data, found))
    return found


def _grown_recipe(data: Pair, found: Grown) -> str:
    """The recipe with its changes, and what is known of them."""
    final = found.final
    head = [
        f"{data.recipe.name or 'a recipe'} with the templates that 'perceptag tune --grow' found: "
        f"{found.score:.2f} on folds, where the recipe as it was gives {found.start:.2f}.",
        *([_told(found)] if final else ["Not measured on other data."] if found.changes else ["Nothing was changed."]),
        *found.changes,
    ]
    changed = applied(data.recipe, found.changes)
    return to_toml(changed.replace({"labels.column": ""}), head=head)


def show(found: Grown) -> str:
    """Tables of what was tried and of what came out."""
    table = Table(["round", "change", "explains", found.main_score, "gain", "std. error", ""], numbers=(0, 2, 3, 4, 5))
    table.add("", "the recipe as it is", "", f"{found.start:.2f}", "", "", "")
    for one in found.tried:
        explains = f"{one.explains:.2f} %" if one.explains is not None else ""
        figures = f"{one.score:.2f}", f"{one.gain:+.2f}", f"{one.error:.2f}"
        table.add(str(one.round), one.change, explains, *figures, one.verdict)
    kept = f"{len(found.changes)} changes kept" if len(found.changes) != 1 else "1 change kept"
    lines = [f"ended: {found.ended}; {kept}, {found.trainings} trainings", *([_told(found)] if found.final else [])]
    return f"{render(table, 'changes, on folds').rstrip()}\n\n" + "\n".join(lines)


def _told(found: Grown) -> str:
    """The final figure in words."""
    final = found.final
    assert final is not None
    low, high = final.interval
    return (
        f"on {final.sentences} sentences that chose nothing: {found.main_score} {final.before:.2f} before, "
        f"{final.after:.2f} after, gain {final.gain:+.2f} (95 % {low:+.2f} to {high:+.2f}), {final.runs} seeds"
    )
