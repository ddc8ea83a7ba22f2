"""Word classes in models: every kind whose features are templates uses them, and needs no other file for it."""

from __future__ import annotations

import pickle
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from class_files import SIZES, toy_class_file, toy_classes
from command_line import CORPUS
from forging import forge, say, without
from learner_settings import EVERY, without_labels
from perceptag import ModelError, Sentence, SettingError, Tagger, WordClasses
from perceptag.models.model_classes import model_classes
from perceptag.models.model_file import to_bytes
from perceptag.text import read_columns
from toys import make_recipe

WITH_CLASSES = {name: settings for name, settings in EVERY.items() if name.startswith("classes")}
kinds = pytest.mark.parametrize("settings", WITH_CLASSES.values(), ids=WITH_CLASSES)
SMALL = ("form[0]", "class8[-1..1]", "bias * y-1 y0")


@pytest.fixture(scope="module")
def chunks() -> list[Sentence]:
    read = read_columns(CORPUS / "train.txt", ["form", "pos", "label", "ner"])
    return [replace(s, columns={c: s.columns[c] for c in ("form", "pos", "label")}) for s in islice(read, 40)]


@pytest.fixture(scope="module")
def model(chunks: list[Sentence]) -> bytes:
    tagger = Tagger(make_recipe(templates=SMALL, classes=toy_class_file(), epochs=1)).fit(chunks)
    return to_bytes(tagger.model_)[0]


def load(data: bytes, folder) -> Tagger:
    (folder / "m").write_bytes(data)
    return Tagger.load(folder / "m")


@kinds
def test_a_model_with_classes_is_one_file(settings, chunks, tmp_path, monkeypatch):
    tagger = Tagger(**settings).fit(chunks[:30])
    tagger.save(tmp_path / "m")
    monkeypatch.setattr("perceptag.models.model_classes.load", None)  # nothing reads the class file
    loaded = Tagger.load(tmp_path / "m")
    unseen = without_labels(chunks[30:])
    assert loaded.predict(unseen) == tagger.predict(unseen) == pickle.loads(pickle.dumps(tagger)).predict(unseen)
    assert any("class8" in template for template in loaded.model_.facts["templates"])
    assert loaded.model_.facts["classes"]["sha256"] == toy_classes().save(tmp_path / "again")


@kinds
def test_explanations_name_classes_by_their_words(settings, chunks):
    tagger = Tagger(**settings).fit(chunks[:30])
    found = [token for s in without_labels(chunks[:10]) for token in tagger.explain(s).details]
    named = [c.feature for token in found for c in token.contributions if "class24[0]=" in c.feature]
    first = [toy_classes().words[toy_classes().members(24, k)[0]] for k in range(24)]
    assert named
    assert all(any(f"class24[0]={word}" in feature for word in first) for feature in named)


def test_classes_help_with_words_that_training_lacks():
    """Only the classes say that cat and cow are alike."""
    text = [["the", noun, verb] for noun in ("dog", "cat", "cow") for verb in ("runs", "eats", "dog")]
    classes = {"the": "D", "dog": "N", "runs": "V", "eats": "V"}
    train = [s for s in text if "cat" not in s and "cow" not in s]
    path = toy_class_file() + ".animals"
    WordClasses.learn(text, sizes=[3]).save(path)
    tagger = Tagger(make_recipe(templates=("form[0]", "class3[0]"), classes=path, epochs=5))
    tagger.fit(train, [[classes[w] for w in s] for s in train])
    assert tagger.predict([["cat"], ["CAT"], ["Cow"]]) == [["N"]] * 3


def test_only_the_sizes_that_templates_use_are_stored(chunks, model, tmp_path):
    loaded = load(model, tmp_path)
    known = model_classes(loaded.model_)
    assert known is not None
    assert known.classes == toy_classes().only([8])
    assert len(known.classes.words) > len({w for s in chunks for w in s.tokens if toy_classes().of(w, 8)})
    assert loaded.model_.facts["classes"]["sizes"] == [8]


FORGED = {
    "no words": without("classes.words"),
    "no numbers": without("classes.numbers"),
    "other sizes": say([4], "facts", "classes", "sizes"),
    "more sizes": say([8, 24], "facts", "classes", "sizes"),
    "no folding": say(None, "facts", "classes", "folding"),
    "no digest": say(3, "facts", "classes", "sha256"),
    "no facts": say("x", "facts", "classes"),
    "sizes that templates do not use": say(["form[0]", "class9[0]", "bias * y-1 y0"], "facts", "templates"),
    "a word twice": lambda arrays, _: arrays["classes.words"].__setitem__(slice(None), ord("a")),
    "a class out of range": lambda arrays, _: arrays["classes.numbers"].__setitem__(0, 8),
    "numbers of another type": lambda arrays, _: arrays.update({"classes.numbers": arrays["classes.words"]}),
    "counts that rise": lambda arrays, _: arrays["classes.counts"].__setitem__(-1, 2**32 - 1),
    "words that are not text": lambda arrays, _: arrays["classes.words"].__setitem__(0, 255),
}


@pytest.mark.parametrize("edit", FORGED.values(), ids=FORGED)
def test_damaged_classes_are_refused(edit, model, tmp_path):
    with pytest.raises((ModelError, SettingError), match=r"expected|class9"):
        load(forge(model, edit), tmp_path)


def test_any_values_of_a_class_can_be_explained(model, tmp_path):
    """A forged vocabulary may have values that are not classes."""

    def edit(arrays, _):
        values = arrays["vocabulary.0.1"].tobytes().split(b"\0")
        values[0], values[1] = b"Paris", b"99999999999"
        arrays["vocabulary.0.1"] = np.frombuffer(b"\0".join(values), np.uint8)

    loaded = load(forge(model, edit), tmp_path)
    names = {feature for label in loaded.ready_model.top_weights(500).by_label.values() for feature, _ in label}
    assert {"class8[0]=Paris", "class8[0]=99999999999"} <= names


def test_sizes_are_written_out_in_the_recipe_of_a_model(chunks):
    tagger = Tagger("chunk", classes=toy_class_file(), epochs=1, inner_folds=0).fit(chunks[:10])
    recipe = tagger.model_.recipe
    assert recipe.groups[-1] == "classes=6"
    written = ("classN[-2..2]", "classN[-1] classN[0]", "classN[0] classN[1]")
    assert recipe.templates[-6:] == tuple(t.replace("N", str(size)) for t in written for size in SIZES)
