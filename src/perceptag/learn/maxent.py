"""Maximum-entropy taggers: maximise the probability of every label, given the labels before it.

Read first: reference/maxent.py; machinery: models/maxent/

Ratnaparkhi (1996), "A Maximum Entropy Model for Part-Of-Speech Tagging", EMNLP [W96-0213]: the rival in Collins
(2002). There is no loop over mistakes: `perceptag.models.maxent.optimisers` takes one step in each pass.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from perceptag.errors import SettingError
from perceptag.learn.learner import Learner, Setting
from perceptag.learn.settings import MAX_BEAM, variance_of_prior


def check(settings: Mapping[str, Any]) -> None:
    """Refuse what generalised iterative scaling cannot do."""
    if settings["maxent.optimizer"] != "gis":
        return
    if settings["support"] != "gold":
        raise SettingError(
            f"support: gis has no finite weight for a feature that never occurs with a label; expected 'gold', or "
            f"maxent.optimizer=lbfgs, found {settings['support']!r}"
        )
    if settings["maxent.sigma2"]:
        raise SettingError(
            f"maxent.sigma2: gis has no prior; expected 0, or maxent.optimizer=lbfgs, "
            f"found {settings['maxent.sigma2']:g}"
        )


LEARNER = Learner(
    name="maxent",
    kind="maxent",
    epoch=None,
    source="Ratnaparkhi (1996)",
    settings=(
        Setting(
            "maxent.optimizer",
            "lbfgs",
            "or gis: generalised iterative scaling; a pass is one iteration of either",
            choices=("lbfgs", "gis"),
        ),
        variance_of_prior("maxent.sigma2", 0.0),
        Setting(
            "maxent.beam",
            10,
            "how many histories each token keeps in the search; 0: all, which is exact",
            least=0,
            most=MAX_BEAM,
        ),
    ),
    weights=("last",),
    real_steps=True,
    check=check,
)
