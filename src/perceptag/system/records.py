"""The decorator `dataclass`, as `dataclasses` has it, for the many classes that `perceptag tag` makes when it starts.

That of the standard library compiles five functions or more for each class, which takes 0.5 ms: for 44 classes a
quarter of the time in which one sentence is tagged. Here only ``__init__`` is compiled. The other methods look at the
fields when they are called; `fields`, `replace` and `asdict` of `dataclasses` work as ever.
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
            made = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
            methods: dict[str, Any] = {}
            if init:
                methods["__init__"] = _make_init(made, frozen=frozen, slots=slots)
            if repr:
                methods["__repr__"] = _repr
            if eq:
                methods |= _comparing(made, order=order, frozen=frozen)
            if frozen:
                methods |= {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}
                methods |= {"__getstate__": _state, "__setstate__": _set_state} if slots else {}
            for name in methods.keys() - own:
                setattr(made, name, methods[name])
            return made

        return make if cls is None else make(cls)


_MISSING = dataclasses.MISSING


def _make_init(cls: type, *, frozen: bool, slots: bool) -> Callable[..., None]:
    """Compile ``__init__``: it takes all fields, and calls ``__post_init__`` if there is one."""
    names: dict[str, Any] = {"_set": object.__setattr__, "_missing": _MISSING}
    parameters, lines = [], []
    for field in dataclasses.fields(cls):
        name, value = field.name, field.name
        default = f"_default_{name}"
        if field.default_factory is not _MISSING:
            names[default] = field.default_factory
            value = f"{default}() if {name} is _missing else {name}" if field.init else f"{default}()"
            parameters += [f"{name}=_missing"] if field.init else []
        elif field.default is not _MISSING:
            names[default] = field.default
            value = name if field.init else default
            parameters += [f"{name}={default}"] if field.init else []
        else:
            parameters += [name] if field.init else []
        if field.init or field.default_factory is not _MISSING or (slots and field.default is not _MISSING):
            lines.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    body = "\n ".join(lines or ["pass"])
    exec(f"def __init__(self, {', '.join(parameters)}):\n {body}", names)
    made: Callable[..., None] = names["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    made.__module__ = cls.__module__
    made.__annotations__ = {f.name: f.type for f in dataclasses.fields(cls) if f.init} | {"return": None}
    return made


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


def _refuse_to_set(self: object, name: str, value: object) -> None:  # noqa: ARG001
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: object, name: str) -> None:  # noqa: ARG001
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
