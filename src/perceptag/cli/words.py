"""The words of a command line, read by the declarations of a verb: the plain ones, which are nearly all.

Whatever is not plain is left to typer: unknown options, wrong values, ``-j2``, ``--``. It reads some of it, and
explains what is wrong with the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from inspect import Parameter, signature
from typing import Any, get_args

from perceptag.cli.declare import Argument

_KINDS: dict[Any, Callable[[str], Any]] = {str: str, int: int, float: float}


class _NotPlainError(Exception):
    """A command line that typer should read."""


class _Declared:
    """One parameter of a verb."""

    def __init__(self, parameter: Parameter) -> None:
        kind, self.declared = get_args(parameter.annotation)
        kinds = [one for one in get_args(kind) or (kind,) if one is not type(None)]  # `int | None` is `int`
        self.name, self.default = parameter.name, parameter.default
        self.is_list = kind is not bool and any(one in (list[str], list) for one in (kind, *kinds))
        self.is_flag = kind is bool
        self.kind = str if self.is_list else kinds[0]

    @property
    def is_argument(self) -> bool:
        return isinstance(self.declared, Argument)

    @property
    def names(self) -> Sequence[str]:
        """How it is called on the command line."""
        return self.declared.names or (f"--{self.name.replace('_', '-')}",)

    @property
    def is_plain(self) -> bool:
        """Whether its values are read here."""
        if self.is_flag:
            return bool(self.declared.names)  # others have a --no-… too
        return self.kind in _KINDS and "callback" not in self.declared.settings

    def value(self, word: str) -> Any:
        """The value that a word stands for."""
        settings: dict[str, Any] = self.declared.settings
        try:
            value = _KINDS[self.kind](word)
        except (KeyError, ValueError):
            raise _NotPlainError from None
        lowest, highest = settings.get("min"), settings.get("max")
        if (lowest is None or value >= lowest) and (highest is None or value <= highest):
            return value
        raise _NotPlainError


def read(verb: Callable[..., None], words: Sequence[str]) -> dict[str, Any] | None:
    """The parameters of a verb that these words give; None if typer should read them."""
    declared = [_Declared(p) for p in signature(verb, eval_str=True).parameters.values()]
    options = {name: d for d in declared if not d.is_argument and d.is_plain for name in d.names}
    values: dict[str, Any] = {}
    try:
        places = _read_options(iter(words), options, values)
        _read_arguments(places, [d for d in declared if d.is_argument], values)
        return {d.name: _given(d, values) for d in declared}
    except _NotPlainError:
        return None


def _read_options(words: Iterator[str], options: dict[str, _Declared], values: dict[str, Any]) -> list[str]:
    """Read the options into `values`; return the other words."""
    others = []
    for word in words:
        if word == "-" or not word.startswith("-"):
            others.append(word)
            continue
        name, equals, value = word.partition("=")
        option = options.get(name)
        if option is None or (equals and (option.is_flag or not name.startswith("--"))):
            raise _NotPlainError
        _put(option, value if equals else "" if option.is_flag else _next(words), values)
    return others


def _next(words: Iterator[str]) -> str:
    for word in words:
        return word
    raise _NotPlainError


def _put(option: _Declared, word: str, values: dict[str, Any]) -> None:
    if option.is_list:
        values.setdefault(option.name, []).append(option.value(word))
    else:
        values[option.name] = True if option.is_flag else option.value(word)


def _read_arguments(words: list[str], arguments: Sequence[_Declared], values: dict[str, Any]) -> None:
    """Give each argument its word, and all that are left to a list, which is the last one."""
    for number, argument in enumerate(arguments):
        if not argument.is_plain or (argument.is_list and number < len(arguments) - 1):
            raise _NotPlainError
        for word in words[number:] if argument.is_list else words[number : number + 1]:
            _put(argument, word, values)
    if len(words) > len(arguments) and not any(a.is_list for a in arguments):
        raise _NotPlainError


def _given(declared: _Declared, values: dict[str, Any]) -> Any:
    if declared.name not in values and declared.default is Parameter.empty:
        raise _NotPlainError
    return values.get(declared.name, declared.default)
