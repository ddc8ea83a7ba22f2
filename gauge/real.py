"""Real corpora: the same recipes on parts of their dev data, and dev scores of `pos`, `chunk` and `ner`."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from gauge.corpora import with_column
from gauge.lines import Parts, lines
from gauge.taggers import Data, Trial, gold, observe, scores
from perceptag import Sentence, Tagger
from perceptag.text import read

# The recipe, its column, what it is trained on, how many sentences of that, and its dev data.
SCORED: dict[str, tuple[str, str, str, int, str, dict[str, Any]]] = {
    "pos": ("pos", "xpos", "ewt/en_ewt-ud-train.conllu", 6_000, "ewt/en_ewt-ud-dev.conllu", {"epochs": 4}),
    "chunk": ("chunk", "chunk", "conll2000/train.txt", 4_000, "conll2000/test.txt", {"epochs": 4}),
    "ner": ("ner", "ner", "conll2003/eng.train", 5_000, "conll2003/eng.testa", {"epochs": 3}),
}
COLUMNS = {"conll2000": ["form", "pos", "chunk"], "conll2003": ["form", "pos", "chunk", "ner"]}
PARTS = (800, 1_000, 1_200)  # where training, dev data and the rest end


def corpus(folder: Path, name: str) -> list[Sentence]:
    """Read a file of a corpus; tags of CoNLL-U are also called pos."""
    if name.endswith(".conllu"):
        sentences = read(folder / name)
        return [
            Sentence(
                {"form": each.columns["form"], "pos": each.columns["xpos"], "xpos": each.columns["xpos"]},
                starts_document=each.starts_document,
            )
            for each in sentences
        ]
    return list(read(folder / name, columns=COLUMNS[Path(name).parts[0]]))


def tagger(folder: Path, trial: Trial, threads: int) -> Parts:
    """Train and ask a tagger on the first sentences of dev data: names, chunks, or else parts of speech."""
    name = {"ner": "conll2003/eng.testa", "chunk": "conll2000/test.txt"}.get(trial.label, "conll2003/eng.testa")
    sentences = with_column(corpus(folder, name)[: PARTS[-1]], trial.label)
    train, dev, new = sentences[: PARTS[0]], sentences[PARTS[0] : PARTS[1]], sentences[PARTS[1] :]
    return observe(trial, Data(train, dev if trial.dev else None, new, trial.label), threads)


def dev_scores(folder: Path, name: str, threads: int) -> Parts:
    """Train a recipe on a part of the training data; return its labels and scores on all dev data."""
    recipe, label, train, number, dev, settings = SCORED[name]
    new = corpus(folder, dev)
    held = new[:200], gold(new[:200], label)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        trained = Tagger(recipe, labels_column=label, threads=threads, **settings)
        trained.fit(corpus(folder, train)[:number], dev=held)
    labels = [" ".join(each) for each in trained.predict(new)]
    return {"scores": lines(scores(trained, Data([], None, new, label))), "labels": labels}
