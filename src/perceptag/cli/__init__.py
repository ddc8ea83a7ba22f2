"""The command line: one file for each verb. In it, ``x_cli()`` takes options and prints; ``x()`` does the work."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated

import typer

from perceptag._version import __version__
from perceptag.cli.streams import BAD_INPUT, describe, write_stderr, write_stdout
from perceptag.errors import PerceptagError
from perceptag.system.interrupts import INTERRUPTED, forget

__all__ = ["main"]

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
)


def _version(wanted: bool) -> None:
    if wanted:
        write_stdout(f"perceptag {__version__}")
        raise typer.Exit


def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Sequence labelling with perceptrons: train, tag, score, explain.

    Data goes to stdout, everything else to stderr. Exit status: 0 done, 1 failed check, 2 usage or bad input,
    130 interrupted.
    """


def make_app(verbs: Sequence[str] = VERBS) -> typer.Typer:
    """The command line with these verbs. Only these are imported, since importing all of them takes a while."""
    app = typer.Typer(
        name="perceptag",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    )
    app.callback()(_common)
    for verb in verbs:
        app.command(verb)(getattr(import_module(f"perceptag.cli.{verb}"), f"{verb}_cli"))
    return app


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line with these arguments, or those of the process; return the exit status."""
    given = list(sys.argv[1:] if words is None else words)
    named = given[:1] if given and given[0] in VERBS else () if given == ["--version"] else VERBS
    try:
        make_app(named)(given, prog_name="perceptag")
    except SystemExit as end:
        if end.code == INTERRUPTED:
            forget()
        return end.code if isinstance(end.code, int) else 0
    except (PerceptagError, OSError) as error:  # while help, version or usage is printed
        write_stderr(f"perceptag: error: {describe(error)}")
        return BAD_INPUT
    return 0
