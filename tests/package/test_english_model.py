"""The English models that ship: what they are, and that they are what `make models` builds."""

from __future__ import annotations

import importlib.util
import json
import os
from pathlib import Path

import pytest

from command_line import succeed
from models.build import build
from perceptag.models import model_file
from perceptag.pipeline import pipeline_file

REPOSITORY = Path(__file__).resolve().parents[2]
FOLDER = REPOSITORY / "models" / "perceptag-en" / "src" / "perceptag_en"


def test_the_installed_one_is_that_of_the_repository() -> None:
    listed = json.loads(succeed("list", "--models", "--json").out)
    [mine] = [model for model in listed if model["name"] == "en"]
    about = json.loads((FOLDER / "en.json").read_text())
    assert {key: mine[key] for key in about} == about
    assert mine["licence"] == "CC BY-SA 4.0"
    spec = importlib.util.find_spec("perceptag_en")
    assert spec is not None and spec.submodule_search_locations
    installed = Path(spec.submodule_search_locations[0], "en.model").read_bytes()
    assert installed == (FOLDER / "en.model").read_bytes()


def test_its_layers_are_written_as_they_were() -> None:
    """A setting that a release adds must not change the files of models that do not use it."""
    stored = pipeline_file.load_bytes((FOLDER / "en.model").read_bytes())
    assert {name: model_file.to_bytes(model)[1] for name, model in stored.layers} == stored.manifest["sha256"]


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("PERCEPTAG_DATA"), reason="PERCEPTAG_DATA is not set")
def test_the_same_bytes_are_built_from_the_data(tmp_path: Path) -> None:
    build(Path(os.environ["PERCEPTAG_DATA"]), tmp_path)
    for name in ("en.model", "en.json", "CARD.md"):
        assert (tmp_path / name).read_bytes() == (FOLDER / name).read_bytes()
