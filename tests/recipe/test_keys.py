"""The table of all keys: what the command line prints, and the page of the documentation."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from command_line import run, succeed
from perceptag import SettingError, Tagger
from perceptag.learn import catalogue, settings_of_learners
from perceptag.recipe.common_settings import SETTINGS
from perceptag.recipe.keys import as_page
from perceptag.system.toml import read_toml

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "guide" / "recipe-keys.md"
SETTERS = {
    "recipes": "src/perceptag/recipe/shipped/*.toml",
    "languages": "languages/*.toml",
    "models": "models/*.toml",
    "builder": "src/perceptag/building/*.py",
    "papers": "src/perceptag/reproduce/*.py",
    "options": "src/perceptag/cli/*options.py",
    "guide": "docs/guide/*.md",
    "pages of papers": "docs/papers/*.md",
}
GENERATED = ("recipe-keys.md", "api-reference.md")


def set_in(path: Path) -> set[str]:
    """The keys that a file sets, and other names: in TOML with the table they are in; else ``key=`` and ``"key"``."""
    text = path.read_text("utf-8")
    if path.suffix == ".toml":
        return {name for words in words_of(read_toml(text)) for name in (words[-1], ".".join(words[-2:]))}
    return {name for pair in re.findall(r"""([a-z][\w.]*) ?=|["']([a-z][\w.]*)["']""", text) for name in pair}


def words_of(table: dict[str, Any], *before: str) -> Iterator[tuple[str, ...]]:
    """The path of every key of a table, tables in it included."""
    for key, value in table.items():
        words = (*before, *key.split("."))
        yield words
        yield from words_of(value, *words) if isinstance(value, dict) else ()


def test_the_page_is_up_to_date():
    assert PAGE.read_text("utf-8") == as_page(), "make generate writes it"


def test_somebody_sets_every_key():
    """A recipe, a language, a paper, an option or a page of the guide; a key that nobody sets is not needed."""
    paths = [path for pattern in SETTERS.values() for path in ROOT.glob(pattern) if path.name not in GENERATED]
    found = set().union(*map(set_in, paths))
    settings = [*SETTINGS.values(), *settings_of_learners().values()]
    assert [s.key for s in settings if not {s.key, s.name} & found] == []


def test_rows_of_the_page_have_the_cells_of_their_heading() -> None:
    """A bar in a text, as in `labels.parts`, is not the border of a cell; no cell begins with a comma."""
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in as_page().splitlines() if line.startswith("|")]
    assert {len(row) for row in rows} == {4}
    assert not [row for row in rows if any(cell.lstrip().startswith(",") for cell in row)]


def test_all_keys_are_printed():
    printed = succeed("list", "--settings").out
    told = json.loads(succeed("list", "--settings", "--json").out)
    expected = {s.key for s in SETTINGS.values()} | set(settings_of_learners())
    assert {key["key"] for keys in told.values() for key in keys} == expected
    assert all(f" {key} " in printed for key in expected)


def test_the_declaration_of_a_learner():
    printed = succeed("list", "--settings", "guided").out
    for text in (
        "Shen, Satta and Joshi (2007)",
        "does not use:   tolerance",
        "direction",
        "both, left-to-right, right-to-left",
    ):
        assert text in printed
    assert printed == succeed("list", "--settings", "shen-pos").out, "a recipe stands for its learner"
    told = json.loads(succeed("list", "--settings", "mira", "--json").out)
    assert told["source"] == catalogue()["mira"].source
    assert [key["key"] for key in told["settings"]] == ["nbest", "online.c", "online.cost", "shards"]
    assert told["settings"][0] == {
        "key": "nbest",
        "default": "20",
        "values": "2 to 100000",
        "text": "n: the length of the lists in training",
    }


def test_the_error_for_a_setting_that_a_learner_does_not_use_names_the_command_that_lists_them():
    with pytest.raises(SettingError) as error:
        Tagger("basic-ner", margin=1.0).fit([["Anna", "sings"]], [["B-PER", "O"]])
    message = str(error.value)
    assert message.startswith("margin: learner 'perceptron' does not use it; ascent, ")
    (command,) = re.findall("'perceptag (.*)' lists what it uses", message)
    listed = succeed(*command.split()).out
    assert "learner:        perceptron" in listed and not re.search("^ *margin ", listed, re.MULTILINE)


def test_an_unknown_learner():
    refused = run("list", "--settings", "guidde")
    assert refused.status == 2
    assert "there is no learner or recipe 'guidde'; did you mean 'guided'" in refused.err
