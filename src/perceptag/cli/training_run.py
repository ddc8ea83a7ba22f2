"""A training run from its first pass to the model on disk, with checkpoints and interrupts."""

from __future__ import annotations

import shlex
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

from perceptag.cli.bar import Bar
from perceptag.cli.declare import Option
from perceptag.cli.streams import write_stderr
from perceptag.errors import DataError, PerceptagError, SettingError
from perceptag.models.kinds import make_ready, save
from perceptag.models.model import Model
from perceptag.recipe.recipe import TEXT, Recipe, uses
from perceptag.recipe.span_conflicts import why_aside
from perceptag.system.file_kinds import MODEL, FileKind
from perceptag.system.plural import plural
from perceptag.system.replacing import check_output, kept_note, refuse_input
from perceptag.text.format import FormatLike
from perceptag.training.checkpoint import Checkpoints
from perceptag.training.fit import Resolved, calibrated_on_dev
from perceptag.training.pass_table import PassTable
from perceptag.training.train import Finished, PassReport, Training, first_choice
from perceptag.training.vote_weights import OpenVotes

Say = Callable[[str], None]
Run = Callable[[Training], Iterator[PassReport]]


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """The result of a training run."""

    model: str
    sha256: str | None  # None: interrupted before the first pass had ended
    reports: tuple[PassReport, ...]
    interrupted: bool
    finished: Finished | None = None  # None: the same

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        done = self.finished
        return {
            "model": self.model,
            "sha256": self.sha256,
            "interrupted": self.interrupted,
            "best_pass": done.epoch if done else None,
            "weights": done.weights if done else None,
            "outside_score": done.model.recipe.outside_score if done else None,
            "dev_score": done.dev if done else None,
            "passes": [asdict(r) for r in self.reports],
        }


@dataclass(frozen=True, slots=True)
class TrainingFiles:
    """The files of a training run, and the engine that reads them in parts, if any."""

    train: str
    dev: str | None = None
    format: FormatLike = None
    columns: Sequence[str] | None = None
    label: str = ""
    on: str = ""
    workers: int = 0  # of the engine; 0: as many as there are


@dataclass(frozen=True, slots=True)
class Keeping:
    """The ways of a run with checkpoints: its own, and one that an earlier run has left."""

    resume: Annotated[bool, Option("--resume", "Continue from OUT.checkpoint if it exists.")] = False
    restart: Annotated[bool, Option("--restart", "Start again, and replace OUT.checkpoint if it exists.")] = False
    overwrite: Annotated[bool, Option("--overwrite", "Replace any file; a model is not kept as OUT.bak.")] = False
    every: Annotated[
        int | None,
        Option("--checkpoint-every N", "Passes between checkpoints; 0: none. Default: at most 2 % of the time.", min=0),
    ] = None

    def check(self, model: str) -> None:
        """Refuse to replace the work of a run that was killed, unless that is asked for."""
        path = checkpoint_of(model)
        if self.resume and self.restart:
            raise SettingError("--resume and --restart: give one of them, not both")
        if not (self.resume or self.restart) and self.every_of(model) != 0 and Path(path).is_file():
            raise SettingError(
                f"{path} holds the passes of an earlier run that did not end; --resume continues that run, "
                "--restart begins again and replaces it"
            )

    @property
    def keeps_old(self) -> bool:
        """Whether a model that is replaced is kept as OUT.bak; one of the run that is resumed is not."""
        return not (self.overwrite or self.resume)

    def every_of(self, model: str) -> int | None:
        """As often as is asked for; never if the model goes to a pipe or a device."""
        is_file = model != "-" and (not Path(model).exists() or stat.S_ISREG(Path(model).stat().st_mode))
        return self.every if is_file else 0


def carry_out(
    training: Training, model: str, run: Run, *, keeping: Keeping, note: Say, votes: OpenVotes | None = None
) -> TrainingResult:
    """Train and write the model; an interrupt writes that of the best pass so far. `votes`: rules without a weight."""
    checkpoints = Checkpoints(training, checkpoint_of(model), keeping.every_of(model))
    _begin(checkpoints, keeping, note)
    interrupted = _run(training, checkpoints, run, note)
    return _finish(training, model, checkpoints, interrupted, note, keeping.keeps_old, votes)


def before_first_pass(model: str) -> str:
    """Say what an interrupt before the end of the first pass leaves."""
    there = f"; the model that was in {model} before is unchanged" if model != "-" and Path(model).is_file() else ""
    return f"interrupted before the first pass had ended: nothing was saved{there}"


def check_target(
    path: str,
    inputs: Sequence[str | None] = (),
    option: str = "--model",
    kind: FileKind = MODEL,
    *,
    overwrite: bool = False,
) -> None:
    """Refuse at once what must not be replaced or cannot be written: training may take hours."""
    check_output(option, path, kind, inputs, overwrite=overwrite)
    refuse_inputs(path, inputs, option)


def refuse_inputs(model: str, inputs: Iterable[str | None], option: str = "--model") -> None:
    """Refuse a model, or a checkpoint of it, that is one of the inputs."""
    for output in (model, checkpoint_of(model)) if model != "-" else ():
        refuse_input(option, output, inputs)


def notes_on_recipe(resolved: Resolved, settings: Mapping[str, object]) -> list[str]:
    """Say what ``auto`` has chosen, and why; and which settings have no effect: a seed, features of spans."""
    notes = []
    if resolved.choice is not None:
        notes.append("\n  ".join([f"recipe: {resolved.recipe.name}, chosen by the data", *resolved.choice.reasons]))
    if "seed" in settings and not _is_random(resolved.recipe):
        notes.append("note: --seed has no effect: nothing is random in this recipe unless --set shuffle=true")
    if key := why_aside(resolved.recipe, settings):
        notes.append(f"note: no features of whole spans (spans.longest), because {key} is set")
    return notes


def _is_random(recipe: Recipe) -> bool:
    """Whether the seed changes the order of sentences, the first runs, or the phrases that a chunker sees."""
    has_runs = uses(recipe, "bpm") and recipe.own["bpm"] > 0
    hides_phrases = uses(recipe, "chunker.visible") and 0 < recipe.own["chunker.visible"] < 100
    return recipe.shuffle or has_runs or hides_phrases


def checkpoint_of(model: str) -> str:
    """The file that holds the checkpoints of a model."""
    return f"{model}.checkpoint"


def _begin(checkpoints: Checkpoints, keeping: Keeping, note: Say) -> None:
    path = checkpoints.path
    if not keeping.resume:
        if keeping.restart and checkpoints.replace():
            note(f"note: {path} of an earlier run is replaced")
    elif checkpoints.resume():
        note(f"resumed from {path} after pass {len(checkpoints.training.reports)}")
    else:
        note(f"note: there is no {path}, so training starts from the beginning")


def _run(training: Training, checkpoints: Checkpoints, run: Run, note: Say) -> bool:
    """Run all passes; return True if the user interrupted."""
    try:
        for _ in run(training):
            _save_checkpoint(checkpoints, note)
    except KeyboardInterrupt:
        return True
    return False


def _save_checkpoint(checkpoints: Checkpoints, note: Say) -> None:
    try:
        checkpoints.after_pass()
    except DataError as error:
        # The user has been told, and the disk may have room again when the model is written.
        note(f"warning: no more checkpoints in this run: {error}")
        checkpoints.every = 0


def _settle(training: Training, note: Say) -> bool:
    """Let the model be chosen; if that is interrupted, leave choices out and return True."""
    try:
        training.finish()
    except KeyboardInterrupt:
        training.leave_out_choices()
        note("warning: interrupted while the score of O was chosen, so the model has none")
        return True
    return False


def _model(training: Training, note: Say, votes: OpenVotes | None) -> Model:
    """The model of the best pass, calibrated on dev data if there is any. It is saved even if calibration fails.

    Then the weight of rules is chosen, which is in units of the calibration.
    """
    model, task = training.model(), training.task
    if task.dev is None:
        return model
    try:
        ready = make_ready(model, task.attributes, task.functions)
        model = calibrated_on_dev(ready, task)
    except (KeyboardInterrupt, PerceptagError) as error:
        note(f"warning: not calibrated: {str(error) or 'interrupted'}; Tagger.calibrate in Python can do it later")
        return model
    try:
        model, told = votes.chosen_for(ready, model, task.threads) if votes else (model, "")
    except (KeyboardInterrupt, PerceptagError) as error:
        told = f"warning: no weight of rules is chosen: {str(error) or 'interrupted'}"
    if told:
        note(told)
    return model


def _chosen(training: Training) -> str:
    """The pass that became the model, and what else was chosen on dev data."""
    done, recipe = training.finish(), training.task.recipe
    weights = f" with {done.weights} weights" if recipe.weights == "best" and done.dev is not None else ""
    score = done.model.recipe.outside_score
    outside = f", {score:+g} for O" if score else ""
    return f"pass {done.epoch}{weights}{outside}" + (f", dev {done.dev:.2f}" if done.dev is not None else "")


def _passed_over(training: Training) -> list[str]:
    """Weights with a higher dev score that did not become the model."""
    done = training.finish()
    others = [k for k in training.kept.values() if k.weights != done.weights and (k.dev or 0.0) > (done.dev or 0.0)]
    return [
        f"{k.weights} weights of pass {k.epoch} have dev {k.dev:.2f}: not better by more than the standard error"
        for k in others
    ] + _early_best(training)


def _early_best(training: Training) -> list[str]:
    """Averaged weights of an early pass, which dev data may not choose, with a higher dev score than the model."""
    kind, done = training.task.recipe.kinds_of_weights[0], training.finish()
    first = first_choice(training.task.recipe, kind)
    early = [report.dev_kept or 0.0 for report in training.reports[: first - 1]]
    if len(training.reports) < first or max(early, default=0.0) <= (done.dev or 0.0):
        return []
    found = f"{kind} weights of pass {early.index(max(early)) + 1} have dev {max(early):.2f}"
    why = "averages of few passes are good by chance (later_passes)"
    return [f"{found}, but those before pass {first} are not saved: {why}"]


def _finish(
    training: Training,
    path: str,
    checkpoints: Checkpoints,
    interrupted: bool,
    note: Say,
    keeps_old: bool,
    votes: OpenVotes | None,
) -> TrainingResult:
    task = training.task
    interrupted = (bool(training.reports) and _settle(training, note)) or interrupted
    sha = None
    if training.reports:
        told = kept_note(path) if keeps_old else ""
        sha = save(_model(training, note, votes), path, task.attributes, task.functions, keeps_old=keeps_old)
        if told:
            note(told)
    reports = tuple(training.reports)
    if sha is None:
        note(before_first_pass(path))
        return TrainingResult(path, None, reports, interrupted)
    outcome = TrainingResult(path, sha, reports, interrupted, training.finish())
    for line in _passed_over(training):
        note(line)
    note(f"{'interrupted: ' if interrupted else ''}saved {path} ({_chosen(training)}), sha256 {sha[:16]}")
    if sys.stderr.isatty() and path != "-":
        verb = "tokenize" if training.task.recipe.unit == TEXT else "tag"
        note(f"next: perceptag {verb} -m {shlex.quote(path)} FILE")
    if not interrupted:
        checkpoints.remove()
    elif checkpoints.is_of_this_run:
        note(f"--resume continues from {checkpoints.path}, after pass {checkpoints.passes}")
    return outcome


def summary(training: Training) -> list[str]:
    """Say what a training learns from."""
    task = training.task
    labels = f"{plural(len(task.label_set.names), 'label')} from column {task.label_set.column!r}"
    inside = "" if task.label_set.inner == task.label_set.outer else f", {task.label_set.inner} inside the model"
    scheme = "" if task.label_set.outer == "none" else f", {task.label_set.outer}{inside}"
    unit = "character" if task.recipe.unit == TEXT else "token"
    sizes = [f"train: {plural(task.sentences, 'sentence')}, {plural(task.tokens, unit)}"]
    if task.dev is not None:
        sizes.append(f"dev: {plural(len(task.dev), 'sentence')}, {plural(sum(map(len, task.dev)), unit)}")
    return ["; ".join([*sizes, labels + scheme])]


def passes(training: Training, quiet: bool) -> Iterator[PassReport]:
    """Run all passes and show each; the caller gets the reports."""
    if quiet:
        yield from training.run()
        return
    table = PassTable(training)
    write_stderr(table.head())
    for report in training.reported:
        write_stderr(table.line(report))
    with Bar("training", table.epochs, "passes", done=len(training.reported)) as bar:
        for report in training.run():
            bar.advance()
            write_stderr(table.line(report))
            yield report
