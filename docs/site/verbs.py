"""The reference of the command line: every verb with its arguments and options, as it declares them itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from click import Command, Context, Parameter
from typer.main import get_command

from perceptag.cli import VERBS, make_app

if TYPE_CHECKING:
    from sphinx.application import Sphinx

PAGE = "docs/guide/cli-reference"
# A command in quotes; an option, with the value that is said to follow it.
_CODE = re.compile(r"'(perceptag [^']+)'|(?<![\w-])(--?[a-z][a-z-]*(?: [A-Z]+\b| \w+=\w+)?)")


def reference() -> str:
    """Markdown with a heading for each verb."""
    group = get_command(make_app())
    return "\n".join(line for verb in VERBS for line in _verb(verb, group.commands[verb]))  # type: ignore[attr-defined]


def _verb(name: str, verb: Command) -> Iterator[str]:
    yield from (f"## {name}", "", f":::{{program}} perceptag {name}", ":::", "")
    yield from ("```text", _usage(name, verb), "```", "", _prose(verb.help or ""), "")
    for parameter in verb.params:
        if not getattr(parameter, "hidden", False):
            yield from (f":::{{option}} {_names(parameter, verb)}", _meaning(parameter), ":::", "")


def _usage(name: str, verb: Command) -> str:
    needed = [f"{p.opts[0]} {_value(p, verb)}" for p in verb.params if p.opts[0].startswith("-") and p.required]
    return " ".join(["perceptag", name, *needed, *verb.collect_usage_pieces(Context(verb, info_name=name))])


def _names(parameter: Parameter, verb: Command) -> str:
    """How an option is written, with its value; an argument by the name of its value."""
    value = _value(parameter, verb)
    if parameter.param_type_name == "argument":
        return value.strip("[].")
    return ", ".join(f"{name} {value}".strip() for name in (*parameter.opts, *parameter.secondary_opts))


def _value(parameter: Parameter, verb: Command) -> str:
    return "" if getattr(parameter, "is_flag", False) else parameter.make_metavar(Context(verb))


def _meaning(parameter: Parameter) -> str:
    """The help, then what the option must be and what it is if it is not given."""
    facts = [_range(parameter), _default(parameter)]
    if parameter.required:
        facts.append("Required.")
    return " ".join([_prose(getattr(parameter, "help", None) or ""), *filter(None, facts)])


def _range(parameter: Parameter) -> str:
    low, high = (getattr(parameter.type, side, None) for side in ("min", "max"))
    if low is not None and high is not None:
        return f"From {low} to {high}."
    return f"From {low}." if low is not None else ""


def _default(parameter: Parameter) -> str:
    value = getattr(parameter.default, "value", parameter.default)  # of an enumeration, the word that is typed
    is_said = "default" in (getattr(parameter, "help", None) or "").lower()
    return "" if is_said or callable(value) or value in (None, "", "-", False) else f"Default: `{value}`."


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
