"""The command line: one file for each verb. In it, ``x_cli()`` takes options and prints; ``x()`` does the work."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Annotated

from perceptag.cli.declare import Option, for_typer
from perceptag.cli.streams import BAD_INPUT, describe, guarded, write_stderr, write_stdout
from perceptag.cli.words import read
from perceptag.errors import PerceptagError
from perceptag.system.interrupts import INTERRUPTED, forget

if TYPE_CHECKING:
    import typer

__all__ = ["main"]

_COMPLETING = "_PERCEPTAG_COMPLETE"  # the shell asks for completions, with this in the environment

VERBS = (
    "train",
    "tag",
    "tokenize",
    "convert",
    "classes",
    "pipeline",
    "eval",
    "score",
    "calibrate",
    "compare",
    "explain",
    "inspect",
    "suggest",
    "validate",
    "stats",
    "split",
    "curve",
    "errors",
    "diff",
    "tune",
    "ablate",
    "recipes",
    "models",
    "reproduce",
    "serve",
    "annotate",
    "demo",
    "doctor",
)


def _version(wanted: bool) -> None:
    if wanted:
        _write_version()
        raise SystemExit


@guarded
def _write_version() -> None:
    from perceptag.cli.version import version_text

    write_stdout(version_text())


def _common(
    version: Annotated[
        bool, Option("--version", callback=_version, is_eager=True, help="Print the version, and how it was built.")
    ] = False,
) -> None:
    """Sequence labelling with perceptrons: train, tag, score, explain.

    Data goes to stdout, everything else to stderr. Exit status: 0 done, 1 failed check, 2 usage or bad input,
    130 interrupted.
    """


def make_app(verbs: Sequence[str] = VERBS) -> typer.Typer:
    """The command line with these verbs. Only these are imported, since importing all of them takes a while."""
    import typer  # only for help, completion and errors: most command lines need not wait for it

    app = typer.Typer(
        name="perceptag",
        no_args_is_help=True,
        add_completion=verbs == VERBS or _COMPLETING in os.environ,  # other commands need not wait for it
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    )
    app.callback()(for_typer(_common))
    for verb in verbs:
        app.command(verb)(for_typer(_verb(verb)))
    return app


def _verb(name: str) -> Callable[..., None]:
    verb: Callable[..., None] = getattr(import_module(f"perceptag.cli.{name}"), f"{name}_cli")
    return verb


def _words_to_complete() -> list[str]:
    """The words that stand at the prompt of the shell, which asks how to complete them: bash, or zsh and fish."""
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")
    return line.split()[1:]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line with these arguments, or those of the process; return the exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        _run(given)
    except SystemExit as end:
        if end.code == INTERRUPTED:
            forget()
        return end.code if isinstance(end.code, int) else 0
    except (PerceptagError, OSError) as error:  # while help or usage is printed
        write_stderr(f"perceptag: error: {describe(error)}")
        return BAD_INPUT
    return 0


def _run(given: list[str]) -> None:
    """Run a command line: by its plain words if they are right, else by typer."""
    is_completing = _COMPLETING in os.environ
    words = _words_to_complete() if is_completing else given
    verbs = words[:1] if words and words[0] in VERBS else VERBS
    if given == ["--version"] and not is_completing:
        _write_version()
    elif verbs is VERBS or is_completing or (options := read(_verb(given[0]), given[1:])) is None:
        make_app(verbs)(given, prog_name="perceptag")
    else:
        _verb(given[0])(**options)
