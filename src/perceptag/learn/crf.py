"""Conditional random fields: maximise the probability of the gold labellings.

Read first: reference/crf.py; machinery: models/linear/crf_trainer.py

Lafferty, McCallum and Pereira (2001), "Conditional Random Fields", ICML; the Gaussian prior as in Sha and Pereira
(2003), "Shallow Parsing with Conditional Random Fields", NAACL [N03-1028], section 3.

    maximise  sum of log p(y | x)  -  sum of w^2 / (2 sigma^2)  -  l1 * sum of |w|

There is no loop over mistakes: `perceptag.models.linear.crf_trainer` takes one step of L-BFGS in each pass.
"""

from __future__ import annotations

from perceptag.learn.learner import Learner, Setting
from perceptag.learn.settings import SHARDS, variance_of_prior

LEARNER = Learner(
    name="crf",
    kind="linear",
    epoch=None,
    source="Lafferty, McCallum and Pereira (2001); the prior: Sha and Pereira (2003), section 3",
    settings=(
        variance_of_prior("crf.sigma2", 10.0),
        Setting("crf.l1", 0.0, "factor of the sum of absolute weights in the penalty", least=0),
        SHARDS,
    ),
    weights=("last",),
    real_steps=True,
    probabilistic=True,
)
