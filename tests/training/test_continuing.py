"""Training that continues from an earlier model."""

from __future__ import annotations

import numpy as np
import pytest

from continued import go_on
from perceptag import ModelError, Sentence, Tagger
from perceptag.models import model_file as modelfile
from perceptag.training.train import Training
from toys import TEMPLATE_SETS, make_recipe, named_weights, random_corpus


def named(model):
    """Return the weights of a linear model, by feature and labels."""
    tagger = Tagger(model.recipe)
    tagger._set_model(model)
    linear = getattr(tagger.ready_model, "local", tagger.ready_model)
    weights = linear.weights if model.facts["kind"] == "maxent" else linear.vectors[0]
    found = named_weights(weights, linear.encoder.base, model.label_set.names)
    return {key: w for key, (w, _) in found.items()}


def consistent_corpus(seed, n=20, words=("the", "dog", "saw", "a", "Cat", "runs"), label=lambda w: w[0].upper()):
    """Return sentences whose labels follow from the words, so that they can be learned without a mistake."""
    rng = np.random.default_rng(seed)
    sentences = [[words[i] for i in rng.integers(len(words), size=rng.integers(1, 7))] for _ in range(n)]
    return [Sentence({"form": s, "pos": [w[:1].upper() for w in s], "label": [label(w) for w in s]}) for s in sentences]


@pytest.mark.parametrize("support", ["gold", "all"])
@pytest.mark.parametrize("templates", TEMPLATE_SETS.values(), ids=TEMPLATE_SETS)
def test_without_a_mistake_nothing_changes(templates, support):
    """Every part of a model stays the same: vocabularies, features, rows, weights."""
    data = consistent_corpus(1)
    recipe = make_recipe(templates=templates, support=support, epochs=30)
    model = Tagger(recipe, weights="last").fit(data).model_
    assert model.manifest["curve"][-1]["mistakes"] == 0
    again = go_on(model, data, epochs=1).model()
    assert again.manifest["curve"][0]["mistakes"] == 0
    assert again.arrays.keys() == model.arrays.keys()
    for name, array in model.arrays.items():
        assert (again.arrays[name] == array).all(), name


@pytest.mark.parametrize("templates", TEMPLATE_SETS.values(), ids=TEMPLATE_SETS)
@pytest.mark.parametrize("cutoff", [0, 3])
@pytest.mark.parametrize("support", ["gold", "all"])
def test_old_weights_under_new_label_ids(templates, cutoff, support):
    """Before the first pass the model is the old one with more labels, two of which come between the old ones."""
    old = random_corpus(1, 20, labels=("B", "D", "N"))
    new = random_corpus(2, 20, words=("the", "dog", "cow", "Cow", "seen"), labels=("A", "C", "D"))
    first = Tagger(make_recipe(templates=templates, support=support, epochs=3)).fit(old).model_
    training = Training(first.recipe.replace({"cutoff": cutoff}), new, start=first)
    assert training.task.label_set.names == ("A", "B", "C", "D", "N")
    trainer = training.trainer
    found = named_weights(trainer.weights, trainer.encoder, training.task.label_set.names)
    assert {key: w for key, (w, _) in found.items() if w} == named(first)
    assert named(training.model()) == named(first)
    list(training.run())
    tagger = Tagger(first.recipe)
    tagger._set_model(training.model())
    assert {y for labels in tagger.predict(new) for y in labels} & {"A", "C"}


def test_features_that_the_new_data_lacks_keep_their_weights():
    recipe = make_recipe(templates=("form[0]", "bias * y-1 y0"), epochs=10)
    tagger = Tagger(recipe, warm_start=True).fit(consistent_corpus(1))
    before = named(tagger.model_)
    other = consistent_corpus(2, words=("zebra", "yes"), label=lambda w: w[0].upper())
    tagger.fit(other)
    after = named(tagger.model_)
    old_words = {key: w for key, w in before.items() if key[0].values}
    assert old_words
    assert {key: after[key] for key in old_words} == pytest.approx(old_words, rel=1e-5)
    assert tagger.predict([["zebra", "dog"]]) == [["Z", "D"]]
    assert tagger.labels_ == ["A", "C", "D", "R", "S", "T", "Y", "Z"]


def test_templates_may_be_added():
    """With a wider window, so that the symbols outside a sentence get new numbers."""
    data = random_corpus(1, 20)
    old = ("form[-1]", "form[0] form[1]", "bias * y-1 y0")
    first = Tagger(make_recipe(templates=old, epochs=3)).fit(data).model_
    added = ("form[-3]", "suffix1[0]", *old, "pos[2]", "bias * y-2 y-1 y0")
    training = Training(first.recipe.replace({"templates": added}), data, start=first)
    trainer = training.trainer
    found = named_weights(trainer.weights, trainer.encoder, training.task.label_set.names)
    assert {key: w for key, (w, _) in found.items() if w} == named(first)


def test_closed_words_stay_closed_and_learn_the_labels_of_the_new_data():
    recipe = make_recipe(templates=("form[0]",), tag_dictionary=3, epochs=2)
    old = [Sentence({"form": ["x", "y"], "label": ["N", "V"]})] * 3
    new = [Sentence({"form": ["x", "z", "z", "z"], "label": ["A", "A", "A", "V"]})]
    first = Tagger(recipe).fit(old).model_
    closed = go_on(first, new).model().facts["closed"]
    names = ("A", "N", "V")
    found = {word: {names[y] for y in closed["entries"][entry]} for word, entry in closed["words"].items()}
    assert found == {"x": {"N", "A"}, "y": {"V"}, "z": {"A", "V"}}


def test_gazetteers_are_joined(chunks):
    recipe = make_recipe(templates=("form[0]", "gazetteer[0]"), gazetteer=["train"], epochs=1)
    first = Tagger(recipe).fit(chunks[:30]).model_
    second = go_on(first, chunks[30:]).model()
    whole = Tagger(recipe).fit(chunks).model_
    assert second.facts["gazetteer"] == whole.facts["gazetteer"]
    # A document does not see a phrase that only it has, although the earlier model knows the phrase.
    trainer = go_on(first, chunks[:30]).trainer
    lists = trainer.data.gazetteer
    assert lists.only_in
    (name, phrase), document = next(iter(lists.only_in.items()))
    assert f"B-{name}" not in {m for marks in lists.match(list(phrase), document) for m in marks}
    assert lists.match(list(phrase))[0]


LEARNERS = ["perceptron", "margin", "pa", "mira", "arow", "crf", "maxent"]


@pytest.mark.parametrize("second", LEARNERS)
@pytest.mark.parametrize("first", LEARNERS)
def test_every_linear_learner_goes_on_from_every_other(first, second):
    old, new = random_corpus(1, 15), random_corpus(2, 15)
    recipe = make_recipe(templates=TEMPLATE_SETS["order 2"], learner=first, epochs=2, weights="last")
    model = Tagger(recipe).fit(old).model_
    training = go_on(model, new, learner=second)
    assert training.model().facts["kind"] == ("maxent" if second == "maxent" else "linear")
    fresh = Tagger(model.recipe.replace({"learner": second})).fit(new).model_
    assert named(training.model()) != named(fresh)


@pytest.mark.parametrize("second", ["crf", "maxent"])
def test_learners_that_maximise_a_likelihood_go_on_from_a_perceptron(second):
    old, new = random_corpus(1, 15), random_corpus(2, 15)
    model = Tagger(make_recipe(templates=TEMPLATE_SETS["order 1"], epochs=2)).fit(old).model_
    trainer = Training(model.recipe.replace({"learner": second, "weights": "last"}), new, start=model).trainer
    local = trainer.linear if second == "crf" else trainer.local
    found = named_weights(local.weights, local.encoder, local.task.label_set.names)
    assert {key: w for key, (w, _) in found.items() if w} == named(model)
    assert go_on(model, new, learner=second, weights="last").model().facts["kind"] in ("linear", "maxent")


def test_a_model_that_votes_goes_on_from_its_last_vector():
    recipe = make_recipe(templates=TEMPLATE_SETS["order 1"], epochs=3, weights="voted")
    model = Tagger(recipe).fit(random_corpus(1, 12)).model_
    trainer = Training(recipe, random_corpus(2), start=model).trainer
    tagger = Tagger(recipe)
    tagger._set_model(model)
    linear = tagger.ready_model
    last = named_weights(linear.vectors[-1], linear.encoder.base, model.label_set.names)
    found = named_weights(trainer.weights, trainer.encoder, model.label_set.names)
    assert found == last


SETTINGS = {
    "linear": {"recipe": "collins-np", "epochs": 3},
    "constrained": {"recipe": "collins-np", "epochs": 3, "labels_scheme": "IOBES", "constrain": True},
    "arow": {"recipe": "arow", "epochs": 3},
    "margin of runs": {"recipe": "collins-np", "learner": "margin", "bpm": 3, "margin": 10, "epochs": 3},
    "crf": {"recipe": "crf", "epochs": 3},
    "maxent": {"recipe": "maxent", "epochs": 3},
    "maxent, gis": {"recipe": "maxent", "epochs": 3, "maxent_optimizer": "gis", "maxent_sigma2": 0},
    "guided": {"recipe": "shen-pos", "epochs": 3},
    "chunker": {"recipe": "carreras-ner", "epochs": 3, "cutoff": 2},
    "chunker, last": {"recipe": "carreras-ner", "epochs": 3, "cutoff": 0, "weights": "last", "chunker_degree": 1},
    "nonlocal": {
        "recipe": make_recipe(
            templates=("form[0]", "pos[-1..1]", "bias * y-1 y0"),
            learner="ascent",
            nonlocal_features=["phrase", "conjunction", "unlabelled"],
            margin=20,
            nbest=5,
            nbest_tagging=8,
            bpm=2,
            epochs=3,
        )
    },
}
kinds = pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)


def inputs(sentences):
    return [
        Sentence({"form": s.columns["form"], "pos": s.columns["pos"]}, starts_document=s.starts_document)
        for s in sentences
    ]


@kinds
def test_before_the_first_pass_it_tags_as_the_model_does(settings, chunks):
    """On new data with words and transitions of its own. (A new label may win where all others score below 0.)"""
    tagger = Tagger(**settings).fit(chunks[:45])
    # The phrases of new data join the gazetteer of a chunker, so the chunker has its own data.
    new = chunks[:45] if tagger.model_.recipe.learner == "chunker" else chunks[45:]
    other = [s for s in new if set(s.columns["label"]) <= set(tagger.labels_)]
    recipe = tagger.model_.recipe.replace({"labels.column": "label"})
    training = Training(recipe, other, start=tagger.model_)
    assert set(training.task.label_set.names) == set(tagger.model_.label_set.names)
    expected = tagger.predict(inputs(chunks))
    tagger._set_model(training.model())
    assert tagger.predict(inputs(chunks)) == expected


@kinds
def test_a_label_is_added(settings, chunks):
    tagger = Tagger(**settings, warm_start=True).fit(chunks[:30])
    known = set(tagger.model_.label_set.names)
    other = [
        Sentence({**s.columns, "label": [y.replace("NP", "AP") for y in s.columns["label"]]}) for s in chunks[30:45]
    ]
    tagger.fit(other)
    assert set(tagger.model_.label_set.names) > known
    found = {y for labels in tagger.predict(inputs(other)) for y in labels}
    assert {"B-AP", "I-AP"} <= found


@kinds
def test_going_on_learns_what_is_new_and_is_repeatable(settings, chunks, tmp_path):
    tagger = Tagger(**settings).fit(chunks[:30])
    sha = tagger.save(str(tmp_path / "first"))
    gold = [s.columns["label"] for s in chunks[30:45]]
    before = tagger.score(inputs(chunks[30:45]), gold)
    files = []
    for name in ("second", "third"):
        loaded = Tagger.load(str(tmp_path / "first")).set_params(warm_start=True)
        loaded.fit(chunks[30:45])
        loaded.save(str(tmp_path / name))
        files.append((tmp_path / name).read_bytes())
        assert loaded.score(inputs(chunks[30:45]), gold) > before
        assert loaded.model_.manifest["from"] == sha
    assert files[0] == files[1]
    assert modelfile.load(str(tmp_path / "first")).manifest == tagger.model_.manifest
    assert "from" not in tagger.model_.manifest


def test_a_model_with_non_local_features_starts_from_a_local_one(chunks):
    settings = SETTINGS["nonlocal"]["recipe"]
    local = settings.replace({"learner": "margin", "nonlocal.features": ()})
    first = Tagger(local).fit(chunks[:30]).model_
    second = go_on(first, chunks[30:], **{"learner": "ascent", "nonlocal.features": ["phrase"]}).model()
    assert second.facts["kind"] == "nonlocal"
    assert second.facts["nonlocal"]
    with pytest.raises(ModelError, match=r"expected a model of kind linear or maxent or rerank .* 'nonlocal'"):
        go_on(second, chunks[30:], **{"learner": "margin", "nonlocal.features": ()})
