"""Copies of weights without zeros: models, dev scores and checkpoints are those of copies with them."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from document_toys import document_recipe
from perceptag import Sentence
from perceptag.models.linear import vectors
from perceptag.models.model_file import to_bytes
from perceptag.training.train import Training
from toys import make_recipe, random_corpus

LABELS = [f"L{i}" for i in range(20)]
WORDS = [f"w{i}" for i in range(30)]
KINDS = [f"K{i}" for i in range(9)]
PLAIN = {"support": "all", "epochs": 4, "labels.scheme": "none", "labels.column": "label"}
TEMPLATES = ("form[0]", "form[-1]", "bias * y-1 y0")


def of_twenty_labels(seed: int) -> list[Sentence]:
    first = Sentence({"form": WORDS[:20], "pos": WORDS[:20], "label": list(LABELS)})
    return [first, *random_corpus(seed, 25, WORDS, LABELS)]


def documents(seed: int) -> list[Sentence]:
    rng, made = random.Random(seed), []
    for s in range(32):
        kinds = KINDS if s == 0 else [rng.choice(KINDS) for _ in range(rng.randint(1, 4))]
        words = [word for kind in kinds for word in (rng.choice(["saw", "in"]), f"n{rng.randint(0, 5)}", kind[0])]
        tags = [tag for kind in kinds for tag in ("O", f"B-{kind}", f"I-{kind}")]
        made.append(Sentence({"form": words, "ner": tags}, starts_document=s % 4 == 0))
    return made


def plain(threads: int = 1, **settings: object) -> Training:
    recipe = make_recipe(templates=TEMPLATES, learner="perceptron", **{**PLAIN, **settings})
    dev = None if settings.get("weights") == "voted" else of_twenty_labels(2)
    return Training(recipe, of_twenty_labels(1), dev, threads=threads)


def ascent() -> Training:
    settings = {"epochs": 3, "weights": "best", "nonlocal.view": "sentence"}
    return Training(document_recipe("ascent", **settings), documents(1), documents(2))


def rerank() -> Training:
    return Training(document_recipe("rerank-2", epochs=3, folds=2, first_epochs=4), documents(8), documents(2))


@pytest.mark.parametrize("make", [plain, ascent, rerank])
def test_models_and_scores_are_those_of_whole_copies(
    make: Callable[[], Training], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for labels in (12, 1000):
        monkeypatch.setattr(vectors, "SOME_LABELS", labels)
        training = make()
        assert len(training.task.label_set.names) > 12
        scores = [(report.dev_kept, report.dev_last) for report in training.run()]
        found.append((scores, to_bytes(training.model())))
    assert found[0] == found[1]
