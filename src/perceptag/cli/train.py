"""``perceptag train``: from labelled files to a model."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from perceptag import modelfile, recipe
from perceptag.checkpoint import Checkpoints
from perceptag.cli import progress
from perceptag.cli.data import choose_label, format_of, read_all
from perceptag.cli.options import AllowCode, Columns, Format, Json, Label, Quiet, Threads, cores, names
from perceptag.cli.shell import INTERRUPTED, guarded, put_json, say, say_nothing
from perceptag.errors import DataError, SettingError
from perceptag.recipe import Recipe
from perceptag.train import PassReport, Training
from perceptag.usercode import attributes_of

Say = Callable[[str], None]
Run = Callable[[Training], Iterator[PassReport]]


@guarded
def train_cli(
    recipe_name: Annotated[
        str, typer.Option("--recipe", "-r", metavar="NAME|FILE", help="A recipe ('perceptag recipes') or a TOML file.")
    ],
    train_file: Annotated[str, typer.Option("--train", metavar="FILE", help="Sentences to learn from; '-': stdin.")],
    model: Annotated[str, typer.Option("--model", "-m", metavar="OUT", help="Where to write the model.")],
    dev_file: Annotated[str, typer.Option("--dev", metavar="FILE", help="Sentences that choose the best pass.")] = "",
    no_dev: Annotated[bool, typer.Option("--no-dev", help="No dev data on purpose: keep the last pass.")] = False,
    columns: Columns = "",
    label: Label = "",
    format_: Format = "",
    settings: Annotated[
        list[str] | None, typer.Option("--set", "-s", metavar="KEY=VALUE", help="Set a key of the recipe; repeatable.")
    ] = None,
    epochs: Annotated[int | None, typer.Option(min=1, metavar="N", help="Passes; short for --set epochs=N.")] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**31 - 1, metavar="N", help="Seed of the order of sentences.")
    ] = None,
    threads: Threads = 0,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from OUT.checkpoint, if it is there.")] = False,
    checkpoint_every: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="Passes between checkpoints; 0: none. Else as often as costs 2 %."),
    ] = None,
    allow_code: AllowCode = False,
    quiet: Quiet = False,
    json_: Json = False,
) -> None:
    """Train a model.

    The labels are in the last column, or in the one that --label names. Ctrl-C saves the best pass so far;
    --resume later goes on and ends in the same model as an uninterrupted run, bit for bit.
    """
    if no_dev and dev_file:
        raise SettingError("--no-dev and --dev: give one of them, not both")
    chosen = change(recipe.load(recipe_name), settings or [], epochs=epochs, seed=seed)
    tell = say_nothing if quiet else say
    if seed is not None and not chosen.shuffle:
        tell("note: --seed changes nothing unless sentences are shuffled: --set shuffle=true")
    if not dev_file and not no_dev:
        tell("note: no --dev data, so the last pass becomes the model")
    outcome = train(
        chosen,
        train_file,
        model,
        dev=dev_file or None,
        format=format_ or None,
        columns=names(columns),
        label=label,
        threads=cores(threads),
        resume=resume,
        checkpoint_every=checkpoint_every,
        allow_code=allow_code,
        tell=tell,
        run=lambda training: progress.run(training, quiet),
    )
    if json_:
        put_json(outcome.to_dict())
    if outcome.interrupted:
        raise typer.Exit(INTERRUPTED)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a training run left behind."""

    model: str
    sha256: str | None  # None: interrupted before the first pass had ended
    reports: tuple[PassReport, ...]
    interrupted: bool

    @property
    def best(self) -> PassReport | None:
        """The pass that became the model."""
        return next((r for r in reversed(self.reports) if r.is_best), None)

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        best = self.best
        return {
            "model": self.model,
            "sha256": self.sha256,
            "interrupted": self.interrupted,
            "best_pass": best.epoch if best else None,
            "dev_score": best.dev_kept if best else None,
            "passes": [asdict(r) for r in self.reports],
        }


def train(
    recipe: Recipe,
    train: str,
    model: str,
    *,
    dev: str | None = None,
    format: str | None = None,  # noqa: A002
    columns: Sequence[str] | None = None,
    label: str = "",
    threads: int = 1,
    resume: bool = False,
    checkpoint_every: int | None = None,
    allow_code: bool = False,
    tell: Say = say_nothing,
    run: Run = Training.run,
) -> Outcome:
    """Train by a recipe on the file `train` and write `model`. An interrupt saves the best pass so far."""
    check_target(model)
    sentences = read_all(train, format, columns, "training")
    chosen = choose_label(sentences, label or recipe.labels_column, format_of(train, format))
    heldout = read_all(dev, format, columns, "dev") if dev else None
    training = Training(
        recipe.replace({"labels.column": chosen}),
        sentences,
        heldout,
        threads=threads,
        attributes=attributes_of(recipe, allow_code=allow_code),
    )
    for note in (*_summary(training), *training.task.notes):
        tell(note)
    checkpoints = _checkpoints(training, model, checkpoint_every)
    _begin(checkpoints, resume, tell)
    interrupted = _run(training, checkpoints, run, tell)
    return _finish(training, model, checkpoints, interrupted, tell)


def change(recipe: Recipe, settings: Sequence[str], **others: object) -> Recipe:
    """The recipe with ``key=value`` settings, and others that are not None, in place of its own."""
    changed: dict[str, object] = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals or not key.strip():
            raise SettingError(f"--set: expected KEY=VALUE, found {setting!r}")
        changed[key.strip()] = value.strip()
    return recipe.replace(changed | {key: value for key, value in others.items() if value is not None})


def check_target(path: str) -> None:
    """Refuse at once what could not be written after hours of training."""
    target = Path(path)
    if path == "-":
        return
    if target.is_dir():
        raise DataError("cannot write: Is a directory", where=path)
    folder = Path(os.path.realpath(path)).parent
    if not folder.is_dir():
        raise DataError(f"cannot write: there is no folder {str(folder)!r}", where=path)
    if not os.access(target if target.exists() else folder, os.W_OK):
        raise DataError("cannot write: Permission denied", where=path)


def _summary(training: Training) -> list[str]:
    task = training.task
    labels = f"{len(task.labelling.names)} labels from column {task.labelling.column!r}"
    inside = "" if task.labelling.inner == task.labelling.outer else f", {task.labelling.inner} inside the model"
    scheme = "" if task.labelling.outer == "none" else f", {task.labelling.outer}{inside}"
    sizes = [f"{name}: {len(s)} sentences, {sum(map(len, s))} tokens" for name, s in _parts(training)]
    return ["; ".join([*sizes, labels + scheme])]


def _parts(training: Training) -> list[tuple[str, list[Any]]]:
    parts: list[tuple[str, list[Any]]] = [("train", training.task.train)]
    return parts if training.task.dev is None else [*parts, ("dev", training.task.dev)]


def _checkpoints(training: Training, model: str, every: int | None) -> Checkpoints:
    """Checkpoints beside the model; none if it goes to a pipe or a device."""
    is_file = model != "-" and (not Path(model).exists() or stat.S_ISREG(Path(model).stat().st_mode))
    return Checkpoints(training, f"{model}.checkpoint", every if is_file else 0)


def _begin(checkpoints: Checkpoints, resume: bool, tell: Say) -> None:
    path = checkpoints.path
    if not resume:
        if Path(path).is_file():
            tell(f"note: {path} of an earlier run will be replaced; --resume would have continued that run")
    elif checkpoints.resume():
        tell(f"resumed from {path} after pass {len(checkpoints.training.reports)}")
    else:
        tell(f"note: there is no {path}, so training starts anew")


def _run(training: Training, checkpoints: Checkpoints, run: Run, tell: Say) -> bool:
    """Run all passes; True if an interrupt came."""
    try:
        for _ in run(training):
            _save_checkpoint(checkpoints, tell)
    except KeyboardInterrupt:
        return True
    return False


def _save_checkpoint(checkpoints: Checkpoints, tell: Say) -> None:
    try:
        checkpoints.after_pass()
    except DataError as error:
        # The disk may have room again when the model is written, and the user has been told.
        tell(f"warning: no checkpoints from here on: {error}")
        checkpoints.every = 0


def _finish(training: Training, path: str, checkpoints: Checkpoints, interrupted: bool, tell: Say) -> Outcome:
    sha = modelfile.save(training.model(), path) if training.reports else None
    outcome = Outcome(path, sha, tuple(training.reports), interrupted)
    best = outcome.best
    if best is None or sha is None:
        tell("interrupted before the first pass had ended: nothing was saved")
        return outcome
    what = f"pass {best.epoch}" + (f", dev {best.dev_kept:.2f}" if best.dev_kept is not None else "")
    tell(f"{'interrupted: ' if interrupted else ''}saved {path} ({what}), sha256 {sha[:16]}")
    if not interrupted:
        checkpoints.remove()
    elif Path(checkpoints.path).exists():
        tell(f"--resume goes on from {checkpoints.path}")
    return outcome
