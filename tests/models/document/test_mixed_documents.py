"""Documents learned by shards: what the reference does, and the same file for any number of threads."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from document_toys import as_documents, corpus, document_recipe, named_alpha, tiny_corpus
from perceptag import Sentence, Tagger
from perceptag.learn.shards import MIXES, UNIT, parts_of_pass
from perceptag.models import model_file as modelfile
from perceptag.models.document.trainer import NonLocalTrainer
from perceptag.training.train import Training
from reference import mixing
from reference.perceptron import average

RULES = ("touched", "present")
WHOLE = {"unit": "document", "templates": ["form[0]", "form[-1]", "bias * y-1 y0"]}  # as the reference has them


def reference_run(data: list[Sentence], recipe: Any, training: Training, rule: str) -> tuple[Any, list[Any]]:
    """The last weights and all visited ones."""
    documents = as_documents(data, recipe, training.task.label_set)
    shards, n = recipe.own["shards"], len(documents)
    numbers = [list(range(n * shard // shards, n * (shard + 1) // shards)) for shard in range(shards)]
    rounds = []
    for epoch in range(1, recipe.epochs + 1):
        seed = recipe.seed if recipe.shuffle else None
        parts = [parts_of_pass(own, seed, epoch, k) for k, own in enumerate(numbers)]
        rounds += [[[documents[i] for i in part[k]] for part in parts] for k in range(MIXES)]
    own = [[documents[i] for i in some] for some in numbers]
    margins = recipe.margin, recipe.margin if recipe.margin_local < 0 else recipe.margin_local
    return mixing.run_ascent(rounds, recipe.nbest, margins, rule, own, Fraction(UNIT))


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    ("seed", "shards", "given"),
    [
        (0, 2, {"margin": 2}),
        (1, 3, {"margin": 0, "shuffle": True}),
        (2, 4, {"margin": 2, "margin_local": 20, "support": "gold"}),
        (3, 12, {"margin": 20, "shuffle": True, "nbest": 3}),
    ],
)
def test_mixed_documents_equal_the_reference(
    seed: int, shards: int, given: Any, rule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("perceptag.models.linear.mixing.rule_now", lambda _: rule)
    data = tiny_corpus(seed)
    shared = {"seed": seed, "shards": shards}
    recipe = document_recipe("ascent", **WHOLE, **shared, **given)
    training = Training(recipe, data)
    list(training.run())
    last, visited = reference_run(data, recipe, training, rule)
    found, mean = named_alpha(training.trainer)
    assert {name: Fraction(w) for name, w in found.items()} == last
    assert mean == average(visited)
    assert any(isinstance(name, str) for name in last)


def file_of(data: list[Sentence], threads: int = 1, functions: Any = None, **settings: Any) -> bytes:
    recipe = document_recipe("ascent").replace({"nonlocal.view": "sentence", "nonlocal.scale": 0.3, **settings})
    return modelfile.to_bytes(Tagger(recipe, threads=threads, functions=functions).fit(data).model_)[0]


def repeated(document: list[Sentence], spans: list[list[Any]]) -> dict[str, float]:
    """A feature whose names depend on the document."""
    words = [s.tokens[span.start] for s, own in zip(document, spans, strict=True) for span in own]
    return {f"{word}:{words.count(word)}": 0.1 for word in words}


@pytest.mark.parametrize("functions", [None, {"repeated": repeated}], ids=["built in", "of a user"])
@pytest.mark.parametrize("weights", ["averaged", "last"])
def test_any_number_of_threads_gives_the_same_file(weights: str, functions: Any) -> None:
    given: dict[str, Any] = {"shards": 4, "shuffle": True, "weights": weights}
    one = file_of(corpus(1, 12), functions=functions, **given)
    for threads in (2, 5):
        assert file_of(corpus(1, 12), threads, functions, **given) == one
    assert one != file_of(corpus(1, 12), functions=functions, **{**given, "shards": 1})


def test_one_shard_is_what_it_was() -> None:
    assert file_of(corpus(1)) == file_of(corpus(1), shards=1)


def trainer(data: list[Sentence], **settings: Any) -> NonLocalTrainer:
    made = Training(document_recipe("ascent", **settings), data).trainer
    assert isinstance(made, NonLocalTrainer)
    return made


def test_no_document_is_cut() -> None:
    mixed: Any = trainer(corpus(1, 7), shards=3).local.mixed
    assert mixed.examples == [[0, 1], [2, 3], [4, 5, 6]]
    unmarked: Any = trainer(corpus(1, 2, marked=False), shards=2).local.mixed
    assert unmarked.examples == [[0, 1, 2], [3, 4, 5]]


def test_the_loop_in_python_learns_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where labels are missing."""
    data = corpus(1, 9)
    data[-1] = Sentence({**data[-1].columns, "ner": ["_"] * len(data[-1])})
    given: dict[str, Any] = {"shards": 3, "labels.missing": "_"}
    native = file_of(data, **given)
    monkeypatch.setattr(NonLocalTrainer, "_is_native", False)
    assert file_of(data, **given) == native


def test_a_resumed_run_ends_in_the_same_weights() -> None:
    given = {"shards": 3, "shuffle": True}
    whole, first, second = (trainer(corpus(1, 9), **given) for _ in range(3))
    for epoch in (1, 2, 3):
        whole.learn_epoch(epoch)
    first.learn_epoch(1)
    second.restore(first.state())
    for epoch in (2, 3):
        second.learn_epoch(epoch)
    assert [a.tobytes() for a in second.state().values()] == [a.tobytes() for a in whole.state().values()]
