"""With many labels, searches, scores and copies leave out what does not matter: the same models, bit for bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from perceptag import Sentence, _core
from perceptag.errors import ModelError
from perceptag.models.linear.mixing import mixed_passes
from perceptag.models.linear.trainer import LinearTrainer
from perceptag.models.linear.vectors import spread
from perceptag.models.model_file import to_bytes
from perceptag.training import checkpoint
from perceptag.training.train import Training
from toys import make_recipe, random_corpus

LABELS = [f"{mark}-{name}" for name in range(36) for mark in "BI"]
WORDS = [f"w{i}" for i in range(60)]
TEMPLATES = ("form[-1]", "form[0]", "suffix1[0]", "bias * y-1 y0")
SETTINGS: dict[str, dict[str, Any]] = {
    "perceptron": {"learner": "perceptron"},
    "margin, all weights": {"learner": "margin", "margin": 4, "support": "all", "weights": "best"},
    "constraints": {"learner": "margin", "margin": 4, "labels.scheme": "IOB2", "constrain": True},
    "tag dictionary": {"learner": "perceptron", "tag_dictionary": 3},
    "pa": {"learner": "pa", "support": "all"},
    "mira": {"learner": "mira", "nbest": 2, "epochs": 1},
    "arow": {"learner": "arow", "support": "all"},
    "voted": {"learner": "perceptron", "weights": "voted", "support": "all"},
    "shards": {"learner": "perceptron", "shards": 2, "support": "all"},
    "orders": {"learner": "margin", "margin": 4, "orders": 3, "shuffle": True, "support": "all", "weights": "best"},
    "second order": {"learner": "perceptron", "templates": (*TEMPLATES, "bias * y-2 y-1 y0")},
}


def corpus(seed: int, sentences: int = 25) -> list[Sentence]:
    """Random labels in IOB2, and one sentence with all labels."""
    made = random_corpus(seed, sentences, WORDS, LABELS)
    for sentence in made:
        labels = sentence.columns["label"]
        for t, label in enumerate(labels):
            if label[0] == "I" and (t == 0 or labels[t - 1][2:] != label[2:]):
                labels[t] = "B" + label[1:]
    words = [WORDS[i % len(WORDS)] for i in range(len(LABELS))]
    return [Sentence({"form": words, "pos": words, "label": list(LABELS)}), *made]


def training(settings: dict[str, Any], **more: Any) -> Training:
    given = {"labels.scheme": "none", "labels.column": "label", "templates": TEMPLATES, "epochs": 2} | settings | more
    return Training(make_recipe(**given), corpus(1), corpus(2, 8))


def weights_of(run: Training) -> _core.Weights:
    trainer = run.trainer
    assert isinstance(trainer, LinearTrainer)
    return trainer.weights


def observe_edges(weights: _core.Weights, is_observed: bool = True) -> None:
    """Add a row without weights for a feature of two labels that no token has, or remove it.

    All scores stay the same, but the scores of pairs may now differ by token, so that searches look at all pairs.
    """
    weights.make_compact(1, np.zeros(1 + is_observed, np.uint32), np.zeros(0, np.uint32))


def count_rows_again(run: Training) -> None:
    """Tell passes over shards how many rows there are."""
    trainer = run.trainer
    assert isinstance(trainer, LinearTrainer)
    trainer.mixed = mixed_passes(run.task, trainer.weights, trainer.data.corpus)


@pytest.mark.parametrize("name", SETTINGS)
def test_models_are_those_of_the_full_search(name: str) -> None:
    files = []
    for all_pairs in (False, True):
        run = training(SETTINGS[name])
        observe_edges(weights_of(run), all_pairs)
        count_rows_again(run)
        reports = list(run.run())
        files.append((to_bytes(run.model())[0], reports))
    assert files[0] == files[1]
    assert reports[0].mistakes > 0 and weights_of(run).labels > _core.FEW_LABELS


def drawn_weights(run: Training, seed: int) -> _core.Weights:
    """The weights of a run with small whole numbers in them: many ties."""
    rng, weights = np.random.default_rng(seed), weights_of(run)
    for block in range(_core.BLOCKS):
        size = weights.size(block)
        weights.set(block, rng.integers(-1, 2, size).astype(np.float32), np.zeros(size))
    return weights


@pytest.mark.parametrize("support", ["all", "gold"])
@pytest.mark.parametrize("seed", range(2))
def test_searches_after_any_change_of_weights(support: str, seed: int) -> None:
    run = training({"support": support})
    weights, full = drawn_weights(run, seed), drawn_weights(training({"support": support}), seed)
    observe_edges(full)
    sequences, L = run.trainer.sequences, weights.labels
    allowed, last = np.ones((L + 1, L), np.uint8), np.ones(L, np.uint8)
    allowed[3:9, 5:60] = last[7] = 0

    def move(weights: _core.Weights, x: _core.Sequence, scale: float) -> None:
        weights.move(x, x.labels, _core.viterbi(weights, x), scale)

    changes: list[Callable[[_core.Weights], object]] = [
        lambda _: None,
        lambda weights: weights.prepare(),
        lambda weights: weights.add(sequences[0], sequences[0].labels, 2.0),
        lambda weights: move(weights, sequences[1], 1.0),
        lambda weights: weights.prefer(4, 1.0),
        lambda weights: weights.constrain(allowed.ravel(), last),
        lambda weights: move(weights, sequences[2], -3.0),
    ]
    for change in changes:
        change(weights), change(full)
        for x in sequences[1:6]:
            assert searches(weights, x) == searches(full, x)


def searches(weights: _core.Weights, x: _core.Sequence) -> list[Any]:
    best, labels = _core.nbest(weights, x, 5), _core.viterbi(weights, x)
    return [
        labels,
        _core.viterbi_with_cost(weights, x),
        _core.rivals(weights, x, labels)[0],
        list(best),
        best.scores.tolist(),
    ]


def test_tagging_with_a_dictionary_and_a_preferred_label() -> None:
    run = training({"tag_dictionary": 2, "labels.scheme": "IOB2"})
    weights, trainer = drawn_weights(run, 9), run.trainer
    weights.prefer(3, 2.0)
    found, dictionary = [], trainer.dictionary
    assert dictionary is not None
    for all_pairs in (False, True):
        observe_edges(weights, all_pairs)
        batch = trainer.data.corpus
        behind = _core.max_marginals(weights, batch, dictionary, 1).tolist()
        found.append((_core.decode(weights, batch, dictionary, 1).tolist(), behind))
    assert found[0] == found[1]


def test_copies_without_zeros() -> None:
    run = training({"learner": "margin", "support": "all"})
    list(run.run())
    weights = weights_of(run)
    condensed = weights.condensed()
    assert condensed.size(0) < weights.size(0) / 4
    for made, full in (
        (condensed.averaged(9), weights.averaged(9)),
        (condensed.rounded(9), weights.rounded(9)),
        (condensed.frozen(), weights.frozen()),
    ):
        for block in range(_core.BLOCKS):
            assert spread(made, block, weights).tolist() == spread(full, block, weights).tolist()
    weights.set(0, *weights.get(0))
    assert weights.condensed().size(0) == condensed.size(0)
    for threads in (2, 3):
        moved = _core.moved_weights(weights.condensed(threads), 0), _core.moved_weights(weights, 0)
        assert [some.tolist() for some in moved[0]] == [some.tolist() for some in moved[1]]


ALL = [name for name, settings in SETTINGS.items() if settings.get("support") == "all"]


@pytest.mark.parametrize("name", ALL)
def test_rows_without_zeros_give_the_models_of_dense_rows(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lined = training(SETTINGS[name])
    monkeypatch.setattr(_core, "FEW_LABELS", 1000)
    dense = training(SETTINGS[name])
    assert weights_of(lined).is_lined(0) and not weights_of(dense).is_lined(0)
    assert list(lined.run()) == list(dense.run())
    assert to_bytes(lined.model())[0] == to_bytes(dense.model())[0]


def test_rows_without_zeros_start_from_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    run = training(SETTINGS["pa"])
    list(run.run())
    model, runs = run.model(), []
    for few in (_core.FEW_LABELS, 1000):
        monkeypatch.setattr(_core, "FEW_LABELS", few)
        more = Training(run.task.recipe, corpus(3), start=model)
        start = weights_of(more).get(0)[0].tolist()
        list(more.run())
        runs.append((start, to_bytes(more.model())[0]))
    assert runs[0] == runs[1] and any(runs[0][0])


@pytest.mark.parametrize("is_lined", [True, False])
@pytest.mark.parametrize("name", ["margin, all weights", "voted", "shards", "orders"])
def test_a_run_continues_from_its_checkpoint(
    name: str, is_lined: bool, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_core, "FEW_LABELS", 64 if is_lined else 1000)
    whole = training(SETTINGS[name])
    list(whole.run())
    parts = training(SETTINGS[name])
    next(parts.run())
    path = str(tmp_path / "checkpoint")
    checkpoint.write(parts, path)
    again = training(SETTINGS[name])
    checkpoint.restore(again, path)
    list(again.run())
    assert to_bytes(again.model())[0] == to_bytes(whole.model())[0]
    assert len(parts.trainer.state()["w.0"]) < weights_of(parts).size(0) / 4


def test_damaged_checkpoints_are_refused() -> None:
    run = training(SETTINGS["margin, all weights"])
    state = run.trainer.state() | {"w.0": np.ones(1, np.float32), "sum.0": np.zeros(1)}
    for place in (-1, weights_of(run).size(0)):
        with pytest.raises(ValueError, match="no such weight"):
            run.trainer.restore(state | {"places.0": np.array([place])})
    with pytest.raises(ValueError, match="a weight for each place"):
        run.trainer.restore(state | {"places.0": np.arange(2)})
    with pytest.raises(ModelError, match="finite numbers"):
        run.trainer.restore(state | {"places.0": np.arange(1), "w.0": np.full(1, -np.inf, np.float32)})


def test_damaged_checkpoints_of_dense_rows_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_core, "FEW_LABELS", 1000)
    run = training(SETTINGS["margin, all weights"])
    state = run.trainer.state() | {"w.0": np.ones(1, np.float32), "sum.0": np.zeros(1)}
    for places in ([-1], [weights_of(run).size(0)], [0, 1]):
        with pytest.raises(ModelError, match="expected 1 places below"):
            run.trainer.restore(state | {"places.0": np.array(places)})
    with pytest.raises(ModelError, match="finite numbers"):
        run.trainer.restore(state | {"places.0": np.arange(1), "w.0": np.full(1, -np.inf, np.float32)})


def test_optimisers_refuse_rows_without_zeros() -> None:
    run = training(SETTINGS["pa"])
    weights, batch = weights_of(run), run.trainer.data.corpus
    with pytest.raises(ValueError, match=r"averaged weights|lined"):
        _core.Likelihood(weights, batch)
    with pytest.raises(ValueError, match="lined rows"):
        _core.put_moved(weights.condensed(), 0, np.zeros(0, np.int64), np.zeros(0, np.float32), np.zeros(0))
