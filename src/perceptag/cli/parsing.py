"""Read the words of a command line by the declarations of a command.

As everywhere on POSIX: ``--option VALUE`` and ``--option=VALUE``, ``-j2`` and ``-j 2``, flags in a row (``-qf jsonl``),
options and arguments in any order, nothing but arguments after ``--``. The word after an option is its value even if it
begins with a dash. Of an option that is given twice the last value counts; a list takes all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from perceptag.cli.declare import HELP, Command, Option, Parameter
from perceptag.errors import SettingError, nearest

_NUMBERS: dict[Any, str] = {int: "an integer", float: "a number"}


class UsageError(SettingError):
    """A command line that cannot be read. `waiting`: the option at its end whose value is missing."""

    waiting: Parameter | None = None


def parse(command: Command, words: Sequence[str]) -> dict[str, Any] | None:
    """Return the values of all parameters by name; None if the command line asks for help."""
    given = list(scan(command, words))
    if any(parameter is HELP for parameter, _ in given):
        return None
    found: dict[str, list[str]] = {}
    for parameter, word in _with_arguments(command, given):
        found.setdefault(parameter.name, []).append(word)
    return {parameter.name: _chosen(parameter, found.get(parameter.name, [])) for parameter in command.parameters}


def _chosen(parameter: Parameter, words: list[str]) -> Any:
    if words:
        return [_value(parameter, word) for word in words] if parameter.is_list else _value(parameter, words[-1])
    if parameter.is_required:
        what = "argument" if parameter.is_argument else "option"
        raise UsageError(f"missing {what}: {parameter.written}")
    return parameter.default


def scan(command: Command, words: Sequence[str]) -> Iterator[tuple[Parameter | None, str]]:
    """Yield options with their words, which are empty for flags; None stands for an argument."""
    rest = iter(words)
    for word in rest:
        if word == "--":
            yield from ((None, other) for other in rest)
        elif word.startswith("--"):
            yield _long(command, word, rest)
        elif word.startswith("-") and word != "-":
            yield from _short(command, word, rest)
        else:
            yield None, word


def _long(command: Command, word: str, rest: Iterator[str]) -> tuple[Parameter, str]:
    name, equals, value = word.partition("=")
    option = _option(command, name)
    if option.is_flag and equals:
        raise UsageError(f"{name}: expected no value, found {value!r}")
    return option, value if equals or option.is_flag else _next(option, rest)


def _short(command: Command, word: str, rest: Iterator[str]) -> Iterator[tuple[Parameter, str]]:
    """Yield flags in a row, of which the last may be an option with its value."""
    for place, letter in enumerate(word[1:], 2):
        option = _option(command, f"-{letter}")
        if not option.is_flag:
            yield option, word[place:] or _next(option, rest)
            return
        yield option, ""


def _option(command: Command, name: str) -> Parameter:
    if option := command.options.get(name):
        return option
    raise UsageError(f"{name}: no such option{nearest(name, [*command.options, *command.modes])}")


def _next(option: Parameter, rest: Iterator[str]) -> str:
    for word in rest:
        return word
    error = UsageError(f"{option.shown}: expected {option.declared.placeholder}, found nothing")
    error.waiting = option
    raise error


def _with_arguments(command: Command, given: Sequence[tuple[Parameter | None, str]]) -> Iterator[tuple[Parameter, str]]:
    """Give each argument its word, and the last one all that are left if it is a list."""
    arguments, current = iter(command.arguments), None
    for option, word in given:
        if option is None and (current is None or not current.is_list):
            current = next(arguments, None)
            if current is None:
                raise UsageError(f"unexpected extra argument {word!r}")
        if parameter := option or current:
            yield parameter, word


def _value(parameter: Parameter, word: str) -> Any:
    """Return the value that a word stands for; refuse one of the wrong type or out of range."""
    if parameter.is_flag:
        return True
    try:
        value = parameter.kind(word)
    except ValueError:
        value = None
    if value is None or (parameter.kind in _NUMBERS and not _is_within(value, parameter.declared)):
        raise UsageError(f"{parameter.shown}: expected {_expected(parameter)}, found {word!r}")
    return value


def _is_within(number: float, declared: Option) -> bool:
    """Whether a number keeps its limits. NaN never does: every later comparison with it would be false."""
    return (
        number == number  # noqa: PLR0124
        and (declared.min is None or number >= declared.min)
        and (declared.max is None or number <= declared.max)
    )


def _expected(parameter: Parameter) -> str:
    if parameter.choices:
        return f"one of {', '.join(parameter.choices)}"
    return f"{_NUMBERS[parameter.kind]} {parameter.limits}".rstrip()
