"""Attributes of the user's own: imported only when allowed, and clear about what went wrong."""

from __future__ import annotations

import pickle
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from command_line import TOY, run, succeed
from perceptag import Pipeline, SettingError, Tagger
from perceptag.recipe.recipe import Recipe, load
from perceptag.recipe.usercode import attributes_of
from perceptag.server.served import load_served

X, y = [["a", "dog"], ["an", "ant"]], [["D", "N"], ["D", "N"]]
OWN = {"attributes": ["vowel=own_attributes:vowel"], "templates": ["vowel[0]", "bias * y-1 y0"]}


@pytest.fixture(autouse=True)
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A module in the working directory."""
    file = tmp_path / "own_attributes.py"
    file.write_text(
        "def vowel(value):\n    return '1' if value[0] in 'aeiou' else None\n"
        "def broken(value):\n    return 1 / (value != 'dog')\n"
        "number = 7\n"
    )
    monkeypatch.chdir(tmp_path)
    before = list(sys.path)
    yield file
    assert sys.path == before
    sys.modules.pop("own_attributes", None)


def test_not_imported_unless_allowed() -> None:
    with pytest.raises(SettingError, match=r"code of your own: allow_code=True imports it; or give it as attr") as told:
        Tagger(load("collins-pos").replace(OWN)).fit(X, y)
    assert "--allow-code" not in str(told.value), "that is for the command line"
    assert str(pickle.loads(pickle.dumps(told.value))) == str(told.value), "as from another process"
    assert "own_attributes" not in sys.modules


def test_allowed_in_python(tmp_path: Path) -> None:
    tagger = Tagger(load("collins-pos").replace(OWN), allow_code=True).fit(X, y)
    path = str(tmp_path / "m")
    tagger.save(path)
    with pytest.raises(SettingError, match=f"^{re.escape(path)}: .*code of your own: allow_code=True"):
        Tagger.load(path)
    assert Tagger.load(path, allow_code=True).predict(X) == tagger.predict(X)
    assert Tagger.load(path, attributes={"vowel": lambda v: "1" if v[0] in "aeiou" else None}).predict(X)


def test_servers_and_pickled_pipelines_import_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "m")
    Tagger(load("collins-pos").replace(OWN), allow_code=True).fit(X, y).save(path)
    pickled = pickle.dumps(Pipeline.load(path, allow_code=True))
    sys.modules.pop("own_attributes")
    with pytest.raises(SettingError, match="code of your own"):
        load_served("m", path)
    with pytest.raises(SettingError, match=r"pickled pipeline: .*code of your own"):
        pickle.loads(pickled)
    assert "own_attributes" not in sys.modules


def test_allowed_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "toy.txt").write_text(TOY)
    settings = ("--set", "attributes=vowel=own_attributes:vowel", "--set", "templates=vowel[0],form[0]")
    train = ("train", "-r", "collins-pos", *settings, "--train", "toy.txt", "--no-dev", "-m", "m")
    refused = run(*train)
    assert (refused.status, Path("m").exists()) == (2, False)
    succeed(*train, "--allow-code")
    for words in (("tag", "toy.txt"), ("eval", "toy.txt"), ("explain", "dog")):
        refused = run(*words, "-m", "m")
        assert refused.status == 2
        assert "--allow-code imports it" in refused.err
        assert "allow_code=True" not in refused.err
        succeed(*words, "-m", "m", "--allow-code")


def test_given_functions_come_first() -> None:
    mine = {"vowel": str.upper}
    assert attributes_of(Recipe().replace(OWN), mine) == mine
    assert "own_attributes" not in sys.modules


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("vowel", "expected name=module:function, found 'vowel'"),
        ("vowel=own_attributes", "expected name=module:function"),
        ("vowel=own_attributes:", "expected name=module:function"),
        ("x=no_such_module:f", "cannot import 'x=no_such_module:f': ModuleNotFoundError"),
        ("x=own_attributes:vowels", "no function 'vowels' in the module; did you mean 'vowel'"),
        ("x=own_attributes:number", "no function 'number'"),
        ("x=broken_module:f", "cannot import 'x=broken_module:f': ZeroDivisionError: division by zero"),
    ],
)
def test_what_cannot_be_imported(tmp_path: Path, entry: str, message: str) -> None:
    (tmp_path / "broken_module.py").write_text("1 / 0\n")
    with pytest.raises(SettingError, match=message):
        attributes_of(Recipe().replace({"attributes": [entry]}), allow_code=True)


def test_a_function_that_fails_is_named() -> None:
    settings = {"attributes": ["b=own_attributes:broken"], "templates": ["b[0]"]}
    with pytest.raises(SettingError, match="attribute 'b' failed on 'dog': ZeroDivisionError"):
        Tagger(load("collins-pos").replace(settings), allow_code=True).fit([["dog"]], [["N"]])
