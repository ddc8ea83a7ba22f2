"""Training with word classes: which file a run, a checkpoint or a layer takes them from."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from class_files import toy_classes
from command_line import CORPUS
from continued import go_on
from perceptag import ModelError, Sentence, SettingError, Tagger, WordClasses
from perceptag.models.model import Model
from perceptag.models.model_file import to_bytes
from perceptag.text import read_columns
from perceptag.training import checkpoint
from perceptag.training.jackknife import LowerLayer, with_predicted
from perceptag.training.train import Training
from toys import make_recipe

TEMPLATES = ("form[0]", "class8[-1..1]", "bias * y-1 y0")


@pytest.fixture(scope="module")
def data() -> list[Sentence]:
    read = read_columns(CORPUS / "train.txt", ["form", "label", "chunk", "ner"])
    return [replace(s, columns={c: s.columns[c] for c in ("form", "label")}) for s in islice(read, 30)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    toy_classes().save(tmp_path / "c")
    return tmp_path / "c"


def write_others(path: Path) -> None:
    WordClasses.learn([["a", "b", "c", "d"]] * 3 + [["b", "a"]], [2], min_count=1).save(path)


def make(data: list[Sentence], path: Path, **settings: object) -> Training:
    return Training(make_recipe(templates=TEMPLATES, classes=str(path), epochs=2, **settings), data)


def trained(data: list[Sentence], path: Path, **settings: object) -> Model:
    training = make(data, path, **settings)
    list(training.run())
    return training.model()


def test_a_checkpoint_notices_another_class_file(data, path, tmp_path):
    run = make(data, path)
    next(run.run())
    checkpoint.write(run, str(tmp_path / "k"))
    WordClasses._of(toy_classes(), {"text": "another"}).save(path)
    with pytest.raises(SettingError, match=r"checkpoint is of another run \(classes: \"[0-9a-f]"):
        checkpoint.restore(make(data, path), str(tmp_path / "k"))
    toy_classes().save(path)
    resumed = make(data, path)
    checkpoint.restore(resumed, str(tmp_path / "k"))
    list(resumed.run())
    assert to_bytes(resumed.model()) == to_bytes(trained(data, path))


def test_an_earlier_model_keeps_its_classes(data, path, tmp_path):
    model = trained(data[:20], path)
    write_others(path)
    path.rename(tmp_path / "gone")
    again = go_on(model, data[20:], epochs=1).model()
    for name in ("classes.words", "classes.numbers"):
        assert (again.arrays[name] == model.arrays[name]).all()
    assert again.facts["classes"] == model.facts["classes"]
    assert go_on(again, data, epochs=1, add=["class8[0] class8[1]"]).model().facts["classes"]["sizes"] == [8]
    with pytest.raises(SettingError, match=r"expected one of class8, the sizes of the word classes; found 'class24'"):
        go_on(again, data, add=["class24[0]"])


def test_a_model_without_classes_can_get_some(data, path):
    plain = Tagger(make_recipe(templates=("form[0]",), epochs=1)).fit(data[:20]).model_
    more = go_on(plain, data, classes=str(path), add=["class8[0]"], epochs=1).model()
    assert more.facts["classes"]["sizes"] == [8]
    with pytest.raises(ModelError, match=r"expected all 2 of the model to continue from, found 1 without 'class8\[0\]"):
        go_on(more, data, templates=("form[0]",), classes="")


def test_a_warm_start_needs_no_class_file(data, path):
    tagger = Tagger(make_recipe(templates=TEMPLATES, epochs=1), classes=str(path), warm_start=True).fit(data[:20])
    path.unlink()
    sizes = tagger.fit(data[20:]).model_.facts["classes"]["sizes"]
    assert sizes == [8]


def test_folds_of_a_lower_layer_use_its_own_classes(data, path):
    layer = LowerLayer(trained(data, path), name="pos")
    expected, _ = with_predicted([layer], data, folds=2)
    path.unlink()
    found, _ = with_predicted([layer], data, folds=2)
    assert found == expected


def test_choices_on_folds_use_classes(data, path):
    tagger = Tagger("pos", classes=str(path), epochs=2, inner_folds=2).fit(data)
    assert tagger.model_.facts["classes"]["sizes"] == [8, 24]
    assert tagger.model_.manifest["choices"]
