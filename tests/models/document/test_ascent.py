"""Documents that are learned natively: the loop in Python moves the same weights, and wrong arguments are refused."""

from __future__ import annotations

import numpy as np
import pytest

from document_toys import corpus, document_recipe
from perceptag._core import Ascent, Labels, best_by_label
from perceptag.learn.ascent import learn_epoch, native_epoch
from perceptag.models.document.trainer import NonLocalTrainer
from perceptag.training.train import Training


def trainer(threads: int = 1) -> NonLocalTrainer:
    recipe = document_recipe("ascent").replace({"nonlocal.view": "sentence", "nonlocal.scale": 2})
    made = Training(recipe, corpus(1), corpus(2), threads=threads).trainer
    assert isinstance(made, NonLocalTrainer)
    return made


def test_the_loop_in_python_moves_the_same_weights() -> None:
    found = []
    for loop, threads in ((learn_epoch, 1), (native_epoch, 1), (native_epoch, 3)):
        learned = trainer(threads)
        errors = [loop(learned.lists(), learned.documents, C_all=3.0, C_local=5.0) for _ in range(2)]
        found.append((errors, {name: array.tolist() for name, array in learned.state().items()}))
    assert found[0] == found[1] == found[2]
    assert any(found[0][1]["nonlocal.w"])


def test_wrong_arguments_are_refused() -> None:
    learned = trainer()
    document, features = learned.documents[0], learned.features
    how = Ascent(features.reading, features.family_flags, True, 1.0, 5, 3, 1.0, 1.0, 1.0)
    w, (tokens, joining) = np.zeros(features.built_in), document.words
    rest = learned.weights, document.sequences

    def learn(w: object = w, tokens: object = tokens, joining: object = joining) -> None:
        how.learn(rest[0], w, np.zeros(features.built_in), rest[1], tokens, joining, None)

    with pytest.raises(ValueError, match="one weight for each feature"):
        learn(w=np.zeros(1))
    with pytest.raises(ValueError, match="the words of each sequence"):
        learn(tokens=tokens[1:])
    with pytest.raises(ValueError, match="a word for each token"):
        learn(tokens=[[], *tokens[1:]])
    with pytest.raises(ValueError, match="a word id is out of range"):
        learn(joining=joining[:0])
    with pytest.raises(ValueError, match="n and sweeps"):
        Ascent(features.reading, features.family_flags, True, 1.0, 0, 3, 1.0, 1.0, 1.0).learn(
            learned.weights, w, w.copy(), document.sequences, tokens, joining, None
        )


def test_the_best_candidate_with_each_label() -> None:
    candidates = [Labels(np.array(y, np.int32)) for y in ([0, 1], [0, 2], [1, 1])]
    found = best_by_label(candidates, np.array([3.0, 5.0, 4.0]), 3).reshape(2, 3)
    assert found.tolist() == [[5.0, 4.0, -np.inf], [-np.inf, 4.0, 5.0]]
    for wrong in ([1.0], [1.0, 2.0, 3.0]):
        with pytest.raises(ValueError, match=r"out of range|for each candidate"):
            best_by_label(candidates, np.array(wrong), 2)
