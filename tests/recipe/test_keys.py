"""The table of all keys: what the command line prints, and the page of the documentation."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from command_line import run, succeed
from perceptag import SettingError, Tagger
from perceptag.learn import catalogue, settings_of_learners
from perceptag.recipe.common_settings import SETTINGS
from perceptag.recipe.keys import as_page

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "recipe-keys.md"


def test_the_page_is_up_to_date():
    assert PAGE.read_text("utf-8") == as_page(), "make keys writes it"


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
    mixing = ["shards", "mix", "mixes"]
    own = ["nbest", "online.c", "online.cost", "online.augmented"]
    assert [key["key"] for key in told["settings"]] == [*own, *mixing]
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
