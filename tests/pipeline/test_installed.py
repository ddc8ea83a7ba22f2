"""Models by name, from packages that are installed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import perceptag
from command_line import check, run, succeed
from perceptag import ModelError, Pipeline
from perceptag.pipeline.installed import path_of
from pipelines import TEXT, whole


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package that offers the model "xx", and would be noticed if it were imported."""
    folder, facts = tmp_path / "perceptag_xx", tmp_path / "perceptag_xx-1.dist-info"
    folder.mkdir()
    facts.mkdir()
    (folder / "__init__.py").write_text("raise SystemExit('imported')")
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: perceptag-xx\nVersion: 1\n")
    (facts / "entry_points.txt").write_text("[perceptag.models]\nxx = perceptag_xx\n")
    whole().save(folder / "xx.model")
    about = {"task": "tokens, pos, ner", "data": "stories", "licence": "MIT", "accuracy": "not high"}
    (folder / "xx.json").write_text(json.dumps(about))
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@pytest.mark.usefixtures("package")
def test_an_installed_model_has_a_name() -> None:
    assert perceptag.load("xx")(TEXT) == whole()(TEXT)
    tagged = succeed("tag", "-m", "xx", stdin=b"She stayed in London.")
    assert tagged.out.splitlines()[3].split() == ["London", "NNP", "B-LOC"]
    assert "pipeline of tokens, pos, ner" in succeed("inspect", "xx").out


@pytest.mark.usefixtures("package")
def test_pipelines_take_installed_models_by_name() -> None:
    rules = perceptag.Rules.parse("[[rule]]\nlabel = 'CITY'\nphrases = ['London']\n")
    assert Pipeline(["xx", rules]).names == ["pos", "ner", "rules"]
    assert Pipeline({"ner": "xx"}).names == ["ner"]
    with pytest.raises(ModelError, match="yy: expected a file, or the name of an installed model; found neither"):
        Pipeline(["yy"])


@pytest.mark.usefixtures("package")
def test_the_list_of_models() -> None:
    [found] = [m for m in json.loads(succeed("list", "--models", "--json").out) if m["name"] == "xx"]
    assert (found["task"], found["licence"]) == ("tokens, pos, ner", "MIT")
    assert found["bytes"] == Path(found["file"]).stat().st_size and len(found["sha256"]) == 64
    assert "stories" in succeed("list", "--models").out and found["sha256"][:16] in succeed("list", "--models").out


def test_a_damaged_model_is_not_listed_as_if_it_were_sound(package: Path) -> None:
    path = package / "perceptag_xx" / "xx.model"
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    shown = succeed("list", "--models", "--json")
    assert "xx.model: the file is damaged" in shown.err
    assert "xx" not in [model["name"] for model in json.loads(shown.out)]
    check(run("tag", "-m", "xx", stdin=b"She."), r"xx\.model: the file is damaged")


def test_a_broken_package_does_not_hide_the_others(package: Path) -> None:
    entries = package / "perceptag_xx-1.dist-info" / "entry_points.txt"
    entries.write_text("[perceptag.models]\naa = no_such_package\nxx = perceptag_xx\n")
    assert path_of("xx").endswith("xx.model")
    assert "entry point 'aa' of group perceptag.models: there is no package" in succeed("list", "--models").err
    check(run("tag", "-m", "aa", stdin=b"She."), "entry point 'aa'")


def test_a_file_comes_before_a_name(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(package)
    assert path_of("xx").endswith("xx.model")
    (package / "xx").write_bytes(b"")
    assert path_of("xx") == "xx"
    assert path_of("no/such.model") == "no/such.model"  # reading it fails later


@pytest.mark.usefixtures("package")
def test_what_is_not_installed_says_how_to_get_it() -> None:
    with pytest.raises(ModelError, match=r"yy: expected a file, or the name of an installed model.*installed: .*xx"):
        perceptag.load("yy")
    assert "pip install" not in run("tag", "-m", "yy").err  # anybody could publish a package of that name
