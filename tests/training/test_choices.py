"""Choices that training makes by itself: the kind of weights, the score of O, margins, and all of it on folds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from types import SimpleNamespace

import pytest

from command_line import CORPUS, CORPUS_COLUMNS
from command_line import run as run_cli
from learner_settings import EVERY, SOME
from perceptag import Sentence, Tagger, evaluate
from perceptag.evaluation.chunks import Counts
from perceptag.evaluation.comparison import standard_errors
from perceptag.labels.label_set import LabelSet
from perceptag.models.kinds import make_ready
from perceptag.models.model_file import load_bytes, to_bytes
from perceptag.recipe.recipe import load
from perceptag.text import read_columns
from perceptag.training import checkpoint
from perceptag.training import train as train_module
from perceptag.training.cross_validation import Folds
from perceptag.training.fit import settle
from perceptag.training.outside import STEPS, best_step, f_beta
from perceptag.training.train import Training

COMMON = {"labels.column": "label"}


def run(recipe, train, dev) -> Training:
    training = Training(recipe, train, dev)
    list(training.run())
    return training


# --- the kind of weights ---


def test_last_weights_become_the_model_if_they_are_better_by_more_than_chance(chunks):
    plain = {"recall": 0, "inner_folds": 0, "shuffle": True, "weights": "best"}
    recipe = load("basic-ner").replace({**COMMON, **plain, "epochs": 3, "learner": "margin", "margin": 100})
    gold = [s.columns["label"] for s in chunks[40:]]
    chosen = set()
    for seed in range(12):
        training = run(recipe.replace({"seed": seed}), chunks[:25], chunks[40:])
        averaged, last = training.kept["averaged"], training.kept["last"]
        assert averaged.dev == max(r.dev_kept for r in training.reports)
        assert last.dev == max(r.dev_last for r in training.reports)
        labels = [training.trainer.tag_dev(kept.snapshot) for kept in (averaged, last)]
        expected = last if standard_errors(gold, *labels) > 1 else averaged
        done = training.finish()
        assert (done.weights, done.epoch, done.dev) == (expected.weights, expected.epoch, expected.dev)
        assert done.model.manifest["weights"] == done.weights
        chosen.add(done.weights)
    assert chosen == {"averaged", "last"}  # or the test shows little


def test_differences_are_counted_in_standard_errors():
    gold = [["X"]] * 100
    half, most = ([["X"]] * n + [["O"]] * (100 - n) for n in (50, 60))
    assert standard_errors(gold, half, half) == 0
    assert standard_errors(gold, half, most) == pytest.approx(10 / 3, rel=0.2)  # p = 0.1, so the error is 3 of 100
    assert standard_errors(gold, most, half) < 0


def test_without_dev_data_weights_are_averaged(chunks):
    recipe = load("collins-np").replace({**COMMON, "epochs": 2})
    models = [run(recipe.replace({"weights": w}), chunks[:20], None).finish() for w in ("best", "averaged")]
    assert [m.weights for m in models] == ["averaged", "averaged"]
    assert {n: a.tolist() for n, a in models[0].model.arrays.items()} == {
        n: a.tolist() for n, a in models[1].model.arrays.items()
    }


# --- the pass ---


def test_averaged_weights_are_chosen_from_the_later_passes(chunks):
    plain = {"recall": 0, "inner_folds": 0, "shuffle": True, "weights": "best", "epochs": 5}
    differs = 0
    for seed in range(6):
        recipe = load("basic-ner").replace({**COMMON, **plain, "seed": seed})
        whole, late = (
            run(recipe.replace({"later_passes": later}), chunks[:25], chunks[40:]) for later in (False, True)
        )
        averaged, last = ([getattr(r, name) for r in late.reports] for name in ("dev_kept", "dev_last"))
        assert averaged == [r.dev_kept for r in whole.reports]  # the passes are the same
        assert whole.kept["averaged"].epoch == averaged.index(max(averaged)) + 1
        assert late.kept["averaged"].epoch == averaged.index(max(averaged[2:]), 2) + 1
        assert late.kept["averaged"].dev == max(averaged[2:])
        assert late.kept["last"].epoch == whole.kept["last"].epoch == last.index(max(last)) + 1
        differs += late.kept["averaged"].epoch != whole.kept["averaged"].epoch
    assert differs  # or the test shows little


def falling_averages(**more: object) -> Training:
    """A training with later passes whose averaged weights are the best after the first of six passes."""
    settings = {"learner": "margin", "margin": 20, "recall": 0, "inner_folds": 0, "epochs": 6, "later_passes": True}
    train, dev = (list(read_columns(CORPUS / name, CORPUS_COLUMNS.split(","))) for name in ("train.txt", "dev.txt"))
    return Training(load("basic-ner").replace({**settings, "labels.column": "ner", **more}), train, dev)


def test_training_that_is_stopped_early_keeps_the_best_pass_so_far():
    training = falling_averages()
    scores = [report.dev_kept for report in islice(training.run(), 3)]
    assert training.kept["averaged"].dev == scores[0] == max(scores)
    fourth = next(training.run())
    assert (training.kept["averaged"].epoch, training.kept["averaged"].dev) == (4, fourth.dev_kept)
    assert fourth.dev_kept < scores[0]


@pytest.mark.parametrize("epochs", [3, 4, 7])
def test_every_margin_is_chosen_by_all_passes_of_its_short_run(epochs):
    """The first run may be the beginning of the training, whose later passes alone may become the model."""
    margins = (20, 2)
    task = falling_averages(epochs=epochs, margins=len(margins)).task
    settled = settle(task.recipe, {}, task.train, task.dev, Training)
    best = [max(r.dev_kept for r in islice(falling_averages(epochs=epochs, margin=m).run(), 3)) for m in margins]
    assert settled.reasons[0].startswith(
        f"margins in short runs of 3 passes: margin=20: {best[0]:.2f}; margin=2: {best[1]:.2f};"
    )


@pytest.mark.parametrize("stopped_after", [2, 4])
def test_a_resumed_training_chooses_from_the_same_passes(tmp_path, stopped_after):
    path, first, second = str(tmp_path / "checkpoint"), falling_averages(), falling_averages()
    list(islice(first.run(), stopped_after))
    checkpoint.write(first, path)
    checkpoint.restore(second, path)
    assert {w: (k.epoch, k.dev) for w, k in second.kept.items()} == {w: (k.epoch, k.dev) for w, k in first.kept.items()}
    assert to_bytes(second.run_all().model())[0] == to_bytes(falling_averages().run_all().model())[0]
    assert second.kept["averaged"].epoch > 3


# --- the score of O ---


@pytest.mark.parametrize("name", SOME)
def test_the_saved_model_gives_the_labels_that_were_chosen(name, chunks):
    settings = dict(EVERY[name]) | {"recall": 1, "labels_column": "label", "margins": 1}
    tagger = Tagger(**settings)
    training = run(tagger.resolved_recipe(), chunks[:40], chunks[40:])
    done = training.finish()
    loaded = load_bytes(to_bytes(done.model)[0])
    gold = [s.columns["label"] for s in chunks[40:]]
    assert make_ready(loaded).tag(chunks[40:]) == done.dev_labels
    assert done.dev == evaluate(gold, done.dev_labels, bootstrap=0).main_score[1]
    plain = replace(loaded, recipe=loaded.recipe.replace({"outside_score": 0}))
    assert evaluate(gold, make_ready(plain).tag(chunks[40:]), bootstrap=0).main_score[1] <= done.dev


def test_recall_is_what_the_user_asks_for(chunks):
    recipe = load("basic-ner").replace({**COMMON, "epochs": 3, "weights": "averaged"})
    found = [run(recipe.replace({"recall": beta}), chunks[:20], chunks[40:]).finish() for beta in (0.2, 1, 5)]
    gold = [s.columns["label"] for s in chunks[40:]]
    counts = [evaluate(gold, done.dev_labels, bootstrap=0).chunks for done in found]
    assert counts[0].recall < counts[2].recall
    assert counts[0].precision > counts[2].precision
    scores = [done.model.recipe.outside_score for done in found]
    assert scores[0] > scores[2]


def test_f_is_weighted():
    counts = Counts(correct=3, predicted=4, gold=6)
    assert f_beta(counts, 1) == pytest.approx(counts.f1)
    assert f_beta(counts, 100) == pytest.approx(counts.recall, abs=0.01)
    assert f_beta(counts, 0.01) == pytest.approx(counts.precision, abs=0.01)
    assert f_beta(Counts(), 1) == 0


def test_zero_stays_unless_another_score_is_better():
    assert STEPS[best_step([50.0] * len(STEPS))] == 0
    falling = [60.0 - abs(step - 0.5) for step in STEPS]
    assert STEPS[best_step(falling)] == 0.5


def test_a_given_score_counts_in_the_dev_score(chunks):
    recipe = load("collins-np").replace({**COMMON, "epochs": 2, "outside_score": 1e5})
    done = run(recipe, chunks[:20], chunks[40:]).finish()
    assert {label for labels in done.dev_labels for label in labels} == {"O"}
    assert done.dev == 0


# --- margins ---


@dataclass
class FakeTraining:
    """Gives all labels right up to a share, by the margin."""

    recipe: object
    train: list[Sentence]
    dev: list[Sentence]
    right: dict[float, float]

    reports = ()

    def run_all(self, _is_ended=None):
        return self

    def run_ahead(self):
        return False

    @property
    def task(self):
        return SimpleNamespace(dev=self.dev, label_set=LabelSet(("O", "X"), "none", "none", "label"))

    def dev_labels(self):
        share = self.right[self.recipe.own["margin"]]
        return [["X" if i < share * len(self.dev) else "O"] * len(s) for i, s in enumerate(self.dev)]


@pytest.mark.parametrize(
    ("right", "margin"),
    [
        ({40: 0.9, 4: 0.9, 0.4: 0.9}, 40),
        ({40: 0.9, 4: 0.91, 0.4: 0.9}, 40),  # by chance
        ({40: 0.5, 4: 0.9, 0.4: 0.6}, 4),
        ({40: 0.2, 4: 0.4, 0.4: 0.9}, 0.4),
    ],
)
def test_another_margin_must_clearly_win(right, margin):
    dev = [Sentence({"form": ["a"], "label": ["X"]}) for _ in range(100)]
    said: list[str] = []
    settled = settle(
        load("pos").replace({"margins": 3}), {}, dev, dev, lambda *given: FakeTraining(*given, right), said.append
    )
    assert settled.recipe.own["margin"] == margin
    assert settled.recipe.margins == 1
    assert settled.reasons == (
        "margins in short runs of 6 passes: "
        + "; ".join(f"margin={m:g}: {100 * right[m]:.2f}" for m in (40, 4, 0.4))
        + f"; kept margin={margin:g}",
    )
    assert said == ["margins: 3 short runs of 6 passes", *settled.reasons]


def test_margins_that_the_user_sets_are_not_searched(chunks):
    made = []
    settled = settle(
        load("ner").replace({"margin": 7}), {"margin": 7}, chunks, chunks, lambda *given: made.append(given)
    )
    assert made == []
    assert settled.recipe.own["margin"] == 7


def test_a_learner_without_margins_has_none_to_choose(chunks):
    recipe = load("collins-np").replace({"margins": 3})
    assert settle(recipe, {}, chunks, chunks, lambda *_: 1 / 0).recipe == recipe.replace({"margins": 1})


# --- folds ---


@pytest.mark.parametrize("k", [2, 3, 5])
def test_folds_hold_out_every_document_once(k, chunks):
    pairs = Folds(chunks, k).pairs
    assert len(pairs) == k
    held_out = [id(s) for _, dev in pairs for s in dev]
    assert sorted(held_out) == sorted(map(id, chunks))
    for train, dev in pairs:
        assert {*map(id, train)} | {*map(id, dev)} == {*map(id, chunks)}
        assert not {*map(id, train)} & {*map(id, dev)}


def test_one_document_is_cut_into_blocks(chunks):
    one = [replace(s, starts_document=i == 0) for i, s in enumerate(chunks)]
    pairs = Folds(one, 4).pairs
    assert [len(dev) for _, dev in pairs] == [15, 15, 15, 15]


def test_little_data_without_dev_is_cut_into_folds(chunks):
    said: list[str] = []
    recipe = load("basic-ner").replace({**COMMON, "epochs": 4, "inner_folds": 3})
    settled = settle(recipe, {}, chunks, None, Training, said.append)
    assert said[0].startswith("no dev data: choices are made on 3 folds, which takes 3 trainings; ")
    assert settled.recipe.weights in ("averaged", "last")
    assert 1 <= settled.recipe.epochs <= 4
    assert settled.recipe.inner_folds == 0
    assert settled.reasons[-1].startswith(f"folds: {settled.recipe.weights} weights of pass {settled.recipe.epochs}, ")
    assert f"{settled.recipe.outside_score:+g} for the score of O" in settled.reasons[-1]
    again = settle(recipe, {}, chunks, None, Training)
    assert again == settled


def test_sentences_with_unknown_labels_are_not_cut_into_folds(chunks):
    some = [replace(s, columns={**s.columns, "label": ["_", *s.columns["label"][1:]]}) for s in chunks[:20]]
    tagger = Tagger("chunk", labels_column="label", labels_missing="_", epochs=2).fit(some)
    assert "choices" not in tagger.model_.manifest


# --- the command line ---


TRAIN = ("train", "--train", CORPUS / "train.txt", "--dev", CORPUS / "dev.txt", "--columns", CORPUS_COLUMNS)


def test_an_interrupt_while_the_score_of_outside_is_chosen_saves_the_best_pass(tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(train_module, "try_scores", interrupted)
    result = run_cli(*TRAIN, "-m", tmp_path / "m", "--label", "ner", "-r", "basic-ner", "--epochs", 2)
    assert result.status == 130
    assert "warning: interrupted while the score of O was chosen, so the model has none" in result.err
    assert "interrupted: saved" in result.err
    assert Tagger.load(tmp_path / "m").model_.recipe.outside_score == 0
