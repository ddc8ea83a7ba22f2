"""Declare commands: the signature of a function is its command line.

    def tag_cli(model: Annotated[str, Option("--model -m FILE", "The model.")], quiet: Quiet = False) -> None: ...

An option without a name is called like its parameter: ``in_place`` is ``--in-place``. Options that travel together are
the fields of a dataclass, declared in the same way; a parameter with this dataclass takes all of them.

`options.py` and `tag.py`, which starts most often, are without ``from __future__ import annotations``: annotations
would be texts, and compiling them would take a few milliseconds at every start.

Everything else derives from these declarations: `parsing.py` reads command lines, `help_text.py` writes help and usage,
`shells.py` completes words, ``docs/site/verbs.py`` writes the reference.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Annotated, Any, get_args

from perceptag.text.given_file import NO_FACTS, GivenFile

OPTIONS = "Options"  # the heading in the help above the options that only this command has
GENERAL = "General options"
_INPUTS = ("--train", "--dev", "--test")  # options that name files of text; all arguments do


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
        return self.declared.placeholder.strip("[].… ") if self.is_argument else self.names[0]

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
        """Call the function with the values of all parameters by name."""
        for name, (bundle, parameters) in self._bundles.items():
            values[name] = bundle(**{p.name: values.pop(p.name) for p in parameters})
            if facts := getattr(values[name], "facts", None):
                values |= {
                    p.name: _given(values[p.name], facts) for p in self.parameters if p.is_input and p.name in values
                }
        self.function(**values)
