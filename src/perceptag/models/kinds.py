"""The kinds of models: where their taggers and trainers are."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from perceptag.confidence.calibration import unpack as check_calibration
from perceptag.errors import ModelError, SettingError, nearest
from perceptag.models.protocol import Attributes, Functions, ReadyModel
from perceptag.store.model import Model

if TYPE_CHECKING:  # tagging needs neither
    from perceptag.models.task import Task
    from perceptag.models.trainer import Trainer


@dataclass(frozen=True, slots=True)
class Kind:
    """Classes, given as ``module.Class``. They are imported when they are needed, so `import perceptag` stays quick."""

    package: str
    tagger: str
    trainer: str
    trainer_without_loop: str = ""  # for learners that have an optimiser instead of a loop, if the kind has both
    user_code: tuple[str, ...] = ("attributes",)  # what the tagger takes besides the model

    def load(self, place: str) -> Any:
        """A class of the kind, given as ``module.Class``."""
        module, _, name = place.rpartition(".")
        return getattr(import_module(f"{self.package}.{module}"), name)


BOTH = ("attributes", "functions")
KINDS = {
    "linear": Kind("perceptag.models.linear", "tagger.LinearTagger", "trainer.LinearTrainer", "crf_trainer.CrfTrainer"),
    "nonlocal": Kind("perceptag.models.document", "tagger.NonLocalTagger", "trainer.NonLocalTrainer", user_code=BOTH),
    "rerank": Kind("perceptag.models.rerank", "tagger.RerankTagger", "trainer.RerankTrainer", user_code=BOTH),
    "guided": Kind("perceptag.models.guided", "tagger.GuidedTagger", "trainer.GuidedTrainer"),
    "chunker": Kind("perceptag.models.chunker", "tagger.ChunkTagger", "trainer.ChunkerTrainer", user_code=()),
    "maxent": Kind("perceptag.models.maxent", "tagger.MaxentTagger", "trainer.MaxentTrainer"),
}


def make_ready(model: Model, attributes: Attributes | None = None, functions: Functions | None = None) -> ReadyModel:
    """Make a model ready to tag. `attributes` and `functions` hold the user's code that it names."""
    name = model.facts.get("kind")
    if not isinstance(name, str) or name not in KINDS:
        raise ModelError(f"unknown kind of model {name!r}; this version knows {', '.join(KINDS)}")
    check_calibration(model)
    kind, code = KINDS[name], {"attributes": attributes or {}, "functions": functions or {}}
    ready: ReadyModel = kind.load(kind.tagger)(model, **{what: code[what] for what in kind.user_code})
    return ready


def make_trainer(task: Task) -> Trainer[Any]:
    """The trainer of the learner that the recipe names."""
    learner = task.recipe.declaration
    if learner.kind not in KINDS:
        raise SettingError(
            f"learner {learner.name!r}: there is no kind of model {learner.kind!r}{nearest(learner.kind, KINDS)}; "
            f"expected one of {', '.join(KINDS)}"
        )
    kind = KINDS[learner.kind]
    if learner.epoch is None and task.recipe.outside is not None:
        raise SettingError(f"learner {learner.name!r}: epoch: expected a function that runs one pass, found None")
    has_loop = learner.epoch is not None or not kind.trainer_without_loop
    trainer: Trainer[Any] = kind.load(kind.trainer if has_loop else kind.trainer_without_loop)(task)
    return trainer
