"""Watching and ending `Tagger.fit`: what it prints, functions that get reports, Ctrl-C; how a tagger shows itself."""

from __future__ import annotations

import re

import numpy as np
import pytest

from perceptag import Recipe, Tagger
from perceptag.models.model_file import to_bytes
from toys import TEMPLATE_SETS, make_recipe, random_corpus

X = [["the", "dog", "barks"], ["a", "cat", "sleeps"], ["dogs", "bark"], ["the", "cat", "saw", "a", "dog"]]
Y = [["D", "N", "V"], ["D", "N", "V"], ["N", "V"], ["D", "N", "V", "D", "N"]]


def tagger(**settings: object) -> Tagger:
    return Tagger("collins-pos", epochs=4, **settings)


# --- functions that get reports ---


def test_callbacks_get_each_report_and_may_end_training() -> None:
    reports: list[object] = []
    tagger().fit(X, Y, dev=(X, Y), callbacks=[reports.append])
    assert [report.epoch for report in reports] == [1, 2, 3, 4]
    asked = []
    ended = tagger().fit(X, Y, callbacks=[lambda report: np.bool_(report.epoch == 2), asked.append])
    assert [report.epoch for report in asked] == [1, 2], "all are asked, in every pass that has ended"
    curve = ended.model_.manifest["curve"]
    assert [point["epoch"] for point in curve] == [1, 2]
    two = Tagger("collins-pos", epochs=2).fit(X, Y)
    assert all(np.array_equal(a, two.model_.arrays[name]) for name, a in ended.model_.arrays.items())


def test_a_callback_that_ends_training_keeps_the_best_pass() -> None:
    train, dev = random_corpus(0, 40), random_corpus(1, 40)
    ended = Tagger(make_recipe(templates=TEMPLATE_SETS["order 1"]), epochs=9)
    ended.fit(train, dev=dev, callbacks=[lambda report: report.epoch == 5])
    scores = [point["dev_kept"] for point in ended.model_.manifest["curve"]]
    assert len(scores) == 5
    assert ended.model_.manifest["best_epoch"] == scores.index(max(scores)) + 1
    assert ended.predict_confidence(dev), "it is calibrated too"


def test_an_error_in_a_callback_is_the_users_and_changes_nothing() -> None:
    def broken(report: object) -> None:
        raise ZeroDivisionError(str(report))

    trained = tagger().fit(X, Y)
    before = to_bytes(trained.model_)
    with pytest.raises(ZeroDivisionError):
        trained.fit(X[:1], Y[:1], callbacks=[broken])
    assert to_bytes(trained.model_) == before


# --- Ctrl-C ---


def interrupt_in(epoch: int):
    def interrupt(report) -> None:
        if report.epoch == epoch:
            raise KeyboardInterrupt

    return interrupt


def test_an_interrupt_keeps_the_passes_so_far() -> None:
    interrupted = tagger()
    with pytest.raises(KeyboardInterrupt):
        interrupted.fit(X, Y, dev=(X, Y), callbacks=[interrupt_in(2)])
    ended = tagger().fit(X, Y, dev=(X, Y), callbacks=[lambda report: report.epoch == 2])
    assert to_bytes(interrupted.model_) == to_bytes(ended.model_)
    assert interrupted.predict(X) == ended.predict(X)


# --- how it shows itself ---


def test_a_tagger_shows_its_arguments_and_its_model() -> None:
    assert repr(Tagger()) == "Tagger()"
    assert repr(Tagger("collins-pos", epochs=4, threads=2)) == "Tagger('collins-pos', threads=2, epochs=4)"
    assert repr(Tagger(Recipe(name="mine", templates=("form[0]",)))) == "Tagger(Recipe 'mine')"
    assert re.fullmatch(
        r"<Tagger\('collins-pos', epochs=4\): recipe collins-pos, 3 labels, \d\d+ features>", repr(tagger().fit(X, Y))
    )
    spans = [["B-X" if y == "N" else "O" for y in labels] for labels in Y]
    names = Tagger(epochs=2).fit(X, spans, dev=(X, spans))
    assert re.fullmatch(r"<Tagger\(epochs=2\): recipe \w+, 2 labels, \d+ features, dev F1 [\d.]+ %>", repr(names))
