"""Non-local features of labels that are not spans, such as parts of speech."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

from command_line import succeed
from document_toys import LEARNERS, as_documents, document_recipe, named_alpha, tagged_corpus, write_recipe
from perceptag import Recipe, Sentence, SettingError, Tagger
from perceptag._core import Labels
from perceptag.labels.label_set import LabelSet
from perceptag.labels.schemes import Span
from perceptag.models.document.features import FAMILIES, FAMILIES_OF_TAGS, NonLocal
from perceptag.text import write_columns
from perceptag.training.train import Training
from reference.nonlocal_features import consistency, spans_of_tags
from reference.nonlocal_perceptron import candidate, proposed

TAGS = (",", "DT", "NN", "TO", "VB")
TAG_SET = LabelSet(TAGS, "none", "none", "pos")


def tag_recipe(learner: str, **settings: object) -> Recipe:
    given = {"templates": ["form[0]", "form[-1]", "bias * y-1 y0"], "nonlocal_features": list(FAMILIES_OF_TAGS)}
    return document_recipe(learner, **given | {"margin": 2} | settings)


def one_tag_each(document: list[Sentence], labels: list[list[str]]) -> dict[str, float]:
    """Count words by how many tags they have: "all types of non-local features" of the paper's abstract."""
    tags: dict[str, set[str]] = {}
    for sentence, found in zip(document, labels, strict=True):
        for word, tag in zip(sentence.tokens, found, strict=True):
            tags.setdefault(word, set()).add(tag)
    return {"one": sum(len(t) == 1 for t in tags.values()), "several": sum(len(t) > 1 for t in tags.values())}


# --- the features ---


@pytest.mark.parametrize("seed", range(60))
def test_native_features_equal_the_reference(seed: int) -> None:
    rng = random.Random(seed)
    document = [
        Sentence({"form": [rng.choice("ab,") for _ in range(rng.randint(1, 6))]}) for _ in range(rng.randint(1, 4))
    ]
    candidates = [[[rng.randrange(len(TAGS)) for _ in s.tokens] for _ in range(3)] for s in document]
    features = NonLocal(TAG_SET, FAMILIES_OF_TAGS)
    lists = [[Labels(np.array(y, np.int32)) for y in of] for of in candidates]
    trial = features.candidate_document(document, lists)
    chosen = [rng.randrange(3) for _ in document]
    for s, k in enumerate(chosen):
        trial.choose(s, k)
    weights = np.array([rng.randint(-3, 3) for _ in features.numbers], float)

    def whole(s: int = 0, k: int | None = None) -> dict[str, float]:
        picked = [chosen[i] if k is None or i != s else k for i in range(len(document))]
        found = [spans_of_tags([TAGS[y] for y in of[p]]) for of, p in zip(candidates, picked, strict=True)]
        return consistency(document, found)

    assert trial.document() == whole()
    assert not [name for name in whole() if not name.startswith(FAMILIES_OF_TAGS)]  # the others say nothing of tags
    s = rng.randrange(len(document))
    expected = [sum(weights[features.numbers[name]] * v for name, v in whole(s, k).items()) for k in range(3)]
    scores = trial.scores(s, weights)
    assert [score - scores[0] for score in scores] == [value - expected[0] for value in expected]


def test_a_function_gets_spans_of_one_token_or_labels() -> None:
    seen = []
    functions = {
        "a": lambda document, spans: seen.append(spans) or {},
        "b": lambda document, labels: seen.append(labels) or {},
    }
    trial = NonLocal(TAG_SET, (), functions).candidate_document(
        [Sentence({"form": ["the", "saw"]})], [[Labels(np.array([1, 2], np.int32))]]
    )
    trial.choose(0, 0)
    assert trial.document() == {}
    assert seen == [[[Span(0, 1, "DT"), Span(1, 2, "NN")]], [["DT", "NN"]]]


def test_families_that_compare_spans_are_refused() -> None:
    for family in set(FAMILIES) - set(FAMILIES_OF_TAGS):
        message = f"nonlocal.features: '{family}' compares spans, .*expected phrase or majority, or functions"
        with pytest.raises(SettingError, match=message):
            NonLocal(TAG_SET, ["phrase", family])


def test_names_stay_different_with_commas_in_labels() -> None:
    for labels in ((",", ",,"), (",", "NN"), (",", r"\,", r"\\", ",,", "a,b")):
        features = NonLocal(LabelSet(labels, "none", "none", "pos"), ["phrase"])
        assert len(features.numbers) == 5 * len(labels) ** 2 + len(labels)
    assert "phrase[,,NN]" in NonLocal(TAG_SET, ["phrase"]).numbers


def test_only_built_in_features_limit_the_number_of_labels() -> None:
    many = LabelSet(tuple(f"T{i}" for i in range(501)), "none", "none", "pos")
    assert not NonLocal(many, (), {"f": one_tag_each}).numbers
    with pytest.raises(SettingError, match="at most 500 labels with built-in features, found 501"):
        NonLocal(many, ["phrase"])


# --- learning ---


@pytest.mark.parametrize("families", [["phrase", "majority"], ["phrase"], ["majority"]], ids="+".join)
@pytest.mark.parametrize("learner", ["candidate", "nonlocal"])
def test_the_core_learns_what_the_reference_learns(learner: str, families: list[str]) -> None:
    rng = random.Random(3)
    data = []
    for _ in range(8):
        tag = {word: rng.choice(["NN", "VB"]) for word in ("saw", "run")}
        words = [rng.choice(["saw", "run", "so"]) for _ in range(5)]
        pos = [tag.get(w, "IN") for w in words]
        data += [Sentence({"form": words[:3], "pos": pos[:3]}, starts_document=True)]
        data += [Sentence({"form": words[3:], "pos": pos[3:]})]
    recipe = tag_recipe(learner, nonlocal_features=families, shuffle=False)
    training = Training(recipe, data)
    list(training.run())
    assert training.task.label_set.inner == "none"
    passes = [as_documents(data, recipe, training.task.label_set)] * recipe.epochs
    run = candidate(passes, 5, 2) if learner == "candidate" else proposed(passes, 5, 2, 2)
    expected = list(run)[-1].alpha
    assert named_alpha(training.trainer)[0] == expected
    assert [name for name in expected if isinstance(name, str)]


@pytest.mark.parametrize("view", ["document", "sentence"])
def test_tags_of_a_document_agree(view: str) -> None:
    """Only the first sentence of a document has a clue, so a tagger that sees sentences alone must guess."""
    train, test = tagged_corpus(1, 60), tagged_corpus(2, 40)
    gold = [y for s in test for y in s.columns["pos"]]

    def right(recipe: Recipe) -> float:
        found = [y for sentence in Tagger(recipe).fit(train).predict(test) for y in sentence]
        return sum(a == b for a, b in zip(found, gold, strict=True)) / len(gold)

    alone = right(tag_recipe("ascent", nonlocal_features=[], epochs=10))
    together = right(tag_recipe("ascent", nonlocal_view=view, epochs=10))
    assert alone < 0.9
    assert together > alone + 0.02


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("learner", [*LEARNERS, "rerank-1", "rerank-2"])
def test_train_tag_save_load_and_explain(learner: str, own: bool, tmp_path: Path) -> None:
    train, dev, test = (tagged_corpus(seed) for seed in (1, 2, 3))
    recipe = tag_recipe(learner, nonlocal_features=[] if own else ["phrase", "majority"])
    functions = {"tags": one_tag_each} if own else {}
    tagger = Tagger(recipe, functions=functions).fit(train, dev=dev)
    tagger.save(tmp_path / "m")
    loaded = Tagger.load(tmp_path / "m", functions=functions)
    labels = tagger.predict(test)
    assert {y for sentence in labels for y in sentence} <= set(TAGS)
    assert loaded.predict(test) == labels
    best = [y for ranked in loaded.predict_nbest(test, 2) for y in ranked[0][0]]  # of sentences, or of documents
    assert best == [y for sentence in labels for y in sentence]
    assert all(0 <= c <= 1 for sentence in loaded.predict_confidence(test) for c in sentence)
    explained = loaded.explain_document(test[:3])
    assert [list(e.labels) for e in explained] == labels[:3]
    names = {c.feature.partition("[")[0].partition(":")[0] for c in explained[0].nonlocal_contributions}
    assert names == ({"tags"} if own else {"phrase", "majority"})


def test_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_recipe(tag_recipe("ascent", nonlocal_view="sentence", labels_column="pos"), tmp_path / "r.toml")
    write_columns(tagged_corpus(1), tmp_path / "train.txt")
    test = tagged_corpus(2)
    write_columns(test, tmp_path / "test.txt")
    succeed("train", "-r", "r.toml", "--train", "train.txt", "--columns", "form,pos", "-q", "-m", "m")
    tagger = Tagger.load("m")
    out = succeed("tag", "test.txt", "--columns", "form,pos", "-m", "m").out
    tagged = [line.split()[-1] for line in out.split("\n") if line and "DOCSTART" not in line]
    assert tagged == [y for sentence in tagger.predict(test) for y in sentence]  # natively: tagger.takes_column_text
    explained = json.loads(succeed("explain", "-i", "test.txt", "--sentence", "2", "--json", "-m", "m").out)
    assert {c["feature"].partition("[")[0] for c in explained["nonlocal_contributions"]} == {"phrase", "majority"}
    assert "phrase[" in succeed("inspect", "m").out
