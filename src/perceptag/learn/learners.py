"""The learners by name, and which settings each of them heeds.

A setting that nobody heeds is a surprise: ``--recipe crf --set margin=5`` would train the very same model as without.
`HEEDED_BY` lists the keys that only some learners look at; `perceptag.recipe.recipe` refuses them for the others.
"""

from __future__ import annotations

RERANKERS = ("rerank-1", "rerank-2")
NONLOCAL_LEARNERS = ("candidate", "nonlocal", "ascent", "ascent-document", *RERANKERS)
ONLINE_LEARNERS = ("pa", "mira", "arow")
PROBABILISTIC = ("crf",)  # learners whose linear models define probabilities of labellings
LEARNERS = ("perceptron", "margin", *ONLINE_LEARNERS, *NONLOCAL_LEARNERS, "guided", "chunker", "crf", "maxent")

_MARGIN = ("margin", *NONLOCAL_LEARNERS)
_TABLES = {"nonlocal": NONLOCAL_LEARNERS, "chunker": ("chunker",), "maxent": ("maxent",), "crf": ("crf",)}
HEEDED_BY = {
    "snapshots": ("perceptron",),
    "beam": ("guided",),
    "direction": ("guided",),
    "aggressive": ("guided",),
    "tau": ("guided",),
    "margin": _MARGIN,
    "margin_local": NONLOCAL_LEARNERS,
    "nbest": ("mira", *NONLOCAL_LEARNERS),
    "nbest_tagging": NONLOCAL_LEARNERS,
    "sweeps": NONLOCAL_LEARNERS,
    "folds": RERANKERS,
    "first_epochs": RERANKERS,
    "first_margin": RERANKERS,
    "bpm": _MARGIN,
    "tolerance": tuple(name for name in LEARNERS if name not in ("guided", "chunker")),
    "average_from": tuple(name for name in LEARNERS if name not in ("maxent", "chunker")),
    "online_type": ("pa",),
    "online_c": ("pa", "mira"),
    "online_cost": ONLINE_LEARNERS,
    "online_augmented": ONLINE_LEARNERS,
    "online_variance": ("arow",),
    "online_gamma": ("arow",),
}


def heeding(field: str) -> tuple[str, ...]:
    """The learners that look at a field of recipes.

    >>> heeding("beam"), heeding("crf_l1"), heeding("epochs") == LEARNERS
    (('guided',), ('crf',), True)
    """
    table, _, rest = field.partition("_")
    return _TABLES[table] if rest and table in _TABLES else HEEDED_BY.get(field, LEARNERS)
