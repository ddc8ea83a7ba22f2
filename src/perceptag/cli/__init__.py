"""The command line: one file for each verb, where ``x_cli()`` parses words and prints, and ``x()`` does the work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from perceptag._version import __version__
from perceptag.cli.ablate import ablate_cli
from perceptag.cli.calibrate import calibrate_cli
from perceptag.cli.compare import compare_cli
from perceptag.cli.demo import demo_cli
from perceptag.cli.eval import eval_cli
from perceptag.cli.explain import explain_cli
from perceptag.cli.inspect import inspect_cli
from perceptag.cli.recipes import recipes_cli
from perceptag.cli.reproduce import reproduce_cli
from perceptag.cli.score import score_cli
from perceptag.cli.shell import put
from perceptag.cli.tag import tag_cli
from perceptag.cli.train import train_cli
from perceptag.cli.tune import tune_cli

__all__ = ["main"]

app = typer.Typer(
    name="perceptag",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
app.command("train")(train_cli)
app.command("tag")(tag_cli)
app.command("eval")(eval_cli)
app.command("score")(score_cli)
app.command("calibrate")(calibrate_cli)
app.command("compare")(compare_cli)
app.command("explain")(explain_cli)
app.command("inspect")(inspect_cli)
app.command("tune")(tune_cli)
app.command("ablate")(ablate_cli)
app.command("recipes")(recipes_cli)
app.command("reproduce")(reproduce_cli)
app.command("demo")(demo_cli)


def _version(wanted: bool) -> None:
    if wanted:
        put(f"perceptag {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Sequence labelling with perceptrons: train, tag, score, explain.

    Data goes to stdout, everything else to stderr. Exit status: 0 done, 1 failed check, 2 usage or bad input,
    130 interrupted.
    """


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line with these words, or those of the process; return the exit status."""
    try:
        app(None if words is None else list(words), prog_name="perceptag")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    return 0
