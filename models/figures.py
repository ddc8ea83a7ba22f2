"""How good `en` is on dev data of many kinds, in three cases. `benchmarks.english` adds intervals and rivals."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import mean

import perceptag
from models import tag_corpora
from models.name_corpora import CASES, Corpus, in_case
from perceptag import Sentence
from perceptag.labels.schemes import spans
from perceptag.text import read_conllu

Figures = dict[str, dict[str, dict[str, float]]]  # what was measured -> the corpus -> the case or layer -> per cent
RAW = ("tokens", "sentences", "words", "upos", "xpos")
MEAN = "mean of all"


def measure(model: Path, data: Path, corpora: dict[str, Corpus]) -> Figures:
    """Measure a pipeline on all dev data."""
    english = perceptag.load(model)
    names = {
        name: {case: round(names_f1(english, in_case(corpus.dev, case)), 1) for case in CASES}
        for name, corpus in corpora.items()
    }
    names[MEAN] = {case: round(mean(by_case[case] for by_case in names.values()), 1) for case in CASES}
    return {
        "running text, F1": {"web (EWT)": raw_figures(english, data / tag_corpora.EWT.format("dev"))},
        "tags of gold tokens, accuracy": {
            name: {
                f"{layer}, {case}": round(accuracy(english, in_case(sentences, case), layer), 2)
                for layer in ("upos", "xpos")
                for case in CASES
            }
            for name, sentences in tagged(data).items()
        },
        "names in gold tokens, F1": names,
    }


def tagged(data: Path) -> dict[str, list[Sentence]]:
    """Return the dev data with parts of speech."""
    ewt = read_conllu(data / tag_corpora.EWT.format("dev"))
    return {"web (EWT)": list(ewt), "nine genres (GUM)": list(read_conllu(io.StringIO(tag_corpora.gum(data)[1])))}


def raw_figures(english: perceptag.Pipeline, treebank: Path) -> dict[str, float]:
    """Return the F1 of `perceptag eval --raw`."""
    counts = english.evaluate(treebank).counts
    return {name: round(counts[name].f1, 2) for name in RAW}


def names_f1(english: perceptag.Pipeline, sentences: Sequence[Sentence]) -> float:
    """Return the F1 of names, in per cent."""
    counts = list(name_counts(sentences, labels_of(english, sentences, "ner")))
    right, found, gold = map(sum, zip(*counts, strict=True))
    return 200 * right / max(1, found + gold)


def name_counts(sentences: Iterable[Sentence], labels: Iterable[Sequence[str]]) -> Iterable[tuple[int, int, int]]:
    """Yield for each sentence how many names are right, found and in the gold data."""
    for sentence, mine in zip(sentences, labels, strict=True):
        gold, found = ({*spans(some, "IOB2")} for some in (sentence.columns["ner"], mine))
        yield len(gold & found), len(found), len(gold)


def accuracy(english: perceptag.Pipeline, sentences: Sequence[Sentence], layer: str) -> float:
    """Return the share of right labels, in per cent."""
    labels = labels_of(english, sentences, layer)
    pairs = [p for s, mine in zip(sentences, labels, strict=True) for p in zip(s.columns[layer], mine, strict=True)]
    return 100 * mean(gold == found for gold, found in pairs)


def labels_of(english: perceptag.Pipeline, sentences: Sequence[Sentence], layer: str) -> list[Sequence[str]]:
    """Return what a layer makes of gold tokens."""
    bare = [Sentence({"form": s.tokens}, starts_document=s.starts_document) for s in sentences]
    return [s.columns[layer] for s in english.tag(bare)]
