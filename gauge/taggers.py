"""Taggers trained for a moment: for each recipe what a model gives, in all ways of asking for it.

Every recipe of the package has an entry, and settings that the papers' tables or the files of languages use.
"""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from gauge.lines import Parts, lines
from perceptag import Sentence, Tagger
from perceptag.errors import PerceptagError


class Data(NamedTuple):
    """What a tagger is trained on, what chooses its pass and calibrates it, and what it tags."""

    train: list[Sentence]
    dev: list[Sentence] | None
    new: list[Sentence]
    label: str


class Trial(NamedTuple):
    """A recipe with settings, for one column of the data."""

    recipe: str
    label: str
    settings: Mapping[str, Any] = MappingProxyType({})
    dev: bool = True  # else training chooses by itself


PAPER_NER = {"epochs": 3, "bpm": 2, "margin": 500}
GIS = {"epochs": 4, "maxent_optimizer": "gis", "maxent_beam": 0, "maxent_sigma2": 0}
TOKENS = {"epochs": 2, "dropout": 0, "spans_longest": 0, "spans_templates": [], "margins": 1}
AUGMENTED = {"epochs": 2, "augment_lower": 0.4, "augment_upper": 0.15, "augment_title": 0.05}
FIRST = {"epochs": 2, "first_epochs": 3, "folds": 3}
TRIALS = {
    "arow": Trial("arow", "pos", {"epochs": 3}),
    "auto-chunk": Trial("auto", "chunk"),
    "auto-ner": Trial("auto", "ner"),
    "auto-pos": Trial("auto", "pos"),
    "basic-ner": Trial("basic-ner", "ner", {"epochs": 3}),
    "carreras-ner": Trial("carreras-ner", "ner", {"epochs": 2, "cutoff": 2}),
    "carreras-ner-1": Trial("carreras-ner", "ner", {"epochs": 2, "chunker_degree": 1}),
    "carreras-ner-exact": Trial("carreras-ner", "ner", {"epochs": 2, "chunker_context": "exact", "chunker_degree": 3}),
    "chunk": Trial("chunk", "chunk", {"epochs": 3}),
    "chunk-inner-folds": Trial("chunk", "chunk", {"epochs": 3}, dev=False),
    "collins-hmm": Trial("collins-hmm", "pos", {"epochs": 3}),
    "collins-np": Trial("collins-np", "chunk", {"epochs": 3, "labels_keep": ["NP"]}),
    "collins-np-voted": Trial("collins-np", "chunk", {"epochs": 3, "labels_keep": ["NP"], "weights": "voted"}),
    "collins-pos": Trial("collins-pos", "pos", {"epochs": 3}),
    "collins-pos-dictionary": Trial("collins-pos", "pos", {"epochs": 3, "tag_dictionary": 2, "cutoff": 3}, dev=False),
    "collins-pos-last": Trial("collins-pos", "pos", {"epochs": 3, "weights": "last", "shuffle": True, "seed": 3}),
    "collins-pos-parts": Trial("collins-pos", "parts", {"epochs": 3, "labels_parts": "|"}),
    "crf": Trial("crf", "pos", {"epochs": 6}),
    "crf-np": Trial("crf-np", "chunk", {"epochs": 8}),
    "guided-chunk": Trial("guided-chunk", "chunk", {"epochs": 2}),
    "kazama-candidate-paper": Trial("kazama-candidate-paper", "ner", PAPER_NER),
    "kazama-margin-paper": Trial("kazama-margin-paper", "ner", PAPER_NER),
    "kazama-nonlocal-paper": Trial("kazama-nonlocal-paper", "ner", PAPER_NER),
    "lemma": Trial("lemma", "lemma", {"epochs": 3}),
    "margin-ner": Trial("margin-ner", "ner", {"epochs": 3}),
    "maxent": Trial("maxent", "pos", {"epochs": 6}),
    "maxent-gis": Trial("maxent", "chunk", GIS),
    "mira": Trial("mira", "pos", {"epochs": 2}),
    "ner": Trial("ner", "ner", {"epochs": 3}),
    "ner-inner-folds": Trial("ner", "ner", {"epochs": 2, "inner_folds": 2}, dev=False),
    "ner-tokens": Trial("ner", "ner", TOKENS),
    "nonlocal-ner": Trial("nonlocal-ner", "ner", {"epochs": 3}),
    "pa": Trial("pa", "pos", {"epochs": 3}),
    "pos": Trial("pos", "pos", {"epochs": 3}),
    "pos-augmented": Trial("pos", "pos", AUGMENTED),
    "pos-missing": Trial("pos", "missing", {"epochs": 3, "labels_missing": "_"}, dev=False),
    "pos-shards": Trial("pos", "pos", {"epochs": 2, "shards": 4}),
    "rerank-1": Trial("rerank-1", "ner", FIRST),
    "rerank-2": Trial("rerank-2", "ner", FIRST),
    "shen-pos": Trial("shen-pos", "pos", {"epochs": 2}),
    "shen-pos-a": Trial("shen-pos-a", "pos", {"epochs": 2}),
    "shen-pos-b": Trial("shen-pos-b", "pos", {"epochs": 2, "direction": "left-to-right"}),
    "shen-pos-c": Trial("shen-pos-c", "pos", {"epochs": 2, "beam": 1, "tau": 0, "shuffle": False}),
    "shen-pos-d": Trial("shen-pos-d", "pos", {"epochs": 2, "aggressive": False}),
    "shen-pos-e": Trial("shen-pos-e", "pos", {"epochs": 2, "unit": "document"}),
}  # fmt: skip


def observe(trial: Trial, data: Data, threads: int) -> Parts:
    """Train a tagger, and write down all that it gives."""
    errors: list[object] = []

    def note(report: Any) -> bool:
        errors.append((report.epoch, report.mistakes, report.sequences, report.dev_last, report.dev_kept))
        return False

    tagger = Tagger(trial.recipe, labels_column=data.label, threads=threads, **trial.settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        dev = None if data.dev is None else (data.dev, gold(data.dev, data.label))
        tagger.fit(data.train, dev=dev, callbacks=[note])
        return {"passes": lines(errors)} | asked(tagger, data)


def gold(sentences: Sequence[Sentence], label: str) -> list[list[str]]:
    """Return the labels of the data."""
    return [sentence.columns[label] for sentence in sentences]


def asked(tagger: Tagger, data: Data) -> Parts:
    """Ask a trained tagger for everything."""
    new = data.new
    labels = tagger.predict(new)
    ways: dict[str, Callable[[], Any]] = {
        "labels": lambda: [[" ".join(sentence)] for sentence in labels],
        "scores": lambda: scores(tagger, data),
        "n-best": lambda: tagger.predict_nbest(new, 3),
        "margins": lambda: margins(tagger, new),
        "explanations": lambda: [explanation(each) for each in explanations(tagger, new)],
        "given labels": lambda: tagger.predict(new, given=given(data, {label for each in labels for label in each})),
        "confidence": lambda: tagger.predict_confidence(new),
        "marginals": lambda: tagger.predict_marginals(new),
        "parts": lambda: tagger.predict_parts(new),
        "order": lambda: [tagger.inference_orders(group) for group in documents(new)],
        "ways": lambda: same_labels(tagger, data, labels),
    }  # fmt: skip
    return {name: offered(ask) for name, ask in ways.items()}


def offered(ask: Callable[[], Any]) -> list[str]:
    """Write down an answer, or that this model has none."""
    try:
        return lines(ask())
    except PerceptagError as error:
        return [type(error).__name__]


def documents(sentences: Sequence[Sentence]) -> list[list[Sentence]]:
    """Cut sentences into documents."""
    groups: list[list[Sentence]] = []
    for sentence in sentences:
        if sentence.starts_document or not groups:
            groups.append([])
        groups[-1].append(sentence)
    return groups


def scores(tagger: Tagger, data: Data) -> list[object]:
    """Return the figures of an evaluation."""
    report = tagger.evaluate(data.new, gold(data.new, data.label))
    counts = (report.chunks, report.known, report.unknown, report.per_type)
    return [report.correct_tokens, *counts, report.accuracy, report.f1, report.interval]


def margins(tagger: Tagger, sentences: Sequence[Sentence]) -> list[list[object]]:
    """Return for each token its rival, by how much that loses, and the labelling that has it."""
    return [
        [(d.rival, d.margin, " ".join(d.rival_labels)) for d in explained.details]
        for explained in explanations(tagger, sentences)
        if hasattr(explained, "details")
    ]


def explanations(tagger: Tagger, sentences: Sequence[Sentence]) -> list[Any]:
    """Explain all sentences, each in its document."""
    return [each for group in documents(sentences) for each in tagger.explain_document(group)]


def explanation(explained: Any) -> list[object]:
    """Return all that an explanation counts, features in alphabetical order, without its wording."""
    if hasattr(explained, "details"):
        tokens = [[d.label, d.score, *shares(d.contributions)] for d in explained.details]
        return [explained.score, tokens, shares(explained.nonlocal_contributions)]
    words = [(word.begin, word.inside) for word in explained.words]
    phrases = [
        (p.start, p.end, p.label, p.scores, shares(p.features), shares(p.support_vectors)) for p in explained.phrases
    ]
    return [explained.score, words, phrases]


def shares(contributions: Sequence[Any]) -> list[tuple[object, ...]]:
    """Return what features contribute, in alphabetical order."""
    names = ("feature", "name", "weight", "rival_weight", "value", "contribution")
    return sorted(tuple(getattr(c, name) for name in names if hasattr(c, name)) for c in contributions)


def given(data: Data, known: set[str]) -> list[list[str | None]]:
    """Give the right labels of every third token, if the model can have them."""
    right = gold(data.new, data.label)
    return [[label if t % 3 == 1 and label in known else None for t, label in enumerate(each)] for each in right]


def same_labels(tagger: Tagger, data: Data, labels: list[list[str]]) -> list[str]:
    """Compare the labels with those of each document alone, of columns, of n-best lists, and of a saved model."""
    columns = [
        Sentence({k: v for k, v in each.columns.items() if k != data.label}, starts_document=each.starts_document)
        for each in data.new
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.model"
        tagger.save(path)
        saved = Tagger.load(path, threads=3)
    ways: dict[str, Callable[[], list[list[str]]]] = {
        "documents": lambda: [found for group in documents(data.new) for found in tagger.predict(group)],
        "without the column of labels": lambda: tagger.predict(columns),
        "n-best": lambda: [best[0][0] for best in tagger.predict_nbest(data.new, 2)],
        "saved": lambda: saved.predict(data.new),
    }
    return [f"{name}: {_compared(labels, way)}" for name, way in ways.items()]


def _compared(labels: list[list[str]], way: Callable[[], list[list[str]]]) -> str:
    try:
        return "the same" if list(chain(*way())) == list(chain(*labels)) else "different"
    except PerceptagError as error:
        return type(error).__name__
