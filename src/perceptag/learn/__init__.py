"""One file for each learner: the loop that a paper shows, and its declaration.

Every module that is not in `SHARED` ends with ``LEARNER = Learner(...)``, or with ``LEARNERS`` if a paper has several.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType, ModuleType

from perceptag.learn.learner import COMMON, Learner, Setting

# What learners are made from.
SHARED = frozenset(
    (
        "latent",
        "learner",
        "settings",
        "seam",
        "shards",
        "stopping",
        "costs",
        "voted",
        "bpm",
        "early_update",
        "candidate_lists",
    )
)


@cache
def catalogue() -> Mapping[str, Learner]:
    """Return all learners of perceptag by name. This does not import numpy."""
    modules = [m.name for m in pkgutil.iter_modules(__path__) if m.name not in SHARED]
    found = [learner for name in modules for learner in declared(import_module(f"{__name__}.{name}"))]
    return MappingProxyType({learner.name: learner for learner in sorted(found, key=lambda learner: learner.name)})


def declared(module: ModuleType) -> tuple[Learner, ...]:
    """Return the learners that a module declares."""
    several: tuple[Learner, ...] = getattr(module, "LEARNERS", ())
    return (module.LEARNER,) if hasattr(module, "LEARNER") else several


@cache
def settings_of_learners() -> Mapping[str, Setting]:
    """Return the settings of all learners by key."""
    return MappingProxyType({setting.key: setting for learner in catalogue().values() for setting in learner.settings})


@cache
def users_of(setting: str) -> tuple[str, ...]:
    """Return the names of the learners that use the setting with a key."""
    return tuple(
        name
        for name, learner in catalogue().items()
        if setting in learner.uses or any(setting == s.key for s in learner.settings)
    )


def does_use(learner: Learner, key: str) -> bool:
    """Return whether a learner uses a setting; all use those that are not optional."""
    if key in settings_of_learners():
        return any(key == setting.key for setting in learner.settings)
    return key not in COMMON or key in learner.uses
