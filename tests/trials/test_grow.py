"""Growing templates: candidates, their ranking, and the search on small data."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from command_line import CORPUS, check, run, succeed
from markdown import Page, matches, session
from perceptag import Sentence
from perceptag.errors import DataError, SettingError
from perceptag.features.template import parse, parse_all
from perceptag.recipe.recipe import Recipe, load
from perceptag.trials.candidates import OFFSETS, applied, candidates, places, removals
from perceptag.trials.fold_trials import APART, Effort, FoldResult, FoldTrials
from perceptag.trials.grow import Growing, GrowLimits, TriedChange, check_recipe, keep_apart, paired_gain
from perceptag.trials.template_ranking import NONE, RIDGE, WINDOW, TemplateValues, features_of, gain, rank, residuals
from reference.features import sentence_features
from reference.template_gain import template_gain

RECIPE = """
learner = "perceptron"
epochs = 3

[templates]
words = ["form[0]"]
transitions = ["bias * y-1 y0"]
"""


def corpus(sentences: int, seed: int = 0) -> list[Sentence]:
    """Sentences in which the word before decides most labels: B after a, otherwise C."""
    random = np.random.default_rng(seed)
    made = []
    for _ in range(sentences):
        words = [str(word) for word in random.choice(["a", "b", "c", "d"], 6)]
        labels = ["C", *("B" if (before == "a") != (random.random() < 0.05) else "C" for before in words[:-1])]
        made.append(Sentence({"form": words, "label": labels}))
    return made


def written(path: Path, sentences: list[Sentence]) -> Path:
    blocks = ["".join(f"{w} {y}\n" for w, y in zip(*s.columns.values(), strict=True)) for s in sentences]
    path.write_text("\n".join(blocks))
    return path


# --- candidates ---


def test_candidates_are_new_fields_pairs_and_longer_templates() -> None:
    templates = parse_all(["form[0]", "pos[0]", "form[-1] pos[0]", "bias * y-1 y0"], ["form", "pos"])
    found = [str(t) for t in candidates(templates, ["form", "pos", "more"], [])]
    assert {"form[1]", "pos[-2]", "suffix3[0]", "form[0] pos[0]", "pos[-2] form[2]"} <= set(found)
    assert not {"form[0]", "pos[0]", "form[-1] pos[0]", "more[0]"} & set(found)
    assert len(found) == len(set(found))
    longer = [str(t) for t in candidates(templates, ["form", "pos"], [templates[2]])]
    assert "form[-1] pos[0] form[1]" in longer and "form[-1] pos[0] form[1]" not in found


def test_what_is_learned_from_labels_or_has_amounts_is_no_candidate() -> None:
    columns = ["form", "more", "gazetteer"]
    templates = parse_all(["form[0]", "gazetteer[0]", "more.valued[0]", "more.each[0]"], columns)
    found = " ".join(map(str, candidates(templates, ["form", "more"], [])))
    assert not re.search("gazetteer|valued|each", found)


def test_an_attribute_that_is_also_a_column_is_spelt_out() -> None:
    columns = ["form", "lower"]
    found = [str(t) for t in candidates(parse_all(["form[0]", "lower[1]"], columns), columns, [])]
    assert {"lower[0]", "form.lower[0]"} <= set(found)
    assert len(parse_all(found, ["form", "lower"])) == len(found)


@settings(max_examples=20, deadline=None)
@given(st.sets(st.sampled_from(["form[0]", "lower[-1]", "pos[0]", "pos.prefix1[1]", "form[0] pos[1]"]), min_size=1))
def test_every_candidate_can_be_read_and_added(texts: set[str]) -> None:
    columns = ["form", "pos"]
    recipe = Recipe(templates=tuple(sorted(texts)))
    for template in candidates(parse_all(recipe.templates, columns), columns, [])[::7]:
        assert parse(str(template), columns) == template
        assert len(applied(recipe, [f"+ {template}"]).templates) == len(recipe.templates) + 1
        assert all(offset in OFFSETS for _, offset in places(template))


def test_removals_are_written_out_and_keep_transitions() -> None:
    recipe = Recipe(templates=("form[-1..0]", "bias * y-1 y0"))
    assert removals(recipe) == ["form[-1]", "form[0]"]
    assert applied(recipe, ["- form[-1]"]).templates == ("form[0]", "bias * y-1 y0")
    assert removals(Recipe(templates=("form[0]",))) == []


# --- the ranking ---

LABELS = "ABC"
Tokens = list[tuple[str | None, str, tuple[str, str], int]]  # value, gold label, labels of two runs, fold
label = st.sampled_from(LABELS)
some_tokens = st.lists(
    st.tuples(st.sampled_from(["x", "y", "z", None]), label, st.tuples(label, label), st.integers(0, 2)), min_size=1
)


@settings(max_examples=100, deadline=None)
@given(some_tokens)
def test_the_ranking_is_that_of_the_reference(tokens: Tokens) -> None:
    values, gold, labels, folds = map(list, zip(*tokens, strict=True))
    wrong = [(t, given) for t, both in enumerate(labels) for given in both if given != gold[t]]
    left = residuals(gold, wrong, 2, np.array(folds), LABELS)
    numbers = np.array([NONE if v is None else "xyz".index(v) for v in values])
    expected = template_gain(values, gold, labels, folds, RIDGE, WINDOW)
    assert gain(numbers[left.near], left) == pytest.approx(expected, abs=1e-9)


def test_the_template_that_decides_comes_first() -> None:
    sentences = corpus(60)
    gold = [y for s in sentences for y in s.columns["label"]]
    wrong = [(t, "C") for t, y in enumerate(gold) if y == "B"]  # a model that never says B
    folds = np.arange(len(gold)) // 6 % 3
    templates = parse_all(["form[0]", "form[1]", "form[-1]", "form[-2]", "form[-1] form[0]"])
    values = TemplateValues(sentences, ["form"], "sentence", {})
    ranked = rank(templates, values, residuals(gold, wrong, 1, folds, "BC"), threads=2)
    assert str(ranked[0][1]) == "form[-1]" and ranked[0][0] > 50
    assert all(gain < 80 for gain, template in ranked if -1 not in {offset for _, offset in places(template)})


words = st.lists(st.lists(st.sampled_from(["a", "A", "bb", "1-"]), min_size=1, max_size=5), min_size=1, max_size=5)
TEMPLATES = ["form[0]", "lower[-1] digit[0]", "suffix2[1]", "form[-2] form[2]", "shape[0] form[1] form[-1]"]


@settings(max_examples=50, deadline=None)
@given(words, st.sampled_from(TEMPLATES))
def test_values_are_those_of_the_reference(some: list[list[str]], text: str) -> None:
    template = parse(text)
    found = TemplateValues([Sentence({"form": s}) for s in some], ["form"], "sentence", {}).of(template)
    fired = [token for s in some for token in sentence_features([template], {"form": s})]
    known: dict[object, int] = {}
    expected = [known.setdefault(f[0].values, len(known)) if f else NONE for f in fired]
    assert features_of(found) == features_of(np.array(expected))
    assert ((found == NONE) == (np.array(expected) == NONE)).all()


def test_a_pair_of_which_one_field_says_nothing_new_has_no_new_feature() -> None:
    values = TemplateValues([Sentence({"form": ["Aa", "b", "C"]})], ["form"], "sentence", {})
    shape, both, words = (features_of(values.of(parse(t))) for t in ("shape[0]", "shape[0] capital[0]", "form[-1]"))
    assert both < shape and not words <= both


def test_a_field_that_only_transitions_look_at_is_a_candidate_of_its_own() -> None:
    values = TemplateValues([Sentence({"form": ["Aa", "b", "C"]})], ["form"], "sentence", {})
    growing, word, crossed = object.__new__(Growing), parse("form[0]"), parse("form[0] * y-1 y0")
    growing._values = values
    assert growing._distinct([(1.0, word)], [word, crossed], values, 1) == []
    assert growing._distinct([(1.0, word)], [crossed], values, 1) == [("+ form[0]", 1.0)]


def test_numbers_of_many_fields_do_not_overflow() -> None:
    sentences = [Sentence({"form": [f"w{i}" for i in range(1000)]})] * 2
    template = parse(" ".join(f"form[{i}]" for i in range(9)))
    found = TemplateValues(sentences, ["form"], "sentence", {}).of(template)
    assert len(np.unique(found)) == 1000 and found.min() >= 0


# --- data and gains ---


def test_the_data_kept_apart_is_a_fold_more_or_the_dev_data() -> None:
    sentences = corpus(30)
    rest, apart = keep_apart(sentences, [], 2)
    assert (len(rest), len(apart)) == (20, 10) and not {*map(id, rest)} & {*map(id, apart)}
    assert keep_apart(sentences, sentences[:3], 5) == (sentences, sentences[:3])
    with pytest.raises(DataError, match=r"expected at least 35 sentences, 5 for each of 6 folds and one .* found 30"):
        keep_apart(sentences, [], 6)


def test_the_standard_error_is_that_of_folds() -> None:
    def results(scores: list[float]) -> list[FoldResult]:
        return [FoldResult((), i // 2, i % 2, score, {}) for i, score in enumerate(scores)]

    mean, error = paired_gain(results([50, 50, 60, 60]), results([51, 51, 62, 64]), runs=2)
    assert (mean, error) == (2.0, 1.0)


def test_labels_follow_from_errors() -> None:
    sentences = corpus(20)
    trials = FoldTrials(
        load("collins-pos").replace({"templates": ["form[0]"]}), sentences, sentences[:2], Effort(folds=2)
    )
    [[first, _]] = trials.on_folds([()])
    assert 0 < first.score < 100 and first.wrong
    labels, gold = trials.labels(first), [s.columns["label"] for s in trials.folds.pairs[0][1]]
    pairs = [(a, b) for x, y in zip(labels, gold, strict=True) for a, b in zip(x, y, strict=True)]
    assert first.score == pytest.approx(100 * sum(a == b for a, b in pairs) / len(pairs))


# --- the command ---


@pytest.mark.parametrize(
    ("gain", "error", "is_clear"), [(0.5, 0.2, True), (0.4, 0.2, False), (0.1, 0.0, True), (0.0, 0.0, False)]
)
def test_any_gain_counts_that_is_beyond_the_errors(gain: float, error: float, is_clear: bool) -> None:
    growing = object.__new__(Growing)
    growing.limits = GrowLimits(7, 2, 2.0, False)
    assert growing._is_clear(TriedChange(1, "+ form[1]", None, 90.0, gain, error)) == is_clear


@pytest.fixture
def words_of(tmp_path: Path) -> tuple[object, ...]:
    """The command line of a small search."""
    train = written(tmp_path / "train.txt", corpus(120))
    (tmp_path / "mine.toml").write_text(RECIPE)
    data = ("--train", train, "--columns", "form,label", "-r", tmp_path / "mine.toml", "-o", tmp_path / "out.toml")
    return ("tune", "--grow", *data, "--folds", 3, "--passes", 2, "--confirm", 2, "--trials", 7, "-j", 1)


def test_a_search_finds_what_decides(tmp_path: Path, words_of: tuple[object, ...]) -> None:
    done = succeed(*words_of)
    assert "at most 27 trainings: 7 trials of 3, and 6 on 30 sentences, kept apart, for the final figure" in done.err
    assert re.search(r"1 +\+ form\[-1\].* kept", done.out)
    assert "refused" in done.out and "sentences that chose nothing: accuracy" in done.out
    grown = load(str(tmp_path / "out.toml"))
    assert grown.templates[:2] == ("form[0]", "bias * y-1 y0") and "form[-1]" in grown.templates[2]
    assert grown.groups[2].startswith("grown=")
    command = ("train", "-r", tmp_path / "out.toml", *words_of[2:6], "--no-dev", "-m", tmp_path / "m", "-q")
    succeed(*command)


def test_json_and_dev_data(tmp_path: Path, words_of: tuple[object, ...]) -> None:
    dev = written(tmp_path / "dev.txt", corpus(20, seed=1))
    found = json.loads(succeed(*words_of, "--dev", dev, "--json", "-q").out)
    assert "+ form[-1]" in found["changes"][0] and found["main_score"] == "accuracy"
    assert found["final"]["sentences"] == 20 and found["final"]["gain"] > 10
    assert found["final"]["interval"][0] > 0
    kept = [one for one in found["tried"] if one["verdict"] == "kept"]
    assert all(one["gain"] > 2 * one["error"] for one in kept)
    assert [one["change"] for one in kept] == found["changes"]


def test_a_killed_search_goes_on_to_the_same_table(tmp_path: Path, words_of: tuple[object, ...]) -> None:
    whole = succeed(*words_of).out
    recipe, journal = (tmp_path / "out.toml").read_text(), tmp_path / "out.journal"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:6]) + lines[6][:20])
    again = succeed(*words_of)
    assert "5 trainings are done" in again.err
    count = re.compile(r"\d+ trainings")
    assert count.sub("", again.out) == count.sub("", whole)
    assert (tmp_path / "out.toml").read_text() == recipe
    # The result does not depend on the number of workers.
    journal.unlink()
    assert succeed(*words_of, "-j", 2, "--on", "threads").out == whole
    assert sorted(journal.read_bytes().splitlines(keepends=True)) == sorted(lines)


def test_time_that_is_over_ends_a_search_which_can_go_on(
    tmp_path: Path, words_of: tuple[object, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def times_out_after(trainings: int) -> None:
        clock = iter(range(10_000))
        monkeypatch.setattr("perceptag.cli.grow._watch", lambda _: lambda: next(clock) <= trainings)

    times_out_after(1)
    check(run(*words_of), "--minutes: the time was over before .* the same command goes on from here")
    assert len((tmp_path / "out.journal").read_bytes().splitlines()) == 3
    times_out_after(3)
    assert "ended: the time is over" in succeed(*words_of).out
    assert len((tmp_path / "out.journal").read_bytes().splitlines()) < 20
    monkeypatch.undo()
    assert "form[-1]" in succeed(*words_of).out


def test_templates_may_be_removed(tmp_path: Path, words_of: tuple[object, ...]) -> None:
    (tmp_path / "mine.toml").write_text(RECIPE.replace('"form[0]"', '"form[-1..0]"'))
    out = succeed(*words_of, "--remove", "--trials", 3).out
    assert re.search(r"1 +- form\[(0|-1)\] ", out)
    assert sorted(re.findall(r"^ *1 +([+-]) ", out, re.MULTILINE)) == ["+", "-"]  # half of them, and no more than two


def test_the_guide_shows_what_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page(Path(__file__).parents[2] / "docs" / "guide" / "recipes.md", only="Growing templates")
    [(_, _), (command, shown)] = session(page)
    monkeypatch.chdir(tmp_path)
    words = shlex.split(command.replace("$data", CORPUS.as_posix()))
    assert matches(shown, succeed(*words[1:]).out)


def test_another_journal_is_refused(tmp_path: Path, words_of: tuple[object, ...]) -> None:
    few = (*words_of, "--trials", 2, "--confirm", 1)
    succeed(*few)
    check(run(*few, "--passes", 3), "out.journal: expected a journal of this work.*different: grow")
    journal = tmp_path / "out.journal"
    before = journal.read_text()
    entry = {"changes": [], "fold": 0, "run": 0, "score": 50.0, "wrong": {}}
    for changed, message in [
        ({"score": 101.0}, "score: expected a number from 0 to 100"),
        ({"fold": 3}, f"fold: expected a number from {APART} to 2"),
        ({"wrong": {"B": [10**6]}}, "wrong: expected lists of tokens from 0 to"),
        ({"wrong": {"B": 1}}, "wrong: expected lists of tokens from 0 to"),
        ({"run": True}, "run: expected int, found True"),
        ({"more": 1}, "expected changes, fold, run, score, wrong of a training"),
    ]:
        journal.write_text(f"{before.splitlines()[0]}\n{json.dumps(entry | changed)}\n")
        check(run(*few), f"out.journal:2: {message}")


@pytest.mark.parametrize(
    ("recipe", "complaint"),
    [
        (load("tokenize"), "a tokeniser has features of its own"),
        (load("lemma"), "a lemmatiser has features of its own"),
        (load("rerank-1"), "learner 'rerank-1': --grow cannot change the features"),
        (load("carreras-ner"), "--grow cannot change the features of its models; expected a learner"),
        (load("pos").replace({"labels.missing": "?"}), "labels.missing: --grow needs the labels of all tokens"),
    ],
)
def test_recipes_whose_templates_cannot_grow(recipe: Recipe, complaint: str) -> None:
    with pytest.raises(SettingError, match=complaint):
        check_recipe(recipe)


def test_data_without_labels_or_too_little_of_it(tmp_path: Path, words_of: tuple[object, ...]) -> None:
    train = tmp_path / "train.txt"
    written(train, corpus(10))
    check(run(*words_of), "expected at least 20 sentences, 5 for each of 3 folds and one that is kept apart; found 10")
    train.write_text("a O\nb O\n\n" * 30)
    check(run(*words_of), "column 'label': expected at least two labels, found only 'O'")
    check(run(*words_of[:8], "-o", tmp_path / "x.txt"), "--output: expected a name that ends in .toml")
