"""The training plan, for every command, class and page that trains a model.

    make_plan           recipe ─▶ the user's settings ─▶ learner           checked before any data is read
    Plan.resolve        label column ─▶ what ``auto`` chooses ─▶ code of the user
    Plan.begin          choices in short runs or on folds ─▶ Training, whose passes the caller runs
    calibrated_on_dev   the model with a calibration

`Plan.train` is all of `begin` and all passes, for trainings without progress. Trainings by a recipe without open
choices, such as trials and folds, have ``settles=False``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from perceptag.engines.calls import Engine
from perceptag.features.attributes import Attribute
from perceptag.features.user_functions import UserFeature
from perceptag.learn.learner import python_name
from perceptag.learn.settings import MARGIN, MARGIN_LOCAL
from perceptag.models.confident import calibrate
from perceptag.models.model import Model
from perceptag.models.model_classes import KnownClasses
from perceptag.models.protocol import ReadyModel
from perceptag.models.task import Task
from perceptag.recipe import auto
from perceptag.recipe.recipe import Recipe, check_used, without_unused
from perceptag.recipe.survey import Survey
from perceptag.recipe.usercode import attributes_of, functions_of, with_learner
from perceptag.text.sentence import Sentence
from perceptag.training.checkpoint import choices_of
from perceptag.training.cross_validation import Folds, Pair
from perceptag.training.fold_choices import choose_on_folds, is_for_folds
from perceptag.training.margin_runs import HeldOutCounts, Make, choose_margins, run_on_dev
from perceptag.training.places import HERE, is_native, place_for, trainings_at_once
from perceptag.training.train import Training

Say = Callable[[str], None]


def say_nothing(line: str) -> None:
    """Show nothing."""
    del line


@dataclass(frozen=True, slots=True)
class Code:
    """Code of the user: functions that were given, and whether those that the recipe names may be imported."""

    attributes: Mapping[str, Attribute] | None = None
    functions: Mapping[str, UserFeature] | None = None
    allowed: bool = False
    imports_learner: bool = True  # a learner of the user, at once; the workers of trials import it themselves

    def of(self, recipe: Recipe) -> tuple[dict[str, Attribute], dict[str, UserFeature]]:
        """The attributes and the non-local features that a recipe names."""
        attributes = attributes_of(recipe, self.attributes, allow_code=self.allowed)
        return attributes, functions_of(recipe, self.functions, allow_code=self.allowed)


@dataclass(frozen=True, slots=True)
class Resolved:
    """A recipe for some data, and why ``auto`` chose it."""

    recipe: Recipe
    choice: auto.RecipeChoice | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """A training as the user asks for it. `make_plan` makes it."""

    recipe: Recipe  # with the user's settings and the declaration of the learner
    settings: Mapping[str, object] = field(default_factory=dict)
    code: Code = Code()
    start: Model | None = None  # an earlier model to continue from
    classes: KnownClasses | None = None  # in place of those in the file that the recipe names
    threads: int = 1
    settles: bool = True  # whether choices that the recipe leaves open are made
    note: Say = say_nothing
    on: Engine | None = None  # where trainings on folds run, if the user has named a place

    def resolve(self, train: Sequence[Sentence], column: str = "") -> Resolved:
        """Find the recipe for some data: the one that was asked for, or the one that ``auto`` chooses."""
        recipe, choice = auto.fitted(self._with_column(column), self._settings_with(column), train)
        return self._resolved(recipe, choice)

    def resolve_seen(self, seen: Survey | None, column: str) -> Resolved:
        """Find the recipe for data that were surveyed elsewhere; ``auto`` needs the survey."""
        if seen is None:
            return self._resolved(self._with_column(column), None)
        return self._resolved(*auto.fitted_to(seen, self._settings_with(column)))

    def _resolved(self, recipe: Recipe, choice: auto.RecipeChoice | None) -> Resolved:
        if self.recipe.outside is not None and recipe.outside is None:
            recipe = recipe.resolved(self.recipe.outside)
        check_used(recipe, self.settings)
        return Resolved(without_unused(recipe), choice)

    def _settings_with(self, column: str) -> Mapping[str, object]:
        return {**self.settings, "labels.column": column} if column else self.settings

    def begin(
        self,
        resolved: Resolved,
        train: Sequence[Sentence],
        dev: Sequence[Sentence] | None = None,
        *,
        checkpoint: str = "",
        may_run_ahead: bool = True,
        make: Callable[..., Training] = Training,
    ) -> Training:
        """Make the choices that are open; return the training.

        `checkpoint`: the file of an earlier run, which has made them. `may_run_ahead`: whether passes may be run
        before the caller asks for them. `make` makes each training.
        """
        attributes, functions = self.code.of(resolved.recipe)
        given = {"attributes": attributes, "functions": functions, "start": self.start, "classes": self.classes}
        making = partial(make, threads=self.threads, **given)
        settled = self._settle(resolved.recipe, train, dev, making, checkpoint)
        training = (settled.begun if may_run_ahead else None) or making(settled.recipe, train, dev)
        training.chosen = settled.for_manifest(resolved.choice.to_dict() if resolved.choice else None)
        return training

    def train(self, train: Sequence[Sentence], dev: Sequence[Sentence] | None = None) -> Training:
        """Resolve, begin and run all passes."""
        return self.begin(self.resolve(train), train, dev).run_all()

    def _with_column(self, column: str) -> Recipe:
        return self.recipe.replace({"labels.column": column}) if column else self.recipe

    def _settle(
        self,
        recipe: Recipe,
        train: Sequence[Sentence],
        dev: Sequence[Sentence] | None,
        make: partial[Training],
        checkpoint: str,
    ) -> Settled:
        if not self.settles:
            return Settled(recipe)
        respected = without_set_choices(recipe, self.settings)
        found = choices_of(checkpoint, open_keys(respected, dev)) if checkpoint else None
        if found is not None:
            return Settled(respected.replace(found[0]), found[1])
        return settle(recipe, self.settings, train, dev, make, self.note, self.threads, self.on)


def make_plan(
    recipe: Recipe,
    settings: Mapping[str, object] | None = None,
    *,
    code: Code = Code(),  # noqa: B008 - it never changes
    start: Model | None = None,
    classes: KnownClasses | None = None,
    threads: int = 1,
    settles: bool = True,
    note: Say = say_nothing,
) -> Plan:
    """Plan a training by a recipe with the settings of the user. What needs no data is checked."""
    given = dict(settings or {})
    wanted = auto.changed(recipe, given)
    if code.imports_learner:
        wanted = with_learner(wanted, allow_code=code.allowed)
    return Plan(wanted, given, code, start, classes, threads, settles, note)


def calibrated_on_dev(ready: ReadyModel, task: Task) -> Model:
    """The model with a calibration on the dev data of its training, if there are any."""
    if task.dev is None:
        return ready.model
    return calibrate(ready.model, ready.margins(task.dev, task.threads), task.dev)


# Choices before the passes:
#
#     dev data       `margins` short runs with smaller and smaller margins; another one must clearly win
#     no dev data    with little data and `inner_folds`: the same on folds of the documents, and there also the number
#                    of passes, the kind of weights and the score of O
#
# What was chosen is written into the recipe, so a model says how it was trained. With dev data the pass, the kind of
# weights and the score of O are chosen later, by `Training` itself.


@dataclass(frozen=True, slots=True)
class Settled:
    """A recipe without open choices, and what was chosen, one sentence each."""

    recipe: Recipe
    reasons: tuple[str, ...] = ()
    begun: Training | None = None  # the training of the recipe, if choosing has run its first passes

    def for_manifest(self, auto: Mapping[str, object] | None) -> dict[str, object]:
        """What the manifest of a model says about these choices, and about that of the recipe."""
        return ({"auto": dict(auto)} if auto else {}) | ({"choices": list(self.reasons)} if self.reasons else {})


def without_set_choices(recipe: Recipe, settings: Mapping[str, object]) -> Recipe:
    """The recipe without the choice of what the user has set: a margin, or the score of O."""
    given = {python_name(key) for key in settings}
    settled: dict[str, object] = {}
    if {"margin", "margin_local"} & given and "margins" not in given:
        settled["margins"] = 1
    if "outside_score" in given and "recall" not in given:
        settled["recall"] = 0
    return recipe.replace(settled)


def open_keys(recipe: Recipe, dev: Sequence[Sentence] | None) -> tuple[str, ...]:
    """The keys that `settle` may change."""
    of_margins = (MARGIN.key, MARGIN_LOCAL.key, "margins") if recipe.margins > 1 else ()
    of_folds = ("epochs", "weights", "outside_score", "inner_folds") if recipe.inner_folds > 1 and dev is None else ()
    return of_margins + of_folds


def settle(
    recipe: Recipe,
    settings: Mapping[str, object],
    train: Sequence[Sentence],
    dev: Sequence[Sentence] | None,
    make: Make,
    note: Say = lambda _: None,
    threads: int = 1,
    on: Engine | None = None,
) -> Settled:
    """Make the choices that the recipe and the user's settings leave open.

    `make` gives the training of a recipe on some data: a `functools.partial` of `Training` if it has more arguments.
    Several short runs, or trainings without a fold, may run at the same time on several `threads`; those without a
    fold on the engine `on`, if there is one.
    """
    recipe = without_set_choices(recipe, settings)
    given = getattr(make, "keywords", {})
    if dev is not None:
        return _on_dev(
            recipe, (train, dev), make, note, partial(trainings_at_once, recipe, train, given, threads, note)
        )
    if not is_for_folds(recipe, train):
        return Settled(recipe)
    place = place_for(recipe, train, given, min(threads, recipe.inner_folds), note, on)
    one = make if place is HERE else partial(make, threads=1)
    chosen, reasons = choose_on_folds(recipe, Folds(train, recipe.inner_folds), place, one, note, "epochs" in settings)
    return Settled(chosen, reasons)


def _on_dev(recipe: Recipe, pair: Pair, make: Make, note: Say, at_once: Callable[[], int]) -> Settled:
    """Choose margins in short runs on dev data."""

    def run(settled: Recipe, short: Sequence[Recipe]) -> tuple[list[HeldOutCounts], Training | None]:
        return run_on_dev(pair, make, at_once() - 1 if is_native(recipe) else 0, settled, short)

    margins = choose_margins(recipe, run, note)
    return Settled(margins.recipe, margins.reasons, margins.begun)
