"""Settings of a recipe that belong to learners."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from perceptag.learn import settings_of_learners, users_of


class LearnerSettings(Mapping[str, Any]):
    """Values by key: those that differ from the defaults, and the defaults of all other settings of learners.

    A learner from outside perceptag has all of its settings here, because only the learner knows their defaults.
    """

    __slots__ = ("_given",)

    def __init__(self, given: Mapping[str, Any] | None = None) -> None:
        self._given = dict(given or {})

    def __getitem__(self, key: str) -> Any:
        return self._given[key] if key in self._given else settings_of_learners()[key].default

    def __iter__(self) -> Iterator[str]:
        yield from settings_of_learners()
        yield from self.unknown()

    def __len__(self) -> int:
        return len(settings_of_learners()) + len(self.unknown())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LearnerSettings) and self._given == other._given

    def __hash__(self) -> int:
        return hash(frozenset(self._given.items()))

    def __repr__(self) -> str:
        return f"Own({self._given})"

    def changed(self, settings: Mapping[str, Any]) -> LearnerSettings:
        """Return a copy with some values changed."""
        known = settings_of_learners()
        given = {**self._given, **settings}
        return LearnerSettings(
            {key: value for key, value in given.items() if key not in known or value != known[key].default}
        )

    def stored(self, learner: str) -> dict[str, Any]:
        """Return the settings for a model file: those of the learners of the first release, and of `learner`.

        So a later learner or setting does not change the files of others.
        """
        return {key: value for key, value in self.items() if key in self._given or _is_stored(key, learner)}

    def unknown(self) -> dict[str, Any]:
        """Return the settings that no learner of perceptag has."""
        known = settings_of_learners()
        return {key: value for key, value in self._given.items() if key not in known}

    def without_unknown(self) -> LearnerSettings:
        """Return the settings that some learner of perceptag has."""
        unknown = self.unknown()
        return LearnerSettings({key: value for key, value in self._given.items() if key not in unknown})


NOTHING = LearnerSettings()


def _is_stored(key: str, learner: str) -> bool:
    """Return whether a model of a learner holds the default of a setting."""
    known = settings_of_learners()
    if key not in known or known[key].later:
        return False
    return key in settings_of_learners("0.1.0") or learner in users_of(key)
