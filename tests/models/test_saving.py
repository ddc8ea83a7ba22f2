"""What is saved can be loaded: a model is loaded from its own bytes before they are written."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from command_line import CORPUS, CORPUS_COLUMNS, succeed
from perceptag import ModelError, Tagger
from perceptag.models.model import LARGEST, Model
from perceptag.text import read_columns
from toys import make_recipe, random_corpus

DEEP = ("-r", "carreras-ner", "--set", "chunker.degree=6", "--epochs", 1)  # its margins are thousands of millions


def test_a_chunker_of_high_degree_is_calibrated_and_loads(tmp_path: Path) -> None:
    train, dev, test = (CORPUS / f"{part}.txt" for part in ("train", "dev", "test"))
    model, again = tmp_path / "deep.model", tmp_path / "again.model"
    succeed("train", *DEEP, "--columns", CORPUS_COLUMNS, "--train", train, "--dev", dev, "-m", model, "-q")
    margins = Tagger.load(model).model_.arrays["calibration.tokens.margins"]
    assert 1e9 < margins.max() <= LARGEST
    sentences = list(read_columns(test, CORPUS_COLUMNS.split(",")))
    Tagger.load(model).calibrate(sentences, [s.columns["ner"] for s in sentences]).save(again)
    for path in (model, again):
        told = json.loads(succeed("eval", "-m", path, test, "--confidence", "--json").out)
        assert 0 < told["reliability"]["ece"] < 1
    assert succeed("tag", "-m", model, "--confidence", test).out.count("\n") == test.read_text().count("\n")


def broken(model: Model) -> Model:
    """The same model with a weight that nothing would load."""
    weights = model.arrays["weights.0"].copy()
    weights[0] = np.float32(3e38)
    return dataclasses.replace(model, arrays={**model.arrays, "weights.0": weights})


def test_what_could_not_be_loaded_is_not_written(tmp_path: Path) -> None:
    tagger = Tagger(make_recipe(templates=("form[0]",), epochs=1)).fit(random_corpus(0, 3))
    path = tmp_path / "m"
    tagger.save(path)
    before = path.read_bytes()
    tagger.model_ = broken(tagger.model_)
    with pytest.raises(ModelError, match=f"{path}: not written, because nothing could load it: .* finite weights"):
        tagger.save(path)
    assert path.read_bytes() == before
    with pytest.raises(ModelError):
        tagger.save(tmp_path / "new")
    assert [p.name for p in tmp_path.iterdir()] == ["m"]
