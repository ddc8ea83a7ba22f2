"""Random search and ablation, on the corpus in the package."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from command_line import CORPUS, CORPUS_COLUMNS, run, succeed
from perceptag import Sentence
from perceptag.errors import DataError, SettingError
from perceptag.recipe.recipe import Recipe, load
from perceptag.system.journal import Journal
from perceptag.text import read_columns
from perceptag.trials.random_search import GROUPS, draw, load_space, what_mattered
from perceptag.trials.runs import ablate, run_trial, run_trials

RECIPE = """
epochs = 1
shuffle = true

[templates]
words = ["form[0]"]
endings = ["suffix2[0]", "suffix3[0]"]
transitions = ["bias * y-1 y0"]

[tune]
epochs = [1, 2, 3]
cutoff = [0, 2]
groups = ["endings"]

[tune.labels]
scheme = ["auto", "IOBES"]
"""


def sentences(name: str, count: int) -> list[Sentence]:
    return list(read_columns(str(CORPUS / name), CORPUS_COLUMNS.split(",")))[:count]


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(RECIPE)
    return path


@pytest.fixture
def words(tmp_path: Path, recipe: Path) -> tuple[object, ...]:
    """Return the command line of a search, without its number of trials."""
    for name, lines in (("train.txt", 900), ("dev.txt", 300)):
        text = (CORPUS / name).read_text().split("\n")[:lines]
        (tmp_path / name).write_text("\n".join(text) + "\n")
    files = ("--train", tmp_path / "train.txt", "--dev", tmp_path / "dev.txt", "-o", tmp_path / "out.toml")
    return ("tune", "-r", recipe, *files, "--columns", CORPUS_COLUMNS, "--label", "chunk", "-j", 1)


# --- the space ---


def test_the_space_of_a_recipe(recipe: Path):
    space = load_space(str(recipe), load(str(recipe)))
    assert space == {"epochs": [1, 2, 3], "cutoff": [0, 2], GROUPS: ["endings"], "labels.scheme": ["auto", "IOBES"]}


@pytest.mark.parametrize("name", ["pos", "chunk", "ner"])
def test_the_shipped_spaces_are_valid(name: str):
    assert GROUPS in load_space(name, load(name))


def test_a_recipe_without_ranges_gets_the_usual_ones():
    assert set(load_space("collins-np", load("collins-np"))) == {"epochs", "cutoff", "support"}
    assert load_space("margin-ner", load("margin-ner"))["margin"] == [25, 50, 100, 200, 400]


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        ("epoch = [1]", "unknown recipe key 'epoch'"),
        ("epochs = 1", "tune.epochs: expected a list of values"),
        ("groups = ['ending']", "without: expected nothing.*found 'ending'"),
    ],
)
def test_ranges_that_are_wrong_are_refused(tmp_path: Path, table: str, complaint: str):
    path = tmp_path / "bad.toml"
    path.write_text(f"templates = ['form[0]']\n[tune]\n{table}\n")
    with pytest.raises(SettingError, match=complaint):
        load_space(str(path), load(str(path)))


def test_draws_are_a_prefix_of_more_draws_and_never_repeat():
    space = {"a": [1, 2, 3], "b": [1, 2], GROUPS: ["x", "y"]}
    all_of_them = draw(space, 1000, seed=5)
    assert len(all_of_them) == 1 + 3 * 2 * 4
    assert all(all_of_them.count(one) == 1 for one in all_of_them)
    assert draw(space, 7, seed=5) == all_of_them[:7]
    assert draw(space, 7, seed=6) != all_of_them[:7]


def test_equal_settings_are_drawn_once():
    space = {"margin": [1, 1.0, 2], "templates": [["form[0]"], ["form[0]"], ["form[1]"]]}
    found = draw(space, 100, seed=0)
    assert len(found) == 1 + 2 * 2
    assert all(found.count(one) == 1 for one in found)


def test_what_mattered_is_the_spread_of_means():
    space = {"a": [1, 2], "b": [1, 2], GROUPS: ["x"]}
    pairs = [(a, b) for a in (1, 2) for b in (1, 2)]
    without = {True: {"without": ["x"]}, False: {}}
    results = [({}, 50.0), *(({"a": a, "b": b} | without[a == b], 90.0 + 2 * a + 0.5 * b) for a, b in pairs)]
    factors = what_mattered(space, results)
    assert [(f.key, f.spread) for f in factors] == [("a", 2.0), ("b", 0.5), ("group x", 0.0)]
    assert [(level.value, level.trials, level.mean, level.best) for level in factors[0].levels] == [
        ("1", 2, 92.75, 93.0),
        ("2", 2, 94.75, 95.0),
    ]


# --- the journal ---


def test_a_journal_goes_on_after_a_line_that_was_cut_short(tmp_path: Path):
    path = tmp_path / "j"
    journal = Journal(str(path), {"seed": 1})
    assert journal.open() == []
    journal.add({"trial": 0})
    journal.add({"trial": 1})
    whole = path.read_bytes()
    path.write_bytes(whole[:-4])
    assert Journal(str(path), {"seed": 1}).open() == [{"trial": 0}]
    journal.add({"trial": 1})
    assert path.read_bytes() == whole


def test_a_journal_killed_in_its_first_line_begins_anew(tmp_path: Path):
    path = tmp_path / "j"
    path.write_bytes(b'{"see')
    assert Journal(str(path), {"seed": 1}).open() == []
    assert path.read_bytes() == b'{"seed": 1}\n'


@pytest.mark.parametrize("content", [b'{"seed": 2}\n{"trial": 0}\n', b"my thesis", b"[1]\n", b"{\n"])
def test_other_files_are_refused_and_left_alone(tmp_path: Path, content: bytes):
    path = tmp_path / "j"
    path.write_bytes(content)
    with pytest.raises((SettingError, DataError), match="journal"):
        Journal(str(path), {"seed": 1}).open()
    assert path.read_bytes() == content


# --- trials ---


def test_trials_are_the_same_in_processes():
    train, dev = sentences("train.txt", 40), sentences("dev.txt", 20)
    recipes = {i: load("chunk").replace({"epochs": 1 + i, "labels.column": "chunk"}) for i in range(2)}
    assert dict(run_trials(recipes, train, dev, jobs=2)) == dict(run_trials(recipes, train, dev, jobs=1))


def test_settings_that_cannot_be_trained_are_an_error_of_the_trial():
    data = [Sentence({"form": ["a"], "ner": ["O"]})]
    trial = run_trial(load("collins-np"), data, data)
    assert (trial.score, trial.epoch, trial.labels) == (0.0, 0, [])
    assert "or an attribute, found 'pos'" in trial.error


# --- the verb tune ---


def test_a_search_finds_and_saves_the_best(tmp_path: Path, words: tuple[object, ...]):
    found = json.loads(succeed(*words, "--trials", 5, "--json", "-q").out)
    scores = [t["score"] for t in found["trials"]]
    assert len(scores) == 5
    assert scores == sorted(scores, reverse=True)
    best = found["trials"][0]
    assert best["trial"] != 0
    winner = load(str(tmp_path / "out.toml"))
    expected = load(str(tmp_path / "mine.toml")).replace({**best["settings"], "name": "out"})
    assert winner == expected
    assert {f["key"] for f in found["what_mattered"]} == {"epochs", "cutoff", "labels.scheme", "group endings"}
    assert ElementTree.fromstring((tmp_path / "out.svg").read_text()).tag.endswith("svg")
    command = ("train", "-r", tmp_path / "out.toml", *words[3:7], *words[9:13], "-m", tmp_path / "m")
    assert f"dev {best['score']:.2f}" in succeed(*command).err


def test_what_the_user_sets_is_not_varied(words: tuple[object, ...]):
    found = json.loads(
        succeed(*words, "--trials", 3, "--json", "-q", "--set", "epochs=1", "--set", "labels.scheme=IOB2").out
    )
    assert {f["key"] for f in found["what_mattered"]} == {"cutoff", "group endings"}
    assert all(not {"epochs", "labels.scheme"} & set(t["settings"]) for t in found["trials"])


def test_a_killed_search_goes_on_to_the_same_table(tmp_path: Path, words: tuple[object, ...]):
    whole = succeed(*words, "--trials", 5).out
    winner = (tmp_path / "out.toml").read_text()
    journal = tmp_path / "out.journal"
    lines = journal.read_bytes().splitlines(keepends=True)
    assert len(lines) == 6
    journal.write_bytes(b"".join(lines[:3]) + lines[3][:20])
    (tmp_path / "out.toml").unlink()
    again = succeed(*words, "--trials", 5)
    assert again.out == whole
    assert (tmp_path / "out.toml").read_text() == winner
    assert "already done: 2 trials" in again.err
    assert again.err.count("\ntrial ") == 3
    more = succeed(*words, "--trials", 6)
    assert "already done: 5 trials" in more.err


SOUND = {"trial": 0, "settings": {}, "score": 50.0, "epoch": 1, "error": ""}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{}", "trial: expected int, found None"),
        (json.dumps(SOUND | {"score": float("nan")}), "score: expected a number from 0 to 100, found nan"),
        (json.dumps(SOUND | {"settings": {"epocs": 2}}), "trial 0: expected the settings that were drawn for it"),
        ("[" * 100_000, "expected a JSON object"),
    ],
)
def test_a_broken_line_of_the_journal_is_told_of_and_left_alone(
    tmp_path: Path, words: tuple[object, ...], line: str, message: str
):
    journal = tmp_path / "out.journal"
    succeed(*words, "--trials", 1)
    content = journal.read_text() + line + '\n{"trial": 1, "sett'
    journal.write_text(content)
    result = run(*words, "--trials", 1)
    assert (result.status, f"out.journal:3: {message}" in result.err) == (2, True), result.err
    assert journal.read_text() == content


def test_a_search_over_other_data_is_refused(tmp_path: Path, words: tuple[object, ...]):
    succeed(*words, "--trials", 1)
    result = run(*words, "--trials", 1, "--seed", 1)
    assert (result.status, "out.journal: expected a journal of this work" in result.err) == (2, True)
    assert "different: seed" in result.err
    assert run(*words[:8], tmp_path / "out.txt", *words[9:]).status == 2


def test_the_winner_never_replaces_an_input(tmp_path: Path, words: tuple[object, ...]):
    recipe = tmp_path / "mine.toml"
    result = run(*words[:8], recipe, *words[9:], "-o", recipe)
    assert (result.status, "--output" in result.err) == (2, True)
    assert recipe.read_text() == RECIPE


@pytest.mark.parametrize("ending", [".svg", ".journal"])
def test_plot_and_journal_never_replace_an_input(tmp_path: Path, words: tuple[object, ...], ending: str):
    data = tmp_path / f"best{ending}"
    data.write_bytes(b"the only copy")
    result = run(*words, "--train", data, "-o", tmp_path / "best.toml")
    assert (result.status, f"best{ending} is also an input" in result.err) == (2, True)
    assert data.read_bytes() == b"the only copy"


# --- ablation ---


def test_a_group_that_says_everything_is_worth_everything():
    train = [Sentence({"form": [w, "x"], "tag": [w.upper(), "X"]}) for w in "abcdefgh"] * 2
    recipe = Recipe(epochs=3, templates=("form[0]", "length[0]"), groups=("word=1", "length=1"), labels_column="tag")
    found = ablate(recipe, train, train[:8])
    assert (found.main_score, found.score) == ("accuracy", 100.0)
    assert [loss.group for loss in found.losses] == ["word", "length"]
    word, length = found.losses
    assert word.worth == 100.0 - word.score > 25
    assert word.interval[0] > 0
    assert (length.worth, length.interval, length.p_value) == (0.0, (0.0, 0.0), 1.0)


def test_templates_without_groups_are_left_out_one_by_one():
    train = sentences("train.txt", 30)
    templates = ["form[0]", "pos[0]", "bias * y-1 y0"]
    recipe = Recipe().replace({"epochs": 1, "labels.column": "chunk", "templates": templates, "labels.keep": "NP"})
    found = ablate(recipe, train, train[:10])
    assert {(loss.group, loss.templates) for loss in found.losses} == {(template, 1) for template in templates}
    assert found.main_score == "f1"
