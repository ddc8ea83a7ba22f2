"""The promises of every kind of model, whatever learned it. Recipes of the package join by themselves.

`make test` tries some of every kind and of every way to search, `make test-all PARTS=every` all recipes and variants.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from learner_settings import EVERY, LEARNERS, SOME, without_labels
from perceptag import DataError, Sentence, Tagger
from perceptag.errors import NotOfferedError
from perceptag.labels import schemes
from perceptag.models.kinds import KINDS
from perceptag.models.protocol import ABILITIES
from perceptag.rules.spans import RuleSpan
from perceptag.text.documents import split_documents
from toys import make_recipe, random_corpus
from trained import TRAIN, chunked, trained


def tried(names: dict[str, Any]) -> Any:
    """Parametrise over settings by name, most of them only in `make test-all PARTS=every`."""
    return pytest.mark.parametrize(
        "name", [name if name in SOME else pytest.param(name, marks=pytest.mark.every) for name in names]
    )


every, labellers = tried(EVERY), tried(LEARNERS)
ODD = [
    Sentence({"form": [], "pos": []}),
    Sentence({"form": ["Smith"], "pos": ["NNP"]}),
    Sentence({"form": ["Qxz😀", "", "\u2028"], "pos": ["???", "", "NN"]}),
    Sentence({"form": [], "pos": []}),
]


@pytest.fixture
def chunks() -> list[Sentence]:
    return list(chunked())


def marked(chunks: list[Sentence]) -> list[Sentence]:
    """Without labels, but with the marks of documents."""
    return [replace(s, starts_document=c.starts_document) for s, c in zip(without_labels(chunks), chunks, strict=True)]


def offers(name: str, ability: str) -> bool:
    return ability in trained(name).ready_model.offers


def test_there_is_a_model_of_every_kind() -> None:
    kinds = {trained(name).model_.facts["kind"] for name in SOME}
    assert kinds | {"tokenizer", "lemmatizer", "rules"} == set(KINDS)  # these are tried below, in files


# ----------------------------------------------------------------------------------------------- one result


@every
def test_the_same_seed_and_any_number_of_threads_give_the_same_file(name, chunks, tmp_path):
    """And what is given to train, to tag and to score on stays as it was."""
    train, dev = chunks[:TRAIN], chunks[TRAIN:]
    before = copy.deepcopy((train, dev))
    digests = {trained(name, dev=True).save(tmp_path / "first")}
    for threads in (1, 2):
        tagger = Tagger(**EVERY[name], threads=threads).fit(train, dev=dev)
        digests.add(tagger.save(tmp_path / str(threads)))
        tagger.predict(dev)
        tagger.score(without_labels(dev), [s.columns["label"] for s in dev])
    assert len(digests) == 1
    assert (train, dev) == before


@every
def test_documents_are_tagged_alike_at_any_number_of_threads(name, chunks):
    """And one by one as all at once; a pickled tagger too."""
    tagger = trained(name)
    inputs = [*without_labels(chunks[:3]), *marked(chunks)]  # the first of them belong to no document
    expected = [labels for document in split_documents(inputs) for labels in tagger.predict(document)]
    for threads in (1, 2, 7):
        assert tagger.set_params(threads=threads).predict(inputs) == expected
    assert pickle.loads(pickle.dumps(tagger)).predict(inputs) == expected


@every
def test_odd_sentences(name, chunks):
    tagger = trained(name)
    known = without_labels(chunks[:1])
    together = tagger.predict([*ODD, *known])
    assert [len(labels) for labels in together] == [len(s) for s in [*ODD, *known]]
    assert together == [tagger.predict([s])[0] for s in [*ODD, *known]]
    assert {type_of(y) for labels in together for y in labels} <= {type_of(y) for y in tagger.labels_} | {"O"}
    assert tagger.predict([]) == []


def type_of(label: str) -> str:
    """What a label says whatever the scheme: the model may use another scheme than the data."""
    return label.rpartition("-")[2]


@every
def test_values_that_training_never_saw_are_all_alike(name, chunks):
    """Two words of the same shape, in letters that no word of the training data has."""
    sentences = [replace(s, columns=dict(s.columns)) for s in without_labels(chunks[40:50])]
    first, second = ([*sentences, *unknown(word)] for word in ("жщжщжщ", "щжщжщж"))
    assert trained(name).predict(first) == trained(name).predict(second)


def unknown(word: str) -> list[Sentence]:
    return [Sentence({"form": ["The", word, word, "."], "pos": ["DT", word, "NN", "."]})]


@every
def test_one_label_only(name, tmp_path):
    data = [Sentence({"form": ["a", "b"], "pos": ["A", "B"], "label": ["O", "O"]})] * 3
    Tagger(**EVERY[name]).fit(data, dev=data).save(tmp_path / "m")
    loaded = Tagger.load(tmp_path / "m")
    assert loaded.predict(without_labels(data)) == [["O", "O"]] * 3
    assert [len(confidences) for confidences in loaded.predict_confidence(without_labels(data))] == [2] * 3
    if "explain" in loaded.ready_model.offers:
        assert all(token["rival"] is None for token in loaded.explain(data[0]).to_dict().get("details", ()))


@labellers
def test_one_sentence_of_one_token(name):
    data = [Sentence({"form": ["Rome"], "pos": ["NNP"], "label": ["B-LOC"]})]
    assert Tagger(**LEARNERS[name]).fit(data).predict(without_labels(data)) == [["B-LOC"]]


@every
def test_empty_sentences_in_the_training_data_change_nothing(name, chunks, tmp_path):
    empty = Sentence({"form": [], "pos": [], "label": []})
    with_empty = [empty, *chunks[:10], empty, *chunks[10:TRAIN]]
    tagger = Tagger(**EVERY[name]).fit(with_empty)
    assert tagger.save(tmp_path / "a") == trained(name).save(tmp_path / "b")


@every
def test_words_of_the_training_data_are_known(name, chunks):
    known = trained(name).ready_model.known_words()
    if known is not None:  # a model may look at no words, but at their lemmas
        assert all(token in known for token in chunks[0].tokens)
        assert "Zyxomma" not in known


@every
def test_a_label_that_training_never_saw_counts_as_a_mistake(name, chunks):
    x = without_labels(chunks[:1])
    assert trained(name).evaluate(x, [["B-NEVER"] * len(x[0])]).accuracy == 0


# ------------------------------------------------------------------------------ the best of all labellings


def scored(tagger: Tagger, sentence: Sentence, labels: list[str]) -> float | None:
    """The score of a labelling as the explanation adds it up; None if labels that break the scheme cannot be given."""
    try:
        [explained] = tagger.ready_model.explain_given([sentence], [labels])
    except DataError:
        return None
    assert [*explained.labels] == labels
    return explained.score


def is_linear(settings: dict[str, Any]) -> bool:
    """Return whether a model has one vector of local weights, whose search is over all labellings."""
    recipe = Tagger(**settings).resolved_recipe()
    return recipe.declaration.kind == "linear" and recipe.weights != "voted"


@tried({name: settings for name, settings in LEARNERS.items() if is_linear(settings)})
def test_lists_are_of_all_labellings_with_their_scores(name, chunks):
    """What is tagged is the first of a list of all labellings; its scores are those that the features add up to.

    The searches of other kinds are compared with the reference in their own folders.
    """
    tagger, recipe = trained(name), trained(name).model_.recipe
    [sentence] = without_labels(chunks[50:51])
    sentence = Sentence({column: values[:3] for column, values in sentence.columns.items()})
    [ranked] = tagger.predict_nbest([sentence], 3000)
    best, top = ranked[0]
    assert tagger.predict([sentence]) == [best]
    scores = {tuple(labels): score for labels, score in ranked}
    assert len(scores) == len(ranked)
    some = {tuple(best), *product({*best, *tagger.labels_[-3:]}, repeat=3)}
    given = {labels: score for labels in some if (score := scored(tagger, sentence, [*labels])) is not None}
    assert len(given) > 5
    for labels, score in given.items():
        assert score <= top + 1e-3 or recipe.tag_dictionary
        assert scores.get(labels, score) == pytest.approx(score, abs=1e-3)
    assert recipe.tag_dictionary or recipe.constrain or {*given} <= {*scores}


@every
def test_the_first_of_the_n_best_is_what_predict_says(name, chunks):
    """In documents, and for sentences that stand alone."""
    tagger = trained(name).set_params(threads=2)
    inputs = [*without_labels(chunks[:3]), *marked(chunks)]
    n = min(3, tagger.ready_model.most_candidates or 3)  # guided ranks as many as its beam is wide
    if not offers(name, "nbest"):
        with pytest.raises(NotOfferedError):
            tagger.predict_nbest(inputs, n)
        return
    lists = tagger.predict_nbest(inputs, n)
    flat = [y for labels in tagger.predict(inputs) for y in labels]
    assert [y for best in lists for y in best[0][0]] == flat
    for best in lists:
        assert len({tuple(labels) for labels, _ in best}) == len(best) <= 3
        assert [score for _, score in best[1:]] == sorted((score for _, score in best[1:]), reverse=True)
    fewer = min(2, n)
    assert tagger.set_params(threads=1).predict_nbest(inputs, fewer) == [best[:fewer] for best in lists]


@every
def test_explanations_are_of_what_predict_says_and_add_up(name, chunks):
    """In documents, and for sentences that stand alone."""
    tagger = trained(name)
    known, unseen = marked(chunks)[:11], marked(chunks)[56:]  # a document each
    inputs = [*without_labels(chunks[:2]), *known, *unseen]
    if not offers(name, "explain"):
        with pytest.raises(NotOfferedError):
            tagger.explain_document(inputs[:1])
        return
    for document in split_documents(inputs):
        explained = tagger.explain_document(document)
        assert [[*e.labels] for e in explained] == tagger.predict(document)
        assert [[*e.tokens] for e in explained] == [s.tokens for s in document]
        for e in explained:
            details = e.to_dict().get("details")  # chunkers explain phrases
            if details is not None:
                added = sum(c["weight"] for detail in details for c in detail["contributions"])
                assert e.score == pytest.approx(added, rel=1e-4, abs=1e-3)
                for named in ([c["feature"] for c in detail["contributions"]] for detail in details):
                    assert len({*named}) == len(named)
                assert e.score == pytest.approx(sum(detail["score"] for detail in details), rel=1e-4, abs=1e-3)
    alone = inputs[5]
    explained = tagger.explain(alone)
    assert [*explained.labels] == tagger.predict([replace(alone, starts_document=False)])[0]
    text = explained.render(token=1, top=1)
    assert f"score {explained.score:.2f}" in text
    assert all(token in text for token in alone.tokens)


@every
def test_given_labels_are_kept_or_refused(name, chunks):
    tagger, inputs = trained(name), marked(chunks)[40:]
    gold = [s.columns["label"] for s in chunks[40:]]
    if not offers(name, "given"):
        with pytest.raises(NotOfferedError):
            tagger.predict(inputs, given=gold)
        return
    predicted = tagger.predict(inputs)
    assert tagger.predict(inputs, given=[[None] * len(s) for s in inputs]) == predicted
    known = [all(y in tagger.labels_ for y in labels) for labels in gold]
    assert sum(known) > 10
    some = [[y if t % 3 == 0 and y[0] != "I" else None for t, y in enumerate(labels)] for labels in gold]
    for lists in (some, gold):
        given = [labels if k else [None] * len(labels) for k, labels in zip(known, lists, strict=True)]
        labels = tagger.predict(inputs, given=given)
        assert all(g in (None, y) for gs, ys in zip(given, labels, strict=True) for g, y in zip(gs, ys, strict=True))


@every
def test_confidence(name, chunks, tmp_path):
    """Every learner calibrated on dev data says how sure it is, of odd sentences too, and tags as without."""
    tagger = trained(name, dev=True)
    inputs = [*ODD, *without_labels(chunks[30:])]
    labels, tokens = tagger.predict(inputs), tagger.predict_confidence(inputs)
    margins = tagger.ready_model.margins(inputs)
    assert [m.labels for m in margins] == labels
    assert tagger.predict_confidence([]) == []
    assert [len(sentence) for sentence in tokens] == [len(sentence) for sentence in labels]
    assert all(0 < c < 1 for sentence in tokens for c in sentence)
    spans = tagger.predict_confident_spans(inputs)
    assert [[span for span, _ in sentence] for sentence in spans] == tagger.predict_spans(inputs)
    assert all(0 < c < 1 for sentence in spans for _, c in sentence)
    ranked = sorted(
        pair for m, sentence in zip(margins, tokens, strict=True) for pair in zip(m.tokens, sentence, strict=True)
    )
    assert [c for _, c in ranked] == sorted(c for _, c in ranked)  # the surer, the likelier
    tagger.save(tmp_path / "model")
    loaded = Tagger.load(tmp_path / "model", threads=2)
    assert (loaded.predict_confidence(inputs), loaded.predict_confident_spans(inputs)) == (tokens, spans)


@pytest.mark.parametrize("scheme", ["IOB1", "IOB2", "IOBES"])
@pytest.mark.parametrize("learner", ["collins-np", "collins-hmm", "observed edges", "voted"])
def test_constrained_labels_never_break_the_scheme(scheme, learner, chunks):
    """A weak model on word salad: it would break the scheme all the time if it could."""
    train = [replace(s, columns=s.columns | {"label": schemes.convert(s.columns["label"], scheme, "IOB2")}) for s in
             chunks[:15]]  # fmt: skip
    salad = [
        Sentence({"form": s.columns["form"], "pos": list(reversed(s.columns["pos"]))})
        for s in random_corpus(3, 1000, words=sorted({w for s in chunks for w in s.columns["form"]}), longest=40)
    ]
    settings = LEARNERS[learner] | {"epochs": 1, "labels_scheme": scheme}
    free, bound = (Tagger(**settings, constrain=constrain).fit(train).predict(salad) for constrain in (False, True))
    assert not any(schemes.violations(labels, scheme) for labels in bound)
    if scheme != "IOB1" and learner != "voted":  # in IOB1 nearly everything is allowed
        assert any(schemes.violations(labels, scheme) for labels in free), "the test must be able to fail"


def test_words_of_the_tag_dictionary_take_only_labels_seen_with_them():
    corpus = random_corpus(0, 40)
    counts: dict[str, list[str]] = {}
    for s in corpus:
        for word, label in zip(s.columns["form"], s.columns["label"], strict=True):
            counts.setdefault(word, []).append(label)
    closed = {word: set(labels) for word, labels in counts.items() if len(labels) >= 18}
    assert 0 < len(closed) < len(counts)
    tagger = Tagger(recipe="collins-pos", epochs=1, tag_dictionary=18).fit(corpus)
    assert set(tagger.model_.facts["closed"]["words"]) == set(closed)
    unseen = random_corpus(9, 200)
    for s, labels in zip(unseen, tagger.predict(without_labels(unseen)), strict=True):
        for word, label in zip(s.columns["form"], labels, strict=True):
            assert label in closed.get(word, {label})


def test_a_dictionary_that_leaves_no_labelling_is_ignored():
    """x is always inside a chunk, so with constraints no sentence may begin with it."""
    data = [Sentence({"form": ["a", "x"], "label": ["B-X", "I-X"]})] * 5
    settings = {"recipe": make_recipe(templates=("form[0]", "bias * y-1 y0")), "epochs": 2, "tag_dictionary": 1}
    tagger = Tagger(**settings, constrain=True).fit(data)
    assert tagger.predict([["a", "x"], ["a"], ["x"]]) == [["B-X", "I-X"], ["B-X"], ["B-X"]]
    assert tagger.predict([["x", "x"]])[0][0] == "B-X"


# -------------------------------------------------------------------------------------------- what is offered

SENTENCES = [Sentence({"form": ["Ada", "ran"], "pos": ["NNP", "VBD"]})]
OPEN = [[None, None]]
TRIALS: dict[str, Callable[[Tagger], object]] = {
    "given": lambda t: t.predict(SENTENCES, given=OPEN),
    "rules": lambda t: t.predict(SENTENCES, rules=[[RuleSpan(0, 1, "NP", "force", 0.0, "names")]]),
    "suggest": lambda t: t.predict(SENTENCES, rules=[[RuleSpan(0, 1, "NP", "suggest", 1.0, "names")]]),
    "nbest": lambda t: t.predict_nbest(SENTENCES, 1),
    "explain": lambda t: t.explain(SENTENCES[0]),
    "explain-given": lambda t: t.ready_model.explain_given(SENTENCES, OPEN),
    "order": lambda t: (t.inference_orders(SENTENCES), t.ready_model.inference_orders_given(SENTENCES, OPEN)),
    "marginals": lambda t: t.predict_marginals(SENTENCES),
    "span-marginals": lambda t: t.predict_span_marginals(SENTENCES),
    "parts": lambda t: t.predict_parts(SENTENCES),
    "top-weights": lambda t: t.ready_model.top_weights(1),
    "outside-score": lambda t: pickle.loads(pickle.dumps(t)).ready_model.set_outside_score(0.0),
}
INTERNAL = {"probabilities", "column-text", "types"}  # not on every kind of model, and guarded by other attributes


def works(tagger: Tagger, ability: str) -> bool:
    try:
        TRIALS[ability](tagger)
    except NotOfferedError as error:
        assert str(error).startswith(f"{ABILITIES[ability].what}: not offered by a ")
        return False
    return True


def test_there_is_a_trial_of_every_ability() -> None:
    assert {*TRIALS, *INTERNAL} == set(ABILITIES)


@every
def test_models_do_what_they_offer_and_nothing_else(name):
    tagger = trained(name)
    assert {ability for ability in TRIALS if works(tagger, ability)} == tagger.ready_model.offers - INTERNAL


def test_a_model_with_parts_offers_their_scores():
    tagger = Tagger("collins-pos", labels_parts="-", epochs=1).fit(list(chunked())[:5])
    assert works(tagger, "parts") and "parts" in tagger.ready_model.offers
