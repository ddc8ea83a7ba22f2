"""The command line with models that look at whole documents: batches, explanations, what a model holds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from command_line import succeed
from document_toys import LEARNERS, corpus, document_recipe, mixed_corpus, write_corpus, write_recipe
from perceptag import Recipe, Sentence, Tagger
from perceptag.text.documents import batches, split_documents

LINEAR = {
    "unit=document": document_recipe("margin", unit="document", nonlocal_features=[]),
    "document columns": document_recipe("margin", nonlocal_features=[]),
}
RECIPES: dict[str, Recipe] = {learner: document_recipe(learner) for learner in LEARNERS} | LINEAR


@pytest.fixture(scope="module", params=RECIPES)
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return trained(RECIPES[request.param], tmp_path_factory.mktemp("models"))


def trained(recipe: Recipe, folder: Path, *more: object) -> Path:
    file, train = write_recipe(recipe, folder / "recipe.toml"), write_corpus(corpus(1, 12), folder / "train.txt")
    words = ("train", "-r", file, "--train", train, "--columns", "form,ner", "--no-dev", "-q", *more)
    succeed(*words, "-m", folder / "m")
    return folder / "m"


def read_labels(text: str) -> list[list[str]]:
    blocks = [block for block in text.split("\n\n") if block and not block.startswith("-DOCSTART-")]
    return [[line.split()[-1] for line in block.split("\n")] for block in blocks]


@pytest.mark.parametrize("batch", [1, 7, 20_000])
@pytest.mark.parametrize("threads", [1, 2])
def test_batches_and_threads_change_nothing(model: Path, tmp_path: Path, batch: int, threads: int) -> None:
    sentences = mixed_corpus(5)
    file = write_corpus(sentences, tmp_path / "in.txt", labels=False)
    tagger = Tagger.load(str(model))
    expected = [labels for document in split_documents(sentences) for labels in tagger.predict(document)]
    assert read_labels(succeed("tag", "-m", model, file, "--batch", batch, "-j", threads).out) == expected
    assert tagger.predict(sentences) == expected


def test_labels_depend_on_the_document(model: Path) -> None:
    """Otherwise the tests of batches could not fail."""
    sentences = corpus(5, 40)
    tagger = Tagger.load(str(model))
    assert tagger.predict(sentences) != [tagger.predict([s])[0] for s in sentences]


def test_the_same_labels_are_scored(model: Path, tmp_path: Path) -> None:
    sentences = mixed_corpus(5)
    file = write_corpus(sentences, tmp_path / "gold.txt")
    report = Tagger.load(str(model)).evaluate(sentences, [s.columns["ner"] for s in sentences]).to_dict()
    assert json.loads(succeed("eval", "-m", model, file, "--json", "-j", 2).out)["accuracy"] == report["accuracy"]


# -------------------------------------------------------------------------------------------- batches


def stream(sizes: list[int], marks: set[int]) -> Iterator[Sentence]:
    for i, size in enumerate(sizes):
        yield Sentence({"form": [str(i)] * size}, starts_document=i in marks)


def test_a_batch_never_cuts_a_document() -> None:
    for tokens in range(1, 30):
        found = list(batches(stream([2, 3, 1, 4, 4, 4, 1, 1, 0, 5], {2, 6, 7}), tokens, whole_documents=True))
        assert [s.tokens for batch in found for s in batch] == [
            s.tokens for s in stream([2, 3, 1, 4, 4, 4, 1, 1, 0, 5], {})
        ]
        starts = [sum(map(len, found[:i])) for i in range(len(found))]
        assert set(starts) <= {0, 1, 2, 6, 7}
        assert all(sum(map(len, batch)) >= tokens for batch in found[:-1])
        assert all(sum(map(len, batch)) < tokens + 13 for batch in found)  # 13: the longest document


def test_a_batch_is_given_away_as_soon_as_it_is_known_to_be_whole() -> None:
    """Memory is bounded by the longest document, and a stream does not wait longer than it must."""
    taken = []

    def watched() -> Iterator[Sentence]:
        for i, sentence in enumerate(stream([1] * 9, {3, 6})):
            taken.append(i)
            yield sentence

    parts = batches(watched(), 1, whole_documents=True)
    seen = [(len(part), taken[-1]) for part in parts]
    assert seen == [(1, 0), (1, 1), (1, 2), (3, 6), (3, 8)]


# ------------------------------------------------------------------------------------------ explaining


def test_a_sentence_is_explained_in_its_document(model: Path, tmp_path: Path) -> None:
    sentences = mixed_corpus(5)
    file = write_corpus(sentences, tmp_path / "in.txt", labels=False)
    tagged = read_labels(succeed("tag", "-m", model, file).out)
    tagger = Tagger.load(str(model))
    number = 0
    for document in split_documents(sentences)[:9]:
        explained = [e.to_dict() for e in tagger.explain_document(document)]
        for expected in explained:
            number += 1
            found = json.loads(succeed("explain", "-m", model, "-i", file, "--sentence", number, "--json").out)
            assert found["labels"] == tagged[number - 1]
            assert found["score"] == expected["score"]
            for detail in found["details"]:
                assert sum(c["weight"] for c in detail["contributions"]) == pytest.approx(detail["score"])
            nonlocal_ = {c["feature"]: c["contribution"] for c in found["nonlocal_contributions"]}
            assert nonlocal_ == {c["feature"]: c["contribution"] for c in expected["nonlocal_contributions"]}
    assert number > 9
