"""Conditional random fields: maximise the probability of the gold labellings.

Read first: reference/crf.py; machinery: models/linear/crf_trainer.py

Lafferty, McCallum and Pereira (2001), "Conditional Random Fields", ICML; the Gaussian prior as in Sha and Pereira
(2003), "Shallow Parsing with Conditional Random Fields", NAACL [N03-1028], section 3.

    maximise  sum of log p(y | x)  -  sum of w^2 / (2 sigma^2)  -  l1 * sum of |w|

There is no loop over mistakes: `perceptag.models.linear.crf_trainer` takes one step of an optimiser in each pass.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from perceptag.errors import SettingError
from perceptag.learn.learner import Learner, Setting
from perceptag.learn.settings import SHARDS, variance_of_prior


def check(settings: Mapping[str, Any]) -> None:
    """Refuse averaged weights where there is no average, and shards where steps follow each other."""
    if settings["crf.optimizer"] == "lbfgs" and settings["weights"] != "last":
        raise SettingError(
            f"weights: crf.optimizer = 'lbfgs' has no average; expected weights = 'last', found {settings['weights']!r}"
        )
    if settings["crf.optimizer"] == "adagrad" and settings.get("shards", 1) > 1:
        raise SettingError(
            "shards: expected 1 with crf.optimizer = 'adagrad', which takes one step after the other; 'lbfgs' adds the "
            "gradients of shards"
        )


LEARNER = Learner(
    name="crf",
    kind="linear",
    epoch=None,
    source="Lafferty, McCallum and Pereira (2001); the prior: Sha and Pereira (2003), section 3",
    settings=(
        Setting(
            "crf.optimizer",
            "lbfgs",
            "lbfgs: a pass is one iteration; adagrad: a pass is one step for each sequence",
            choices=("lbfgs", "adagrad"),
        ),
        variance_of_prior("crf.sigma2", 10.0),
        Setting("crf.l1", 0.0, "factor of the sum of absolute weights in the penalty", least=0),
        SHARDS,
    ),
    real_steps=True,
    probabilistic=True,
    check=check,
)
