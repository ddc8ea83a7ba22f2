"""Options and arguments of verbs, as data: a command line is read by them, and typer makes help and errors of them.

    model: Annotated[str, Option("--model", "-m", metavar="FILE", help="The model.")]

Most command lines are right. `perceptag.cli.words` reads them without typer, whose import takes longer than the tagging
of a page. Everything else goes to typer: ``--help``, completion, and command lines with something wrong.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any, get_args


class Option:
    """One option: its names, by default that of the parameter, and what typer should know about it."""

    of_typer = "Option"

    def __init__(self, *names: str, **settings: Any) -> None:
        self.names = names
        self.settings = settings


class Argument(Option):
    """One word, or all words, that are not options."""

    of_typer = "Argument"


def for_typer(verb: Callable[..., None]) -> Callable[..., None]:
    """The verb with its options as typer declares them."""
    signature = inspect.signature(verb, eval_str=True)
    parameters = [p.replace(annotation=_annotation(p.annotation)) for p in signature.parameters.values()]

    @functools.wraps(verb)
    def run(*args: Any, **options: Any) -> None:
        verb(*args, **options)

    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in parameters}
    return run


def _annotation(annotation: Any) -> Any:
    import typer

    kind, *declared = get_args(annotation)
    makers = [getattr(typer, one.of_typer)(*one.names, **one.settings) for one in declared]
    return Annotated.__class_getitem__((kind, *makers))  # type: ignore[attr-defined]  # 3.10 has no [kind, *makers]
