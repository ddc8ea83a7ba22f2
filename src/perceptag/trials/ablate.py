"""What each group of templates is worth: train with all of them, then without one group at a time.

The worth of a group is the score that is lost without it. Both runs label the same dev sentences, so the difference
is tested in pairs. It is not what the group gives on its own: groups with the same information are each worth little.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from perceptag.errors import SettingError
from perceptag.evaluation import compare, evaluate
from perceptag.features.groups import split
from perceptag.models.task import find_labels
from perceptag.recipe.recipe import Recipe
from perceptag.text.sentence import Sentence
from perceptag.trials.runs import run_trials


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
