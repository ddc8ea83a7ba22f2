"""Settings of a recipe: those that belong to learners, and values converted and checked."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from perceptag.arrays import plain
from perceptag.errors import SettingError, brief, nearest
from perceptag.learn import catalogue, settings_of_learners, users_of
from perceptag.learn.learner import Learner, Setting


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
        """Return the settings for a model file: those that are set, and those of `learner`."""
        return {key: value for key, value in self.items() if key in self._given or learner in users_of(key)}

    def unknown(self) -> dict[str, Any]:
        """Return the settings that no learner of perceptag has."""
        known = settings_of_learners()
        return {key: value for key, value in self._given.items() if key not in known}

    def without_unknown(self) -> LearnerSettings:
        """Return the settings that some learner of perceptag has."""
        unknown = self.unknown()
        return LearnerSettings({key: value for key, value in self._given.items() if key not in unknown})


NOTHING = LearnerSettings()


def converted(setting: Setting, value: object) -> Any:
    """Return the value in the type of the setting; an error if the setting cannot have it."""
    found = _typed(setting, plain(value))
    _check_limits(setting, found)
    return found


def _typed(setting: Setting, value: object) -> Any:
    default, key = setting.default, setting.key
    if isinstance(default, bool):
        return _truth(key, value)
    if isinstance(default, (int, float)):
        number = _number(key, value, whole=isinstance(default, int))
        return int(number) if isinstance(default, int) else number
    if isinstance(default, str):
        if not isinstance(value, str) or not _is_text(value):
            raise SettingError(f"{key}: expected a string, found {brief(value)}")
        return value
    return strings(key, value)


def _truth(key: str, value: object) -> bool:
    words = {"true": True, "false": False, "1": True, "0": False, "yes": True, "no": False}
    found: object = words.get(value.lower()) if isinstance(value, str) else value
    if not isinstance(found, bool):
        raise SettingError(f"{key}: expected true or false, found {brief(value)}")
    return found


def strings(key: str, value: object) -> tuple[str, ...]:
    """Return a list of strings, or one string with commas between its parts."""
    values = [v.strip() for v in value.split(",") if v.strip()] if isinstance(value, str) else value
    if not isinstance(values, (list, tuple)) or not all(isinstance(v, str) and _is_text(v) for v in values):
        raise SettingError(f"{key}: expected a list of strings, found {brief(value)}")
    return tuple(str(v) for v in values)  # a string of numpy too


def _is_text(value: str) -> bool:
    """Return whether a model file can hold it: it has no lone surrogates."""
    return value.encode("utf-8", "replace").decode() == value


def _number(key: str, value: object, whole: bool) -> float:
    try:
        number = float(value) if isinstance(value, (str, float, int)) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if isinstance(value, bool) or not math.isfinite(number) or (whole and number != int(number)):
        raise SettingError(f"{key}: expected a {'whole ' * whole}number, found {brief(value)}")
    return number


def _check_limits(setting: Setting, value: Any) -> None:
    key = setting.key
    if setting.choices:
        if value not in setting.choices:
            known = ", ".join(setting.choices)
            raise SettingError(f"{key}: expected one of {known}, found {value!r}{nearest(value, setting.choices)}")
    elif setting.above is not None:
        if not setting.above < value <= setting.most:
            limits = f"above {_short(setting.above)}, up to {_short(setting.most)}"
            raise SettingError(f"{key}: expected a number {limits}, found {value}")
    elif setting.least is not None:
        if not setting.least <= value <= setting.most:
            raise SettingError(f"{key}: expected a number {_range(setting.least, setting)}, found {value}")
        if 0 < value < setting.smallest:
            limits = _range(setting.smallest, setting)
            raise SettingError(f"{key}: expected 0 or a number {limits}, found {value:g}")


def _range(least: float, setting: Setting) -> str:
    return f"from {_short(least)} to {_short(setting.most)}"


def _short(limit: float) -> str:
    """Return a limit in digits if it is a whole number: 2147483647, not 2.14748e+09."""
    return str(int(limit)) if limit == int(limit) else f"{limit:g}"


def kept_as_it_is(key: str, value: object) -> Any:
    """Return the value of a setting of an unknown learner, as a model file holds it."""
    given = plain(value)
    if isinstance(given, (list, tuple)):
        return strings(key, given)
    if isinstance(given, str):
        return converted(Setting(key, "", ""), given)
    return given if isinstance(given, int) else _number(key, given, whole=False)


def check_declaration(learner: Learner, ours: Mapping[str, Setting]) -> None:
    """Refuse a learner of the user whose name or settings already mean something else in perceptag (`ours`)."""
    if learner.name in catalogue():
        raise SettingError(f"learner: the name {learner.name!r} belongs to a learner of perceptag; choose another name")
    kinds = [kind for kind in ours["weights"].choices if kind != "best"]
    if not set(learner.weights) <= set(kinds):
        raise SettingError(
            f"learner {learner.name!r}: weights: expected some of {', '.join(kinds)}, found {learner.weights}"
        )
    for setting in learner.settings:
        if setting.name not in ours and not (setting.parameter(learner.epoch) or setting.parameter(learner.state)):
            raise SettingError(
                f"learner {learner.name!r}: setting {setting.key!r}: neither epoch nor state takes it as an argument"
            )
        if setting.name in ours and ours[setting.name] != setting:
            owner = next((known.name for known in catalogue().values() if ours[setting.name] in known.settings), "")
            same = f", or the same object, which is in perceptag.learn.catalogue()[{owner!r}].settings" if owner else ""
            raise SettingError(
                f"learner {learner.name!r}: the setting {setting.key!r} belongs to perceptag; expected another key, "
                f"such as '{learner.name}.{setting.key}'{same}"
            )
