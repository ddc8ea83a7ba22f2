"""The promises of every learner, and that what it says about itself is true.

Learners of the package join by themselves; a linear one needs a line in `BY_HAND`.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from command_line import CORPUS
from learner_settings import EVERY, without_labels
from perceptag import Recipe, Sentence, Tagger, learn
from perceptag.errors import SettingError
from perceptag.learn import SHARED, catalogue, declared, settings_of_learners, users_of
from perceptag.learn.costs import UNIT
from perceptag.learn.learner import COMMON, Learner, Setting, python_name
from perceptag.models.kinds import KINDS
from perceptag.recipe.common_settings import SETTINGS
from perceptag.recipe.learner_settings import LearnerSettings
from perceptag.recipe.recipe import NOT_STORED, load
from perceptag.recipe.recipe_files import shipped
from perceptag.text import read_columns
from toys import make_recipe, named_weights, random_corpus, train
from trained import chunked

learners = pytest.mark.parametrize("learner", catalogue().values(), ids=catalogue())


def corpus(number: int) -> list[Sentence]:
    read = list(read_columns(CORPUS / "train.txt", ["form", "pos", "chunk", "ner"]))[:number]
    columns = (("form", "form"), ("pos", "pos"), ("label", "chunk"))
    return [Sentence({to: s.columns[of] for to, of in columns}, starts_document=s.starts_document) for s in read]


# ------------------------------------------------------------------------------------------ the catalogue


def test_every_module_declares_a_learner_or_is_shared():
    modules = {m.name for m in pkgutil.iter_modules(learn.__path__)}
    assert modules >= SHARED
    for name in modules - SHARED:
        module = importlib.import_module(f"perceptag.learn.{name}")
        assert declared(module), f"learn/{name}.py has no LEARNER"
        check = getattr(module, "check", None)
        assert {learner.check for learner in declared(module)} >= {check} - {None}, f"learn/{name}.py: check is unused"
    for name in SHARED:
        assert not declared(importlib.import_module(f"perceptag.learn.{name}")), f"learn/{name}.py has a LEARNER"


def test_numpy_is_not_imported_for_it():
    code = "import sys; from perceptag.learn import catalogue; print(len(catalogue()), 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(len(catalogue())), "False"]


@learners
def test_a_learner_is_complete(learner: Learner):
    assert learner.kind in KINDS
    assert any(character.isdigit() for character in learner.source), "a source has a year"
    assert learner.uses <= COMMON
    assert set(learner.weights) <= set(SETTINGS["weights"].choices)
    assert learner.name in {load(name).learner for name in shipped()} | {"ascent-document"}


def test_settings_that_are_common_are_fields_of_recipes():
    assert set(SETTINGS) >= COMMON
    assert set(SETTINGS) | {"own", "outside"} == {field.name for field in dataclasses.fields(Recipe)}


def test_a_setting_is_declared_once():
    seen: dict[str, Setting] = {}
    for learner in catalogue().values():
        for setting in learner.settings:
            assert seen.setdefault(setting.key, setting) is setting, setting.key
    names = [setting.name for setting in (*SETTINGS.values(), *seen.values())]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("setting", [*SETTINGS.values(), *settings_of_learners().values()], ids=lambda s: s.key)
def test_a_default_may_be_written_down(setting: Setting):
    assert setting.text
    if setting.key not in ("learner", "features", "weights"):
        assert Recipe().replace({setting.key: setting.default}) == Recipe()


# ------------------------------------------------------------------------------------------- what is learned

# One pass over the sentences a/A and b/B; the only feature is the word, and all weights start at zero. Of equal scores
# the first label wins, so A is guessed for both. The weight of (b, B), whose opposite is that of (b, A), and why:
BY_HAND = {
    "perceptron": 1.0,  # one mistake: + 1 for the gold label
    "margin": 1.0,  # one mistake; a/A ties with a/B, whose margin of 0 is not above C = 0
    "pa": 0.5,  # loss 1, |D|^2 = 2: a step of 1/2
    "mira": 0.5,  # one constraint: the same step
    "arow": 1 / 3,  # loss 1, variance of D 2, gamma 1: a step of 1 / (1 + 2)
}


def test_every_linear_learner_with_a_loop_has_its_line():
    assert set(BY_HAND) == {x.name for x in catalogue().values() if x.kind == "linear" and x.epoch}


@pytest.mark.parametrize(("learner", "expected"), BY_HAND.items(), ids=BY_HAND)
def test_one_pass(learner, expected):
    data = [Sentence({"form": [word], "label": [word.upper()]}) for word in "ab"]
    trainer = train(make_recipe(learner=learner, templates=("form[0]",), support="all", epochs=1), data).trainer
    named = named_weights(trainer.weights, trainer.encoder, ["A", "B"])
    weights = {(feature.values[0], labels): w for (feature, labels), (w, _) in named.items()}
    assert weights["b", ("B",)] == pytest.approx(expected, abs=UNIT)
    assert weights["b", ("A",)] == -weights["b", ("B",)]


NAMES = {Tagger(**settings).resolved_recipe().learner: name for name, settings in reversed(EVERY.items())}


def settings_for(learner: Learner) -> dict[str, Any]:
    """Return settings for a small model of a learner."""
    return EVERY[NAMES[learner.name]]


@learners
def test_the_seed_decides_the_order_and_the_order_the_weights(learner: Learner):
    weights = []
    for seed in (1, 1, 2):
        tagger = Tagger(**settings_for(learner) | {"shuffle": True, "seed": seed}).fit(list(chunked())[:20])
        weights.append({name: array.tobytes() for name, array in tagger.model_.arrays.items() if name != "json"})
    assert weights[0] == weights[1]
    if learner.epoch is not None and learner.kind != "rerank":  # what has an optimiser sees all sentences at once
        assert weights[0] != weights[2]


@pytest.mark.parametrize("learner", users_of("shards"))
def test_one_shard_is_not_sharded(learner: str, tmp_path: Path):
    """Little data are one shard, where their size decides."""
    settings, sentences = settings_for(catalogue()[learner]), list(chunked())[:20]
    taggers = [Tagger(**settings | {"shards": n, "spans_longest": 0}).fit(sentences) for n in (1, 0, 2)]
    one, by_size, two = (tagger.save(tmp_path / str(n)) for n, tagger in enumerate(taggers))
    assert one == by_size != two


@learners
def test_labels_with_other_names_in_the_same_order_give_the_same_model(learner: Learner):
    """Names are only names; their order alone breaks ties."""
    rename = {"B-D": "B-X1", "B-N": "B-X2", "O": "O"}
    data, unseen = (random_corpus(seed, 30, labels=tuple(rename)) for seed in (1, 2))
    settings = {k: v for k, v in settings_for(learner).items() if not k.startswith("labels") and k != "constrain"}
    renamed = [Sentence({**s.columns, "label": [rename[y] for y in s.columns["label"]]}) for s in data]
    mine = Tagger(**settings).fit(data).predict(without_labels(unseen))
    theirs = Tagger(**settings).fit(renamed).predict(without_labels(unseen))
    assert [[rename[y] for y in labels] for labels in mine] == theirs


@pytest.mark.parametrize("order", ["DNV", "VDN", "NVD"])
@pytest.mark.parametrize("name", BY_HAND)
def test_labels_with_permuted_names_score_the_same(name, order):
    """Ties are broken otherwise then, but what can be learned is learned."""
    words = {"the": "D", "a": "D", "dog": "N", "saw": "V", "Cat": "N", "runs": "V"}
    rename = dict(zip("DNV", order, strict=True))
    sentences = [s.columns["form"] for s in random_corpus(0, 30, words=tuple(words))]
    y = [[rename[words[w]] for w in s] for s in sentences]
    tagger = Tagger("collins-pos", learner=name, epochs=30, weights="last").fit(sentences, y)
    assert tagger.model_.manifest["curve"][-1]["mistakes"] == 0
    assert tagger.score(sentences, y) == 1.0


# -------------------------------------------------------------------------------------------- settings are used


@learners
def test_a_loop_takes_no_settings_that_are_not_declared(learner: Learner):
    given = {"linear": 1, "nonlocal": 2, "rerank": 2, "guided": 3, "chunker": 2, "maxent": 0}[learner.kind]
    if learner.epoch is not None:
        wanted = list(inspect.signature(learner.epoch).parameters)[given:]
        assert set(learner.arguments(learner.epoch, make_recipe().own)) == set(wanted)


@pytest.fixture(scope="module")
def looked_at() -> dict[str, set[str]]:
    """The settings of learners that were read while models of every learner were trained and used."""
    seen: dict[str, set[str]] = {learner: set() for learner in catalogue()}
    training = ""

    def spy(own: LearnerSettings, key: str) -> object:
        seen[training].add(key)
        return plain(own, key)

    plain = LearnerSettings.__getitem__
    sentences = corpus(16)
    for settings in EVERY.values():
        tagger = Tagger(**settings)
        training = tagger.resolved_recipe().learner
        if training not in catalogue():
            continue
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                LearnerSettings, "items", lambda own: [(key, plain(own, key)) for key in own]
            )  # copies and checks
            patch.setattr(LearnerSettings, "__getitem__", spy)
            tagger.fit(sentences[:12], dev=sentences[12:])
            tagger.predict(without_labels(sentences[:4]))
    return seen


@learners
def test_every_setting_that_is_declared_is_looked_at(learner: Learner, looked_at):
    by_checks = {key for key, setting in settings_of_learners().items() if setting.indispensable}
    for setting in learner.settings:
        taken = setting.parameter(learner.epoch) or setting.parameter(learner.state)
        assert taken or setting.key in looked_at[learner.name] - by_checks or setting.indispensable, setting.key


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"learner": "margin", "margin": 7}, {"C": 7.0}),
        ({"learner": "margin", "margin": 7, "bpm": 3}, {"C": 21.0}),
        ({"learner": "mira", "nbest": 3, "online_c": 0.5}, {"k": 3, "C": 0.5, "cost": "sqrt"}),
        ({"learner": "arow", "online_gamma": 4}, {"gamma": 4.0, "cost": "sqrt"}),
        ({"learner": "pa", "online_type": "PA"}, {"variant": "PA", "C": 1.0, "cost": "sqrt"}),
        (
            {"learner": "nonlocal", "margin": 7, "local_first": True},
            {"C_all": 7.0, "C_local": 7.0, "conservative": False, "local_first": True},
        ),
        ({"learner": "ascent", "margin": 7, "margin_local": 2}, {"C_all": 7.0, "C_local": 2.0}),
        ({"learner": "guided", "aggressive": False}, {"aggressive": False}),
    ],
)
def test_values_reach_the_loop(settings, expected):
    """In units of an update, where a setting is measured in them."""
    learner, calls = catalogue()[settings["learner"]], []

    def spy(*given, **arguments):
        calls.append(arguments)
        return learner.epoch(*given, **arguments)

    spy.__signature__ = inspect.signature(learner.epoch)
    spied = dataclasses.replace(learner, name="spied", epoch=spy, native=None)
    templates = {} if learner.kind == "chunker" else {"templates": ("form[0]", "bias * y-1 y0")}
    recipe = make_recipe(epochs=1, **templates)
    Tagger(recipe, **{python_name(key): value for key, value in settings.items()} | {"learner": spied}).fit(corpus(6))
    assert calls[-1] == expected


# ------------------------------------------------------------------------------------- settings that are not used


@pytest.mark.parametrize(
    ("recipe", "settings", "message"),
    [
        ("crf", {"margin": 5}, "margin: learner 'crf' does not use it; ascent, .*, margin, .*rerank-2 do"),
        ("collins-np", {"beam": 5}, "beam: learner 'perceptron' does not use it; guided does"),
        ("collins-np", {"crf.sigma2": 5}, r"crf\.sigma2: learner 'perceptron' does not use it; crf does"),
        ("pa", {"online_gamma": 5}, r"online\.gamma: learner 'pa' does not use it; arow does"),
        ("shen-pos", {"tolerance": 0.1}, "tolerance: learner 'guided' does not use it; arow, "),
        ("rerank-1", {"margin_local": 5}, "margin_local: learner 'rerank-1' does not use it; ascent, "),
        ("carreras-ner", {"templates": ["form[0]"]}, "templates: the chunker has features of its own"),
    ],
)
def test_a_setting_of_another_learner_is_refused(recipe, settings, message):
    with pytest.raises(SettingError, match=message):
        Tagger(recipe, **settings).fit([["a"]], [["B-X"]])


def test_auto_refuses_it_for_the_recipe_that_it_has_chosen():
    with pytest.raises(SettingError, match=r"crf\.l1: learner '.*' does not use it; crf does"):
        Tagger(crf_l1=0.5).fit([["a", "b"]], [["X", "Y"]])


def test_defaults_and_what_a_recipe_had_for_its_own_learner_are_welcome():
    X, y = [["a", "b"]], [["B-X", "O"]]
    Tagger("collins-pos", beam=3, crf_sigma2=10.0).fit(X, y)
    Tagger("kazama-margin-paper", learner="perceptron", epochs=1, templates=["form[0]"], bpm=0).fit(X, y)
    assert load("kazama-margin-paper").own["margin"] > 0


def test_features_of_documents_are_never_ignored():
    with pytest.raises(SettingError, match=r"nonlocal\.features: learner 'margin' does not use it; ascent, "):
        load("nonlocal-ner").replace({"learner": "margin"})


def test_a_recipe_file_with_a_setting_of_another_learner_is_refused(tmp_path: Path):
    path = tmp_path / "mine.toml"
    path.write_text('learner = "guided"\nmargin = 5\ntemplates = ["form[0]"]\n')
    with pytest.raises(SettingError, match=r"mine\.toml: margin: learner 'guided' does not use it"):
        load(str(path))


def test_an_unknown_learner_is_told_what_there_is():
    with pytest.raises(SettingError, match=r"no learner 'perceptorn'; did you mean 'perceptron'\?; expected one of"):
        Tagger("collins-pos", learner="perceptorn").fit([["a"]], [["X"]])


def test_who_uses_a_setting():
    assert users_of("beam") == ("guided",)
    assert users_of("tolerance") == tuple(name for name in catalogue() if name not in ("guided", "chunker"))


# ----------------------------------------------------------------------------------------- what models hold


def test_models_hold_the_settings_of_their_learner_and_those_that_are_set():
    common = {s.key for s in SETTINGS.values()} - {*NOT_STORED}
    assert set(Recipe().to_dict()) == common | {s.key for s in catalogue()["perceptron"].settings}
    other = Recipe().replace({"crf.sigma2": 3}).to_dict()
    assert other["crf.sigma2"] == 3 and "crf.l1" not in other
