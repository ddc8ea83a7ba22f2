"""Settings, templates, recipes and code that users give by mistake, from Python: each is an error that says which."""

from __future__ import annotations

import math

import pytest

from mistakes import CANNOT, GOOD, TAGS, fit, labelled, refused
from perceptag import SettingError, Tagger
from perceptag.models import model_file as modelfile
from perceptag.recipe.recipe import Recipe, load
from perceptag.tagger import _restore
from toys import make_recipe

# name: what is done, and what the message must say
CASES = {
    # --- columns and templates
    "no such column in training": (
        lambda: Tagger(recipe="collins-np").fit(GOOD, TAGS),
        "expected a column of the data (form; --columns names them) or an attribute, found 'pos'",
    ),
    "no such column at tagging": (
        lambda: (
            Tagger(recipe="collins-np", epochs=1)
            .fit([{"form": ["a"], "pos": ["D"]}], [["B-NP"]])
            .predict([{"form": ["x"], "pos": ["y"]}, ["a"]])
        ),
        "sentence 1, token 0: expected column 'pos', which the model looks at; found form",
    ),
    "an attribute that returns a number": (
        lambda: fit(recipe=make_recipe(templates=("mine[0]",)), attributes={"mine": len}),
        "attribute: expected a string, several strings, or None; found 3",
    ),
    "an attribute that returns a surrogate": (
        lambda: fit(recipe=make_recipe(templates=("mine[0]",)), attributes={"mine": lambda _: "\udfff"}),
        "expected a string without NUL",
    ),
    "no templates": (lambda: fit(recipe=Recipe()), "at least one template"),
    "too many labels for trigrams": (
        lambda: Tagger(recipe="collins-hmm").fit([[f"w{i}" for i in range(1700)]], [[f"L{i}" for i in range(1700)]]),
        "at most 1624 labels; the data has 1700",
    ),
    # --- labels that are chunks
    "broken chunks under constraints": (
        lambda: Tagger("collins-pos", constrain=True).fit([["a", "b"], ["c", "d"]], [["B-X", "I-X"], ["O", "I-X"]]),
        "sentence 1, token 1: ",
    ),
    "keep where there are no chunks": (
        lambda: fit(labels_keep=["NP"]),
        "labels.keep: expected chunks (IOB1, IOB2 or IOBES) in column 'label', found other labels",
    ),
    "keep a type that is not there": (
        lambda: fit(GOOD, [["B-X", "O"]] * 2, labels_keep=["Y"]),
        "labels.keep: expected chunks of type 'Y' in column 'label', found none",
    ),
    # --- code of the user
    "attributes that are a list": (
        lambda: fit(attributes=[1]),
        "attributes: expected a dictionary of names and functions, found [1]",
    ),
    "an attribute that is no function": (
        lambda: fit(attributes={"mine": 3}),
        "attributes: expected a dictionary of names and functions, found {'mine': 3}",
    ),
    "attributes that are a list, to load with": (
        lambda: _restore({"attributes": [1]}, modelfile.to_bytes(fit().model_)[0]),
        "attributes: expected a dictionary of names and functions, found [1]",
    ),
    "functions that are a number": (
        lambda: fit(functions=0),
        "functions: expected a dictionary of names and functions, found 0",
    ),
    # --- settings
    "a key that is a number": (lambda: Recipe().replace({3: 1}), "settings: expected names of recipe keys, found 3"),
    "unknown key": (lambda: fit(epoch=3), "unknown recipe key 'epoch'; did you mean 'epochs'?"),
    "epochs NaN": (lambda: fit(epochs=math.nan), "epochs: expected a whole number, found nan"),
    "epochs infinite": (lambda: fit(epochs=math.inf), "epochs: expected a whole number, found inf"),
    "epochs beyond floats": (lambda: fit(epochs=10**400), "epochs: expected a whole number"),
    "epochs a half": (lambda: fit(epochs=1.5), "epochs: expected a whole number, found 1.5"),
    "epochs zero": (lambda: fit(epochs=0), "epochs: expected a number from 1 to 2147483647, found 0"),
    "epochs true": (lambda: fit(epochs=True), "epochs: expected a whole number, found True"),
    "negative seed": (lambda: fit(seed=-1), "seed: expected a number from 0 to 2147483647, found -1"),
    "shuffle a word": (lambda: fit(shuffle="maybe"), "shuffle: expected true or false, found 'maybe'"),
    "unknown choice": (
        lambda: fit(weights="average"),
        "weights: expected one of averaged, last, voted, best, found 'average'; did you mean 'averaged'?",
    ),
    "templates a number": (lambda: fit(templates=3), "templates: expected a list of strings, found 3"),
    "a lone surrogate in a setting": (
        lambda: fit(labels_column="\ud800"),
        "labels.column: expected a string, found '\\ud800'",
    ),
    "a lone surrogate in a template": (
        lambda: fit(templates=["form[0]", "\ud800[0]"]),
        "templates: expected a list of strings",
    ),
    "unknown recipe": (lambda: fit(recipe="colins-pos"), "unknown recipe 'colins-pos'; did you mean 'collins-pos'?"),
    "recipe a number": (lambda: fit(recipe=3), "recipe: expected a name, a path or a Recipe, found 3"),
    "recipe file that is not there": (
        lambda: fit(recipe="no/such.toml"),
        "recipe no/such.toml: cannot read: No such file or directory",
    ),
    "voting margin perceptron": (
        lambda: fit(learner="margin", weights="voted"),
        "weights: learner 'margin': expected averaged or last, found 'voted'",
    ),
    "non-local features unheeded": (
        lambda: fit(nonlocal_features=["phrase"]),
        "nonlocal.features: learner 'perceptron' does not use it; ascent, ascent-document, candidate, nonlocal, ",
    ),
    "non-local function unheeded": (
        lambda: fit(functions={"f": lambda document, spans: {}}),
        "functions: learner 'perceptron' has no non-local features",
    ),
    "lists beyond memory": (lambda: fit(nbest_tagging=10**7), "nbest_tagging: expected a number from 1 to 100000"),
    "threads zero": (lambda: fit(threads=0), "threads: expected a number from 1 to 1024, found 0"),
    "threads a word": (lambda: fit(threads="two"), "threads: expected a number from 1 to 1024, found 'two'"),
    "threads beyond reason": (lambda: fit(threads=10**9), "threads: expected a number from 1 to 1024"),
    "label column that is not there": (
        lambda: Tagger(labels_column="ner").fit(labelled("AB")),
        "labels.column: expected one of form, label, found 'ner'",
    ),
    "gazetteer without a file": (
        lambda: fit(gazetteer=["city"]),
        "expected class=file, class~=file, 'train' or 'train~', found 'city'",
    ),
    "gazetteer file that is not there": (lambda: fit(gazetteer=["city=no/such"]), "no/such: cannot read"),
    "a variance whose inverse is not finite": (
        lambda: fit(recipe="crf", crf_sigma2=1e-310),
        "crf.sigma2: expected 0 or a number from 1e-100 to 2147483647, found 1e-310",
    ),
    "a count of 5,000 digits": (lambda: fit(groups=["a=" + "9" * 5000]), "groups: expected different names"),
}


@pytest.mark.parametrize(("use", "message"), CASES.values(), ids=CASES)
def test_bad_settings_from_python(use, message):
    refused(use, message)


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
