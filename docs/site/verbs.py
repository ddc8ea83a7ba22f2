"""The reference of the command line: every command with its arguments and options, as it declares them itself."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from perceptag.cli import WITH_MODES, load_command
from perceptag.cli.declare import Command, Parameter
from perceptag.cli.help_text import default_of, usage

if TYPE_CHECKING:
    from sphinx.application import Sphinx

PAGE = "docs/guide/cli-reference"
# A command in quotes; an option, with the value that is said to follow it.
_CODE = re.compile(r"'(perceptag [^']+)'|(?<![\w-])(--?[a-z][a-z-]*(?: [A-Z]+\b| \w+=\w+)?)")


def reference() -> str:
    """Markdown with a heading for each command."""
    return "\n".join(line for name in WITH_MODES for line in _command(load_command(name)))


def _command(chosen: Command) -> Iterator[str]:
    yield from (f"## {chosen.name}", "", f":::{{program}} perceptag {chosen.name}", ":::", "")
    yield from ("```text", usage(chosen), "```", "", _prose(inspect.getdoc(chosen.function) or ""), "")
    for parameter in chosen.parameters:
        yield from (f":::{{option}} {_names(parameter)}", _meaning(parameter), ":::", "")


def _names(parameter: Parameter) -> str:
    """How an option is written, with its value; an argument by the name of its value."""
    if parameter.is_argument:
        return parameter.shown
    return ", ".join(f"{name} {parameter.declared.placeholder}".strip() for name in parameter.names)


def _meaning(parameter: Parameter) -> str:
    """The help, then what the value must be and what it is if it is not given."""
    limits, default = parameter.limits, default_of(parameter)
    facts = [f"{limits[:1].upper()}{limits[1:]}." if limits else "", f"Default: `{default}`." if default else ""]
    if parameter.is_required:
        facts.append("Required.")
    return " ".join([_prose(parameter.declared.help), *filter(None, facts)])


def _prose(text: str) -> str:
    """Options and commands set as code."""
    return _CODE.sub(lambda found: f"`{found[1] or found[2]}`", text).replace("*", r"\*")


def _add(_app: Sphinx, docname: str, source: list[str]) -> None:
    if docname == PAGE:
        source[0] += f"\n{reference()}\n"


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("source-read", _add)
    app.connect("env-get-outdated", lambda *_: [PAGE])
    return {"parallel_read_safe": True, "parallel_write_safe": True}
