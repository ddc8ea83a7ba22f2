"""The decorator `dataclass`, as `dataclasses` has it, for the many classes that `perceptag tag` makes when it starts.

That of the standard library also compiles the methods that compare objects and show them, three or more for each class:
with 44 classes that is a part of every start that users can measure. Here these methods are ready-made. They look at
the fields when they are called. The rest is the work of `dataclasses`.
"""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Callable
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(
        cls: type | None = None,
        /,
        *,
        init: bool = True,
        repr: bool = True,  # noqa: A002
        eq: bool = True,
        order: bool = False,
        frozen: bool = False,
        slots: bool = False,
    ) -> Any:
        """Add the methods of a data class to a class; see `dataclasses.dataclass`."""

        def make(cls: type) -> type:
            own = set(vars(cls))
            if "__eq__" in own and vars(cls)["__hash__"] is None:
                own.remove("__hash__")  # Python itself has put it there
            made = dataclasses.dataclass(init=init, repr=False, eq=False, frozen=frozen, slots=slots)(cls)
            methods: dict[str, Any] = _comparing(made, order=order, frozen=frozen) if eq else {}
            methods |= {"__repr__": _repr} if repr else {}
            for name in methods.keys() - own:
                setattr(made, name, methods[name])
            return made

        return make if cls is None else make(cls)


def _comparing(cls: type, *, order: bool, frozen: bool) -> dict[str, Any]:
    """Return methods that compare all fields, as tuples; objects that cannot change have a hash."""
    fields = dataclasses.fields(cls)
    values = _values_of([field.name for field in fields if field.compare])
    hashed = _values_of([field.name for field in fields if (field.compare if field.hash is None else field.hash)])
    operations = ("eq", "lt", "le", "gt", "ge") if order else ("eq",)
    methods: dict[str, Any] = {f"__{name}__": _comparison(getattr(operator, name), values) for name in operations}
    return methods | {"__hash__": (lambda self: hash(hashed(self))) if frozen else None}


def _comparison(operation: Callable[[Any, Any], Any], values: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    def compare(self: object, other: object) -> Any:
        return operation(values(self), values(other)) if other.__class__ is self.__class__ else NotImplemented

    return compare


def _values_of(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return what gives the values of attributes; `attrgetter` gives a tuple only for several."""
    if len(names) > 1:
        return operator.attrgetter(*names)
    return lambda found: tuple(getattr(found, name) for name in names)


@recursive_repr()
def _repr(self: Any) -> str:
    shown = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
    return f"{self.__class__.__qualname__}({shown})"
