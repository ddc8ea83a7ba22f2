"""Features of whole spans in models: found as in the reference, learned, stored, explained, and refused where wrong."""

from __future__ import annotations

import functools
import random
from dataclasses import replace

import numpy as np
import pytest

from perceptag import Sentence, Tagger, _core
from perceptag.errors import ModelError
from perceptag.features.span_template import parse_spans
from perceptag.labels.schemes import convert, spans
from perceptag.models import model_file
from perceptag.models import trainer as loops
from perceptag.models.document import trainer as document_trainer
from perceptag.models.kinds import make_ready
from perceptag.models.linear import trainer as linear_trainer
from perceptag.models.linear.span_names import SpanNames
from perceptag.rules.spans import RuleSpan
from perceptag.training.train import Training
from reference import dropout
from reference.span_features import span_features
from toys import make_recipe

TEMPLATES = ("form[0]", "shortshape[0]", "form[-1]", "bias * y-1 y0")
SPAN_TEMPLATES = (
    *("length", "shortshape[all]", "lower[first-1]", "lower[last+1]", "lower[first-1] lower[last+1]"),
    *("lower[first-2] shortshape[all] lower[last+2]", "lower[last] length", "lower[any]", "suffix2[any]"),
)
NEAR = (-4, -3, -2, -1, 1, 2, 3, 4)
MANY_TEMPLATES = (  # more than the look-up has bits for, and one whose values need two keys
    "lower[all] shortshape[all] suffix2[all]",
    *(f"lower[first{a:+d}] lower[last{b:+d}]" for a in NEAR for b in NEAR),
    "lower[first] lower[last]",
)
NAMES = (["Ann"], ["Bank", "of", "Kent"], ["Ann", "van", "Smith"], ["New", "York"], ["University", "of", "New", "York"])


def corpus(seed: int, documents: int = 8) -> list[Sentence]:
    """Return documents with names of one to four words, whose types follow from words and from what is around."""
    rng = random.Random(seed)
    made = []
    for _ in range(documents):
        for s in range(3):
            words: list[str] = []
            tags: list[str] = []
            for _ in range(rng.randint(1, 3)):
                name = list(rng.choice(NAMES))
                before = rng.choice(["saw", "in", "and", "of"])
                kind = "ORG" if name[0] in ("Bank", "University") else "LOC" if before == "in" else "PER"
                words += [before, *name]
                tags += ["O", f"B-{kind}", *[f"I-{kind}"] * (len(name) - 1)]
                if rng.random() < 0.1:
                    tags[-1] = "O"
            words.append(".")
            tags.append("O")
            made.append(Sentence({"form": words, "ner": tags}, starts_document=s == 0))
    return made


def recipe(learner: str = "margin", **settings: object):
    given: dict[str, object] = {
        "learner": learner,
        "templates": TEMPLATES,
        "spans.longest": 3,
        "spans.templates": SPAN_TEMPLATES,
        "labels.scheme": "IOBES",
        "constrain": True,
        "support": "all",
        "epochs": 3,
        **({} if learner == "perceptron" else {"margin": 5}),
        **({"nbest": 5, "nonlocal_features": ["phrase", "majority", "conjunction"]} if learner == "ascent" else {}),
    }
    return make_recipe(**(given | settings))


LEARNERS = ("perceptron", "margin", "ascent")


@functools.cache
def trained(learner: str, **settings: object) -> Tagger:
    return Tagger(recipe(learner, **settings)).fit(corpus(1))


@pytest.mark.parametrize("texts", [SPAN_TEMPLATES, MANY_TEMPLATES])
def test_features_are_those_of_the_reference(texts):
    training = Training(recipe(**{"spans.templates": texts}), corpus(1))
    encoder, sequences = training.trainer.encoder, training.trainer.sequences
    names = SpanNames(encoder).names
    templates = parse_spans(texts)
    every = [
        {
            (a, b): span_features(templates, s.columns, a, b)
            for a in range(len(s))
            for b in range(a + 1, min(len(s), a + 3) + 1)
        }
        for s in corpus(1)
    ]
    gold = [{(y.start, y.end) for y in spans(s.columns["ner"], "IOB2")} for s in corpus(1)]
    known = {f for own, marked in zip(every, gold, strict=True) for place in marked & own.keys() for f in own[place]}
    assert sorted(names) == sorted(known)
    for x, own in zip(sequences, every, strict=True):
        for (a, b), expected in own.items():
            found = [names[row] for row in x.span_rows(a, b - a).tolist()]
            assert found == [f for f in expected if f in known]
    assert max(len(s) for s in corpus(1)) > 3
    with pytest.raises(IndexError):
        sequences[0].span_rows(0, 4)


def test_scores_moves_and_averages_count_whole_spans():
    training = Training(recipe("perceptron"), corpus(1))
    weights, x = training.trainer.weights, training.trainer.sequences[1]
    other = _core.viterbi(weights, x)
    weights.move(x, toward=x.labels, away=other, scale=2.0)
    weights.tick()
    block = weights.get(_core.SPAN_BLOCK)[0]
    expected = np.zeros_like(block)
    for labels, sign in ((x.labels, 2), (other, -2)):
        for _, _, kind, row, _ in weights.fired_spans(x, labels):
            expected[row * 3 + kind] += sign
    assert block.tolist() == expected.tolist()
    assert any(expected)
    lattice_score = _core.rescore(weights, x, [x.labels, other], None)
    assert lattice_score.tolist() == [weights.score(x, x.labels), weights.score(x, other)]
    weights.tick()
    assert weights.averaged(64).get(_core.SPAN_BLOCK)[0].tolist() == block.tolist()


@pytest.mark.parametrize("learner", LEARNERS)
def test_loops_in_python_threads_and_files_give_the_same_model(learner, monkeypatch):
    def bytes_of(native: bool, threads: int = 1) -> bytes:
        for place in (linear_trainer, document_trainer):
            monkeypatch.setattr(place, "run_loop", lambda *a, **k: loops.run_loop(*a, **{**k, "native": native}))
        training = Training(recipe(learner), corpus(1), corpus(2), threads=threads)
        list(training.run())
        return model_file.to_bytes(training.model())[0]

    first = bytes_of(True)
    assert first == bytes_of(False) == bytes_of(True, threads=3)


def names_by_length(seed: int) -> list[Sentence]:
    """Names of four words are organisations, those of three and five are people: pairs of labels cannot tell them."""
    rng = random.Random(seed)
    made = []
    for _ in range(40):
        lengths = [rng.choice([3, 4, 5]) for _ in range(3)]
        tags = [
            tag
            for n in lengths
            for kind in ["ORG" if n == 4 else "PER"]
            for tag in ["O", f"B-{kind}", *[f"I-{kind}"] * (n - 1)]
        ]
        made.append(Sentence({"form": ["the" if tag == "O" else "Xa" for tag in tags], "ner": tags}))
    return made


@pytest.mark.parametrize("learner", LEARNERS)
def test_what_only_whole_spans_tell_is_learned(learner):
    words, gold = zip(*((s.tokens, s.columns["ner"]) for s in names_by_length(2)), strict=True)
    settings = {"templates": ["form[0]", "bias * y-1 y0"], "spans.templates": ["length"], "epochs": 10}
    scores = {
        longest: Tagger(recipe(learner, **settings, **{"spans.longest": longest}))
        .fit(names_by_length(1))
        .score(words, gold)
        for longest in (0, 5)
    }
    assert scores[0] < 0.9
    assert scores[5] == 1


def rows_by_token_and_span(x):
    tokens = [x.rows(0, t).tolist() for t in range(len(x))]
    lengths = range(1, 4)
    spans_of = [x.span_rows(t, n).tolist() if t + n <= len(x) else [] for t in range(len(x)) for n in lengths]
    return tokens, spans_of


@pytest.mark.parametrize("learner", LEARNERS)
def test_dropout_leaves_out_what_the_reference_leaves_out(learner):
    trainer = Training(recipe(learner, dropout=0.3), corpus(1)).trainer
    whole = getattr(trainer, "local", trainer).corpus
    thin = whole.thinned(0.3, 7)
    for i in range(len(whole)):
        (tokens, of_spans), found = rows_by_token_and_span(whole[i]), rows_by_token_and_span(thin[i])
        assert [*found[0], *found[1]] == dropout.thinned([*tokens, *of_spans], 0.3, 7, i)
        assert sum(map(len, of_spans)) > sum(map(len, found[1])) > 0


@pytest.mark.parametrize("learner", ["margin", "ascent"])
def test_explanations_add_up_and_name_spans(learner):
    tagger = trained(learner)
    [explained] = tagger.ready_model.explain([Sentence({"form": ["in", "New", "York", "."]})])
    names = [c.feature for d in explained.details for c in d.contributions]
    assert any(name.startswith("span ") and "2 words: shortshape[all]=" in name for name in names)
    for detail in explained.details:
        assert detail.score == pytest.approx(sum(c.weight for c in detail.contributions), abs=1e-4)
    top = tagger.ready_model.top_weights(3).by_label
    assert [name for name in top if name.startswith("span ")] == ["span LOC", "span ORG", "span PER"]


def test_margins_are_those_of_the_search():
    """The margin of a token is what the best labelling loses with another label there, of those inside the model."""
    tagger = trained("margin")
    words = Sentence({"form": ["saw", "Bank", "of", "Kent", "in", "New", "York", "."]})
    [found] = tagger.ready_model.margins([words])
    ranked = tagger.predict_nbest([words.tokens], 30)[0]
    (best, top), rest = ranked[0], ranked[1:]
    assert found.labels == best
    for t, margin in enumerate(found.tokens):
        others = [top - score for labels, score in rest if labels[t] != best[t]]
        assert not others or 0 <= margin <= min(others) + 1e-3
    assert min(found.tokens) == pytest.approx(top - rest[0][1], rel=1e-5)


def test_training_continues_from_a_model(tmp_path):
    path = tmp_path / "m.model"
    trained("margin").save(path)
    start = Tagger.load(path).ready_model.model
    training = Training(recipe(), corpus(7), start=start)
    weights = training.trainer.weights
    before = start.arrays["spans.weights"]
    assert weights.get(_core.SPAN_BLOCK)[0][: len(before)].tolist() == before.tolist()
    list(training.run())
    with pytest.raises(ModelError, match="spans: expected the templates and the length of the model"):
        Training(recipe(**{"spans.longest": 0}), corpus(7), start=start)
    with pytest.raises(ModelError, match="3 words, found others, 4 words"):
        Training(recipe(**{"spans.longest": 4}), corpus(7), start=start)


@pytest.mark.parametrize("scheme", ["BILOU", "BMES"])
def test_every_spelling_of_iobes_gives_the_same_spans(scheme, tmp_path):
    def spelt(other):
        return [Sentence({**s.columns, "ner": convert(s.columns["ner"], other)}) for s in corpus(1)]

    usual, other = (Tagger(recipe()).fit(spelt(name)) for name in ("IOBES", scheme))
    assert other.model_.label_set.inner == scheme
    other.save(tmp_path / "m")
    tagged = Tagger.load(tmp_path / "m").predict(corpus(2))
    assert tagged == other.predict(corpus(2))
    assert [spans(y, scheme) for y in tagged] == [spans(y, "IOBES") for y in usual.predict(corpus(2))]


def test_a_column_that_spans_alone_look_at_is_not_reported_as_unused():
    data = [Sentence({"form": s.tokens, "pos": s.tokens, "more": s.tokens, **s.columns}) for s in corpus(1)]
    for templates in ([], ["pos[first] length"]):
        notes = Training(recipe(**{"spans.templates": templates}), data).task.notes
        assert notes == ["note: no template looks at column 'more'"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda a, f: a.update({"spans.weights": a["spans.weights"][:-1]}), "spans.weights: expected"),
        (lambda a, f: a.update({"spans.rows.0": a["spans.rows.0"] + 10**6}), "not numbered one after the other"),
        (lambda a, f: a.update({"spans.values.1": a["spans.values.1"] + 10**6}), "out of range"),
        (lambda a, f: a.update({"spans.tree.0": a["spans.tree.0"][::-1].copy()}), "expected each once|out of range"),
        (lambda a, f: a.pop("spans.tree.0"), "spans.tree.0"),
        (lambda a, f: f.update(spans={"longest": 65, "templates": ["length"]}), "expected a number from 1 to 64"),
        (lambda a, f: f.update(spans={"longest": True, "templates": ["length"]}), "expected a number and a list"),
        (lambda a, f: f.update(spans={"longest": 3, "templates": ["x["]}), "expected"),
        (lambda a, f: f.update(spans=[]), "expected a number and a list"),
    ],
)
def test_damaged_models_are_refused(change, message):
    model = trained("margin").ready_model.model
    arrays, facts = dict(model.arrays), dict(model.facts)
    change(arrays, facts)
    data, _ = model_file.to_bytes(replace(model, arrays=arrays, facts=facts))
    with pytest.raises(ModelError, match=message):
        make_ready(model_file.load_bytes(data))


def holes(seed: int) -> list[Sentence]:
    """The corpus without some labels of its later documents."""
    rng = random.Random(seed)
    return [
        replace(s, columns={**s.columns, "ner": ["_" if i > 5 and rng.random() < 0.3 else y for y in s.columns["ner"]]})
        for i, s in enumerate(corpus(seed))
    ]


def test_missing_labels_are_learned_as_the_loop_in_python_learns_them(monkeypatch):
    found = []
    for native in (True, False):
        monkeypatch.setattr(
            document_trainer, "run_loop", lambda *a, native_=native, **k: loops.run_loop(*a, **{**k, "native": native_})
        )
        training = Training(recipe("ascent", **{"labels.missing": "_"}), holes(2))
        list(training.run())
        found.append(model_file.to_bytes(training.model())[0])
    assert found[0] == found[1]


@pytest.mark.parametrize("learner", ["perceptron", "margin"])
def test_rules_and_given_labels_join_the_search(learner):
    """The best of the labellings that they leave: the first of the n best that has, or has not, the span."""
    tagger = trained(learner)
    words = ["saw", "Bank", "of", "Kent", "in", "New", "York", "."]
    ranked = [(labels, set(spans(labels, "IOB2"))) for labels, _ in tagger.predict_nbest([words], 50)[0]]
    best = ranked[0][1]
    assert best
    for span in sorted({span for _, found in ranked for span in found}):
        force = RuleSpan(span.start, span.end, span.label, "force", 0.0, "r")
        forbid = RuleSpan(span.start, span.end, span.label, "forbid", 0.0, "r")
        assert tagger.predict([words], rules=[[force]]) == [next(y for y, found in ranked if span in found)]
        assert tagger.predict([words], rules=[[forbid]]) == [next(y for y, found in ranked if span not in found)]
        own = [None] * len(words)
        own[span.start] = f"B-{span.label}"
        expected = next(y for y, found in ranked if y[span.start] == own[span.start])
        assert tagger.predict([words], given=[own]) == [expected]


@pytest.mark.parametrize("learner", LEARNERS)
def test_sentences_of_any_length_and_longer_names_than_the_longest_are_tagged(learner):
    tagger = trained(learner)
    words = [[], ["Ann"], ["University", "of", "New", "York"], ["in", "New", "York"] * 200]
    found = tagger.predict(words)
    assert [len(y) for y in found] == [0, 1, 4, 600]
    assert found[2] == ["B-ORG", "I-ORG", "I-ORG", "I-ORG"]
