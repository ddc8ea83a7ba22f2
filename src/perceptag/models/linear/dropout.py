"""Features that a pass leaves out: a function of seed, pass, number of the sequence, and place of the feature in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from perceptag import _core
from perceptag.arrays import Longs
from perceptag.recipe.recipe import Recipe, uses


@dataclass(frozen=True, slots=True)
class Dropout:
    """What one pass leaves out."""

    share: float
    seed: int

    @classmethod
    def of(cls, recipe: Recipe, epoch: int) -> Dropout | None:
        """Return what a pass leaves out, or None if the recipe does not ask for it."""
        share = float(recipe.own["dropout"]) if uses(recipe, "dropout") else 0.0
        if not share:
            return None
        return cls(share, int(np.random.SeedSequence([recipe.seed, epoch]).generate_state(1, np.uint64)[0]))

    def __call__(self, corpus: _core.Corpus, numbers: Longs | None = None, threads: int = 1) -> _core.Corpus:
        """Return a copy with features left out. `numbers`: of the sequences in all of the data; None: 0, 1, …"""
        return corpus.thinned(self.share, self.seed, threads, numbers)
