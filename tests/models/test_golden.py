"""Models of earlier releases load and give the labels that they gave then."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from golden_files import ANSWERS
from perceptag import Sentence, Tagger
from perceptag.learn import catalogue
from perceptag.models.kinds import KINDS

FOLDER = Path(__file__).parent.parent / "golden"
GOLDEN = sorted(FOLDER.glob("*/*.model"))
OTHERS = sorted(path for path in FOLDER.glob("*/*") if path.suffix in ANSWERS)


@pytest.mark.parametrize("path", GOLDEN, ids=[f"{p.parent.name}/{p.stem}" for p in GOLDEN])
def test_models_of_earlier_releases(path: Path) -> None:
    about = json.loads(path.with_suffix(".json").read_text("utf-8"))
    inputs = [Sentence(columns, starts_document=starts) for columns, starts in about["inputs"]]
    assert Tagger.load(str(path)).predict(inputs) == about["labels"]


@pytest.mark.parametrize("path", OTHERS, ids=[f"{p.parent.name}/{p.name}" for p in OTHERS])
def test_other_files_of_earlier_releases(path: Path) -> None:
    about = json.loads(path.with_name(f"{path.name}.json").read_text("utf-8"))
    assert ANSWERS[path.suffix](path, about["text"]) == about["answer"]


def test_golden_files_stay_small() -> None:
    """There are more of them with every release."""
    for release in FOLDER.iterdir():
        assert sum(path.stat().st_size for path in release.iterdir()) < 600_000, release.name


def test_every_kind_of_the_first_release_is_there() -> None:
    first = {Tagger.load(str(path)).model_.facts["kind"] for path in GOLDEN if path.parent.name == "0.1.0"}
    assert first >= {"linear", "nonlocal", "guided", "chunker"}
    assert first <= set(KINDS)


def test_every_learner_that_was_released_is_there() -> None:
    releases = {path.parent.name for path in GOLDEN}
    released = {name for name, learner in catalogue().items() if learner.since in releases}
    assert {Tagger.load(str(path)).model_.recipe.learner for path in GOLDEN} == released
    assert len(released) >= 15
