"""Learners that are not perceptag's: a module of the user, an installed package, or an object in Python."""

from __future__ import annotations

import copy
import importlib
import json
import pickle
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from command_line import run, succeed
from outside_learners import EXAMPLE, TAGS, WORDS, fit, loop
from perceptag import Learner, ModelError, SettingError, Tagger
from perceptag._core import GuidedSearch, GuidedWeights, Sequence
from perceptag.learn import guided
from perceptag.learn.seam import Errors, Pass
from perceptag.learn.settings import MARGIN
from perceptag.models import model_file as modelfile
from perceptag.recipe.recipe import Recipe, load

TOY = "the\tD\ndog\tN\nruns\tV\n\na\tD\ncat\tN\nsleeps\tV\n\n" * 5


@pytest.fixture(autouse=True)
def in_a_folder_with_the_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The working directory has the example as a module, not imported yet."""
    shutil.copy(EXAMPLE, tmp_path / "my_learner.py")
    (tmp_path / "toy.txt").write_text(TOY)
    monkeypatch.chdir(tmp_path)
    sys.modules.pop("my_learner", None)
    yield
    sys.modules.pop("my_learner", None)


@pytest.fixture
def mine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Learner:
    monkeypatch.syspath_prepend(tmp_path)
    learner: Learner = importlib.import_module("my_learner").LEARNER
    return learner


def test_the_documentation_shows_the_example_as_it_is():
    page = (EXAMPLE.parents[1] / "internals" / "adding-a-learner.md").read_text("utf-8")
    assert f"```python\n{EXAMPLE.read_text('utf-8')}```\n" in page


# ------------------------------------------------------------------------------------------- an object in Python


def test_it_is_trained_saved_loaded_and_tags(mine, tmp_path):
    tagger = fit(learner=mine)
    assert tagger.score(WORDS, TAGS) > 0.6
    tagger.save(tmp_path / "m")
    assert Tagger.load(tmp_path / "m").predict(WORDS) == tagger.predict(WORDS)


def test_its_settings_are_keyword_arguments(mine):
    small, large = fit(learner=mine, subgradient_rate=0.25), fit(learner=mine, subgradient_rate=2)
    assert small.model_.recipe.own["subgradient.rate"] == 0.25
    assert large.model_.recipe.to_dict()["subgradient.rate"] == 2.0
    assert modelfile.to_bytes(small.model_) != modelfile.to_bytes(large.model_)
    assert modelfile.to_bytes(large.model_) == modelfile.to_bytes(fit(learner=mine).model_), "2 is the default"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"subgradient_rate": 0}, r"subgradient\.rate: expected a number above 0, up to 2147483647, found 0"),
        ({"subgradient_rate": "fast"}, r"subgradient\.rate: expected a number, found 'fast'"),
        ({"subgradient_rat": 1}, r"unknown recipe key 'subgradient_rat'; did you mean 'subgradient.rate'"),
        ({"margin": 5}, "margin: learner 'subgradient' does not use it; "),
        ({"weights": "voted"}, "weights: learner 'subgradient': expected last or averaged, found 'voted'"),
    ],
)
def test_its_settings_are_checked(mine, settings, message):
    with pytest.raises(SettingError, match=message):
        fit(learner=mine, **settings)


def test_its_settings_belong_to_it_alone():
    with pytest.raises(SettingError, match=r"unknown recipe key 'subgradient\.rate'"):
        Recipe().replace({"subgradient.rate": 1})


def test_a_setting_that_perceptag_has_may_be_shared():
    def learn(this: Pass, C: float) -> Errors:
        seen.append(C)
        return loop(this)

    seen: list[float] = []
    sharing = Learner("sharing", "linear", learn, "Nobody (2030)", settings=(MARGIN,))
    assert fit(learner=sharing, margin=3).model_.recipe.own["margin"] == 3
    assert set(seen) == {3.0}


def guided_epoch(weights: GuidedWeights, search: GuidedSearch, sequences: Iterable[Sequence]) -> Errors:
    return guided.learn_epoch(weights, search, sequences)


@pytest.mark.parametrize(("declared", "margin"), [(guided.LEARNER.settings, 20), ((), 0)])
def test_a_setting_of_the_recipe_is_applied_only_if_it_is_declared(declared, margin):
    settings = tuple(setting for setting in declared if setting.key == "tau")
    learner = Learner("easy", "guided", guided_epoch, "Nobody (2030)", settings=settings)
    assert load("shen-pos-a").own["tau"] == 20
    models = [
        Tagger(load("shen-pos-a").replace({"tau": tau}), epochs=2, learner=learner).fit(WORDS, TAGS).model_
        for tau in (20, margin)
    ]
    assert [model.recipe.own["tau"] for model in models] == [margin, margin]
    assert modelfile.to_bytes(models[0]) == modelfile.to_bytes(models[1])


@pytest.mark.parametrize("recipe", ["collins-pos", "auto"])
def test_a_setting_that_a_learner_of_a_module_does_not_declare_is_refused(recipe):
    with pytest.raises(SettingError, match="margin: learner 'my_learner:LEARNER' does not use it; "):
        Tagger(recipe, learner="my_learner:LEARNER", margin=5, allow_code=True).fit(WORDS, TAGS)


def test_with_auto(mine):
    tagger = Tagger(learner=mine, epochs=2).fit(WORDS, TAGS)
    assert (tagger.model_.recipe.name, tagger.model_.recipe.learner) == ("pos", "subgradient")


def test_scikit_learn_may_copy_and_search(mine):
    base = pytest.importorskip("sklearn.base")
    model_selection = pytest.importorskip("sklearn.model_selection")
    tagger = Tagger("collins-pos", learner=mine, epochs=1)
    copied = base.clone(tagger)
    assert copied.get_params()["learner"] == mine
    assert copied.fit(WORDS, TAGS).predict(WORDS) == tagger.fit(WORDS, TAGS).predict(WORDS)
    search = model_selection.GridSearchCV(tagger, {"subgradient_rate": [0.001, 1.0]}, cv=2)
    assert search.fit(WORDS, TAGS).best_params_ == {"subgradient_rate": 1.0}


def test_pickled_with_its_model(mine):
    tagger = fit(learner=mine)
    again = pickle.loads(pickle.dumps(tagger))
    assert again.predict(WORDS) == tagger.predict(WORDS)
    assert again.fit(WORDS, TAGS).predict(WORDS) == tagger.predict(WORDS)
    assert pickle.loads(pickle.dumps(tagger.model_.recipe)) == tagger.model_.recipe
    assert copy.deepcopy(tagger.model_.recipe) == tagger.model_.recipe


def test_a_loop_that_pickle_cannot_find_says_so():
    def inner(this: Pass) -> Errors:
        return loop(this)

    local = Learner("local", "linear", inner, "Nobody (2030)")
    with pytest.raises((AttributeError, pickle.PicklingError), match=r"(?i)can't pickle|can't get local"):
        pickle.dumps(fit(learner=local))


# ------------------------------------------------------------------------------------- a model without its code

TAGGING = """
import sys
from perceptag import Tagger
tagger = Tagger.load("m")
print(tagger.predict([["the", "dog"]]), tagger.set_params(threads=2).threads)
assert not any(name in sys.modules for name in ("my_learner", "importlib.metadata", "importlib_metadata"))
"""


def test_a_model_tags_without_the_code(mine):
    fit(learner=mine).save("m")
    done = subprocess.run([sys.executable, "-c", TAGGING], capture_output=True, text=True, check=True)
    assert done.stdout.endswith(" 2\n")
    assert succeed("tag", "-m", "m", "toy.txt").out.count("\n") == TOY.count("\n")
    assert "subgradient.rate=2.0" in succeed("inspect", "m").out


def test_a_model_never_causes_an_import():
    """Not even where code is allowed: the learner is needed to train, not to tag."""
    fit(learner="my_learner:LEARNER", allow_code=True).save("m")
    del sys.modules["my_learner"]
    assert Tagger.load("m", allow_code=True).set_params(threads=2).predict(WORDS)
    succeed("tag", "-m", "m", "toy.txt", "--allow-code")
    assert "my_learner" not in sys.modules


def test_training_on_needs_the_code_and_says_so(mine):
    fit(learner=mine).save("m")
    tagger = Tagger.load("m")
    with pytest.raises(SettingError, match=r"no learner 'subgradient'; expected one of arow, .*learner=LEARNER"):
        tagger.set_params(warm_start=True).fit(WORDS, TAGS)
    again = tagger.set_params(learner=mine, warm_start=True).fit(WORDS, TAGS)
    assert "from" in again.model_.manifest


def test_other_learners_continue_from_it(mine):
    tagger = fit(learner=mine).set_params(learner="perceptron", warm_start=True).fit(WORDS, TAGS)
    assert tagger.model_.recipe.learner == "perceptron"
    assert "subgradient.rate" not in tagger.model_.recipe.to_dict()


def test_a_forged_setting_of_a_learner_that_is_not_here_is_refused(mine):
    model = fit(learner=mine).model_
    for value in ({"a": 1}, None, float("nan"), [1]):
        with pytest.raises((SettingError, ModelError), match=r"subgradient\.rate|not finite"):
            Recipe().replace(model.recipe.to_dict() | {"subgradient.rate": value})


# ------------------------------------------------------------------------- a place in a recipe, on the command line

PLACE = ("--set", "learner=my_learner:LEARNER")
TRAIN = ("train", "-r", "collins-pos", "--train", "toy.txt", "--no-dev", "--epochs", "2")


def test_code_is_not_imported_unless_the_user_allows_it():
    refused = run(*TRAIN, *PLACE, "-m", "m")
    assert (refused.status, Path("m").exists()) == (2, False)
    assert "the learner 'my_learner:LEARNER' is code of your own" in refused.err
    assert "--allow-code" in refused.err
    assert "my_learner" not in sys.modules
    with pytest.raises(SettingError, match="code of your own"):
        fit(learner="my_learner:LEARNER")


def test_allowed_on_the_command_line():
    succeed(*TRAIN, *PLACE, "--allow-code", "-m", "m", "--set", "subgradient.rate=0.5")
    told = json.loads(succeed("inspect", "m", "--json").out)["recipe"]
    assert (told["learner"], told["subgradient.rate"]) == ("my_learner:LEARNER", 0.5)
    succeed("eval", "-m", "m", "toy.txt")
    succeed("explain", "-m", "m", "dog")
    succeed(*TRAIN, "--from", "m", "-m", "n")  # -r names another learner
    words = ("train", "--from", "m", "--train", "toy.txt", "--no-dev", "-m", "n")
    assert "is code of your own" in run(*words).err
    succeed(*words, "--allow-code")


def test_in_a_recipe_file():
    text = 'learner = "my_learner:LEARNER"\nfeatures = "collins-pos"\n[subgradient]\nrate = {}\n'
    Path("mine.toml").write_text(text.format(0.5))
    assert load("mine.toml").own["subgradient.rate"] == 0.5
    assert "my_learner" not in sys.modules
    tagger = Tagger("mine.toml", epochs=1, allow_code=True).fit(WORDS, TAGS)
    assert tagger.model_.recipe.own["subgradient.rate"] == 0.5
    Path("mine.toml").write_text(text.format(-1))
    with pytest.raises(SettingError, match=r"subgradient\.rate: expected a number above 0, up to 2147483647, found -1"):
        Tagger("mine.toml", allow_code=True).fit(WORDS, TAGS)


def test_tune_tries_its_settings():
    Path("mine.toml").write_text(
        'learner = "my_learner:LEARNER"\ntemplates = ["form[0]"]\nepochs = 1\n[subgradient]\nrate = 0.75\n'
        '[tune]\n"subgradient.rate" = [0.5, 1.5]\n'
    )
    words = ("tune", "-r", "mine.toml", "--train", "toy.txt", "--dev", "toy.txt", "--trials", "3", "--jobs")
    succeed(*words, "1", "--allow-code", "-o", "one.toml")
    succeed(*words, "2", "--allow-code", "-o", "two.toml")
    assert 'learner = "my_learner:LEARNER"' in Path("two.toml").read_text()
    assert "[subgradient]\nrate = " in Path("two.toml").read_text()
    refused = run(*words, "1", "-o", "three.toml")
    assert "no trial could be trained: the learner 'my_learner:LEARNER' is code of your own" in refused.err


# -------------------------------------------------------------------------------------------- an installed package


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that registers the learner as an entry point."""
    facts = tmp_path / "site" / "my_package-1.0.dist-info"
    facts.mkdir(parents=True)
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: my-package\nVersion: 1.0\n")
    entries = "subgradient = my_learner:LEARNER\nbroken = no_such_module:LEARNER\nwrong = my_learner:learn_epoch\n"
    (facts / "entry_points.txt").write_text(f"[perceptag.learners]\n{entries}")
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.usefixtures("installed")
def test_an_entry_point_is_found_by_its_name():
    tagger = fit(learner="subgradient", subgradient_rate=0.5)
    assert tagger.model_.recipe.to_dict()["subgradient.rate"] == 0.5
    tagger.save("m")
    assert Tagger.load("m").set_params(warm_start=True).fit(WORDS, TAGS).model_.recipe.learner == "subgradient"


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("broken", "learner 'broken': cannot import 'no_such_module:LEARNER': ModuleNotFoundError"),
        ("wrong", "learner: 'my_learner:learn_epoch': expected a perceptag.Learner, found <function learn_epoch"),
        ("unheard-of", "there is no learner 'unheard-of'"),
    ],
)
def test_entry_points_that_are_wrong(name, message):
    with pytest.raises(SettingError, match=message):
        fit(learner=name)


@pytest.mark.usefixtures("installed")
def test_entry_points_are_not_looked_up_where_nothing_is_trained(monkeypatch):
    fit(learner="subgradient").save("m")
    monkeypatch.setattr("perceptag.recipe.usercode.find_entry_points", None)
    assert Tagger.load("m").predict(WORDS)
    fit(learner="perceptron")
