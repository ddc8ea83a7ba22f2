"""Non-local features: by hand, against the reference, and written by a user."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from document_toys import corpus, document_recipe
from perceptag import Tagger
from perceptag._core import LONGEST_PHRASE, Labels
from perceptag.errors import DataError, ModelError, SettingError
from perceptag.labels.label_set import LabelSet
from perceptag.labels.schemes import Span, spans_to_labels
from perceptag.models.document.features import FAMILIES, CandidateDocument, NonLocal
from perceptag.models.document.global_weights import GlobalWeights, kept_global
from perceptag.recipe.recipe import Recipe
from perceptag.text.sentence import Sentence
from perceptag.training.train import Training
from reference.nonlocal_features import LONGEST, consistency

CLASSES = ("LOC", "ORG", "PER")
NAMES = ("O", *(f"{tag}-{c}" for tag in "BIES" for c in CLASSES))
LABELLING = LabelSet(NAMES, "IOBES", "IOB2", "ner")


def sentence(text: str) -> Sentence:
    return Sentence({"form": text.split()})


def labels(found: list[Span], length: int) -> Labels:
    names = spans_to_labels(found, length, "IOBES")
    return Labels(np.array([NAMES.index(name) for name in names], np.int32))


def with_candidates(
    document: list[Sentence], candidates: list[list[list[Span]]], functions=None, longest: int = LONGEST_PHRASE
) -> CandidateDocument:
    features = NonLocal(LABELLING, () if functions else FAMILIES, functions or {}, longest=longest)
    lists = [[labels(found, len(s)) for found in of] for s, of in zip(document, candidates, strict=True)]
    return features.candidate_document(document, lists)


def test_a_document_by_hand() -> None:
    document = [sentence("Jordan met Ann Jordan"), sentence("Jordan , and Israel"), sentence("the Jordan river Ann")]
    chosen = [[Span(0, 1, "PER"), Span(2, 4, "PER")], [Span(0, 1, "LOC"), Span(3, 4, "LOC")], []]
    trial = with_candidates(document, [[found] for found in chosen])
    for s in range(3):
        trial.choose(s, 0)
    assert trial.document() == {
        "phrase[PER,LOC]": 1,  # Jordan the person has a namesake, and the other way round
        "phrase[LOC,PER]": 1,
        "majority[PER,LOC]": 1,
        "majority[LOC,PER]": 1,
        "subphrase[PER,PER]": 1,  # both are part of Ann Jordan
        "subphrase[LOC,PER]": 1,
        "submajority[PER,PER]": 1,
        "submajority[LOC,PER]": 1,
        "conjunction[LOC,LOC]": 1,  # Jordan , and Israel
        "unlabelled[PER]": 1,  # "the Jordan river" is not labelled
        "unlabelled[LOC]": 1,
    }


def test_the_majority_is_that_of_the_others_and_ties_go_to_the_first_class() -> None:
    document = [sentence("Kent"), sentence("Kent"), sentence("Kent")]
    found = [[[Span(0, 1, c)]] for c in ("PER", "ORG", "LOC")]
    trial = with_candidates(document, found)
    for s in range(3):
        trial.choose(s, 0)
    values = trial.document()
    assert values["majority[PER,LOC]"] == 1  # the others: ORG, LOC
    assert values["majority[ORG,LOC]"] == 1
    assert values["majority[LOC,ORG]"] == 1  # the others: PER, ORG
    assert sum(v for name, v in values.items() if name.startswith("majority")) == 3


def random_spans(rng: random.Random, length: int) -> list[Span]:
    found, t = [], 0
    while t < length:
        if rng.random() < 0.4:
            end = min(length, t + rng.choice([1, 1, 2, 3]))
            found.append(Span(t, end, rng.choice(CLASSES)))
            t = end
        else:
            t += 1
    return found


def random_scene(rng: random.Random) -> tuple[list[Sentence], list[list[list[Span]]]]:
    words = ["a", "b", "c", ",", "and"]
    document = [
        sentence(" ".join(rng.choice(words) for _ in range(rng.randint(1, 7)))) for _ in range(rng.randint(1, 4))
    ]
    return document, [[random_spans(rng, len(s)) for _ in range(3)] for s in document]


@pytest.mark.parametrize("longest", [LONGEST_PHRASE, 2])
@pytest.mark.parametrize("seed", range(200))
def test_native_features_equal_the_reference(seed: int, longest: int) -> None:
    rng = random.Random(seed)
    document, candidates = random_scene(rng)
    trial = with_candidates(document, candidates, longest=longest)
    chosen = [rng.randrange(3) for _ in document]
    for s, k in enumerate(chosen):
        trial.choose(s, k)
    chosen_spans = [of[k] for of, k in zip(candidates, chosen, strict=True)]
    assert trial.document() == consistency(document, chosen_spans, longest)

    # Trying a candidate changes the features as it changes those of the whole document.
    s = rng.randrange(len(document))
    vectors = trial.vectors(s, range(3))
    assert (trial.vectors(s, [2, 0]) == vectors[[2, 0]]).all()
    names = list(trial.features.numbers)
    base = None
    for k in range(3):
        spans_now = [of[k if i == s else chosen[i]] for i, of in enumerate(candidates)]
        whole = consistency(document, spans_now, longest)
        expected = np.array([whole.get(name, 0.0) for name in names])
        base = expected - vectors[k] if base is None else base
        assert (expected - vectors[k] == base).all()
    assert trial.chosen == chosen

    weights = np.array([rng.randint(-3, 3) for _ in names], float)
    assert (trial.scores(s, weights) == vectors @ weights).all()


def repeated(draw: st.DrawFn) -> tuple[list[Sentence], list[list[Span]]]:
    """Sentences of one or two words, many times over, with spans that may be longer than any phrase."""
    words = st.lists(st.sampled_from(["a", "b"]), min_size=1, max_size=3)
    texts = draw(st.lists(st.builds(lambda w, n: w * n, words, st.integers(1, 30)), min_size=1, max_size=3))
    rng = random.Random(draw(st.integers(0, 1000)))
    found = []
    for text in texts:
        cuts = sorted(rng.sample(range(len(text) + 1), min(len(text) + 1, rng.choice([2, 2, 4, 9]))))
        found.append([Span(a, b, rng.choice(CLASSES)) for a, b in pairwise(cuts) if rng.random() < 0.8])
    return [Sentence({"form": text}) for text in texts], found


@given(st.composite(repeated)(), st.sampled_from([1, 2, 5, LONGEST_PHRASE]))
@settings(deadline=None, max_examples=150)
def test_features_of_repeated_words_equal_the_reference(drawn, longest):
    document, found = drawn
    trial = with_candidates(document, [[spans_] for spans_ in found], longest=longest)
    for s in range(len(document)):
        trial.choose(s, 0)
    assert trial.document() == consistency(document, found, longest)


def test_a_mention_longer_than_the_longest_phrase_is_not_compared_but_contains_others() -> None:
    assert LONGEST_PHRASE == LONGEST
    for words, has_phrase in ((LONGEST, True), (LONGEST + 1, False)):
        text = [f"w{i}" for i in range(words)]
        document = [Sentence({"form": text}), Sentence({"form": text}), sentence("w0")]
        trial = with_candidates(document, [[[Span(0, words, "ORG")]]] * 2 + [[[Span(0, 1, "PER")]]])
        for s in range(3):
            trial.choose(s, 0)
        values = trial.document()
        assert values.get("phrase[ORG,ORG]", 0) == 2 * has_phrase
        assert values["subphrase[PER,ORG]"] == 1


def test_a_function_of_the_user_sees_spans_or_labels() -> None:
    document = [sentence("Ann saw Ann")]
    seen = []

    def of_spans(given, found):
        seen.append([(list(s.tokens), list(f)) for s, f in zip(given, found, strict=True)])
        return {"n": len(found[0])}

    def of_labels(given, labels):
        return {"o": labels[0].count("O")}

    trial = with_candidates(document, [[[Span(0, 1, "PER")]]], {"spans": of_spans, "labels": of_labels})
    trial.choose(0, 0)
    assert trial.document() == {"spans:n": 1, "labels:o": 2}
    assert seen[-1] == [(["Ann", "saw", "Ann"], [Span(0, 1, "PER")])]


@pytest.mark.parametrize("result", [None, {"a": "b"}, {1: 2.0}, {"a": float("nan")}])
def test_what_a_function_must_not_return(result: object) -> None:
    trial = with_candidates([sentence("Ann")], [[[Span(0, 1, "PER")]]], {"bad": lambda document, found: result})
    trial.choose(0, 0)
    with pytest.raises(DataError, match="non-local function 'bad'"):
        trial.document()


def test_unknown_families() -> None:
    with pytest.raises(SettingError, match="did you mean 'phrase'"):
        NonLocal(LABELLING, ["phrases"])


@pytest.mark.parametrize("learner", ["candidate", "nonlocal", "ascent", "ascent-document"])
def test_the_same_features_as_a_user_function_give_the_same_model(learner: str) -> None:
    recipe = Recipe().replace(
        {
            "learner": learner,
            "unit": "sentence" if learner.startswith("ascent") else "document",
            "templates": ["form[0]", "form[-1]", "bias * y-1 y0"],
            "epochs": 4,
            "margin": 3,
            "nbest": 5,
            "nbest_tagging": 5,
            "support": "all",
        }
    )
    built_in = Training(recipe.replace({"nonlocal.features": list(FAMILIES)}), corpus(1), corpus(2))
    own = Training(recipe, corpus(1), corpus(2), functions={"f": consistency})
    reports = list(built_in.run())
    assert reports == list(own.run())
    first, second = (t.trainer.features.by_name(t.trainer.global_weights.w) for t in (built_in, own))
    assert {f"f:{name}": w for name, w in first.items()} == second
    assert second
    for block in range(5):
        assert (built_in.trainer.weights.get(block)[0] == own.trainer.weights.get(block)[0]).all()


def test_types_of_spans_beyond_reason_are_refused():
    """There is a feature for each pair of them."""
    words = [f"w{i}" for i in range(501)]
    recipe = document_recipe("ascent", templates=["form[0]"])
    with pytest.raises(SettingError, match="at most 500 types of spans, found 501"):
        Tagger(recipe).fit([words], [[f"B-{w}" for w in words]])


def test_weights_from_a_file_are_at_least_those_of_the_built_in_features_and_at_most_all() -> None:
    features = NonLocal(LABELLING, FAMILIES)
    built_in = len(features.numbers)
    features.number("mine")
    weights = GlobalWeights(features)
    for size in (built_in, built_in + 1):
        assert len(kept_global(weights, {"nonlocal": np.zeros(size)})) == size
    for size in (built_in - 1, built_in + 2):
        with pytest.raises(ModelError, match=f"expected {built_in} to {built_in + 1} numbers, found {size}"):
            kept_global(weights, {"nonlocal": np.zeros(size)})


def test_a_label_of_another_scheme_in_a_damaged_file_is_refused() -> None:
    with pytest.raises(ModelError, match="labels: expected labels of IOBES, found 'PVDA-X'"):
        NonLocal(LabelSet(("O", "B-X", "PVDA-X"), "IOBES", "IOB2", "ner"), FAMILIES)
