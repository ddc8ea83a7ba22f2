"""``train --on`` with what people train: the model of training in memory, for any number of workers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from command_line import CORPUS, CORPUS_COLUMNS, succeed
from killed_workers import MortalEngine
from perceptag import DataError, Sentence
from perceptag.cluster.sources import open_source
from perceptag.engines.engine_names import engine
from perceptag.engines.threads_engine import ThreadsEngine
from perceptag.recipe import auto
from perceptag.text.formats import read, write
from shuffling_engine import ShufflingEngine
from spread_toys import in_memory, spread
from toys import make_recipe, random_corpus

pytestmark = pytest.mark.every

SENTENCES = (CORPUS / "train.txt").read_text(encoding="utf-8").split("\n\n")[:80]
DEV = ("--dev", "dev.txt")
SPREAD = {
    "auto, tags": ("--label", "pos", *DEV, "--epochs", 1),
    "pos": ("-r", "pos", "--label", "pos", *DEV, "--epochs", 1),
    "chunk": ("-r", "chunk", "--label", "chunk", "--no-dev", "--epochs", 1, "--set", "inner_folds=0"),
    "auto, names": ("--label", "ner", *DEV, "--epochs", 2),  # with documents, and margins that are chosen
    "ner": ("-r", "ner", "--label", "ner", *DEV, "--epochs", 2, "--set", "shards=3"),  # documents, and their features
    "crf": ("-r", "crf", "--label", "chunk", "--no-dev", "--epochs", 3, "--set", "shards=3"),
}
TOGETHER = {
    "ner": (("-r", "ner", "--label", "ner", *DEV, "--epochs", 1), "features of whole spans are made from"),
    "one shard without spans": (
        ("-r", "ner", "--label", "ner", *DEV, "--epochs", 1, "--set", "spans.longest=0"),
        "the recipe has one shard",
    ),
    "lists of all documents": (
        ("-r", "ner", "--label", "ner", "--no-dev", "--epochs", 1, "--set", "learner=ascent-document"),
        "learner 'ascent-document' compares candidates",
    ),
    "one shard": (("-r", "arow", "--label", "pos", "--no-dev", "--epochs", 1), "learner 'arow' remembers"),
    "folds": (
        ("-r", "chunk", "--label", "chunk", "--no-dev", "--epochs", 1, "--set", "inner_folds=2", "--set", "shards=2"),
        "choices are made on folds",
    ),
}


@pytest.fixture(autouse=True)
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small data count as much; parts have some sentences."""
    monkeypatch.setattr(auto, "MUCH", 500)
    monkeypatch.setattr(auto, "LARGE", 800)
    monkeypatch.setattr("perceptag.cluster.sources.PART", 5_000)
    monkeypatch.chdir(tmp_path)
    Path("train.txt").write_text("\n\n".join(SENTENCES[:60]) + "\n\n")
    Path("dev.txt").write_text("\n\n".join(SENTENCES[60:]) + "\n\n")


def train(path: Path, *words: object) -> tuple[bytes, str]:
    """The bytes of a model, and what the command says."""
    told = succeed("train", "--train", "train.txt", "--columns", CORPUS_COLUMNS, *words, "-m", path).err
    return path.read_bytes(), told


@pytest.mark.parametrize("name", SPREAD)
def test_workers_share_the_data(name: str, tmp_path: Path) -> None:
    whole, told = train(tmp_path / "a.model", *SPREAD[name])
    for workers in (1, 2, 4):
        found, said = train(tmp_path / f"{workers}.model", *SPREAD[name], "--on", "threads", "-j", workers)
        assert found == whole
        assert "holds all sentences" not in said
        assert ("recipe: " in said) == ("recipe: " in told) == name.startswith("auto")


@pytest.mark.parametrize("name", TOGETHER)
def test_one_process_holds_all_sentences_where_it_must(name: str, tmp_path: Path) -> None:
    words, why = TOGETHER[name]
    whole, _ = train(tmp_path / "a.model", *words)
    found, said = train(tmp_path / "b.model", *words, "--on", "threads", "-j", 2)
    assert found == whole
    assert re.search(f"note: this process holds all sentences: .*{why}", said)


CRF = make_recipe(
    templates=["form[0]", "form[-1]", "bias * y-1 y0"], epochs=3, shards=4, learner="crf", weights="last",
    **{"labels.column": "upos"},
)  # fmt: skip
MIXED = make_recipe(
    templates=["form[0]", "doc_before[0]", "doc_recurs[0]", "bias * y-1 y0"], epochs=2, shards=4,
    **{"labels.column": "upos"},
)  # fmt: skip

NAMES = make_recipe(
    templates=["form[0]", "form[-1]", "doc_recurs[0]", "bias * y-1 y0"], epochs=2, shards=4, learner="ascent",
    margin=3, nbest=4, shuffle=True,
    **{"labels.column": "upos", "nonlocal.features": ["phrase", "majority"], "nonlocal.scale": 0.3},
)  # fmt: skip
DROPOUT = NAMES.replace({"dropout": 0.2})
RECIPES = pytest.mark.parametrize(
    "recipe", [CRF, MIXED, NAMES, DROPOUT], ids=["crf", "documents", "non-local features", "dropout"]
)


@pytest.fixture(scope="module")
def corpus() -> list[Sentence]:
    """Sentences in documents, with capitals."""
    return [
        Sentence(
            {"form": [w.title() for w in s.columns["form"]], "upos": s.columns["label"]}, starts_document=i % 7 == 3
        )
        for i, s in enumerate(random_corpus(1, sentences=60))
    ]


@RECIPES
def test_calls_in_any_order_twice_and_lost(recipe: Any, corpus: list[Sentence], tmp_path: Path) -> None:
    path = str(tmp_path / "some.conllu")
    write(corpus, path)
    whole = in_memory(recipe, list(read(path)))
    for seed in range(2):
        assert spread(recipe, open_source([path], size=300), ShufflingEngine(seed)) == whole


@RECIPES
def test_a_process_is_killed(recipe: Any, corpus: list[Sentence], tmp_path: Path) -> None:
    path, flag = str(tmp_path / "some.conllu"), tmp_path / "flag"
    write(corpus, path)
    whole = in_memory(recipe, list(read(path)))
    assert spread(recipe, open_source([path], size=300), MortalEngine(engine("processes", 2), flag)) == whole
    assert flag.exists()


def test_a_file_that_begins_within_a_document_is_refused(corpus: list[Sentence], tmp_path: Path) -> None:
    write(corpus[:20], str(tmp_path / "1.conllu"))
    write(corpus[20:], str(tmp_path / "2.conllu"))
    with pytest.raises(DataError, match=r"2\.conllu: expected the mark of a document at the beginning of the file"):
        spread(MIXED, open_source([str(tmp_path / "*.conllu")], size=300), ThreadsEngine(1))


def test_a_tokeniser_learns_from_all_files_of_a_pattern(tmp_path: Path) -> None:
    words = [f"{number}\t{word}\t_\t_\t_\t_\t0\t_\t_\t_\n" for number, word in enumerate(("Hello", "world", "."), 1)]
    one, two = ("".join(words).replace("Hello", word) + "\n" for word in ("Hello", "Bye"))
    for name, text in (("all.conllu", one * 9 + two * 9), ("1.conll-u", one * 9), ("2.conll-u", two * 9)):
        Path(name).write_text(text)
    recipe = ("-r", "tokenize", "--no-dev", "--epochs", 1, "--format", "conllu")
    succeed("train", "--train", "all.conllu", *recipe, "-m", tmp_path / "a.model")
    succeed("train", "--train", "*.conll-u", *recipe, "--on", "threads", "-m", tmp_path / "b.model")
    assert (tmp_path / "a.model").read_bytes() == (tmp_path / "b.model").read_bytes()
