"""Write help: the commands in groups, the options of a command in groups, wrapped by word to the terminal."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence

from perceptag.cli.declare import GENERAL, HELP, OPTIONS, Command, Parameter

WIDEST = 110
_INDENT = 2
_MANY = 1_000_000  # limits that a user can meet are below
_NAMES = 28  # wider names take a line of their own
_TOP = """Sequence labelling with perceptrons: train, tag, score, explain.

'perceptag COMMAND --help' describes a command. Data goes to stdout, everything else to stderr. Exit status: 0 done,
1 failed check, 2 usage or bad input, 130 interrupted."""
_TOP_OPTIONS = [
    ("    --version", "Print the version, and how it was built."),
    ("    --install-completion [SHELL]", "Let the Tab key complete command lines; default: the shell in use."),
    ("    --show-completion [SHELL]", "Print what --install-completion would install."),
    ("-h, --help", HELP.declared.help),
]
TOP_USAGE = "perceptag [OPTIONS] COMMAND [ARGS]..."


def overview(groups: Mapping[str, Mapping[str, str]]) -> str:
    """Return the help of perceptag: all commands in groups, a line each."""
    sections = {title: list(commands.items()) for title, commands in groups.items()} | {OPTIONS: _TOP_OPTIONS}
    return _page(TOP_USAGE, _TOP, sections)


def help_of(command: Command) -> str:
    """Return the help of a command."""
    sections: dict[str, list[tuple[str, str]]] = {}
    if command.modes:
        sections[f"Modes, each with options of its own ('perceptag {command.name} MODE --help')"] = [
            (f"    {flag}", text) for flag, text in command.modes.items()
        ]
    if command.arguments:
        sections["Arguments"] = [(p.declared.placeholder, _meaning(p)) for p in command.arguments]
    options = [p for p in [*command.parameters, HELP] if not p.is_argument]
    groups = dict.fromkeys([OPTIONS, *(p.declared.group for p in options if p.declared.group != GENERAL), GENERAL])
    for group in groups:
        if members := [(_names(p), _meaning(p)) for p in options if p.declared.group == group]:
            sections[group] = members
    return _page(usage(command), textwrap.dedent(f"    {command.function.__doc__}").strip(), sections)


def usage(command: Command) -> str:
    """Return the line that shows how a command is written, with all that it needs."""
    needed = [p.written for p in command.parameters if p.is_required and not p.is_argument]
    name = [word for word in command.name.split() if word not in command.options]
    return " ".join(["perceptag", *name, *needed, "[OPTIONS]", *(p.declared.placeholder for p in command.arguments)])


def _page(usage_: str, prose: str, sections: Mapping[str, Sequence[tuple[str, str]]]) -> str:
    width = min(shutil.get_terminal_size().columns, WIDEST)
    wide = max(len(name) for rows in sections.values() for name, _ in rows if len(name) <= _NAMES)
    blocks = [f"Usage: {usage_}", *(_wrapped(part, width, " " * _INDENT) for part in prose.split("\n\n"))]
    for title, rows in sections.items():
        blocks.append("\n".join([f"{title}:", *(line for row in rows for line in _row(*row, wide, width))]))
    return "\n\n".join(blocks) + "\n"


def _row(name: str, text: str, wide: int, width: int) -> Iterator[str]:
    column = _INDENT + wide + 2
    lines = _wrapped(text, width, " " * column).split("\n")
    if len(name) > wide:
        yield " " * _INDENT + name
    else:
        lines[0] = f"{'':{_INDENT}}{name:{wide}}  {lines[0].lstrip()}"
    yield from lines


def _wrapped(text: str, width: int, indent: str) -> str:
    return textwrap.fill(
        " ".join(text.split()),
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _names(option: Parameter) -> str:
    """The names of an option, the short one first, and its value."""
    short = [name for name in option.names if not name.startswith("--")]
    names = ", ".join([*short, *(name for name in option.names if name not in short)])
    return f"{'' if short else '    '}{names} {option.declared.placeholder}".rstrip()


def _meaning(parameter: Parameter) -> str:
    """The help of a parameter, then its range and its default."""
    facts = "; ".join(_facts(parameter))
    return f"{parameter.declared.help}  [{facts}]" if facts else parameter.declared.help


def _facts(parameter: Parameter) -> Iterable[str]:
    if parameter.is_required and not parameter.is_argument:
        yield "required"
    if parameter.declared.max is not None and parameter.declared.max < _MANY:
        yield parameter.limits
    if default := default_of(parameter):
        yield f"default: {default}"


def default_of(parameter: Parameter) -> str:
    """The default as help shows it: nothing if there is none, or if the help says it."""
    value = getattr(parameter.default, "value", parameter.default)  # of an enumeration, the word
    is_said = "default" in parameter.declared.help.lower()
    is_nothing = parameter.is_required or value is None or value is False or value in ("", "-")
    return "" if is_said or is_nothing else str(value)
