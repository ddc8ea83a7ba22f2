"""Documents that are learned natively: the loop in Python moves the same weights, and wrong arguments are refused."""

from __future__ import annotations

import numpy as np
import pytest

from document_toys import as_documents, corpus, document_recipe, named_alpha, tiny_corpus
from perceptag import Sentence, Tagger
from perceptag._core import Ascent, Labels, best_by_label
from perceptag.learn.ascent import learn_epoch, native_epoch
from perceptag.models.document.trainer import NonLocalTrainer
from perceptag.training.train import Training
from reference import latent as reference

MISSING = {"labels.missing": "_"}


def with_holes(sentences: list[Sentence], seed: int, share: float = 0.4) -> list[Sentence]:
    """The sentences without some of their labels; the first document keeps all of them."""
    rng = np.random.default_rng(seed)
    holes = [[number > 2 and rng.random() < share for _ in s.tokens] for number, s in enumerate(sentences)]
    return [
        Sentence(
            {**s.columns, "ner": ["_" if hole else y for y, hole in zip(s.columns["ner"], own, strict=True)]},
            starts_document=s.starts_document,
        )
        for s, own in zip(sentences, holes, strict=True)
    ]


def trainer(threads: int = 1, train: list[Sentence] | None = None, **settings: object) -> NonLocalTrainer:
    recipe = document_recipe("ascent").replace({"nonlocal.view": "sentence", "nonlocal.scale": 2, **settings})
    made = Training(recipe, train or corpus(1), corpus(2), threads=threads).trainer
    assert isinstance(made, NonLocalTrainer)
    return made


@pytest.mark.parametrize("seed", [None, 1, 2, 3])
def test_the_loop_in_python_moves_the_same_weights(seed: int | None) -> None:
    """With all labels, and with some of them missing."""
    data = corpus(1) if seed is None else with_holes(corpus(seed), seed)
    found = []
    for loop, threads in ((learn_epoch, 1), (native_epoch, 1), (native_epoch, 3)):
        learned = trainer(threads, data, **MISSING)
        errors = [loop(learned.lists(), learned.documents, C_all=3.0, C_local=5.0) for _ in range(2)]
        found.append((errors, {name: array.tolist() for name, array in learned.state().items()}))
    assert found[0] == found[1] == found[2]
    assert any(found[0][1]["nonlocal.w"])


@pytest.mark.parametrize("C", [0, 2, 20])
@pytest.mark.parametrize("seed", range(4))
def test_missing_labels_teach_what_they_teach_the_reference(seed: int, C: int) -> None:
    full = tiny_corpus(seed)
    data = with_holes(full, seed)
    templates = ["form[0]", "form[-1]", "bias * y-1 y0"]
    recipe = document_recipe("ascent", unit="document", templates=templates, margin=C, **MISSING)
    training = Training(recipe, data)
    list(training.run())
    documents = as_documents(full, recipe, training.task.label_set)
    labels = [y for s in data for y in s.columns["ner"]]
    known = []
    for x in documents:
        known.append(tuple(None if y == "_" else y for y in labels[: len(x.y_star)]))
        labels = labels[len(x.y_star) :]
    visited = list(reference.ascent([list(zip(documents, known, strict=True))] * recipe.epochs, recipe.nbest, C, C))
    assert named_alpha(training.trainer)[0] == visited[-1]
    assert any(None in y for y in known)
    assert visited[-1]


def test_labels_that_are_all_known_teach_the_same_with_and_without_the_setting() -> None:
    models = [Training(document_recipe("ascent", **given), corpus(1)) for given in ({}, MISSING)]
    for training in models:
        list(training.run())
    plain, marked = (training.model() for training in models)
    assert all((plain.arrays[name] == marked.arrays[name]).all() for name in plain.arrays)


def test_the_recipe_for_names_learns_from_the_labels_that_are_known() -> None:
    tagger = Tagger("ner", labels_missing="_", margins=1, epochs=4).fit(with_holes(corpus(1, 12), 1, 0.5))
    assert "_" not in tagger.labels_
    words = [["saw", "Ann", "and", "Kent"]]
    assert [y[0] for y in tagger.predict(words)[0]] == list("OBOB")


def test_wrong_arguments_are_refused() -> None:
    learned = trainer()
    document, features = learned.documents[0], learned.features
    how = Ascent(features.reading, features.family_flags, True, 1.0, 5, 1.0, 1.0, 1.0)
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
    with pytest.raises(ValueError, match="n: expected"):
        Ascent(features.reading, features.family_flags, True, 1.0, 0, 1.0, 1.0, 1.0).learn(
            learned.weights, w, w.copy(), document.sequences, tokens, joining, None
        )


def test_wrong_known_labels_are_refused() -> None:
    learned = trainer(1, with_holes(corpus(1), 1), **MISSING)
    document, features = learned.documents[-1], learned.features
    how = Ascent(features.reading, features.family_flags, True, 1.0, 5, 1.0, 1.0, 1.0)
    rest = learned.weights, np.zeros(features.built_in), np.zeros(features.built_in), document.sequences
    known, dictionary = document.known
    for wrong in ((known[1:], dictionary), (known, None)):
        with pytest.raises(ValueError, match="known labels of each sequence"):
            how.learn(*rest, *document.words, None, 1, *wrong)
    with pytest.raises(ValueError, match="known labels for each token"):
        how.learn(*rest, *document.words, None, 1, [None, None, document.sequences[0]], dictionary)


def test_the_best_candidate_with_each_label() -> None:
    candidates = [Labels(np.array(y, np.int32)) for y in ([0, 1], [0, 2], [1, 1])]
    found = best_by_label(candidates, np.array([3.0, 5.0, 4.0]), 3).reshape(2, 3)
    assert found.tolist() == [[5.0, 4.0, -np.inf], [-np.inf, 4.0, 5.0]]
    for wrong in ([1.0], [1.0, 2.0, 3.0]):
        with pytest.raises(ValueError, match=r"out of range|for each candidate"):
            best_by_label(candidates, np.array(wrong), 2)
