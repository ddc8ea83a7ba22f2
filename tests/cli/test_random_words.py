"""Random command lines mean the same without typer as with it, or are left to it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from importlib import import_module
from inspect import Parameter, signature
from typing import Any, get_args

import pytest
from typer.main import Typer, get_command

from perceptag.cli import VERBS
from perceptag.cli.declare import Argument, for_typer
from perceptag.cli.words import read

LINES_OF_EACH_VERB = 15
VALUES = [
    *("", "-", "--", "-1", "-0", "+3", "0", "1", "2", "100", "2147483648", "1.5", "1e3", "nan", "-inf", "0x10"),
    *("１２", " 7 ", "1_000", "1__0", "x", "ä=ö", "=x", "日本", "\udcff", "a\nb", "\x00", "*", "@f", "~"),
    *("-q", "--quiet", "-m", "--model", "--model=x", "-h", "--help", "true", "error", "document"),
]


def groups_of_words(verb: Callable[..., None], chance: random.Random) -> Iterator[list[str]]:
    """Some options and arguments of a verb, right and wrong ones."""
    for parameter in signature(verb, eval_str=True).parameters.values():
        kind, declared = get_args(parameter.annotation)
        is_needed = parameter.default is Parameter.empty
        for _ in range(chance.choice([1, 1, 2]) if chance.random() < (0.95 if is_needed else 0.15) else 0):
            name = chance.choice(declared.names or [f"--{parameter.name.replace('_', '-')}"])
            value = chance.choice(VALUES)
            if isinstance(declared, Argument):
                yield [value]
            elif kind is bool:
                yield chance.choice([[name]] * 8 + [[f"{name}={value}"], [f"--no-{name[2:]}"]])
            else:
                forms = [[name, value]] * 6 + [[f"{name}={value}"]] * 3 + [[name + value], [name], [name[:-1], value]]
                yield chance.choice(forms)
    if chance.random() < 0.1:
        yield [chance.choice(["--", "--unknown", "-x", "more"])]


def random_words(verb: Callable[..., None], chance: random.Random) -> list[str]:
    groups = list(groups_of_words(verb, chance))
    chance.shuffle(groups)
    return [word for group in groups for word in group]


def reader_of_typer(verb: Callable[..., None]) -> Callable[[list[str]], dict[str, Any]]:
    found: dict[str, Any] = {}
    declared = for_typer(verb)

    def note(**options: Any) -> None:
        found.update(options)

    note.__signature__, note.__annotations__ = declared.__signature__, declared.__annotations__  # type: ignore[attr-defined]
    app = Typer(add_completion=False)
    app.command()(note)
    command = get_command(app)

    def by_typer(words: list[str]) -> dict[str, Any]:
        found.clear()
        command(words, standalone_mode=False)
        return dict(found)

    return by_typer


@pytest.mark.parametrize("name", VERBS)
def test_random_lines_mean_what_they_mean_to_typer(name: str) -> None:
    verb = getattr(import_module(f"perceptag.cli.{name}"), f"{name}_cli")
    by_typer, chance = reader_of_typer(verb), random.Random(name)
    lines = [random_words(verb, chance) for _ in range(LINES_OF_EACH_VERB)]
    plain = [(words, found) for words in lines if (found := read(verb, words)) is not None]
    assert plain or name == "reproduce"  # its first word is a choice, which is left to typer
    for words, found in plain:
        assert repr(found) == repr(by_typer(words)), words
