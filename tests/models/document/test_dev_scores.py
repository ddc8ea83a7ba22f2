"""Dev data under the weights of a pass: the core finds the labels that the search in Python finds."""

from __future__ import annotations

import pytest

from document_toys import LEARNERS, corpus, document_recipe, mixed_corpus
from perceptag.models.document.trainer import NonLocalTrainer
from perceptag.training.train import Training


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("families", [["phrase", "majority", "unlabelled"], ["subphrase", "conjunction"]])
def test_the_core_finds_the_same_labels(learner: str, families: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    dev = mixed_corpus(5)
    recipe = document_recipe(learner, nonlocal_features=families, nonlocal_view="sentence", nbest_tagging=4)
    training = Training(recipe, corpus(1, 12), dev, threads=2)
    found = []
    for _ in training.run():
        snapshots = [training.trainer.snapshot(kind) for kind in ("averaged", "last")]
        found += [(snapshot, training.trainer.tag_dev(snapshot)) for snapshot in snapshots]
    assert training.trainer.scores_at_once
    assert len({str(labels) for _, labels in found}) > 1
    monkeypatch.setattr(NonLocalTrainer, "scores_at_once", False)
    for snapshot, labels in found:
        assert training.trainer.tag_dev(snapshot) == labels
