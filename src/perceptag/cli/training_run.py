"""A training run from its first pass to the model on disk, with checkpoints and interrupts."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from perceptag.confidence.confident import calibrate
from perceptag.errors import DataError, PerceptagError
from perceptag.models.kinds import make_ready
from perceptag.store import file as modelfile
from perceptag.store.model import Model
from perceptag.training.checkpoint import Checkpoints
from perceptag.training.train import PassReport, Training

Say = Callable[[str], None]
Run = Callable[[Training], Iterator[PassReport]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a training run."""

    model: str
    sha256: str | None  # None: interrupted before the first pass had ended
    reports: tuple[PassReport, ...]
    interrupted: bool

    @property
    def best(self) -> PassReport | None:
        """The pass that became the model."""
        return next((r for r in reversed(self.reports) if r.is_best), None)

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        best = self.best
        return {
            "model": self.model,
            "sha256": self.sha256,
            "interrupted": self.interrupted,
            "best_pass": best.epoch if best else None,
            "dev_score": best.dev_kept if best else None,
            "passes": [asdict(r) for r in self.reports],
        }


def carry_out(
    training: Training, model: str, run: Run, *, resume: bool, checkpoint_every: int | None, note: Say
) -> Outcome:
    """Train and write the model. After an interrupt, write the model of the best pass so far."""
    checkpoints = _checkpoints(training, model, checkpoint_every)
    _begin(checkpoints, resume, note)
    interrupted = _run(training, checkpoints, run, note)
    return _finish(training, model, checkpoints, interrupted, note)


def _checkpoints(training: Training, model: str, every: int | None) -> Checkpoints:
    """Checkpoints next to the model; none if the model goes to a pipe or a device."""
    is_file = model != "-" and (not Path(model).exists() or stat.S_ISREG(Path(model).stat().st_mode))
    return Checkpoints(training, checkpoint_of(model), every if is_file else 0)


def checkpoint_of(model: str) -> str:
    """The file that holds the checkpoints of a model."""
    return f"{model}.checkpoint"


def _begin(checkpoints: Checkpoints, resume: bool, note: Say) -> None:
    path = checkpoints.path
    if not resume:
        if checkpoints.every != 0 and Path(path).is_file():
            note(f"note: {path} of an earlier run will be replaced; --resume would have continued that run")
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


def _model(training: Training, note: Say) -> Model:
    """The model of the best pass, calibrated on dev data if there is any. It is saved even if calibration fails."""
    model, task = training.model(), training.task
    if task.dev is None:
        return model
    try:
        ready = make_ready(model, task.attributes, task.functions)
        return calibrate(model, ready.margins(task.dev, task.threads), task.dev)
    except (KeyboardInterrupt, PerceptagError) as error:
        note(f"warning: not calibrated: {str(error) or 'interrupted'}; 'perceptag calibrate' can do it later")
        return model


def _finish(training: Training, path: str, checkpoints: Checkpoints, interrupted: bool, note: Say) -> Outcome:
    sha = modelfile.save(_model(training, note), path) if training.reports else None
    outcome = Outcome(path, sha, tuple(training.reports), interrupted)
    best = outcome.best
    if best is None or sha is None:
        note("interrupted before the first pass had ended: nothing was saved")
        return outcome
    what = f"pass {best.epoch}" + (f", dev {best.dev_kept:.2f}" if best.dev_kept is not None else "")
    note(f"{'interrupted: ' if interrupted else ''}saved {path} ({what}), sha256 {sha[:16]}")
    if not interrupted:
        checkpoints.remove()
    elif Path(checkpoints.path).exists():
        note(f"--resume continues from {checkpoints.path}")
    return outcome
