"""Re-ranking: folds, fixed lists, the update of algorithm 4.1, and models of both kinds."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import chain

import numpy as np
import pytest

from document_toys import as_documents, corpus, document_recipe, mixed_corpus, tiny_corpus, without_zeros
from perceptag import ModelError, Sentence, Tagger, _core
from perceptag._core import Labels
from perceptag.evaluation.splitters import EvenRuns
from perceptag.learn import rerank
from perceptag.learn.learner import Errors
from perceptag.models.document.features import make_nonlocal
from perceptag.models.document.global_weights import GlobalWeights
from perceptag.models.kinds import make_ready
from perceptag.models.linear.trainer import LinearTrainer
from perceptag.models.rerank import first_models
from perceptag.models.rerank.first_models import Proposals
from perceptag.models.rerank.scorers import FirstScore, FixedLists, RerankProblem, pack_lists, unpack_lists
from perceptag.models.rerank.trainer import RerankTrainer
from perceptag.models.task import make_task
from perceptag.text.documents import split_documents
from perceptag.training.train import Training
from reference import rerank as reference
from toys import named_weights

KINDS = ("rerank-1", "rerank-2")
kinds = pytest.mark.parametrize("learner", KINDS)
units = pytest.mark.parametrize("unit", ["sentence", "document"])


def rerank_recipe(learner="rerank-1", **settings):
    return document_recipe(learner, **{"folds": 3, "first_epochs": 3, "first_margin": 3, **settings})


def run(recipe, data, dev=None):
    training = Training(recipe, data, dev)
    for _ in training.run():
        pass
    return training


# ------------------------------------------------------------------------------------------------ folds


def cut(sizes: list[int], k: int) -> list[range]:
    """Runs of documents, given the number of tokens of each."""
    tests = [test for _, test in EvenRuns(k).split([range(size) for size in sizes])]
    assert all(test == list(range(test[0], test[-1] + 1)) for test in tests)
    return [range(test[0], test[-1] + 1) for test in tests]


@units
def test_the_list_of_a_fold_is_what_a_model_of_the_others_proposes(unit):
    data = mixed_corpus(3)
    recipe = first_models.first_recipe(rerank_recipe(unit=unit))
    task = make_task(recipe, data)
    documents = split_documents(task.train)
    trainer = LinearTrainer(task)
    proposals = list(first_models.propose(task, [x.labels for x in trainer.sequences]))
    assert len(proposals) == len(trainer.sequences)
    found = iter(proposals)
    for block in cut([sum(map(len, d)) for d in documents], 3):
        heldout = list(chain(*documents[block.start : block.stop]))
        others = [s for i, d in enumerate(documents) if i not in block for s in d]
        # The public way to the same lists: a margin perceptron of the other folds. Labels are those of all the data.
        model = run(recipe, others).model()
        lists = make_ready(replace(model, label_set=task.label_set)).nbest(heldout, recipe.nbest)
        assert set(model.label_set.names) == set(task.label_set.names)
        gold = [list(chain(*(s.columns["ner"] for s in part))) for part in parts(heldout, unit)]
        for best, labels in zip(lists, gold, strict=True):
            mine = next(found)
            names = [[task.label_set.names[y] for y in candidate.numpy().tolist()] for candidate in mine.labels]
            assert [y for y, _ in best] == names[: mine.listed]
            assert mine.first[: mine.listed] == pytest.approx([score for _, score in best])
            assert names[mine.gold] == labels
            assert len(names) == mine.listed + (labels not in names[: mine.listed])


def parts(sentences, unit):
    return split_documents(sentences) if unit == "document" else [[s] for s in sentences]


def test_data_of_one_document_are_labelled_by_their_own_model():
    data = corpus(0, 1)
    training = run(rerank_recipe(), data)
    assert len(training.trainer.proposals) == len(data)


def test_the_user_is_told_where_no_documents_are_marked():
    told = "no documents are marked: the folds of re-ranking are runs of sentences"
    assert told in Training(rerank_recipe(), corpus(0, marked=False)).task.notes
    assert told not in Training(rerank_recipe(), corpus(0)).task.notes


def test_lists_survive_a_checkpoint():
    trainer = run(rerank_recipe(), corpus(1)).trainer
    again = unpack_lists(pack_lists(trainer.proposals), trainer.local.sequences)
    for mine, other in zip(trainer.proposals, again, strict=True):
        assert (mine.labels, mine.gold, mine.listed) == (other.labels, other.gold, other.listed)
        assert (mine.first == other.first).all()


def test_the_spread_is_that_within_lists():
    labels = [Labels(np.array([0], np.int32))] * 3
    lists = [
        Proposals(labels, np.array([1.0, 3.0, 77.0]), 2, 2),  # the gold labelling is not in the list
        Proposals(labels, np.array([100.0, 104.0, 102.0]), 0, 3),
        Proposals(labels[:1], np.array([5.0]), 0, 1),
    ]
    assert first_models.spread(lists) == pytest.approx(np.sqrt((1 + 8 / 3) / 2))
    assert first_models.spread(lists[2:]) == 1.0


# ------------------------------------------------------------------------------------------------ learning


TEMPLATES = ["form[0]", "form[-1]", "bias * y-1 y0"]


def named_second(trainer):
    """The weights of the second model and their sums, by what they are the weight of."""
    scorer, w = trainer.scorer, trainer.global_weights
    names = trainer.features.numbers
    found = {name: (w.w[i], w.sum[i]) for name, i in names.items()}
    if isinstance(scorer, FirstScore):
        return found | {reference.FIRST_SCORE: (scorer.w, scorer.sum)}
    return found | named_weights(scorer.weights, trainer.local.encoder, trainer.task.label_set.names)


@kinds
@pytest.mark.parametrize("margin", [0, 3, 50])
@pytest.mark.parametrize("seed", range(3))
def test_on_whole_documents_it_is_the_reference(learner, margin, seed):
    """Lists of first models by cross-validation, and algorithm 4.1 on them; all numbers are exact."""
    recipe = rerank_recipe(
        learner, unit="document", templates=TEMPLATES, margin=margin, epochs=4, nbest=4, weights="last"
    )
    data = tiny_corpus(seed, 9)
    trainer = Training(recipe, data).trainer
    trainer._train_first()
    if learner == "rerank-1":
        trainer.scorer.spread = 4.0  # a power of two: nothing is rounded
    problem = RerankProblem(trainer.scorer, trainer.global_weights)

    documents = as_documents(data, recipe, trainer.task.label_set)
    blocks = cut([len(x.y_star) for x in documents], recipe.folds)
    listed = list(
        reference.propose(
            [documents[b.start : b.stop] for b in blocks], recipe.first_epochs, recipe.first_margin, recipe.nbest
        )
    )
    if learner == "rerank-1":
        listed = [reference.with_first_score(x, 4.0) for x in listed]
    visits = list(reference.visits([listed] * recipe.epochs, margin))

    for epoch in range(recipe.epochs):
        errors = rerank.learn_epoch(problem, trainer.documents, margin)
        of_pass = visits[epoch * len(listed) : (epoch + 1) * len(listed)]
        assert errors.sequences == sum(v.y_prime != x.x.y_star for v, x in zip(of_pass, listed, strict=True))
        found = named_second(trainer)
        assert without_zeros({name: w for name, (w, _) in found.items()}) == of_pass[-1].alpha
        ticks = Fraction(trainer.scorer.ticks)
        mean = {name: Fraction(w) - Fraction(total) / ticks for name, (w, total) in found.items()}
        so_far = [v.alpha for v in visits[: (epoch + 1) * len(listed)]]
        assert without_zeros(mean) == mean_of(so_far)
        assert epoch or errors.sequences, "the test must be able to fail"
    assert any(isinstance(name, str) and "[" in name for name in visits[-1].alpha)


def mean_of(vectors):
    """The exact average of vectors."""
    names = {name for vector in vectors for name in vector}
    return without_zeros({n: sum(Fraction(v.get(n, 0)) for v in vectors) / len(vectors) for n in names})


def test_one_update_of_re_ranking_1_by_hand():
    """Two labellings of "Ann saw Ann": the first model prefers the inconsistent one by 4, the spread is 2."""
    data = [Sentence({"form": ["Ann", "saw", "Ann"], "ner": ["B-PER", "O", "B-PER"]}, starts_document=True)] * 2
    data.append(Sentence({"form": ["Ann"], "ner": ["B-LOC"]}, starts_document=True))
    recipe = rerank_recipe(**{"nonlocal.features": ["phrase"]})
    task = make_task(recipe, data)
    names = task.label_set.names
    gold, other = (
        Labels(np.array([names.index(y) for y in labels], np.int32))
        for labels in (["B-PER", "O", "B-PER"], ["B-PER", "O", "B-LOC"])
    )
    features = make_nonlocal(recipe, task.label_set, {})
    global_weights = GlobalWeights(features)
    scorer = FirstScore(spread=2.0)
    problem = RerankProblem(scorer, global_weights)
    found = Proposals([other, gold], np.array([9.0, 5.0]), 1, 2)
    x = LinearTrainer(make_task(first_models.first_recipe(recipe), data)).sequences[0]
    document = FixedLists([x], [found], features.candidate_document(data[:1], [found.labels]))
    assert rerank.learn_epoch(problem, [document], 1.0) == Errors(1, 1)
    assert scorer.w == (5 - 9) / 2
    # Consistent: each of the two mentions has another of class PER. Not so: one sees LOC, the other PER.
    expected = {"phrase[PER,PER]": 2.0, "phrase[PER,LOC]": -1.0, "phrase[LOC,PER]": -1.0}
    assert features.by_name(global_weights.w) == expected
    # Now gold scores 5 * -2/2 + 4, the other 9 * -2/2 - 2: it wins by 10, which is more than 1.
    assert rerank.learn_epoch(problem, [document], 1.0) == Errors(0, 0)
    assert scorer.w == -2
    # But not more than 10.
    assert rerank.learn_epoch(problem, [document], 10.0) == Errors(0, 0)
    assert scorer.w == -4
    assert (scorer.sum, scorer.ticks) == (-4, 3)  # 0 * -2 + 2 * -2
    trainer = RerankTrainer(task)
    trainer.scorer = scorer
    assert trainer.snapshot("averaged").scorer.score_weight == pytest.approx((-2 - 2 - 4) / 3 / 2)
    assert trainer.snapshot("last").scorer.score_weight == -4 / 2


@kinds
@units
def test_tagging_is_what_training_saw_on_dev(learner, unit):
    data, dev = mixed_corpus(7), corpus(20, 5)
    for weights in ("last", "averaged"):
        training = run(rerank_recipe(learner, unit=unit, weights=weights), data, dev)
        tagger = make_ready(training.model())
        assert tagger.tag(dev) == training.trainer.tag_dev(training.best)


@kinds
@units
def test_the_second_model_chooses_from_the_lists_of_the_first(learner, unit):
    data, unseen = mixed_corpus(7), corpus(30, 6)
    recipe = rerank_recipe(learner, unit=unit)
    training = run(recipe, data)
    tagger = make_ready(training.model())
    first = make_ready(run(first_models.first_recipe(recipe), data).model())
    lists = first.nbest(unseen, recipe.nbest_tagging)
    assert tagger.local.nbest(unseen, recipe.nbest_tagging) == lists
    ranked = tagger.nbest(unseen, recipe.nbest_tagging)
    assert [sorted(y for y, _ in best) for best in ranked] == [sorted(y for y, _ in best) for best in lists]
    chosen = tagger.tag(unseen)
    joined = [list(chain(*d)) for d in regroup(chosen, unseen)] if unit == "document" else chosen
    for labels, best in zip(joined, lists, strict=True):
        assert labels in [y for y, _ in best]
    assert chosen != first.tag(unseen), "the test must be able to fail"
    narrow = make_ready(run(recipe.replace({"nbest_tagging": 1}), data).model())
    assert narrow.tag(unseen) == first.tag(unseen)


def regroup(labels, sentences):
    rest = iter(labels)
    return [[next(rest) for _ in document] for document in split_documents(sentences)]


def test_functions_of_the_user_take_part():
    def names(document, spans):
        return {f"{len(found)} mentions": 1.0 for found in spans}

    tagger = Tagger(recipe=rerank_recipe("rerank-2"), functions={"names": names}).fit(mixed_corpus(7))
    assert any(name.startswith("names:") for name in tagger.model_.facts["nonlocal"])


# ------------------------------------------------------------------------------------------------ bad input


@pytest.mark.parametrize("weight", [None, True, "1", float("nan"), float("inf"), [1]])
def test_a_model_with_a_bad_score_weight_is_refused(weight):
    model = run(rerank_recipe(), corpus(1)).model()
    with pytest.raises(ModelError, match="score_weight: expected a number"):
        make_ready(replace(model, facts=model.facts | {"score_weight": weight}))


def test_the_second_model_is_apart_from_the_first():
    ready = make_ready(run(rerank_recipe("rerank-2"), corpus(1)).model())
    assert len(ready.local.vectors) == 1
    assert isinstance(ready.scorer.second, _core.Weights)


def test_a_second_model_that_is_not_whole_is_refused():
    model = run(rerank_recipe("rerank-2"), corpus(1)).model()
    for name in [name for name in model.arrays if name.startswith("second.")]:
        with pytest.raises(ModelError, match="weights"):
            make_ready(replace(model, arrays={n: a for n, a in model.arrays.items() if n != name}))


def test_training_continues_from_the_first_model():
    model = run(rerank_recipe("rerank-2"), corpus(1)).model()
    ready = make_ready(model)
    names = model.label_set.names
    first, second = (
        named_weights(w, ready.local.encoder.base, names) for w in (ready.local.vectors[0], ready.scorer.second)
    )
    trainer = Training(model.recipe, corpus(2), start=model).trainer.local
    found = named_weights(trainer.weights, trainer.encoder, names)
    assert without_zeros(found) == without_zeros(first) != without_zeros(second)
