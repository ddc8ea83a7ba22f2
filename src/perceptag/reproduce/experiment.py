"""One training run of a reproduction: data, recipe, settings. What is equal here is run once."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from perceptag.recipe import Recipe, key_of, load

Settings = tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Experiment:
    """Train `recipe` with `settings` on the corpus `data`, keep the best pass on dev, measure it.

    quick : settings that take the place of others in a quick run
    variants : keys of the recipe that only matter in tagging, with values to measure the same model at
    retagged : replace the columns pos and chunk by those of our own tagger and chunker
    final : also train on train and dev together for the best number of passes, and measure that on the test set
    cost : CPU seconds of the full run, roughly; only the estimate of the time left uses it
    """

    data: str
    recipe: str
    settings: Settings = ()
    quick: Settings = ()
    variants: tuple[tuple[str, tuple[int, ...]], ...] = ()
    retagged: bool = False
    final: bool = False
    cost: float = field(default=60.0, compare=False)

    def configured(self, quick: bool, label: str) -> Recipe:
        """The recipe that is run."""
        return load(self.recipe).replace({"labels.column": label, **self.changes(quick)})

    def changes(self, quick: bool) -> dict[str, Any]:
        """What is set besides the recipe."""
        return dict(self.settings) | (dict(self.quick) if quick else {})

    def describe(self, quick: bool) -> str:
        """What is set besides the recipe, in one line."""
        return ", ".join(f"{key_of(k)}={v}" for k, v in self.changes(quick).items())

    def with_seed(self, seed: int) -> Experiment:
        """The same with another seed."""
        return dataclasses.replace(self, settings=(*self.settings, ("seed", seed)))

    def key(self, recipe: Recipe, facts: Mapping[str, object]) -> str:
        """A name for exactly this run: all settings, and facts such as the digest of the data."""
        spec = {
            "recipe": recipe.to_dict(),
            "variants": self.variants,
            "retagged": self.retagged,
            "final": self.final,
            **facts,
        }
        return hashlib.sha256(json.dumps(spec, sort_keys=True).encode()).hexdigest()[:16]


def settings(**values: Any) -> Settings:
    """Settings as experiments hold them; ``labels_keep`` stands for ``labels.keep``.

    >>> settings(epochs=5, weights="last")
    (('epochs', 5), ('weights', 'last'))
    """
    return tuple(sorted(values.items()))
