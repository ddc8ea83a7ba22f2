"""The command line: one file for each command and mode, whose function takes the options.

``perceptag check`` is ``check_cli()`` in ``check.py``, and ``perceptag check --stats`` ``check_stats_cli()`` in
``check_stats.py``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from perceptag.cli import bar
from perceptag.cli.streams import BAD_INPUT, describe, file_warnings_told, run_guarded, write_stderr, write_stdout
from perceptag.errors import PerceptagError, nearest
from perceptag.system.interrupts import INTERRUPTED, forget

if TYPE_CHECKING:
    from perceptag.cli.declare import Command

__all__ = ["COMMANDS", "load_command", "main"]

COMPLETING = "_PERCEPTAG_COMPLETE"  # in the environment of a process that a shell asks for completions

# All commands as ``perceptag --help`` lists them, so that it need not import them. The summary of a command is also the
# first line of its docstring.
GROUPS = {
    "Label text": {
        "tag": "Tag a file or a stream.",
        "tokenize": "Split running text into sentences, tokens and words.",
        "pipeline": "Combine several models in one file.",
    },
    "Train": {
        "train": "Train a model.",
        "build": "Build a pipeline for a language from a treebank.",
        "classes": "Learn word classes from plain text.",
        "tune": "Search for better settings; ablation, learning curve.",
        "list": "List recipes and their settings, or installed models.",
    },
    "Measure": {
        "eval": "Score a model, or predicted labels, on labelled data.",
        "compare": "Test whether one output is better than another.",
    },
    "Look at data": {
        "check": "Check labelled data; find wrong labels, show statistics.",
        "split": "Split labelled data into parts.",
        "convert": "Convert a file of sentences to another format.",
    },
    "Understand": {
        "explain": "Show why a sentence gets its labels.",
        "inspect": "Show what is in a model, or what differs between two.",
        "doctor": "Check the installation, and print what a bug report needs.",
    },
    "Serve and annotate": {
        "serve": "Serve models over HTTP, with a web page.",
        "annotate": "Label sentences in a web page while a model learns from them.",
    },
    "Papers": {
        "reproduce": "Reproduce the tables of the papers.",
        "demo": "Label, explain and train on the shipped corpus.",
    },
}
COMMANDS = {name: summary for group in GROUPS.values() for name, summary in group.items()}
MODES = {  # flags that make another command of one; one with a value is also an option of that command
    "check": {
        "--suspects": "Find labels that are probably wrong.",
        "--stats": "Show statistics of labelled data.",
        "--rules FILE": "Check rules on a corpus.",
    },
    "eval": {"--errors": "Show what a model gets wrong."},
    "list": {"--models": "List the installed models."},
    "tune": {
        "--ablate": "Show what each group of templates is worth.",
        "--curve": "Show how much more labelled data would help.",
    },
}
WITH_MODES = [
    full for name in COMMANDS for full in (name, *(f"{name} {mode.split()[0]}" for mode in MODES.get(name, ())))
]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line with these arguments, or those of the process; return the exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with file_warnings_told(_note):
            run_guarded(_chosen(given[1:] if given[:1] == ["--"] else given))
    except SystemExit as end:
        if end.code == INTERRUPTED:
            forget()
        return end.code if isinstance(end.code, int) else 0
    except (PerceptagError, OSError) as error:  # before the work begins
        write_stderr(f"perceptag: error: {describe(error)}")
        return BAD_INPUT
    return 0


def load_command(name: str) -> Command:
    """Import a command, such as ``tag`` or ``check --stats``, and read its declarations."""
    from perceptag.cli.declare import Command

    file = "list_recipes" if name == "list" else name.replace(" --", "_")  # a module `list` would hide Python's own
    function: Callable[..., None] = getattr(import_module(f"perceptag.cli.{file}"), f"{file}_cli")
    return Command(name, function, MODES.get(name))


def find_command(words: Sequence[str]) -> tuple[str, list[str]]:
    """Return the name of the command that these words call, with its mode, and the other words; "" if there is none."""
    name, rest = (words[0], list(words[1:])) if words else ("", [])
    if name not in COMMANDS:
        return "", rest
    flags = rest[: rest.index("--")] if "--" in rest else rest
    given = {word.partition("=")[0] for word in flags}
    for flag, _, value in (mode.partition(" ") for mode in MODES.get(name, ())):
        if flag in (given if value else flags):
            if not value or rest[-1] in ("-h", "--help"):
                rest.remove(flag)
            return f"{name} {flag}", rest
    return name, rest


def _chosen(words: list[str]) -> Callable[[], None]:
    """Return the work that the command line asks for."""
    if COMPLETING in os.environ:
        return _complete
    name, rest = find_command(words)
    if name:
        return _run_of(load_command(name), rest)
    if not words:
        return partial(_help, write_stderr, BAD_INPUT)
    option, equals, value = words[0].partition("=")
    shell = value or (words[1] if len(words) > 1 else "")
    actions: dict[str, Callable[[], None]] = {
        "-h": partial(_help, write_stdout),
        "--help": partial(_help, write_stdout),
        "--version": _version,
        "--install-completion": partial(_completion, "install", shell),
        "--show-completion": partial(_completion, "script_for", shell),
    }
    if option in actions and (not equals or option.endswith("-completion")):
        return actions[option]
    if option.startswith("-"):
        raise _misused(f"{words[0]}: no such option{nearest(option, actions)}")
    if words[0] == "help":
        raise _misused(f"no such command 'help'; 'perceptag {' '.join([*words[1:2], '--help'])}' shows it")
    usual = {"predict": "tag", "label": "tag", "fit": "train", "score": "eval"}.get(words[0], words[0])
    raise _misused(f"no such command {words[0]!r}{nearest(usual, COMMANDS)}")


def _run_of(chosen: Command, words: Sequence[str]) -> Callable[[], None]:
    from perceptag.cli.declare import UsageError, parse, refuse_empty_names, repeated

    try:
        values = parse(chosen, words)
        refuse_empty_names(chosen, words if values is not None else ())
    except UsageError as error:
        from perceptag.cli.help_text import usage

        raise _misused(str(error), usage(chosen), chosen.name) from error
    if values is None:
        return partial(_help_of, chosen)
    bar.be_quiet(values.get("quiet", False))
    for note in repeated(chosen, words):
        _note(note)
    return partial(chosen.run, values)


def _note(text: str) -> None:
    if not bar.is_quiet():
        write_stderr(text)


def _misused(message: str, usage: str = "perceptag COMMAND [ARGS]...", name: str = "") -> SystemExit:
    """Say what is wrong with a command line, and return what ends the process."""
    asked = " ".join(filter(None, ["perceptag", name, "--help"]))
    message = " ".join(message.split("\n"))  # the words of a user may have line ends
    write_stderr(f"perceptag: error: {message}\nUsage: {usage}\nTry '{asked}'.")
    return SystemExit(BAD_INPUT)


def _help(write: Callable[[str], None], status: int = 0) -> None:
    from perceptag.cli.help_text import overview

    write(overview(GROUPS))
    raise SystemExit(status)


def _help_of(chosen: Command) -> None:
    from perceptag.cli.help_text import help_of

    write_stdout(help_of(chosen))


def _version() -> None:
    from perceptag.cli.version import version_text

    write_stdout(version_text())


def _completion(function: str, shell: str) -> None:
    from perceptag.cli import shells

    write_stdout(getattr(shells, function)(shell))


def _complete() -> None:
    from perceptag.cli.shells import reply

    text, status = reply()
    if text:
        write_stdout(text)
    raise SystemExit(status)
