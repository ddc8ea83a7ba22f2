"""Small documents for tests: names that are people in one document and places in another."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from perceptag import Recipe, Sentence
from perceptag.features.template import parse_all
from perceptag.labels.label_set import LabelSet
from perceptag.labels.schemes import spans
from perceptag.models.document.search import joined
from perceptag.recipe.toml_writer import to_toml
from perceptag.text import write_columns
from perceptag.text.documents import split_documents
from reference.features import sentence_features
from reference.margin import Features, Vector, all_labellings, local_features
from reference.nonlocal_features import consistency, spans_of_tags
from reference.nonlocal_perceptron import DocumentExample
from reference.perceptron import Labels, supported
from toys import make_recipe, named_weights

NAMES = ("Ann", "Kent", "Jordan", "Smith")

LEARNERS = ("candidate", "nonlocal", "ascent", "ascent-document")


def corpus(seed: int, documents: int = 6, marked: bool = True) -> list[Sentence]:
    """Return documents of three sentences; within a document every name is of one kind."""
    rng = random.Random(seed)
    made = []
    for _ in range(documents):
        kinds = {name: rng.choice(["PER", "LOC"]) for name in NAMES}
        for s in range(3):
            words, tags = [], []
            for _ in range(rng.randint(1, 4)):
                name = rng.choice(NAMES)
                words += [rng.choice(["saw", "in", "and"]), name]
                tags += ["O", f"B-{kinds[name]}"]
            made.append(Sentence({"form": words, "ner": tags}, starts_document=marked and s == 0))
    return made


def tagged_corpus(seed: int, documents: int = 12) -> list[Sentence]:
    """Return documents of three sentences with parts of speech; a verb or noun keeps its tag within a document.

    In the first sentence the word before it tells them apart, in the others nothing does.
    """
    rng = random.Random(seed)
    made = []
    for _ in range(documents):
        tag = {word: rng.choice(["NN", "VB"]) for word in ("saw", "run", "book", "plan")}
        words = rng.sample(list(tag), 2)
        for s in range(3):
            clue = {"NN": "the", "VB": "to"} if s == 0 else {"NN": "so", "VB": "so"}
            form = [token for word in words for token in (clue[tag[word]], word)]
            known = {"the": "DT", "to": "TO", "so": ",", **tag}
            made.append(Sentence({"form": form, "pos": [known[w] for w in form]}, starts_document=s == 0))
    return made


def mixed_corpus(seed: int) -> list[Sentence]:
    """Return sentences outside documents, and then documents."""
    return [*corpus(seed, 2, marked=False), *corpus(seed + 1, 8)]


def document_recipe(learner: str = "nonlocal", **settings: object) -> Recipe:
    """Return a small recipe for these documents."""
    given: dict[str, object] = {
        "learner": learner,
        "unit": "document" if learner in ("candidate", "nonlocal") else "sentence",
        "templates": ["form[0]", "form[-1]", "doc_before[0]", "bias * y-1 y0"],
        "nonlocal_features": ["phrase", "majority", "unlabelled"],
        "epochs": 3,
        "margin": 3,
        "nbest": 5,
        "nbest_tagging": 8,
        "support": "all",
    }
    return make_recipe(**given | settings)


def write_recipe(recipe: Recipe, path: Path) -> Path:
    """Write a recipe to a file."""
    path.write_text(to_toml(recipe))
    return path


def write_corpus(sentences: Sequence[Sentence], path: Path, labels: bool = True) -> Path:
    """Write a column file with or without the labels."""
    names = ["form", "ner"] if labels else ["form"]
    copies = [Sentence({n: s.columns[n] for n in names}, starts_document=s.starts_document) for s in sentences]
    write_columns(copies, path)
    return path


# --- for the reference, which tries every labelling ---


def tiny_corpus(seed: int, documents: int = 8) -> list[Sentence]:
    """Return marked documents of at most five tokens, in which the same names recur."""
    rng = random.Random(seed)
    made = []
    for _ in range(documents):
        kinds = {name: rng.choice(["PER", "LOC"]) for name in NAMES[:2]}
        words = [rng.choice([*NAMES[:2], "saw", "and"]) for _ in range(rng.randint(2, 5))]
        tags = [f"B-{kinds[word]}" if word in kinds else "O" for word in words]
        end = rng.randint(1, len(words))  # of the first sentence
        for s, (a, b) in enumerate([(0, end), (end, len(words))]):
            if a < b:
                made.append(Sentence({"form": words[a:b], "ner": tags[a:b]}, starts_document=s == 0))
    return made


def as_documents(sentences: Sequence[Sentence], recipe: Recipe, label_set: LabelSet) -> list[DocumentExample]:
    """Return the same documents for the reference, each as one sequence."""
    inputs = [joined(document) for document in split_documents(sentences)]
    templates = parse_all(recipe.templates, ["form"])
    examples = [(sentence_features(templates, x.columns), tuple(x.columns[label_set.column])) for x in inputs]
    allows = supported(examples, recipe.cutoff, recipe.support)

    def nonlocal_features(sentence: Sentence) -> Features:
        @cache
        def phi(y: Labels) -> Vector:
            found = spans_of_tags(y) if label_set.inner == "none" else spans(y, label_set.inner)
            values = consistency([sentence], [found])
            wanted = (f"{family}[" for family in recipe.nonlocal_features)
            return {name: int(n) for family in wanted for name, n in values.items() if name.startswith(family)}

        return phi

    return [
        DocumentExample(
            all_labellings(label_set.names, len(x)), y, local_features(x, allows), nonlocal_features(sentence)
        )
        for sentence, (x, y) in zip(inputs, examples, strict=True)
    ]


def named_alpha(trainer: Any) -> tuple[Vector, Vector]:
    """Return a trainer's weights, local and non-local, by name: the last ones, and the exact average."""
    local = getattr(trainer, "local", trainer)
    found = named_weights(local.weights, local.encoder, local.task.label_set.names)
    if local is not trainer:
        names, w = trainer.features.numbers, trainer.global_weights
        found |= {name: (w.w[i], w.sum[i]) for name, i in names.items() if i < len(w.w)}
    ticks = Fraction(local.weights.ticks)
    last = {name: w for name, (w, _) in found.items()}
    average = {name: Fraction(w) - Fraction(total) / ticks for name, (w, total) in found.items()}
    return without_zeros(last), without_zeros(average)


def without_zeros(vector: Vector) -> Vector:
    """Return the features whose weight is not zero."""
    return {name: weight for name, weight in vector.items() if weight}
