"""The kinds of models: where their taggers and trainers are, and how a model is checked and saved."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from perceptag.errors import ModelError, SettingError, nearest
from perceptag.models import model_file as modelfile
from perceptag.models.model import Arrays, Model, StoredArrays
from perceptag.models.protocol import Attributes, Functions, ReadyModel
from perceptag.recipe.common_settings import TEXT
from perceptag.system.output_files import open_output

if TYPE_CHECKING:
    from perceptag.learn.learner import Learner
    from perceptag.models.task import Task
    from perceptag.models.trainer import Trainer


class Kind(NamedTuple):
    """Classes, given as ``module.Class``. They are imported when they are needed, so `import perceptag` stays quick."""

    package: str
    tagger: str
    trainer: str
    trainer_without_loop: str = ""  # for learners that have an optimiser instead of a loop, if the kind has both
    user_code: tuple[str, ...] = ("attributes",)  # what the tagger takes besides the model
    # What its trainer makes of the declaration of a learner. Anything else is refused, so that nothing is ignored.
    takes_loop: bool = True
    problems: tuple[str, ...] = ("",)  # the views of the data that it has for loops
    weights: tuple[str, ...] = ("averaged", "last")
    honours: tuple[str, ...] = ()  # of `OPTIONAL`

    def load(self, place: str) -> Any:
        """A class of the kind, given as ``module.Class``."""
        module, _, name = place.rpartition(".")
        return getattr(import_module(f"{self.package}.{module}"), name)


OPTIONAL = ("state", "real_steps", "probabilistic", "partial")  # fields of `Learner` that some kinds have no use for
BOTH = ("attributes", "functions")
RULED = "ruled"  # a model of another kind with rules that join its search
TOKENIZER = "tokenizer"  # trained by the learners of linear models, where ``unit = "text"``
RULES = "rules"  # rules alone
LEMMATIZER = "lemmatizer"  # the same, where ``labels.scheme = "edits"``
KINDS = {
    "linear": Kind(
        "perceptag.models.linear",
        "tagger.LinearTagger",
        "trainer.LinearTrainer",
        "crf_trainer.CrfTrainer",
        weights=("averaged", "last", "voted"),
        honours=OPTIONAL,
    ),
    "nonlocal": Kind(
        "perceptag.models.document",
        "tagger.NonLocalTagger",
        "trainer.NonLocalTrainer",
        user_code=BOTH,
        problems=("sequences", "lists"),
        honours=("real_steps", "partial"),
    ),
    "rerank": Kind(
        "perceptag.models.rerank",
        "tagger.RerankTagger",
        "trainer.RerankTrainer",
        user_code=BOTH,
        problems=("score of the first model", "local features"),
    ),
    "guided": Kind("perceptag.models.guided", "tagger.GuidedTagger", "trainer.GuidedTrainer"),
    "chunker": Kind("perceptag.models.chunker", "tagger.ChunkTagger", "trainer.ChunkerTrainer", user_code=()),
    "maxent": Kind(
        "perceptag.models.maxent",
        "tagger.MaxentTagger",
        "trainer.MaxentTrainer",
        takes_loop=False,
        honours=("real_steps",),
    ),
    TOKENIZER: Kind("perceptag.models.tokenizer", "model.TokenizerModel", "trainer.TokenizerTrainer", user_code=()),
    LEMMATIZER: Kind("perceptag.models.lemmatizer", "tagger.Lemmatizer", "trainer.LemmaTrainer"),
    RULES: Kind("perceptag.models.rules", "tagger.RulesTagger", "", user_code=(), takes_loop=False),  # not trained
}


def make_ready(model: Model, attributes: Attributes | None = None, functions: Functions | None = None) -> ReadyModel:
    """Make a model ready to tag. `attributes` and `functions` hold the user's code that it names."""
    name = model.facts.get("kind")
    if name == RULED:
        from perceptag.models.rules.ruled_model import apart, rejoined  # other models start without it

        inner, rules = apart(model)
        return rejoined(make_ready(inner, attributes, functions), rules)
    if not isinstance(name, str) or name not in KINDS:
        raise ModelError(f"unknown kind of model {name!r}; this version knows {', '.join(KINDS)}")
    if model.is_calibrated:
        from perceptag.models.calibration import check  # other models start without it

        check(model)
    kind, code = KINDS[name], {"attributes": attributes or {}, "functions": functions or {}}
    ready: ReadyModel = kind.load(kind.tagger)(model, **{what: code[what] for what in kind.user_code})
    if model.recipe.outside_score:
        if "O" not in model.label_set.names:
            raise ModelError("outside_score: expected a label 'O' in the model, found none")
        ready.set_outside_score(model.recipe.outside_score)
    if isinstance(model.arrays, StoredArrays):
        model.arrays.release()
    return ready


def derived_arrays(model: Model) -> Arrays:
    """Return what follows from a model and takes long to compute, for files that are to load quickly."""
    about = model.facts.get("rules", {}) if model.facts.get("kind") == RULED else model.facts
    if model.facts.get("kind") not in (RULED, RULES):
        return {}
    from perceptag.models.rules.stored_rules import compiled_arrays

    return compiled_arrays(model.arrays, about)


def make_trainer(task: Task) -> Trainer[Any]:
    """The trainer of the learner that the recipe names."""
    learner = task.recipe.declaration
    if learner.kind not in KINDS:
        raise SettingError(
            f"learner {learner.name!r}: there is no kind of model {learner.kind!r}{nearest(learner.kind, KINDS)}; "
            f"expected one of {', '.join(KINDS)}"
        )
    kind = KINDS[learner.kind]
    _check_loop(learner, kind, is_outside=task.recipe.outside is not None)
    _check_rest(learner, kind)
    if task.recipe.unit == TEXT:
        kind = KINDS[TOKENIZER]
    elif task.label_set.is_open:
        kind = KINDS[LEMMATIZER]
    has_loop = learner.epoch is not None or not kind.trainer_without_loop
    trainer: Trainer[Any] = kind.load(kind.trainer if has_loop else kind.trainer_without_loop)(task)
    return trainer


def _check_loop(learner: Learner, kind: Kind, is_outside: bool) -> None:
    """Refuse a loop that would never run, and a learner from outside that has none."""
    if not kind.takes_loop and (is_outside or learner.epoch is not None):
        others = ", ".join(name for name, other in KINDS.items() if other.takes_loop)
        raise SettingError(
            f"learner {learner.name!r}: kind: models of kind {learner.kind!r} have an optimiser and take no loop; "
            f"expected one of {others}"
        )
    if is_outside and learner.epoch is None:
        raise SettingError(f"learner {learner.name!r}: epoch: expected a function that runs one pass, found None")


def _check_rest(learner: Learner, kind: Kind) -> None:
    """Refuse what else a learner says and the trainer of its kind would ignore."""
    where = f"learner {learner.name!r}"
    if learner.problem not in kind.problems:
        views = f"one of {', '.join(kind.problems)}" if any(kind.problems) else f"none for the kind {learner.kind!r}"
        raise SettingError(f"{where}: problem: expected {views}, found {learner.problem!r}")
    for weights in learner.weights:
        if weights not in kind.weights:
            raise SettingError(
                f"{where}: weights: models of kind {learner.kind!r} have no {weights} weights; "
                f"expected some of {', '.join(kind.weights)}"
            )
    for field in OPTIONAL:
        if getattr(learner, field) and field not in kind.honours:
            others = ", ".join(name for name, other in KINDS.items() if field in other.honours and other.takes_loop)
            raise SettingError(
                f"{where}: {field}: models of kind {learner.kind!r} make no use of it; expected none, or one of the "
                f"kinds {others}"
            )


def save(model: Model, path: str, attributes: Attributes, functions: Functions, *, keeps_old: bool) -> str:
    """Write a model that was loaded from its own bytes first, in one step or not at all; return its SHA-256.

    `attributes` and `functions` hold the user's code that the model names. `keeps_old`: a file that is replaced is kept
    as PATH.bak.
    """
    data, sha = modelfile.to_bytes(model)
    try:
        make_ready(modelfile.load_bytes(data), attributes, functions)
    except ModelError as error:
        raise ModelError(f"{path}: not written, because nothing could load it: {error}") from error
    with open_output(path, keeps_old=keeps_old) as stream:
        stream.write(data)
    return sha
