"""Non-local functions of the user's own: named in a recipe, imported only when allowed, recorded in the model."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from command_line import run, succeed
from document_toys import LEARNERS, corpus, document_recipe, write_corpus, write_recipe
from perceptag import DataError, SettingError, Tagger
from perceptag.models import model_file as modelfile

MODULE = """
def same_name(document, spans):
    '''Pairs of mentions with the same words: of one kind, or of two.'''
    kinds = {}
    for sentence, found in zip(document, spans):
        for span in found:
            words = " ".join(sentence.tokens[span.start:span.end])
            kinds.setdefault(words, []).append(span.label)
    counts = {}
    for word, found in kinds.items():
        key = "same" if len(set(found)) == 1 else "different"
        counts[key] = counts.get(key, 0) + len(found) - 1
        if found[0] == "PER":
            counts[word] = 1
    return counts

def share_of_O(document, labels):
    return {"O": sum(y.count("O") for y in labels) / 10}

def broken(document, spans):
    return 1 / 0
"""
ENTRIES = ["same=own_functions:same_name", "share=own_functions:share_of_O"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working directory with a module, a recipe and data."""
    (tmp_path / "own_functions.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    write_corpus(corpus(1, 10), tmp_path / "train.txt")
    write_corpus(corpus(2, 4), tmp_path / "dev.txt")
    write_corpus(corpus(3, 4), tmp_path / "in.txt", labels=False)
    yield tmp_path
    sys.modules.pop("own_functions", None)


def own_recipe(learner: str = "ascent", entries: list[str] = ENTRIES, **settings: object):
    return document_recipe(learner, nonlocal_functions=entries, labels_column="ner", **settings)


def functions() -> dict[str, object]:
    scope: dict[str, object] = {}
    exec(MODULE, scope)
    return {"share": scope["share_of_O"], "same": scope["same_name"]}


TRAIN = ("train", "-r", "r.toml", "--train", "train.txt", "--dev", "dev.txt", "--columns", "form,ner", "-q", "-m", "m")


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("bpm", [0, 2])
def test_the_whole_round(learner: str, bpm: int, folder: Path) -> None:
    write_recipe(own_recipe(learner, bpm=bpm), folder / "r.toml")
    refused = run(*TRAIN)
    assert (refused.status, Path("m").exists(), "own_functions" in sys.modules) == (2, False, False)
    assert "--allow-code" in refused.err
    succeed(*TRAIN, "--allow-code")
    model = modelfile.load("m")
    assert (model.recipe.nonlocal_functions, model.facts["functions"]) == (tuple(ENTRIES), ["same", "share"])
    assert {"same:same", "share:O"} & set(model.facts["nonlocal"])

    # The same functions given to the API: the same model, whatever their order.
    tagger = Tagger("r.toml", functions=functions()).fit(corpus(1, 10), dev=corpus(2, 4))
    assert modelfile.to_bytes(tagger.model_)[0] == Path("m").read_bytes()

    sys.modules.pop("own_functions")
    words = [("tag", "in.txt"), ("eval", "dev.txt"), ("explain", "-i", "in.txt", "--sentence", "2", "--json")]
    for verb in words:
        refused = run(*verb, "-m", "m")
        assert (refused.status, refused.out, "own_functions" in sys.modules) == (2, "", False)
        assert "--allow-code" in refused.err
    tagged, _, explained = (succeed(*verb, "-m", "m", "--allow-code").out for verb in words)
    labels = [line.split()[-1] for line in tagged.split("\n") if line and "DOCSTART" not in line]
    assert labels == [y for sentence in tagger.predict(corpus(3, 4)) for y in sentence]
    names = {c["feature"] for c in json.loads(explained)["nonlocal_contributions"]}
    assert "share:O" in names


def test_inspect_names_the_features_and_imports_nothing(folder: Path) -> None:
    write_recipe(own_recipe(nonlocal_features=[]), folder / "r.toml")
    succeed(*TRAIN, "--allow-code")
    sys.modules.pop("own_functions")
    found = json.loads(succeed("inspect", "m", "--json").out)
    assert found["heaviest_nonlocal"]
    assert {w["feature"].partition(":")[0] for w in found["heaviest_nonlocal"]} <= {"same", "share"}
    assert found["heaviest_nonlocal"][0]["feature"] in succeed("inspect", "m").out
    assert "own_functions" not in sys.modules


def test_functions_that_no_recipe_names_are_recorded_too(folder: Path) -> None:
    recipe = own_recipe(entries=[])
    mine = Tagger(recipe, functions=functions()).fit(corpus(1, 10))
    named = Tagger(own_recipe(), functions=functions()).fit(corpus(1, 10))
    assert mine.model_.facts == named.model_.facts
    assert mine.predict(corpus(3)) == named.predict(corpus(3))
    mine.save("m")
    with pytest.raises(SettingError, match=r"the function 'same'.*give it in Python, as functions=\{'same': function"):
        Tagger.load("m")
    with pytest.raises(SettingError, match="uses the function 'share'"):
        Tagger.load("m", functions={"same": functions()["same"]}, allow_code=True)
    assert Tagger.load("m", functions=functions()).predict(corpus(3)) == mine.predict(corpus(3))


def test_a_function_that_fails_is_named(folder: Path) -> None:
    write_recipe(own_recipe(entries=["b=own_functions:broken"]), folder / "r.toml")
    result = run(*TRAIN, "--allow-code")
    assert result.status == 2
    assert "function 'b' failed: ZeroDivisionError" in result.err


@pytest.mark.parametrize("key", ["a\0b", "\ud800"])
def test_names_that_no_file_can_hold(key: str) -> None:
    with pytest.raises(DataError, match="non-local function 'f': expected names"):
        Tagger(own_recipe(entries=[]), functions={"f": lambda document, spans: {key: 1.0}}).fit(corpus(1))


def test_a_tagger_forgets_the_names_it_meets() -> None:
    """Tagging a stream must not grow: names that training has not seen have no weight and leave no trace."""
    tagger = Tagger(own_recipe(), functions=functions()).fit(corpus(1, 10))
    known = dict(tagger.ready_model.features.numbers)
    unseen = [{"form": ["saw", "Quux", "and", "Frob"]}] * 3
    tagger.predict(unseen)
    tagger.explain_document(unseen)
    assert tagger.ready_model.features.numbers == known
