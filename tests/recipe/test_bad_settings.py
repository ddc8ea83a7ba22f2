"""Recipe files with mistakes, which are named with the file, and mistakes in the code of users, which are theirs."""

from __future__ import annotations

import pytest

from mistakes import CANNOT, fit
from perceptag import SettingError
from perceptag.recipe.recipe import load
from toys import make_recipe


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("epochs = nan", "epochs: expected a whole number, found nan"),
        ("epochs = [", "recipe"),
        ("epochs = 0x" + "F" * 5000, f"epochs: expected a whole number, found {CANNOT}"),
        ("epochs = " + "9" * 5000, "recipe"),
        ("epoch = 3", "unknown recipe key 'epoch'; did you mean 'epochs'"),
        ("[labels]\nkeeps = ['NP']", "unknown recipe key 'labels.keeps'; did you mean 'labels.keep'"),
        ("\x00", "recipe"),
        ("templates.a.b = []", "templates.a: expected a list of templates, found {'b': []}"),
        ("epochs = " + "[" * 5000 + "]" * 5000, "at most 32 levels"),
        ("epochs = " + "[" * 100 + "]" * 100, "at most 32 levels"),
        ("epochs = " + "{a = " * 5000 + "1" + "}" * 5000, "at most 32 levels"),
        ("epochs = {" + ".".join("a" * 2000) + " = 1}", "at most 32 levels"),
        (".".join("a" * 3000) + " = 1", "at most 32 levels"),
        ("[tune . " + '"\\"" . ' * 2000 + "a]\nb = 1", "at most 32 levels"),
    ],
)
def test_bad_recipes_name_the_file(text, message, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(SettingError, match=r"mine\.toml") as caught:
        load(str(path))
    assert message in str(caught.value)


def test_errors_of_the_user_s_own_code_pass_through():
    def broken(_):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        fit(recipe=make_recipe(templates=("mine[0]",)), attributes={"mine": broken})
