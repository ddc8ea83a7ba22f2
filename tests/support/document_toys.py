"""Small documents for tests: names that are people in one document and places in another."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from perceptag import Recipe, Sentence
from perceptag.recipe.writing import to_toml
from perceptag.text import write_columns
from toys import make_recipe

NAMES = ("Ann", "Kent", "Jordan", "Smith")

LEARNERS = ("candidate", "nonlocal", "ascent", "ascent-document")


def corpus(seed: int, documents: int = 6, marked: bool = True) -> list[Sentence]:
    """Documents of three sentences, in each of which a name is of one kind."""
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


def mixed_corpus(seed: int) -> list[Sentence]:
    """Sentences of no document, and then documents."""
    return [*corpus(seed, 2, marked=False), *corpus(seed + 1, 8)]


def document_recipe(learner: str = "nonlocal", **settings: object) -> Recipe:
    """A small recipe for these documents."""
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
    """A recipe as a file."""
    path.write_text(to_toml(recipe))
    return path


def write_corpus(sentences: Sequence[Sentence], path: Path, labels: bool = True) -> Path:
    """A column file with or without the labels."""
    names = ["form", "ner"] if labels else ["form"]
    copies = [Sentence({n: s.columns[n] for n in names}, starts_document=s.starts_document) for s in sentences]
    write_columns(copies, path)
    return path
