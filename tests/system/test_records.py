"""Data classes that are quick to make do what those of the standard library do."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import field
from typing import Any

import pytest

from perceptag.system import records

Decorator = Callable[..., Any]
VARIANTS: list[dict[str, bool]] = [
    {},
    {"slots": True},
    {"eq": False},
    {"repr": False},
    {"frozen": True},
    {"frozen": True, "slots": True},
    {"frozen": True, "slots": True, "eq": False},
    {"frozen": True, "slots": True, "order": True},
    {"init": False, "repr": False, "eq": False, "frozen": True},
]


def point(decorator: Decorator, settings: dict[str, bool]) -> Any:
    @decorator(**settings)
    class Point:
        """A point."""

        x: int
        y: int = 2
        names: list[str] = field(default_factory=list, compare=False)
        hidden: int = field(default=7, repr=False)
        length: int = field(default=0, init=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "length", self.x + self.y)

    return Point


def shown(found: object) -> str:
    return repr(found).partition(" object at")[0]


WORKS: list[Callable[[Any], object]] = [
    lambda cls: shown(cls(1)),
    lambda cls: shown(cls(1, names=["a"], hidden=3)),
    lambda cls: shown(cls()),
    lambda cls: cls(1, 2, [], 3, 4),
    lambda cls: (cls(1) == cls(1), cls(1) == cls(1, 3), cls(1) == 1, cls(1) == cls(1, names=["b"])),
    lambda cls: hash(cls(1)) == hash(cls(1)),
    lambda cls: (cls(1) < cls(2), cls(1) >= cls(1, 3)),
    lambda cls: setattr(cls(1), "x", 5),
    lambda cls: delattr(cls(1), "x"),
    lambda cls: dataclasses.asdict(cls(1)),
    lambda cls: dataclasses.asdict(dataclasses.replace(cls(1), y=9)),
    lambda cls: dataclasses.asdict(copy.copy(cls(1, 4))),
    lambda cls: dataclasses.asdict(copy.deepcopy(cls(1, 4))),
    lambda cls: cls(1).names is cls(1).names,
    lambda cls: [(one.name, one.type) for one in dataclasses.fields(cls)],
    lambda cls: [(one.name, one.annotation, one.kind) for one in inspect.signature(cls).parameters.values()],
    lambda cls: cls.__match_args__,
    lambda cls: (cls.__doc__, hasattr(cls, "__slots__"), cls.__init__.__qualname__),
]


def outcome(work: Callable[[Any], object], cls: Any) -> object:
    """What a call returns, or the kind and the text of its error."""
    try:
        return work(cls)
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize("settings", VARIANTS, ids=str)
def test_both_do_the_same(settings: dict[str, bool]) -> None:
    theirs, ours = (point(decorator, settings) for decorator in (dataclasses.dataclass, records.dataclass))
    assert [outcome(work, ours) for work in WORKS] == [outcome(work, theirs) for work in WORKS]


@records.dataclass(frozen=True, slots=True)
class Base:
    """What `Both` inherits from."""

    first: int = 1


@records.dataclass(frozen=True, slots=True)
class Both(Base):  # noqa: PLW1641 - it gets one
    """A class with a method of its own in place of one that is made."""

    second: Any = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Both)


def test_fields_are_inherited_and_methods_of_the_class_stay() -> None:
    assert repr(Both(3, second=4)) == "Both(first=3, second=4)"
    assert Both(3) == Both(4) and hash(Both(3)) != hash(Both(4))
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'first'"):
        Both().first = 2  # type: ignore[misc]


def test_objects_that_cannot_change_go_through_pickle() -> None:
    found = pickle.loads(pickle.dumps(Both(3, "x")))
    assert (found.first, found.second) == (3, "x")


def test_an_object_that_contains_itself_can_be_shown() -> None:
    inside: list[object] = []
    outside = Both(1, inside)
    inside.append(outside)
    assert repr(outside) == "Both(first=1, second=[...])"
