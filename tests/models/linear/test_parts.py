"""Labels with parts: the core does exactly what the reference does; candidates, composed labels, files, refusals."""

from __future__ import annotations

import tracemalloc
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perceptag import Sentence, Tagger, _core
from perceptag.errors import ModelError, SettingError
from perceptag.labels.label_parts import MOST_IN_PAIRS, parts_of, split_parts
from perceptag.models.linear.tagger import LinearTagger
from perceptag.training.train import Training
from reference import parts as reference
from reference.perceptron import START, average, supported
from toys import TEMPLATE_SETS, as_examples, make_recipe, named_weights, random_corpus, train

LABELS = ["_", "A", "A|B", "A|C", "B|C", "A|B|C", "D||D"]


def corpus(seed, size=8, labels=LABELS, longest=4):
    return random_corpus(seed, size, labels=labels, longest=longest)


def names_of(labels):
    """What the numbers of labels and parts stand for, as the reference writes it."""
    return [*labels, *((reference.PART, name) for name in parts_of(labels, "|").names)]


def native_weights(weights, encoder, labels):
    """Every weight and its sum, by the names of the reference. In transitions, number L is the start."""
    found = named_weights(weights, encoder, names_of(labels))

    def named(feature, ys):
        if feature.order == 0:
            return ys[0] if isinstance(ys[0], tuple) else ys
        return tuple(START if isinstance(y, tuple) else y for y in ys)

    return {(feature, named(feature, ys)): pair for (feature, ys), pair in found.items()}


def reference_run(sentences, recipe, labels):
    examples = as_examples(sentences, recipe.templates)
    gold = [(example, [labels] * len(example[1])) for example in examples]
    allows = supported_parts(examples, recipe) if recipe.support == "gold" else lambda _: True
    return list(reference.visited_weights([gold] * recipe.epochs, "|", allows))


def supported_parts(examples, recipe):
    """Which features have a parameter with support "gold": those seen with the label or with the part."""
    whole = supported(examples, recipe.cutoff, "gold")
    seen = {key for x, y in examples for key in reference.features(x, y, "|")}
    return lambda found: found in seen if found[1][0] == reference.PART else whole(found)


@pytest.mark.parametrize("templates", ["order 0", "order 1", "order 2"])
@pytest.mark.parametrize("support", ["gold", "all"])
def test_training_equals_the_reference(templates, support):
    for seed in range(3):
        recipe = make_recipe(
            templates=TEMPLATE_SETS[templates], support=support, epochs=2, shuffle=False, **{"labels.parts": "|"}
        )
        sentences = corpus(seed, longest=3)
        trainer = train(recipe, sentences).trainer
        labels = sorted({y for s in sentences for y in s.columns["label"]})
        vectors = reference_run(sentences, recipe, labels)
        found = native_weights(trainer.weights, trainer.encoder, labels)
        assert {key: w for key, (w, _) in found.items() if w} == vectors[-1]
        ticks = Fraction(trainer.weights.ticks)
        lazy = {key: Fraction(w) - Fraction(total) / ticks for key, (w, total) in found.items()}
        assert {key: w for key, w in lazy.items() if w} == average(vectors)
        assert any(key[1][0] == reference.PART for key in vectors[-1])  # otherwise nothing was compared


def toy(sep="|"):
    """Words whose endings say the number and whose beginnings say the case."""
    words = [f"{c}{stem}{n}" for c, stem, n in product("ad", ("bo", "ka", "mi", "tu"), ("i", "s"))]
    case, number = {"a": "Case=Acc", "d": "Case=Dat"}, {"i": "Number=Plur", "s": "Number=Sing"}
    return [(w, sep.join((case[w[0]], number[w[-1]]))) for w in words]


def as_sentences(pairs):
    return [Sentence({"form": [w, "."], "label": [y, "_"]}) for w, y in pairs]


def fitted(pairs, **settings):
    sentences = as_sentences(pairs)
    words = [s.columns["form"] for s in sentences]
    tagger = Tagger("pos", **{"epochs": 8, "inner_folds": 0, "labels_parts": "|", **settings})
    return tagger.fit(words, [s.columns["label"] for s in sentences])


@given(st.lists(st.sampled_from(["_", "A", "A|B", "B|A", "||", "A|A|B", "C|"]), min_size=1, max_size=5, unique=True))
def test_parts_of_labels_equal_the_reference(labels):
    found = parts_of(labels, "|")
    for y, label in enumerate(labels):
        names = [found.names[p - len(labels)] for p in found.of(y)[1:]]
        assert names == sorted(reference.parts(label, "|"))
        assert split_parts(label, "|") == reference.parts(label, "|")


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1000), st.booleans())
def test_scores_and_labels_equal_the_reference(seed, lined):
    """Of trained weights, on other sentences; with many labels rows are lined."""
    labels = LABELS if not lined else [*LABELS, *(f"E|F{i}" for i in range(80))]
    recipe = make_recipe(templates=TEMPLATE_SETS["order 1"], support="all", epochs=2, **{"labels.parts": "|"})
    sentences = corpus(seed, 12, labels) + [Sentence({"form": ["x"], "pos": ["X"], "label": [y]}) for y in labels]
    trainer = train(recipe, sentences).trainer
    names = trainer.task.label_set.names
    assert trainer.weights.is_lined(0) == lined
    alpha = {key: w for key, (w, _) in native_weights(trainer.weights, trainer.encoder, names).items() if w}
    rng = np.random.default_rng(seed)
    examples = as_examples(sentences, recipe.templates)
    for sequence, (x, _) in list(zip(trainer.sequences, examples, strict=True))[:4]:
        ids = rng.integers(0, len(names), len(x)).astype(np.int32)
        expected = reference.score(alpha, x, [names[y] for y in ids], "|")
        assert trainer.weights.score(sequence, _core.Labels(ids)) == expected
        best = _core.viterbi(trainer.weights, sequence, None)
        assert trainer.weights.score(sequence, best) >= expected
        if len(x) <= 2:
            found = reference.best_labelling(alpha, x, [names] * len(x), "|")
            assert tuple(names[best[t]] for t in range(len(x))) == found


def test_scores_of_tokens_are_those_of_their_parts():
    tagger = fitted(toy())
    ready = tagger.ready_model
    explained = tagger.explain(["aboi", "."])
    first = explained.details[0]
    assert first.label == "Case=Acc|Number=Plur"
    assert {c.feature.partition(":")[0] for c in first.contributions} >= {"whole", "Case=Acc", "Number=Plur"}
    assert sum(c.weight for c in first.contributions) == pytest.approx(first.score)
    assert first.margin == pytest.approx(first.score - sum(c.rival_weight for c in first.contributions), abs=50)
    assert ready.nbest([Sentence({"form": ["aboi"]})], 2)[0][0][0] == ["Case=Acc|Number=Plur"]


def test_a_rival_does_not_compete_with_the_parts_that_it_shares():
    tagger = fitted(toy())
    [[parts, end]] = tagger.predict_parts([["aboi", "."]])
    assert [p.part for p in parts] == ["Case=Acc", "Number=Plur"]
    assert end == []  # "_" has no parts
    margins = tagger.ready_model.margins([Sentence({"form": ["aboi", "."]})])[0]
    assert min(p.margin for p in parts) == pytest.approx(margins.tokens[0])
    assert max(p.margin for p in parts) > margins.tokens[0]
    assert all(p.confidence is None for p in parts)
    tagger.calibrate([["aboi", "."]] * 5, [["Case=Acc|Number=Plur", "_"]] * 5)
    assert all(0 <= p.confidence <= 1 for p in tagger.predict_parts([["aboi"]])[0][0])


@pytest.mark.parametrize("more", [{}, {"labels_pairs": True}, {"weights": "voted"}])
def test_a_saved_model_is_the_same(tmp_path, more):
    if "weights" in more:
        more = {"learner": "perceptron", **more}
    tagger = fitted(toy(), **more)
    tagger.save(tmp_path / "m")
    again = Tagger.load(tmp_path / "m")
    words = [[w, "."] for w, _ in toy()] + [["dzzs"]]
    assert again.predict(words) == tagger.predict(words)
    assert again.predict_parts(words) == tagger.predict_parts(words)
    again.save(tmp_path / "n")
    assert (tmp_path / "m").read_bytes() == (tmp_path / "n").read_bytes()


def test_pairs_have_weights():
    found = parts_of(["A|B|C"], "|", pairs=True)
    assert found.names == ("A", "A|B", "A|C", "B", "B|C", "C")
    most = "|".join(map(str, range(MOST_IN_PAIRS)))
    assert len(parts_of([most], "|", pairs=True).names) == MOST_IN_PAIRS * (MOST_IN_PAIRS + 1) // 2
    many = "|".join(map(str, range(1000)))
    assert len(parts_of([many], "|", pairs=True).names) == 1000  # not half a million pairs


@pytest.mark.parametrize("label", [2, 2**32 - 1])
def test_labels_out_of_range_have_no_parts(label):
    support = _core.Support(*(np.array(numbers, np.uint32) for numbers in ([0, 1], [label], [1])))
    with pytest.raises(ValueError, match="a label is out of range"):
        support.composed(3, np.array([0, 1, 2], np.uint32), np.array([2, 2], np.uint32))


def test_more_parts_than_can_be_numbered_are_refused():
    label = "|".join(map(str, range(70_000)))
    with pytest.raises(SettingError, match="a model has at most 65535 labels"):
        Tagger("pos", inner_folds=0, labels_parts="|").fit([["a"]], [[label]])


@pytest.mark.parametrize(("parts", "labels"), [(32, 2000), (600_000, 1)])
def test_labels_whose_parts_would_fill_the_memory_are_refused_before_they_are_split(parts, labels):
    names = ["|".join(f"{i + y}" for i in range(parts)) for y in range(labels)]
    tracemalloc.start()
    try:
        with pytest.raises(SettingError, match=r"labels\.parts: expected at most 524288 parts of all labels"):
            parts_of(names, "|", pairs=True)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("separator", ["|", ""])
@pytest.mark.parametrize("support", ["gold", "all"])
def test_training_continues_with_the_same_weights(separator, support):
    """From a model with parts, or with weights for whole labels only; new data add labels and parts."""
    recipe = make_recipe(templates=TEMPLATE_SETS["order 1"], support=support, epochs=2, weights="last")
    first = Tagger(recipe.replace({"labels.parts": separator})).fit(corpus(1, 12, ["A|B", "B|C", "D"])).model_
    linear = LinearTagger(first)
    found = linear.vectors[0], linear.encoder.base, first.label_set.names
    before = native_weights(*found) if separator else named_weights(*found)
    more = Training(first.recipe.replace({"labels.parts": "|"}), corpus(2, 12, ["A|B", "A|E", "_"]), start=first)
    now = native_weights(more.trainer.weights, more.trainer.encoder, more.trainer.task.label_set.names)
    assert {key: w for key, (w, _) in now.items()} == {key: w for key, (w, _) in before.items()}
    assert before


def test_training_does_not_lose_parts():
    first = fitted(toy()[:10]).model_
    sentences = as_sentences(toy())
    recipe = first.recipe.replace({"labels.column": "label"})
    with pytest.raises(ModelError, match=r"labels\.parts: expected those of the model to continue from, found none"):
        Training(recipe.replace({"labels.parts": ""}), sentences, start=first)
    with pytest.raises(ModelError, match=r"labels\.parts: expected the parts of the model .* no 'Case=Acc'"):
        Training(recipe.replace({"labels.parts": "="}), sentences, start=first)


@pytest.mark.parametrize(
    ("recipe", "learner"),
    [("crf", "crf"), ("shen-pos-a", "guided"), ("carreras-ner", "chunker"), ("maxent", "maxent"), ("ner", "ascent")],
)
def test_other_learners_refuse_parts(recipe, learner):
    with pytest.raises(SettingError, match=f"labels.parts: learner '{learner}' has weights for whole labels only"):
        Tagger(recipe, labels_parts="|").fit([["a"]], [["A|B"]])


def test_the_learners_that_can(tmp_path):
    for learner in ("perceptron", "pa", "mira", "arow"):
        tagger = fitted(toy(), learner=learner, weights="averaged" if learner != "arow" else "last")
        assert tagger.score([[w] for w, _ in toy()], [[y] for _, y in toy()]) > 0.9


@pytest.mark.parametrize("size", [7, 90])  # with more than 64 numbers, rows are lined
def test_checkpoints_restore_weights_and_snapshots(size):
    labels = [f"A|F{i}" for i in range(size)]
    sentences = corpus(4, 3 * size, labels) + [Sentence({"form": ["x"], "pos": ["X"], "label": [y]}) for y in labels]
    recipe = make_recipe(templates=TEMPLATE_SETS["order 1"], support="all", epochs=1, **{"labels.parts": "|"})
    trained, fresh = train(recipe, sentences).trainer, Training(recipe, sentences).trainer
    names = trained.task.label_set.names
    fresh.restore(trained.state())
    expected = native_weights(trained.weights, trained.encoder, names)
    assert native_weights(fresh.weights, fresh.encoder, names) == expected
    snapshot = trained.snapshot("averaged")
    [again] = fresh.restore_snapshot(trained.snapshot_arrays(snapshot))
    expected = native_weights(snapshot[0], trained.encoder, names)
    assert {k: w for k, (w, _) in native_weights(again, fresh.encoder, names).items() if w} == {
        k: w for k, (w, _) in expected.items() if w
    }


@pytest.mark.parametrize("learner", ["perceptron", "margin"])
def test_native_passes_equal_python(learner):
    recipe = make_recipe(
        templates=TEMPLATE_SETS["order 1"], support="all", learner=learner, epochs=2, **{"labels.parts": "|"}
    )
    native, plain = (Training(recipe, corpus(5, 20)).trainer for _ in range(2))
    for epoch in (1, 2):
        native.learn_epoch(epoch)
        run = recipe.declaration.epoch
        this = plain._pass(range(len(plain.sequences)), epoch, plain.step)
        run(this, **recipe.declaration.arguments(run, recipe.own, plain.step))
    found = [native_weights(t.weights, t.encoder, t.task.label_set.names) for t in (native, plain)]
    assert found[0] == found[1]
    assert found[0]
