"""Learning by shards: what the reference does, the same for any number of threads, and refused where it cannot be."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from perceptag import Sentence, SettingError, Tagger, _core
from perceptag.learn.learner import Errors
from perceptag.learn.shards import MIXES, UNIT, parts_of_pass
from perceptag.models import model_file as modelfile
from perceptag.models.linear.mixing import shards_of
from perceptag.text.documents import describe, digest
from reference import mixing
from reference import perceptron as reference
from toys import TEMPLATE_SETS, as_examples, make_recipe, named_weights, random_corpus, train

RULES = ("touched", "present")


def reference_run(sentences: list[Sentence], recipe: Any, rule: str) -> tuple[Any, list[Any], list[str]]:
    """The last weights and all visited ones, and the labels."""
    examples = as_examples(sentences, recipe.templates)
    labels = sorted({y for s in sentences for y in s.columns["label"]})
    shards = recipe.own["shards"]
    n = len(examples)
    numbers = [list(range(n * shard // shards, n * (shard + 1) // shards)) for shard in range(shards)]
    rounds = []
    for epoch in range(1, recipe.epochs + 1):
        seed = recipe.seed if recipe.shuffle else None
        parts = [parts_of_pass(own, seed, epoch, k) for k, own in enumerate(numbers)]
        rounds += [[[examples[i] for i in part[k]] for part in parts] for k in range(MIXES)]
    allows = reference.supported(examples, recipe.cutoff, recipe.support)
    own = [[examples[i] for i in some] for some in numbers]
    last, visited = mixing.run(rounds, labels, rule, own, Fraction(UNIT), allows)
    return last, visited, labels


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("templates", ["order 0", "order 1", "observed and plain edges", "all at once"])
def test_mixed_passes_equal_the_reference(templates: str, rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("perceptag.models.linear.mixing.rule_now", lambda _: rule)
    for seed, shards, support in ((1, 2, "gold"), (2, 3, "all"), (3, 5, "gold"), (4, 20, "all")):
        sentences = random_corpus(seed, sentences=40)
        recipe = make_recipe(
            templates=TEMPLATE_SETS[templates], support=support, epochs=3, shuffle=seed % 2 == 0, seed=seed,
            shards=shards,
        )  # fmt: skip
        trainer = train(recipe, sentences).trainer
        last, visited, labels = reference_run(sentences, recipe, rule)
        found = named_weights(trainer.weights, trainer.encoder, labels)
        assert {key: Fraction(w) for key, (w, _) in found.items() if w} == last
        ticks = Fraction(trainer.weights.ticks)
        assert ticks == len(visited)
        lazy = {key: Fraction(w) - Fraction(total) / ticks for key, (w, total) in found.items()}
        assert {key: w for key, w in lazy.items() if w} == reference.average(visited)


def file_of(sentences: list[Sentence], threads: int = 1, **settings: Any) -> bytes:
    return modelfile.to_bytes(Tagger(make_recipe(**settings), threads=threads).fit(sentences).model_)[0]


LEARNERS: dict[str, dict[str, Any]] = {
    "perceptron": {"learner": "perceptron", "shuffle": True},
    "last weights": {"learner": "perceptron", "weights": "last"},
    "margin": {"learner": "margin", "margin": 2},
    "pa": {"learner": "pa"},
    "mira": {"learner": "mira", "nbest": 3},
}


@pytest.mark.parametrize("name", LEARNERS)
def test_any_number_of_threads_gives_the_same_file(name: str) -> None:
    settings = {"templates": TEMPLATE_SETS["order 1"], "epochs": 3, "shards": 5, **LEARNERS[name]}
    sentences = random_corpus(1, sentences=60)
    one = file_of(sentences, **settings)
    assert one == file_of(sentences, threads=2, **settings) == file_of(sentences, threads=7, **settings)
    assert one != file_of(sentences, **{**settings, "shards": 1})


def test_one_shard_is_what_it_was() -> None:
    settings = {"templates": TEMPLATE_SETS["order 1"], "epochs": 3, "shuffle": True}
    assert file_of(random_corpus(1), **settings) == file_of(random_corpus(1), shards=1, **settings)
    tagger = Tagger(make_recipe(**settings, shards=2)).fit(random_corpus(1))
    assert tagger.model_.recipe.own["shards"] == 2


@pytest.mark.parametrize("rule", RULES)
def test_changes_may_arrive_in_any_order(rule: str) -> None:
    trainer = train(make_recipe(templates=TEMPLATE_SETS["all at once"], epochs=1), random_corpus(1, 40)).trainer
    shard_of = np.array([i % 4 for i in range(40)], np.int32)
    presence = _core.Presence(trainer.weights, trainer.data.corpus, shard_of, 4)
    own, changes = _core.worker_weights(trainer.weights), []
    for shard in range(4):
        _core.start_part(own)
        _core.perceptron_pass(own, [trainer.sequences[i] for i in range(40) if i % 4 == shard])
        changes.append(_core.take_changes(own, trainer.weights))
    assert all(len(change) and change.ticks == 10 for change in changes)
    found = []
    for order in ([0, 1, 2, 3], [3, 1, 0, 2], [2, 3, 1, 0]):
        weights = trainer.weights.frozen()
        for block in range(5):
            w, sums = trainer.weights.get(block)
            weights.set(block, w, sums)
        weights.ticks = trainer.weights.ticks
        _core.mix(weights, [changes[i] for i in order], 4, UNIT, presence if rule == "present" else None)
        found.append([array.tobytes() for block in range(5) for array in weights.get(block)])
    assert found[0] == found[1] == found[2]
    assert found[0] != [array.tobytes() for block in range(5) for array in trainer.weights.get(block)]


def test_a_shard_is_a_range_of_documents() -> None:
    plain = [Sentence({"form": ["a"]}) for _ in range(5)]
    assert shards_of(plain, "sentence", 2) == [0, 0, 1, 1, 1]
    assert shards_of(plain, "sentence", 10) == [1, 3, 5, 7, 9]
    marked = [Sentence({"form": ["a"]}, starts_document=i in (2, 4, 5)) for i in range(7)]
    assert shards_of(marked, "sentence", 2) == [0, 0, 1, 1, 1, 1, 1]
    assert shards_of(marked, "sentence", 3) == [0, 1, 1, 1, 2, 2, 2]
    assert shards_of(marked, "document", 3) == [0, 1, 1, 2, 2]
    assert shards_of(marked, "document", 1) == [0] * 5


def test_the_digest_of_the_data_is_that_of_the_digests_of_the_shards() -> None:
    sentences = random_corpus(1, sentences=7)
    settings = {"templates": TEMPLATE_SETS["order 1"], "epochs": 1}
    mixed = Tagger(make_recipe(**settings, shards=3)).fit(sentences).model_.manifest["train"]
    parts = [digest(part) for part in (sentences[:2], sentences[2:4], sentences[4:])]
    assert mixed == {**describe(sentences), "sha256": hashlib.sha256("".join(parts).encode()).hexdigest()}
    assert Tagger(make_recipe(**settings)).fit(sentences).model_.manifest["train"] == describe(sentences)


def test_a_resumed_run_ends_in_the_same_weights() -> None:
    recipe = make_recipe(templates=TEMPLATE_SETS["order 1"], epochs=4, shards=3, shuffle=True)
    whole = train(recipe, random_corpus(1, 30)).trainer
    first, second = (train(recipe.replace({"epochs": 1}), random_corpus(1, 30)).trainer for _ in range(2))
    second.restore(first.state())
    for epoch in (2, 3, 4):
        second.learn_epoch(epoch)
    assert [a.tobytes() for a in second.state().values()] == [a.tobytes() for a in whole.state().values()]


def test_a_pass_that_fails_leaves_nothing_behind() -> None:
    """A worker stops in the middle of a part, and the pass is run again."""
    recipe = make_recipe(templates=TEMPLATE_SETS["order 1"], epochs=1, shards=3)
    trainer, other = (train(recipe, random_corpus(1, 30)).trainer for _ in range(2))

    def fail(weights: _core.Weights, part: Sequence[int]) -> Errors:
        _core.perceptron_pass(weights, [trainer.sequences[i] for i in part])
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        trainer.mixed.learn(2, [], fail)
    assert trainer.learn_epoch(2) == other.learn_epoch(2)
    assert [a.tobytes() for a in trainer.state().values()] == [a.tobytes() for a in other.state().values()]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"weights": "voted"}, "shards: expected 1 with weights = 'voted'"),
        ({"learner": "margin", "bpm": 3}, "shards: expected 1 with bpm"),
        ({"learner": "arow"}, "shards: learner 'arow' does not use it; ascent, crf, margin, mira, pa, perceptron do"),
        ({"learner": "guided"}, "shards: learner 'guided' does not use it"),
        ({"shards": -1}, "shards: expected a number from 0 to 10000"),
    ],
)
def test_what_does_not_go_with_shards(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        file_of(random_corpus(1), **{"templates": TEMPLATE_SETS["order 1"], "epochs": 1, "shards": 2, **settings})


def test_what_does_not_belong_together_is_refused() -> None:
    trainer, other = (train(make_recipe(templates=TEMPLATE_SETS[name], epochs=1), random_corpus(1)).trainer
                      for name in ("order 0", "all at once"))  # fmt: skip
    with pytest.raises(ValueError, match="the weights have another layout"):
        _core.take_changes(_core.worker_weights(other.weights), trainer.weights)
    presence = _core.Presence(other.weights, other.data.corpus, np.zeros(12, np.int32), 1)
    with pytest.raises(ValueError, match="the shards belong to other weights"):
        _core.mix(trainer.weights, [], 1, UNIT, presence)
    with pytest.raises(ValueError, match="expected a shard for each sequence"):
        _core.Presence(other.weights, other.data.corpus, np.zeros(3, np.int32), 1)
