"""Features left out at random: what the reference leaves out, other ones in each pass, the same for any threads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from document_toys import corpus, document_recipe
from perceptag import Sentence, Tagger
from perceptag.models import model_file as modelfile
from perceptag.training.train import Training
from reference import dropout as reference
from toys import TEMPLATE_SETS, make_recipe, random_corpus, train

TEMPLATES = TEMPLATE_SETS["observed and plain edges"]


def rows_of(sequence: Any, order: int) -> list[list[int]]:
    return [sequence.rows(order, t).tolist() for t in range(len(sequence))]


@pytest.mark.parametrize("rate", [0.0, 0.3, 0.9])
def test_what_is_left_out_is_what_the_reference_leaves_out(rate: float) -> None:
    whole = train(make_recipe(templates=TEMPLATE_SETS["order 0"], epochs=1), random_corpus(1, 40)).trainer.corpus
    for seed in (0, 7, 2**64 - 1):
        for threads in (1, 3):
            thin = whole.thinned(rate, seed, threads)
            for number in range(len(whole)):
                wanted = reference.thinned(rows_of(whole[number], 0), rate, seed, number)
                assert rows_of(thin[number], 0) == wanted
                assert thin[number].labels == whole[number].labels


def test_parts_of_the_data_lose_what_the_whole_loses() -> None:
    whole = train(make_recipe(templates=TEMPLATES, epochs=1), random_corpus(1, 9)).trainer.corpus
    numbers = np.array([2**40 + 5, 0, 3, 8, 1, 7, 2, 6, 4])
    for i, x in enumerate(whole.thinned(0.4, 7, 1, numbers)):
        assert rows_of(x, 0) == reference.thinned(rows_of(whole[i], 0), 0.4, 7, int(numbers[i]))
    with pytest.raises(ValueError, match="numbers: expected one for each sequence"):
        whole.thinned(0.4, 7, 1, numbers[:8])


def test_about_the_share_is_left_out_and_edges_stay() -> None:
    whole = train(make_recipe(templates=TEMPLATES, epochs=1), random_corpus(2, 800)).trainer.corpus
    thin = whole.thinned(0.25, 1)
    n, left = (sum(len(rows) for x in some for rows in rows_of(x, 0)) for some in (whole, thin))
    assert abs(1 - left / n - 0.25) < 0.03  # three standard deviations of 2,800 features
    assert [rows_of(x, 1) for x in whole] == [rows_of(x, 1) for x in thin]


def test_amounts_stay_with_their_features() -> None:
    """Here each feature always has the same amount."""
    words = {"a": "0.5", "b": "-1", "c": "2", "d": "0.25"}
    data = [
        Sentence({"form": list(x), "size": [words[w] for w in x], "label": list(x)}) for x in ("abcd", "dcab", "bb")
    ]
    recipe = make_recipe(templates=("form[0] size.amount[0]", "form[0]"), epochs=1)
    whole = train(recipe, data).trainer.corpus
    assert whole.has_amounts

    def amounts(some: Any) -> set[tuple[int, float]]:
        pairs = [zip(x.rows(0, t).tolist(), x.amounts(0, t).tolist(), strict=True) for x in some for t in range(len(x))]
        return {pair for of_token in pairs for pair in of_token}

    thin = [amounts(whole.thinned(0.5, seed)) for seed in range(20)]
    assert all(some <= amounts(whole) for some in thin) and thin[0] != thin[1]
    assert set().union(*thin) == amounts(whole)


def test_each_pass_leaves_out_others() -> None:
    trainer = train(make_recipe(templates=TEMPLATES, epochs=1, dropout=0.5), random_corpus(1)).trainer
    seen = []
    for epoch in (1, 2, 1):
        trainer.leave_out(epoch)
        seen.append([rows_of(x, 0) for x in trainer.learned])
    assert seen[0] == seen[2] != seen[1]
    assert [rows_of(x, 0) for x in trainer.sequences] != seen[0]


def file_of(threads: int = 1, **settings: Any) -> bytes:
    given = {"templates": TEMPLATES, "epochs": 3, "shuffle": True, **settings}
    return modelfile.to_bytes(Tagger(make_recipe(**given), threads=threads).fit(random_corpus(1, 60)).model_)[0]


@pytest.mark.parametrize("settings", [{}, {"learner": "margin", "margin": 2}, {"shards": 3}, {"orders": 2}])
def test_any_number_of_threads_gives_the_same_file(settings: dict[str, Any]) -> None:
    one = file_of(dropout=0.3, **settings)
    assert one == file_of(threads=2, dropout=0.3, **settings) == file_of(threads=5, dropout=0.3, **settings)
    assert one != file_of(**settings)


@pytest.mark.parametrize("threads", [1, 3])
def test_documents_are_learned_with_features_left_out(threads: int) -> None:
    found = []
    for rate in (0.0, 0.3):
        training = Training(document_recipe("ascent").replace({"dropout": rate}), corpus(1), threads=threads)
        list(training.run())
        found.append(training)
    plain, thin = (modelfile.to_bytes(training.model())[0] for training in found)
    assert plain != thin
    again = Training(document_recipe("ascent").replace({"dropout": 0.3}), corpus(1))
    list(again.run())
    assert modelfile.to_bytes(again.model())[0] == thin


def test_the_sequences_of_documents_are_their_own() -> None:
    trainer = Training(document_recipe("ascent").replace({"dropout": 0.3}), corpus(1)).trainer
    trainer.local.leave_out(1)
    thin = [x for i in range(len(trainer.documents)) for x in trainer.learned_document(i).sequences]
    assert [id(x) for x in thin] == [id(x) for x in trainer.local.learned]
    assert trainer.learned_document(1).sentences is trainer.documents[1].sentences


@pytest.mark.parametrize("learner", ["margin", "perceptron"])
def test_missing_labels_are_filled_in(learner: str) -> None:
    data = random_corpus(1, 30)
    for sentence in data[:20:2]:
        sentence.columns["label"][0] = "_"
    settings = {"learner": learner, "support": "all", "labels.missing": "_", "dropout": 0.3, "epochs": 2}
    trainer = train(make_recipe(templates=TEMPLATES, **settings), data).trainer
    assert trainer.latent.keys() == {id(trainer.learned[i]) for i in range(0, 20, 2)}
    assert not trainer.latent.keys() & {id(x) for x in trainer.sequences}


def test_a_share_of_all_is_refused() -> None:
    whole = train(make_recipe(templates=TEMPLATES, epochs=1), random_corpus(1)).trainer.corpus
    for rate in (1.0, -0.1, float("nan")):
        with pytest.raises(ValueError, match="rate: expected"):
            whole.thinned(rate, 1)
