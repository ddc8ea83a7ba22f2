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


@dataclass(frozen=True, slots=True)
class Experiment:
    """Train `recipe` with `settings` on the corpus `data`, keep the best pass on dev, measure it.

    quick : settings that replace others in a quick run
    variants : keys of the recipe that matter only for tagging, with values with which the same model is measured
    grid : a key of the recipe, and values to choose from by the dev score; a quick run uses the value in `settings`
    retagged : replace the columns pos and chunk by those of our own tagger and chunker
    final : also train on train and dev together and measure on the test set; with "best" for the number of passes
        that was best on dev, with "all" for all passes of the recipe
    cost : rough CPU seconds of the full run; only the estimate of the time left uses it
    """

    data: str
    recipe: str
    settings: Settings = ()
    quick: Settings = ()
    variants: tuple[tuple[str, tuple[int, ...]], ...] = ()
    grid: tuple[str, tuple[float, ...]] | None = None
    retagged: bool = False
    final: Literal["", "best", "all"] = ""
    cost: float = field(default=60.0, compare=False)

    def configured(self, quick: bool, label: str) -> Recipe:
        """Return the recipe that is run."""
        return load(self.recipe).replace({"labels.column": label, **self.changes(quick)})

    def changes(self, quick: bool) -> dict[str, Any]:
        """Return the settings that differ from the recipe."""
        return dict(self.settings) | (dict(self.quick) if quick else {})

    def describe(self, quick: bool) -> str:
        """Return the settings that differ from the recipe, in one line."""
        return ", ".join(f"{key_of(k)}={v}" for k, v in self.changes(quick).items())

    def with_setting(self, name: str, value: Any) -> Experiment:
        """Return the same experiment with one more setting, or another value of it."""
        return dataclasses.replace(self, settings=settings(**{**dict(self.settings), name: value}))

    def with_seed(self, seed: int) -> Experiment:
        """Return the same experiment with another seed."""
        return self.with_setting("seed", seed)

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
            "recipe": recipe.to_dict(),
            "variants": self.variants,
            "retagged": self.retagged,
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
