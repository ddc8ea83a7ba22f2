"""Training that cannot continue from a model, other schemes, and the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import CORPUS, succeed
from continued import go_on
from perceptag import ModelError, Sentence, Tagger
from perceptag.models import model_file as modelfile
from perceptag.training.train import Training


def test_refusals(chunks):
    model = Tagger("collins-np", epochs=1).fit(chunks[:20]).model_
    with pytest.raises(ModelError, match=r"expected all 23 of the model to continue from, found 1 without 'form\[-2\]"):
        go_on(model, chunks, templates=("form[0]",))
    with pytest.raises(ModelError, match="'guided': expected a model of kind guided to start from, found kind 'linear"):
        Training(Tagger("shen-pos").resolved_recipe().replace({"labels.column": "label"}), chunks, start=model)
    with pytest.raises(ModelError, match=r"labels of the model are in IOB2: expected labels.scheme = 'auto' or 'IOB2'"):
        go_on(model, chunks, **{"labels.scheme": "IOBES"})
    with pytest.raises(ModelError, match=r"the labels of the model are chunks \(IOB2\): expected chunks in column"):
        go_on(model, chunks, **{"labels.column": "pos"})


def test_a_chunker_goes_on_only_with_the_same_windows_and_columns(chunks):
    model = Tagger("carreras-ner", epochs=1, cutoff=0).fit(chunks[:20]).model_
    with pytest.raises(ModelError, match=r"chunker.word_window: expected 3, with which .* found 2"):
        go_on(model, chunks, **{"chunker.word_window": 2})
    with pytest.raises(ModelError, match="'chunker': expected a model of kind chunker to start from, found kind"):
        linear = Tagger("collins-np", epochs=1).fit(chunks[:20]).model_
        go_on(linear, chunks, learner="chunker", templates=())


def test_a_chunker_keeps_its_support_vectors(chunks):
    """A coefficient divided by the clock is what a vector counts, before and after, in units of 1/256."""
    tagger = Tagger("carreras-ner", epochs=2, cutoff=0, warm_start=True).fit(chunks[:20])
    before = tagger.ready_model.functions[1]
    training = Training(tagger.model_.recipe, chunks[20:40], start=tagger.model_)
    now = training.trainer.functions[1]
    assert len(now) == len(before)
    for i in range(len(now)):
        assert now.row(i).tolist() == before.row(i).tolist()
        for k in range(len(tagger.model_.facts["categories"])):
            assert now.coefficient(i, k) == round(before.coefficient(i, k) / before.clock * 256)
    tagger.fit(chunks[20:40]).fit(chunks[20:40])
    after = tagger.ready_model.functions[1]
    largest = max(abs(after.coefficient(i, 0)) / after.clock for i in range(len(after)))
    assert 0.5 < largest < 20  # the scale stays that of whole support vectors


def test_another_scheme_of_the_data_is_converted(chunks):
    """The model uses IOB2; data in IOBES is read and written as IOBES."""
    model = Tagger("collins-np", epochs=2).fit(chunks[:20]).model_
    iobes = [Sentence({**s.columns, "label": labels}) for s, labels in zip(chunks, _iobes(chunks), strict=True)]
    second = go_on(model, iobes[20:]).model()
    assert (second.label_set.inner, second.label_set.outer) == ("IOB2", "IOBES")
    # Labels that are all O do not show their scheme.
    outside = [Sentence({"form": ["x"], "pos": ["X"], "label": ["O"]})]
    assert go_on(second, outside).model().label_set.outer == "IOBES"


def _iobes(sentences):
    from perceptag.labels.schemes import convert

    return [convert(s.columns["label"], "IOBES", "IOB2") for s in sentences]


def test_train_from_a_model(first: Path, tmp_path: Path) -> None:
    before = first.read_bytes()
    out = tmp_path / "second.model"
    # Columns, label and recipe are those of the model.
    result = succeed("train", "--from", first, "--train", CORPUS / "dev.txt", "--no-dev", "-m", out, "--json")
    assert first.read_bytes() == before
    model = modelfile.load(str(out))
    assert model.manifest["from"] == modelfile.to_bytes(modelfile.load(str(first)))[1]
    assert model.recipe.learner == "pa"
    assert model.recipe.epochs == 2
    assert json.loads(result.out)["best_pass"] == 2
    brief = json.loads(succeed("inspect", out, "--json").out)
    assert brief["manifest"]["from"] == model.manifest["from"]
    assert f"the model with sha256 {model.manifest['from'][:16]}" in succeed("inspect", out).out
