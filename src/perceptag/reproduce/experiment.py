"""One training run of a reproduction: data, recipe, settings. Equal experiments are run once."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from perceptag.recipe.recipe import Recipe, key_of, load

Settings = tuple[tuple[str, Any], ...]
_PROTOCOL = 2  # part of the name of every result: a result of another protocol is not taken for one of this


@dataclass(frozen=True, slots=True)
class Protocol:
    """How a paper's experiments are carried out.

    orders : the training orders, 0 for the order of the data; statements are judged over all of them
    published : nothing shortened: the grids, the start and the stopping rule of the paper
    """

    orders: tuple[int, ...] = (0, 1, 2)
    published: bool = False

    def all(self, run: Experiment) -> tuple[Experiment, ...]:
        """Return the run in every order."""
        return tuple(run.with_order(order) for order in self.orders)


FULL = Protocol()
QUICK = Protocol(orders=(0,))
PUBLISHED = Protocol(orders=(0,), published=True)


@dataclass(frozen=True, slots=True)
class TakenSetting:
    """A setting whose value is known only when another experiment is done."""

    name: str
    run: Experiment
    key: str  # of that run's recipe; "best_epoch": its best pass


@dataclass(frozen=True, slots=True)
class Experiment:
    """Train `recipe` with `settings` on the corpus `data`, keep the best pass on dev, measure it.

    quick : settings that replace others in a quick run
    variants : keys of the recipe that matter only for tagging, with values with which the same model is measured
    grid : a key of the recipe, and values to choose from by the dev score; a quick run uses the value in `settings`
    order : of the training data: 0 as it is, any other number a shuffled order of its documents (or sentences)
    keep : the pass that becomes the model; with "last" training does not see dev data
    tags : "other" replaces the columns pos and chunk by TagChunk's, or if there are none by our own; with "tagchunk"
        they must be TagChunk's
    lists : add the features of the paper's gazetteers if the folder of the data has them
    rival : not a recipe but a system that only `reproduce` has (rivals.py)
    final : also train on train and dev together and measure on the test set, if dev was cut from the training data;
        with "best" for the number of passes that was best on dev, with "all" for all passes of the recipe
    takes : settings that depend on the results of other experiments
    cost : rough CPU seconds of one full run; only estimates of time use it
    """

    data: str
    recipe: str
    settings: Settings = ()
    quick: Settings = ()
    variants: tuple[tuple[str, tuple[int, ...]], ...] = ()
    grid: tuple[str, tuple[float, ...]] | None = None
    order: int = 0
    keep: Literal["best", "last"] = "best"
    tags: Literal["", "other", "tagchunk"] = ""
    lists: bool = False
    rival: bool = False
    final: Literal["", "best", "all"] = ""
    takes: tuple[TakenSetting, ...] = ()
    cost: float = field(default=60.0, compare=False)

    def configured(self, quick: bool, label: str) -> Recipe:
        """Return the recipe that is run; of a rival, the recipe that says what its labels are."""
        return load("collins-pos" if self.rival else self.recipe).replace(
            {"labels.column": label, **self.changes(quick)}
        )

    def changes(self, quick: bool) -> dict[str, Any]:
        """Return the settings that differ from the recipe."""
        return dict(self.settings) | (dict(self.quick) if quick else {})

    def describe(self, quick: bool) -> str:
        """Return the settings that differ from the recipe, and what else is special, in one line."""
        told = [f"{key_of(k)}={v}" for k, v in self.changes(quick).items()]
        told += [f"order {self.order}"] if self.order else []
        return ", ".join(told + (["last pass"] if self.keep == "last" else []))

    def with_setting(self, name: str, value: Any) -> Experiment:
        """Return the same experiment with one more setting, or another value of it."""
        return dataclasses.replace(self, settings=settings(**{**dict(self.settings), name: value}))

    def with_order(self, order: int) -> Experiment:
        """Return the same experiment with another order of the training data, and the values that were chosen in 0."""
        if order == self.order:
            return self
        takes = tuple(dataclasses.replace(taken, run=taken.run.with_order(order)) for taken in self.takes)
        chosen = (TakenSetting(self.grid[0], self, key_of(self.grid[0])),) if self.grid else ()
        other = dataclasses.replace(self, order=order, grid=None, takes=takes + chosen)
        return other.with_setting("seed", order)

    def alternatives(self, quick: bool) -> tuple[Experiment, ...]:
        """Return the runs from which the best is taken: one for each value of the grid."""
        plain = dataclasses.replace(self, grid=None)
        if self.grid is None or quick:
            return (plain,)
        name, values = self.grid
        return tuple(plain.with_setting(name, value) for value in values)

    def key(self, recipe: Recipe, facts: Mapping[str, object]) -> str:
        """Return a name for exactly this run, from all settings and from facts such as the digest of the data."""
        spec = {
            "protocol": _PROTOCOL,
            "recipe": recipe.to_dict(),
            "rival": self.recipe if self.rival else "",
            "variants": self.variants,
            "keep": self.keep,
            "tags": self.tags,
            "order": self.order,
            "final": self.final,
            **facts,
        }
        return hashlib.sha256(json.dumps(spec, sort_keys=True).encode()).hexdigest()[:16]


def settings(**values: Any) -> Settings:
    """Return settings as experiments store them; ``labels_keep`` stands for ``labels.keep``.

    >>> settings(epochs=5, weights="last")
    (('epochs', 5), ('weights', 'last'))
    """
    return tuple(sorted(values.items()))
