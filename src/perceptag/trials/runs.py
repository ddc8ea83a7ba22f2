"""Compare training runs: one recipe each, the same data, several at a time on several cores.

Several runs at a time are processes: the passes of most learners hold the GIL, and any learner can be tried.

`ablate` trains with all templates, and then without one group at a time. The worth of a group is the score that is lost
without it. Both runs label the same dev sentences, so the difference is tested in pairs. It is not what the group gives
on its own: groups with the same information are each worth little.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from perceptag.engines.calls import Call, LostWorkerError
from perceptag.engines.engine_names import engine
from perceptag.errors import DataError, PerceptagError, SettingError, for_command_line
from perceptag.evaluation import compare, evaluate
from perceptag.features.groups import split
from perceptag.models.task import find_labels
from perceptag.recipe.recipe import Recipe
from perceptag.system.given_file import other_kind
from perceptag.text.sentence import Sentence
from perceptag.training.checkpoint import files_of
from perceptag.training.cross_validation import Pair
from perceptag.training.fit import Code, make_plan


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of one run: the dev score of its best pass and the labels of the dev data, or an error."""

    score: float  # F1 or accuracy in per cent; 0 with an error
    epoch: int  # the best pass
    labels: list[list[str]]
    error: str = ""


def run_trial(recipe: Recipe, train: Sequence[Sentence], dev: Sequence[Sentence], *, allow_code: bool = False) -> Trial:
    """Train by a recipe and label the dev data with the best pass. Conflicting settings are an error in the result."""
    try:
        plan = make_plan(recipe, code=Code(allowed=allow_code), settles=False)
        training = plan.begin(plan.resolve(train), train, dev)
    except PerceptagError as error:
        return Trial(0.0, 0, [], for_command_line(error))  # where trials are started
    training.run_all()
    done = training.finish()
    return Trial(done.dev or 0.0, done.epoch, done.dev_labels or [])


class TrialWorker:
    """Runs trials, one after the other."""

    def run(self, recipe: Recipe, data: Pair, allow_code: bool) -> Trial:
        """Run one trial on training and dev data."""
        return run_trial(recipe, *data, allow_code=allow_code)


def run_trials(
    recipes: Mapping[int, Recipe],
    train: Sequence[Sentence],
    dev: Sequence[Sentence],
    jobs: int,
    *,
    on: str = "",
    allow_code: bool = False,
) -> Iterator[tuple[int, Trial]]:
    """Run trials on the same data, `jobs` at a time; yield each with its number when it is done."""
    pair = train, dev
    return run_on({number: (recipe, pair) for number, recipe in recipes.items()}, jobs, on=on, allow_code=allow_code)


def run_on(
    work: Mapping[int, tuple[Recipe, Pair]], jobs: int, *, on: str = "", allow_code: bool = False
) -> Iterator[tuple[int, Trial]]:
    """Run trials, each on its data, `jobs` at a time, by default in processes; yield each when it is done.

    Trials with the same pair of data share it.
    """
    for path in {path for recipe, _ in work.values() for path in files_of(recipe) if Path(path).exists()}:
        if kind := other_kind(path):
            raise DataError(f"expected a regular file, which every trial can read; found {kind}", where=path)
    crew = engine(on or ("threads" if jobs == 1 else "processes"), jobs).crew(TrialWorker)
    try:
        shared = {key: crew.share(pair) for key, pair in {id(pair): pair for _, pair in work.values()}.items()}
        yield from crew.run(
            [Call(number, "run", (recipe, shared[id(pair)], allow_code)) for number, (recipe, pair) in work.items()]
        )
    except RecursionError:
        raise DataError("the sentences have lists or objects nested too deep for several jobs; try --jobs 1") from None
    except LostWorkerError as error:
        raise DataError(
            f"a training run ended without a result: {error}; if memory ran out, fewer runs at a time may do: --jobs 1"
        ) from None
    finally:
        crew.close()


@dataclass(frozen=True, slots=True)
class Loss:
    """The effect of leaving a group out. `worth` is the score with all templates minus the score without the group."""

    group: str
    templates: int
    score: float
    worth: float
    interval: tuple[float, float]
    p_value: float


@dataclass(frozen=True, slots=True)
class Ablation:
    """The score with all templates, and what each group is worth, the largest first."""

    main_score: str
    score: float
    losses: list[Loss]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        losses = [asdict(loss) | {"interval": list(loss.interval)} for loss in self.losses]
        return {"main_score": self.main_score, "score": self.score, "groups": losses}


def ablate(
    recipe: Recipe,
    train: Sequence[Sentence],
    dev: Sequence[Sentence],
    *,
    jobs: int = 1,
    on: str = "",
    allow_code: bool = False,
    note: Callable[[str], None] | None = None,
) -> Ablation:
    """Train without each group and compare with all templates on the dev data."""
    groups = _groups(recipe)
    names = list(groups)
    recipes = {0: recipe} | {i: _without(recipe, groups[name]) for i, name in enumerate(names, 1)}
    results = {}
    for number, trial in run_trials(recipes, train, dev, jobs, on=on, allow_code=allow_code):
        left_out = names[number - 1] if number else "nothing"
        if trial.error:
            raise SettingError(f"without {left_out}: {trial.error}")
        if note:
            note(f"without {left_out}: {trial.score:.2f}")
        results[number] = trial.labels
    label_set = find_labels(recipe, [s for s in train if len(s)])
    gold = label_set.gold(s for s in dev if len(s))
    losses = []
    for number, name in enumerate(names, 1):
        c = compare(gold, results[number], results[0])
        losses.append(Loss(name, len(groups[name]), c.a, c.difference, c.interval, c.p_value))
    main, score = evaluate(gold, results[0], bootstrap=0).main_score
    return Ablation(main, score, sorted(losses, key=lambda loss: -loss.worth))


def number_of_runs(recipe: Recipe) -> int:
    """Return how many models `ablate` trains."""
    return 1 + len(_groups(recipe))


def _groups(recipe: Recipe) -> dict[str, tuple[str, ...]]:
    parts = {name: group for name, group in split(recipe.templates, recipe.groups).items() if name}
    groups = parts or {template: (template,) for template in recipe.templates}
    if len(groups) < 2:
        raise SettingError(
            "groups: expected a recipe with at least two groups of templates, or two templates, to leave one out"
        )
    return groups


def _without(recipe: Recipe, group: Sequence[str]) -> Recipe:
    rest = [template for template in recipe.templates if template not in group]
    return recipe.replace({"templates": rest})
