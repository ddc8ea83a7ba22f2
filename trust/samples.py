"""Small models of every learner and every kind, made by the recipes that the conformance tests list.

A learner that is added to the conformance tests is tried here automatically.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))

import command_line  # noqa: E402, F401 - for the checks
import learner_settings  # noqa: E402
from perceptag import Recipe, Sentence, Tagger, Tokenizer  # noqa: E402
from perceptag.models import model_file as modelfile  # noqa: E402
from perceptag.pipeline import pipeline_file as pipelinefile  # noqa: E402
from perceptag.text import read_columns, read_conllu, write_columns  # noqa: E402

BUILD = ROOT / "build" / "trust"
CORPUS = ROOT / "src" / "perceptag" / "data"


@cache
def sentences(number: int = 40) -> tuple[Sentence, ...]:
    """Return real sentences with the columns form, pos and label (chunks)."""
    read = list(read_columns(CORPUS / "train.txt", ["form", "pos", "chunk", "ner"]))[:number]
    return tuple(
        Sentence(
            {"form": s.columns["form"], "pos": s.columns["pos"], "label": s.columns["chunk"]},
            starts_document=s.starts_document,
        )
        for s in read
    )


def short(some: Sequence[Sentence], most: int) -> list[Sentence]:
    """Cut each sentence after `most` tokens: less work, but of all kinds."""
    return [
        Sentence({name: values[:most] for name, values in s.columns.items()}, starts_document=s.starts_document)
        for s in some
    ]


def unlabelled(some: Sequence[Sentence]) -> list[Sentence]:
    """Return the sentences without labels."""
    return [
        Sentence({"form": s.columns["form"], "pos": s.columns["pos"]}, starts_document=s.starts_document) for s in some
    ]


def corpus_file(folder: Path, number: int = 40) -> Path:
    """Write the sentences to a column file."""
    path = folder / "train.txt"
    write_columns(sentences(number), path)
    return path


def recipe_of(settings: dict[str, Any]) -> Recipe:
    """Return the recipe that the arguments of a tagger mean."""
    return Tagger(**settings).resolved_recipe()


@cache
def learners() -> dict[str, dict[str, Any]]:
    """Return arguments of a tagger for each learner that a recipe can name, by the learner's name."""
    found: dict[str, dict[str, Any]] = {}
    for settings in learner_settings.EVERY.values():
        found.setdefault(recipe_of(settings).learner, settings)
    return found


@cache
def models() -> dict[str, bytes]:
    """Return a model file of each way of learning, by its name in the conformance tests."""
    made: dict[str, bytes] = {}
    for name, settings in learner_settings.EVERY.items():
        tagger = Tagger(**settings, epochs=2) if "epochs" not in settings else Tagger(**{**settings, "epochs": 2})
        made[name] = modelfile.to_bytes(tagger.fit(list(sentences(15))).model_)[0]
    return made


@cache
def pipelines() -> dict[str, bytes]:
    """Return pipeline files: one that takes text, and one that takes tokens with their parts of speech."""
    bank = list(read_conllu(CORPUS / "text-train.conllu"))[:40]
    words = [Sentence({"form": s.columns["form"], "pos": s.columns["pos"]}) for s in sentences(15)]
    tok = Tokenizer(epochs=1).fit(bank).model_
    pos = Tagger("collins-pos", epochs=1, labels_column="pos").fit(words).model_
    chunk = Tagger("collins-np", epochs=1, labels_column="label").fit(list(sentences(15))).model_
    return {
        "text": pipelinefile.to_bytes([("tokens", tok), ("pos", pos), ("label", chunk)])[0],
        "tokens": pipelinefile.to_bytes([("chunk", chunk)])[0],
    }


@cache
def kinds() -> dict[str, bytes]:
    """Return one model file of each kind and variety: the first of those that have the same arrays and facts."""
    found: dict[tuple[object, ...], tuple[str, bytes]] = {}
    for name, data in models().items():
        model = modelfile.load_bytes(data)
        arrays = sorted({array.partition(".")[0] for array in model.arrays})
        found.setdefault((*arrays, *sorted(model.facts), model.recipe.constrain), (name, data))
    return dict(found.values())


def resealed(damaged: bytes) -> bytes:
    """Return the bytes of a file with the digest repaired, if its place can still be found."""
    place = damaged.find(b"sha256:") + 7
    if place < 7:
        return damaged
    zeroed = damaged[:place] + b"0" * 64 + damaged[place + 64 :]
    return damaged[:place] + hashlib.sha256(zeroed).hexdigest().encode() + damaged[place + 64 :]


def load(data: bytes) -> Tagger:
    """Return a tagger, ready to tag, from the bytes of a model file."""
    from perceptag.tagger import _restore

    return _restore({}, data)
