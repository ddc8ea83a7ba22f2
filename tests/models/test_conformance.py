"""What every learner owes its users, whatever it learns. Recipes of the package join by themselves."""

from __future__ import annotations

import copy
import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from learner_settings import EVERY, LEARNERS, SOME, without_labels
from perceptag import Sentence, SettingError, Tagger
from perceptag.arrays import cut
from perceptag.labels.schemes import violations
from perceptag.models.model_file import to_bytes
from perceptag.text.documents import split_documents
from perceptag.training import checkpoint
from perceptag.training.train import Training
from toys import make_recipe, random_corpus
from trained import TRAIN, chunked, trained

pytestmark = pytest.mark.every

names = pytest.mark.parametrize("name", EVERY)
# Tests that train again or look at everything: `make test` tries some of every kind, `make test-all PARTS=every` all.
longer = pytest.mark.parametrize(
    "name", [name if name in SOME else pytest.param(name, marks=pytest.mark.every) for name in EVERY]
)
learners = pytest.mark.parametrize("settings", EVERY.values(), ids=EVERY)
labellers = pytest.mark.parametrize("settings", LEARNERS.values(), ids=LEARNERS)


@pytest.fixture
def chunks() -> list[Sentence]:
    return list(chunked())


def marked(chunks: list[Sentence]) -> list[Sentence]:
    """Without labels, but with the marks of documents."""
    return [replace(s, starts_document=c.starts_document) for s, c in zip(without_labels(chunks), chunks, strict=True)]


def sha(tagger: Tagger) -> str:
    return hashlib.sha256(to_bytes(tagger.model_)[0]).hexdigest()


@longer
def test_the_same_seed_gives_the_same_file_and_input_is_not_changed(name, chunks):
    train, dev = chunks[:TRAIN], chunks[TRAIN:]
    before = copy.deepcopy((train, dev))
    tagger = Tagger(**EVERY[name]).fit(train, dev=dev)
    assert sha(tagger) == sha(trained(name, dev=True))
    tagger.predict(dev)
    tagger.score(without_labels(dev), [s.columns["label"] for s in dev])
    assert (train, dev) == before


@longer
def test_any_number_of_threads_gives_the_same_file(name, chunks):
    tagger = Tagger(**EVERY[name], threads=2).fit(chunks[:TRAIN], dev=chunks[TRAIN:])
    assert sha(tagger) == sha(trained(name, dev=True))
    inputs = without_labels(chunks)
    assert tagger.predict(inputs) == trained(name, dev=True).predict(inputs)


@names
def test_a_saved_model_tags_as_before_and_saves_as_before(name, chunks, tmp_path):
    tagger = trained(name)
    first = tagger.save(str(tmp_path / "first"))
    loaded = Tagger.load(str(tmp_path / "first"))
    second = loaded.save(str(tmp_path / "second"))
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()
    assert first == second
    unseen = without_labels(chunks[40:])
    assert loaded.predict(unseen) == tagger.predict(unseen)


@longer
def test_interrupted_training_ends_in_the_same_file(name, chunks, tmp_path):
    """After every pass: go on from the checkpoint and come to the same model, bit for bit."""
    recipe = Tagger(**EVERY[name]).resolved_recipe().replace({"labels.column": "label"})

    def start() -> Training:
        return Training(recipe, chunks[:25], chunks[TRAIN:50])

    path = str(tmp_path / "checkpoint")
    whole = start()
    states = []
    for _ in whole.run():
        checkpoint.write(whole, path)
        states.append(Path(path).read_bytes())
    expected = to_bytes(whole.model())[1]
    for state in states:
        Path(path).write_bytes(state)
        resumed = start()
        checkpoint.restore(resumed, path)
        list(resumed.run())
        assert to_bytes(resumed.model())[1] == expected


@names
def test_documents_are_tagged_alike_at_any_number_of_threads(name, chunks):
    """And one by one as all at once."""
    tagger = trained(name)
    inputs = [*without_labels(chunks[:3]), *marked(chunks)]  # the first of them belong to no document
    expected = [labels for document in split_documents(inputs) for labels in tagger.predict(document)]
    for threads in (1, 2):
        assert tagger.set_params(threads=threads).predict(inputs) == expected


@longer
def test_explanations_are_of_what_predict_says(name, chunks):
    """In documents, and for sentences that stand alone."""
    tagger = trained(name)
    known, unseen = marked(chunks)[:11], marked(chunks)[56:]  # a document each
    inputs = [*without_labels(chunks[:2]), *known, *unseen]
    if EVERY[name].get("weights") == "voted":
        with pytest.raises(SettingError, match="vote"):
            tagger.explain_document(inputs[:1])
        return
    for document in split_documents(inputs):
        explained = tagger.explain_document(document)
        assert [[*e.labels] for e in explained] == tagger.predict(document)
        assert [[*e.tokens] for e in explained] == [s.tokens for s in document]
    alone = inputs[5]
    explained = tagger.explain(alone)
    assert [*explained.labels] == tagger.predict([replace(alone, starts_document=False)])[0]
    text = explained.render(token=1, top=1)
    assert text.startswith(f"score {explained.score:.2f}")
    assert all(token in text for token in alone.tokens)


@longer
def test_the_first_of_the_n_best_is_what_predict_says(name, chunks):
    """In documents, and for sentences that stand alone."""
    tagger = trained(name).set_params(threads=2)
    inputs = [*without_labels(chunks[:3]), *marked(chunks)]
    n = min(3, tagger.ready_model.most_candidates or 3)  # guided ranks as many as its beam is wide
    try:
        lists = tagger.predict_nbest(inputs, n)
    except SettingError as error:
        assert "n-best lists: not offered by" in str(error)
        assert EVERY[name].get("weights") == "voted"
        return
    flat = [y for labels in tagger.predict(inputs) for y in labels]
    assert [y for best in lists for y in best[0][0]] == flat
    for best in lists:
        assert len({tuple(labels) for labels, _ in best}) == len(best) <= 3
        assert [score for _, score in best[1:]] == sorted((score for _, score in best[1:]), reverse=True)
    fewer = min(2, n)
    assert tagger.set_params(threads=1).predict_nbest(inputs, fewer) == [best[:fewer] for best in lists]


@names
def test_odd_sentences(name, chunks):
    tagger = trained(name)
    empty = Sentence({"form": [], "pos": []})
    one = Sentence({"form": ["Smith"], "pos": ["NNP"]})
    unseen = Sentence({"form": ["Qxz😀", "", "\u2028"], "pos": ["???", "", "NN"]})
    known = without_labels(chunks[:1])[0]
    together = tagger.predict([empty, one, unseen, known, empty])
    assert [len(labels) for labels in together] == [0, 1, 3, len(known), 0]
    assert together == [tagger.predict([s])[0] for s in (empty, one, unseen, known, empty)]
    found = {label for labels in together for label in labels}
    assert {type_of(label) for label in found} <= {type_of(label) for label in tagger.labels_} | {"O"}
    assert tagger.predict([]) == []


def type_of(label: str) -> str:
    """What a label says whatever the scheme: the model may use another scheme than the data."""
    return label.rpartition("-")[2]


@longer
def test_confidence(name, chunks, tmp_path):
    """Every learner calibrated on dev data says how sure it is, of odd sentences too, and tags as without."""
    tagger = trained(name, dev=True)
    empty = Sentence({"form": [], "pos": []})
    one = Sentence({"form": ["Smith"], "pos": ["NNP"]})
    unseen = Sentence({"form": ["Qxz😀", "", "\u2028"], "pos": ["???", "", "NN"]})
    inputs = [empty, one, unseen, empty, *without_labels(chunks[30:])]
    labels, tokens = tagger.predict(inputs), tagger.predict_confidence(inputs)
    found = tagger.ready_model.margins(inputs)
    assert [m.labels for m in found] == labels
    assert tagger.predict_confidence([]) == []
    assert [len(sentence) for sentence in tokens] == [len(sentence) for sentence in labels]
    assert all(0 < c < 1 for sentence in tokens for c in sentence)
    spans_found = tagger.predict_confident_spans(inputs)
    assert [[span for span, _ in sentence] for sentence in spans_found] == tagger.predict_spans(inputs)
    assert all(0 < c < 1 for sentence in spans_found for _, c in sentence)
    ranked = sorted(
        pair for m, sentence in zip(found, tokens, strict=True) for pair in zip(m.tokens, sentence, strict=True)
    )
    assert [c for _, c in ranked] == sorted(c for _, c in ranked)  # the surer, the likelier
    tagger.save(str(tmp_path / "model"))
    loaded = Tagger.load(str(tmp_path / "model"), threads=2)
    assert (loaded.predict_confidence(inputs), loaded.predict_confident_spans(inputs)) == (tokens, spans_found)


@learners
def test_one_label_only(settings):
    data = [Sentence({"form": ["a", "b"], "pos": ["A", "B"], "label": ["O", "O"]})] * 3
    tagger = Tagger(**settings).fit(data)
    assert tagger.predict(without_labels(data)) == [["O", "O"]] * 3
    assert tagger.score(without_labels(data), [["O", "O"]] * 3) in (0.0, 1.0)  # F1 of no spans is 0


@learners
def test_one_sentence_of_one_token(settings):
    data = [Sentence({"form": ["Rome"], "pos": ["NNP"], "label": ["B-LOC"]})]
    assert Tagger(**settings).fit(data).predict(without_labels(data)) == [["B-LOC"]]


@longer
def test_empty_sentences_in_the_training_data(name, chunks):
    empty = Sentence({"form": [], "pos": [], "label": []})
    with_empty = [empty, *chunks[:10], empty, *chunks[10:TRAIN]]
    assert sha(Tagger(**EVERY[name]).fit(with_empty)) == sha(trained(name))


@names
def test_a_label_that_training_never_saw_counts_as_a_mistake(name, chunks):
    tagger = trained(name)
    x = without_labels(chunks[:1])
    report = tagger.evaluate(x, [["B-NEVER"] * len(x[0])])
    assert report.accuracy == 0


@labellers
def test_labels_with_other_names_in_the_same_order_give_the_same_model(settings):
    """Names are only names; their order alone breaks ties."""
    rename = {"B-D": "B-X1", "B-N": "B-X2", "O": "O"}
    data, unseen = (random_corpus(seed, 30, labels=tuple(rename)) for seed in (1, 2))
    settings = {k: v for k, v in settings.items() if not k.startswith("labels") and k != "constrain"}
    renamed = [Sentence({**s.columns, "label": [rename[y] for y in s.columns["label"]]}) for s in data]
    mine = Tagger(**settings).fit(data).predict(without_labels(unseen))
    theirs = Tagger(**settings).fit(renamed).predict(without_labels(unseen))
    assert [[rename[y] for y in labels] for labels in mine] == theirs


@pytest.mark.parametrize("order", ["DNV", "VDN", "NVD"])
def test_labels_with_permuted_names_score_the_same(order):
    """Ties are broken otherwise then, but what can be learned is learned."""
    words = {"the": "D", "a": "D", "dog": "N", "saw": "V", "Cat": "N", "runs": "V"}
    rename = dict(zip("DNV", order, strict=True))
    sentences = [s.columns["form"] for s in random_corpus(0, 30, words=tuple(words))]
    y = [[rename[words[w]] for w in s] for s in sentences]
    tagger = Tagger(recipe="collins-pos", epochs=30, weights="last").fit(sentences, y)
    assert tagger.model_.manifest["curve"][-1]["mistakes"] == 0
    assert tagger.score(sentences, y) == 1.0


# ----------------------------------------------------------------- tag dictionary and constraints


@pytest.mark.parametrize("scheme", ["IOB1", "IOB2", "IOBES"])
@pytest.mark.parametrize("learner", ["collins-np", "collins-hmm", "observed edges", "voted"])
def test_constrained_labels_never_break_the_scheme(scheme, learner, chunks):
    """A weak model on word salad: it would break the scheme all the time if it could."""
    settings = LEARNERS[learner] | {"epochs": 1, "labels_scheme": scheme}
    salad = [
        Sentence({"form": s.columns["form"], "pos": list(reversed(s.columns["pos"]))})
        for s in random_corpus(3, 1000, words=sorted({w for s in chunks for w in s.columns["form"]}), longest=40)
    ]
    free = Tagger(**settings).fit(chunks[:15])
    bound = Tagger(**settings, constrain=True).fit(chunks[:15])
    assert sum(map(len, salad)) > 15_000
    assert count_violations_inside(bound, salad) == 0
    if scheme != "IOB1" and learner != "voted":  # in IOB1 nearly everything is allowed
        assert count_violations_inside(free, salad) > 0, "the test must be able to fail"


def count_violations_inside(tagger, sentences):
    """How many labels break the scheme that the model works with, before they are written as the data writes them."""
    ready, label_set = tagger.ready_model, tagger.model_.label_set
    data = ready.reader.read(sentences)
    ids = ready.decoder.tag(data.columns, data.units)
    labels = cut([label_set.names[y] for y in ids.tolist()], data.begin)
    return sum(len(violations(sentence, label_set.inner)) for sentence in labels)


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


@pytest.mark.parametrize("learner", ["collins-np", "voted", "tag dictionary", "observed edges"])
def test_threads_and_batches_do_not_change_labels(learner, chunks):
    tagger = trained(learner)
    inputs = without_labels(chunks) * 5
    expected = [tagger.predict([s])[0] for s in inputs]
    for threads in (1, 2, 7):
        assert tagger.set_params(threads=threads).predict(inputs) == expected
