"""Declare commands, and read command lines: the signature of a function is its command line.

    def tag_cli(model: Annotated[str, Option("--model -m FILE", "The model.")], quiet: Quiet = False) -> None: ...

An option without a name is called like its parameter: ``in_place`` is ``--in-place``. Options that travel together are
the fields of a dataclass, declared in the same way; a parameter with this dataclass takes all of them.

`options.py` and `tag.py`, which starts most often, are without ``from __future__ import annotations``: annotations
would be texts, and compiling them would take a few milliseconds at every start.

Everything else derives from these declarations: `parse` reads command lines, `help_text.py` writes help and usage,
`shells.py` completes words, ``docs/site/verbs.py`` writes the reference.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Annotated, Any, get_args

from perceptag.errors import SettingError, nearest
from perceptag.system.given_file import NO_FACTS, GivenFile

OPTIONS = "Options"  # the heading in the help above the options that only this command has
GENERAL = "General options"
_FILES = ("IN", "FILE", "GOLD", "PRED", "PRED_A", "PRED_B", "DATA", "CORPUS")  # arguments that are files of sentences
_INPUTS = ("--train", "--dev", "--test")  # options that name files of text; all arguments do
_ONE_FILE = ("--rules",)  # options with a file of another kind, all of whose files might be expected to count


class Option:
    """One option: its names and its placeholder in one text, its help, its limits, and how the shell completes it."""

    def __init__(
        self,
        written: str,
        help: str,  # noqa: A002
        *,
        min: float | None = None,  # noqa: A002
        max: float | None = None,  # noqa: A002
        complete: Callable[..., list[str]] | None = None,
        group: str = OPTIONS,
    ) -> None:
        words = written.split(" ")
        self.names = tuple(word for word in words if word.startswith("-"))
        self.placeholder = " ".join(words[len(self.names) :])
        self.help, self.min, self.max, self.complete, self.group = help, min, max, complete, group


class Argument(Option):
    """One word, or all words, that are not options."""


class Parameter:
    """One option or argument of a command: its declaration, its type and its default."""

    def __init__(self, name: str, annotation: Any, default: Any) -> None:
        kind, self.declared = get_args(annotation)
        kinds = [one for one in get_args(kind) or (kind,) if one is not type(None)]  # `int | None` is `int`
        self.name, self.default = name, default
        self.is_required = default is inspect.Parameter.empty
        self.is_argument = isinstance(self.declared, Argument)
        self.is_flag = kind is bool
        self.is_list = list[str] in (kind, *kinds)
        self.kind: Callable[[str], Any] = str if self.is_list else kinds[0]

    @property
    def names(self) -> Sequence[str]:
        """How the option is written on the command line, the long name first."""
        return self.declared.names or (f"--{self.name.strip('_').replace('_', '-')}",)

    @property
    def shown(self) -> str:
        """How messages call it: the long name of an option, the placeholder of an argument."""
        return _bare(self.declared.placeholder) if self.is_argument else self.names[0]

    @property
    def written(self) -> str:
        """The argument, or the option with its value, as it is written on the command line."""
        return self.shown if self.is_argument else f"{self.shown} {self.declared.placeholder}".rstrip()

    @property
    def is_input(self) -> bool:
        """Whether it names a file of text that the command reads."""
        return self.is_argument or self.shown in _INPUTS

    @property
    def limits(self) -> str:
        """The range of a number, in words."""
        low, high = self.declared.min, self.declared.max
        return " ".join([*([f"from {low}"] if low is not None else []), *([f"to {high}"] if high is not None else [])])

    @property
    def choices(self) -> list[str]:
        """All values that it may have, if they are few."""
        is_enum = isinstance(self.kind, type) and issubclass(self.kind, Enum)
        return [one.value for one in self.kind] if is_enum else []  # type: ignore[attr-defined]


def _given(value: Any, facts: Any) -> Any:
    """Return the name of a file, or several, with what the user says about them."""
    if isinstance(value, list):
        return [_given(one, facts) for one in value]
    return GivenFile(value, facts) if value and facts != NO_FACTS else value


HELP = Parameter("help", Annotated[bool, Option("--help -h", "Show this help.", group=GENERAL)], False)


class Command:
    """A function as a command, with its parameters; those of a dataclass are listed one by one.

    `modes`: further flags of the command, with what they do instead; each is a command of its own.
    """

    def __init__(self, name: str, function: Callable[..., None], modes: Mapping[str, str] | None = None) -> None:
        self.name, self.function, self.modes = name, function, modes or {}
        self._bundles: dict[str, tuple[type, list[Parameter]]] = {}
        self.parameters = list(self._read(function))
        self.options = {name: p for p in [*self.parameters, HELP] if not p.is_argument for name in p.names}
        self.arguments = [p for p in self.parameters if p.is_argument]

    def _read(self, function: Callable[..., Any]) -> Iterator[Parameter]:
        for p in inspect.signature(function, eval_str=True).parameters.values():
            if isinstance(p.annotation, type):
                self._bundles[p.name] = p.annotation, list(self._read(p.annotation))
                yield from self._bundles[p.name][1]
            else:
                yield Parameter(p.name, p.annotation, p.default)

    def run(self, values: dict[str, Any]) -> None:
        """Call the function with the values of all parameters by name; errors name options as the user wrote them."""
        given = {p.shown for p in self.parameters if not p.is_argument and values[p.name] != p.default}
        for name, (bundle, parameters) in self._bundles.items():
            values[name] = bundle(**{p.name: values.pop(p.name) for p in parameters})
            if facts := getattr(values[name], "facts", None):
                values |= {
                    p.name: _given(values[p.name], facts) for p in self.parameters if p.is_input and p.name in values
                }
        try:
            self.function(**values)
        except SettingError as error:
            option = f"--{str(error).partition(': ')[0].replace('_', '-')}"
            if option not in given:
                raise
            raise SettingError(f"--{error}") from error


# As everywhere on POSIX: ``--option VALUE`` and ``--option=VALUE``, ``-j2`` and ``-j 2``, flags in a row (``-qf
# jsonl``), options and arguments in any order, nothing but arguments after ``--``. The word after an option is its
# value even if it begins with a dash. Of an option that is given twice the last value counts; a list takes all.

USUAL = {  # what other tools, and other commands, call an option
    **dict.fromkeys(("--passes", "--iterations", "--max-iterations", "--n-iter"), "--epochs"),
    **dict.fromkeys(("-o", "--output"), "--model OUT"),
    "--json": "--to FORMAT",
}
_NUMBERS: dict[Any, str] = {int: "an integer", float: "a number"}


def _bare(placeholder: str) -> str:
    """Return a placeholder without the marks of what is optional or repeated.

    >>> _bare("[IN]..."), _bare("[NAME=]MODEL ...")
    ('IN', '[NAME=]MODEL')
    """
    word = placeholder.rstrip(".… ")
    return word[1:-1].rstrip(".… ") if word[:1] == "[" and word[-1:] == "]" else word


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
    for parameter in command.parameters:
        if parameter.is_required and parameter.name not in found:
            what = "argument" if parameter.is_argument else "option"
            raise UsageError(f"missing {what}: {parameter.written}{_meant(command, given)}")
    return {parameter.name: _chosen(parameter, found.get(parameter.name, [])) for parameter in command.parameters}


def repeated(command: Command, words: Sequence[str]) -> Iterator[str]:
    """Yield a note for each option with an input file that is given several times with different files."""
    given = [(parameter, word) for parameter, word in scan(command, words) if parameter]
    for option in command.parameters:
        files = [word for parameter, word in given if parameter is option]
        is_file = option.is_input or option.shown in _ONE_FILE
        if is_file and not option.is_list and len(set(files)) > 1:
            yield f"note: {option.shown} is given {len(files)} times; only the last one counts: {files[-1]}"


def refuse_empty_names(command: Command, words: Sequence[str]) -> None:
    """Refuse a file of sentences whose name is empty, which would be the current folder, and stdin given twice."""
    reader = ""
    for parameter, word in _with_arguments(command, list(scan(command, words))):
        if parameter.shown not in _INPUTS and parameter.shown not in _FILES:
            continue
        if not word:
            raise UsageError(f"{parameter.written}: found an empty string; is a variable of the shell empty?")
        if word == "-" and reader:
            raise UsageError(
                f"{reader} and {parameter.shown}: expected '-' once, since stdin is read once; found it twice"
            )
        reader = parameter.shown if word == "-" else reader


def _chosen(parameter: Parameter, words: list[str]) -> Any:
    if not words:
        return parameter.default
    return [_value(parameter, word) for word in words] if parameter.is_list else _value(parameter, words[-1])


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
    usual, _, what = USUAL.get(name, "").partition(" ")
    meant = command.options.get(usual)
    if meant and what in ("", meant.declared.placeholder):
        value = " jsonl" if name == "--json" else ""
        raise UsageError(f"{name}: no such option; did you mean '{usual}{value}'?")
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
                raise UsageError(f"unexpected extra argument {word!r}{_meant(command, given)}")
        if parameter := option or current:
            yield parameter, word


def _meant(command: Command, given: Sequence[tuple[Parameter | None, str]]) -> str:
    """Return what one of the arguments was probably meant to be."""
    from perceptag.cli.meant import meant  # only a mistake needs it

    used = {parameter.name for parameter, _ in given if parameter}
    missing = {written for written, option in command.options.items() if option.name not in used}
    return next(filter(None, (meant(word, missing) for parameter, word in given if parameter is None)), "")


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
