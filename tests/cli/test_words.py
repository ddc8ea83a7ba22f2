"""Plain command lines are read without typer, and mean the same as with it."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from inspect import signature
from typing import Any, get_args

import pytest
from typer.main import Typer

from perceptag.cli import VERBS
from perceptag.cli.declare import Option, for_typer
from perceptag.cli.words import read

PLAIN = """
tag -m m
tag --model m in.txt -o - -q
tag --model=m --nbest 3 --threads 2 a b c --out-dir=d
tag -m m --batch 1_000 --format= --confidence
tag -m m --quiet --quiet -m n
tag -q -m -q
train --train t --dev d --model m
train -r pos -s a=1 --set b=2 --add x --model m --train t
eval -m m in.txt
score a.txt
compare gold.txt a.txt b.txt
recipes
recipes pos
explain -m m --top 3
inspect -m m
stats a.txt
split a.txt
validate a.txt b.txt
demo
curve --train t --dev d
annotate p
serve -m en=m --port 0
tokenize -m m - -o x
convert a b
""".strip().splitlines()

LEFT = """
tag
tag --help
tag -mm
tag -m m -j2
tag -m m -- in.txt
tag -m m --nbest 0
tag -m m --nbest x
tag -m m --min-confidence 0.5
tag -m m --unknown
tag -m m --quiet=yes
tag --model
tag -m=m
recipes pos pos
split a.txt --by order
""".strip().splitlines()


def verb_of(line: str) -> Callable[..., None]:
    name = line.split(maxsplit=1)[0]
    verb: Callable[..., None] = getattr(import_module(f"perceptag.cli.{name}"), f"{name}_cli")
    return verb


def by_typer(line: str) -> dict[str, Any]:
    """What typer gives to the verb."""
    found: dict[str, Any] = {}
    verb = for_typer(verb_of(line))

    def note(**options: Any) -> None:
        found.update(options)

    note.__signature__, note.__annotations__ = verb.__signature__, verb.__annotations__  # type: ignore[attr-defined]
    app = Typer(add_completion=False)
    app.command()(note)
    app(line.split()[1:], standalone_mode=False)
    return found


@pytest.mark.parametrize("line", PLAIN)
def test_a_plain_line_means_what_it_means_to_typer(line: str) -> None:
    found = read(verb_of(line), line.split()[1:])
    assert found is not None
    assert repr(found) == repr(by_typer(line))


@pytest.mark.parametrize("line", LEFT)
def test_other_lines_are_left_to_typer(line: str) -> None:
    assert read(verb_of(line), line.split()[1:]) is None


def test_every_parameter_of_every_verb_is_declared() -> None:
    for name in VERBS:
        for parameter in signature(verb_of(name), eval_str=True).parameters.values():
            assert isinstance(get_args(parameter.annotation)[1], Option)
