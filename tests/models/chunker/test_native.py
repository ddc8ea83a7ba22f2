"""The native chunker against the reference: kernels, features, recognition, learning."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest

from perceptag import _core
from perceptag.models.chunker.encoder import ChunkEncoder, Vocabularies, left_context, make_gazetteer, visible
from perceptag.models.chunker.feature_names import ChunkFeatureNames
from perceptag.models.chunker.model import Layers
from perceptag.models.chunker.trainer import ChunkerTrainer
from perceptag.models.task import make_task
from perceptag.recipe.recipe import load
from perceptag.text.sentence import Sentence
from reference import chunker as reference
from reference.chunk_features import ChunkFeatures
from reference.kernel import VotedPerceptron

FEATURES = 30


def random_instance(rng: random.Random, features: int = FEATURES) -> frozenset[int]:
    return frozenset(f for f in range(features) if rng.random() < 0.3)


def ids(x) -> np.ndarray:
    return np.array(sorted(x), np.int32)


def trained(rng: random.Random, degree: int, columns: int = 3, moves: int = 60):
    """The same moves made natively and by the reference; instances recur."""
    vectors = _core.SupportVectors(FEATURES, columns, degree)
    twins = [VotedPerceptron(degree) for _ in range(columns)]
    pool = [random_instance(rng) for _ in range(moves // 2)]
    for _ in range(moves):
        for _ in range(rng.randint(0, 2)):
            vectors.tick(1)
            for twin in twins:
                twin.decide(frozenset())
        x, column, sign = rng.choice(pool), rng.randrange(columns), rng.choice([-1, 1])
        vectors.add(ids(x), column, sign)
        twins[column].add(x, sign)
    return vectors, twins


@pytest.mark.parametrize("degree", [1, 2, 3, 5])
def test_inverted_index_equals_the_kernel_and_averages_equal_the_voted_sum(degree):
    rng = random.Random(degree)
    vectors, twins = trained(rng, degree)
    voted = vectors.averaged()
    assert len(voted) <= len(vectors) <= 30
    for _ in range(30):
        x = random_instance(rng)
        assert vectors.score(ids(x)).tolist() == [twin.score(x) for twin in twins]
        assert voted.score(ids(x)).tolist() == [twin.voted(x) for twin in twins]
        assert _core.DenseIndex(voted).score(ids(x)).tolist() == voted.score(ids(x)).tolist()
        if degree == 1:
            assert _core.LinearKernel(voted).score(ids(x)).tolist() == voted.score(ids(x)).tolist()
        assert voted.kernel(ids(x), 0) == (len(x & set(voted.row(0).tolist())) + 1) ** degree


def test_a_dense_index_has_rows_for_frequent_features_and_lists_for_others():
    rng = random.Random(0)
    vectors = _core.SupportVectors(1000, 2, 2)
    for _ in range(600):
        x = {0, *rng.sample(range(1, 1000), 30)}
        vectors.add(ids(x), rng.randrange(2), rng.choice([-1, 1]))
    dense = _core.DenseIndex(vectors)
    for _ in range(30):
        x = ids(rng.sample(range(1000), 40))
        assert dense.score(x).tolist() == vectors.score(x).tolist()


def test_no_support_vector_and_no_feature():
    empty = _core.SupportVectors(3, 2, 2)
    assert empty.score(ids([0, 2])).tolist() == [0, 0]
    assert _core.DenseIndex(empty).score(ids([])).tolist() == [0, 0]
    assert _core.LinearKernel(_core.SupportVectors(3, 2, 1)).score(ids([])).tolist() == [0, 0]
    empty.add(ids([]), 1, 1)
    assert empty.score(ids([])).tolist() == [0, 1]


def test_arrays_come_back_and_nonsense_is_refused():
    vectors = trained(random.Random(3), 2)[0]
    arrays = vectors.arrays()
    again = _core.SupportVectors(FEATURES, 3, 2)
    again.load(*arrays, vectors.clock)
    assert all((a == b).all() for a, b in zip(arrays, again.arrays(), strict=True))
    begin, features, coefficients, moments = arrays
    for broken in [
        (begin[:-1], features, coefficients, moments),
        (begin[::-1].copy(), features, coefficients, moments),
        (begin, features + np.int32(FEATURES), coefficients, moments),
        (begin, features, coefficients[:-1], moments),
        (begin, features, coefficients * np.nan, moments),
    ]:
        with pytest.raises(ValueError):
            again.load(*broken, 0.0)
    for x in ([1, 1], [-1], [FEATURES]):
        with pytest.raises(ValueError, match="feature"):
            vectors.add(np.array(x, np.int32), 0, 1)


# --- features ---

FORMS = ["Bank", "of", "China", "U.S.", "3", ",", '"', "the", "EU", "B-52", "said", "Smith"]


def random_sentence(rng: random.Random, longest: int = 8) -> Sentence:
    forms = [rng.choice(FORMS) for _ in range(rng.randint(1, longest))]
    return Sentence({
        "form": forms,
        "lemma": [form.lower() for form in forms],
        "pos": [rng.choice(["N", "V"]) for _ in forms],
    })  # fmt: skip


def tokens_of(sentence: Sentence, word: str) -> list[dict[str, str]]:
    rows = zip(sentence.columns["form"], sentence.columns[word], sentence.columns["pos"], strict=True)
    return [{"form": form, "word": value, "pos": pos} for form, value, pos in rows]


@pytest.mark.parametrize("word", ["form", "lemma"])
def test_native_features_are_those_of_the_reference(word):
    rng = random.Random(1)
    functional, categories = ["of", "the"], ["LOC", "ORG"]
    sentences = [random_sentence(rng) for _ in range(30)]
    encoder = ChunkEncoder("form", word, ["pos"], functional, Vocabularies())
    handles = encoder.encode(sentences).sentences()
    encoder.freeze()
    entries = {tuple(w.lower() if word == "lemma" else w for w in e): ks for e, ks in GAZETTEER.items()}
    features = _core.ChunkFeatures(2, 3)
    gazetteer = make_gazetteer(features, encoder.vocabularies.word, entries)
    by_name = {entry: [categories[k] for k in ks] for entry, ks in entries.items()}
    twin = ChunkFeatures(functional, by_name, word_window=2, phrase_window=3)

    cases = []
    for sentence, x in zip(sentences, handles, strict=True):
        features.count_words(x)
        for _ in range(3):
            s, e = sorted(rng.choices(range(len(x)), k=2))
            left = [rng.choice([-1, 0, 1]) for _ in range(3)]
            features.count_phrase(x, s, e, left, gazetteer)
            cases.append((sentence, x, s, e, left))
    features.freeze(0)
    word_names = ChunkFeatureNames(encoder, features, features.word_keys, categories)
    phrase_names = ChunkFeatureNames(encoder, features, features.phrase_keys, categories)
    for sentence, x, s, e, left in cases:
        tokens = tokens_of(sentence, word)
        native = [word_names.name(f) for f in features.word(x, s).tolist()]
        assert set(native) == twin.word(tokens, s)
        assert len(native) == len(set(native))
        native = [phrase_names.name(f) for f in features.phrase(x, s, e, left, gazetteer).tolist()]
        assert set(native) == twin.phrase(tokens, s, e, [categories[k] if k >= 0 else None for k in left])
        assert len(native) == len(set(native))


GAZETTEER = {("Bank", "of", "China"): [1], ("China",): [0, 1], ("the", "EU"): [1], ("Smith",): [0]}


def test_cutoff_keeps_what_is_frequent_enough():
    encoder = ChunkEncoder("form", "form", [], [], Vocabularies())
    handles = encoder.encode([Sentence({"form": ["a"]}), Sentence({"form": ["a"]}), Sentence({"form": ["b"]})])
    features = _core.ChunkFeatures(0, 0)
    for x in handles.sentences():
        features.count_words(x)
    features.freeze(2)
    names = ChunkFeatureNames(encoder, features, features.word_keys, [])
    kept = {names.name(f) for f in range(len(features.word_keys))}
    assert kept == {"form[0]=a", "prefix1[0]=a", "suffix1[0]=a", "single-char[0]", "pattern[0..0]=l"}


def test_keys_that_stand_for_nothing():
    encoder = ChunkEncoder("form", "form", [], [], Vocabularies())
    features = _core.ChunkFeatures(0, 0)
    for x in encoder.encode([Sentence({"form": ["a"]})]).sentences():
        features.count_words(x)
    features.freeze(1)
    known = len(encoder.vocabularies.window)
    assert features.fit(known, 0, 0)
    assert not features.fit(known - 1, 0, 0)
    with pytest.raises(ValueError, match="of an unknown kind"):
        _core.read_chunk_key(15 << 60)


def test_the_visible_share_is_drawn_by_the_seed():
    entries = {(str(i),): [0] for i in range(100)}
    drawn = visible(entries, 40, seed=1)
    assert len(drawn) == 40
    assert drawn == visible(entries, 40, seed=1) != visible(entries, 40, seed=2)
    assert visible(entries, 100, seed=1) == entries
    assert visible(entries, 0, seed=1) == {}


# --- recognition and learning ---


def small_task(seed: int, size: int = 25, **settings):
    """Sentences whose names have some structure, so that learning makes all kinds of mistakes."""
    rng = random.Random(seed)
    sentences = []
    for _ in range(size):
        sentence = random_sentence(rng)
        forms, labels = sentence.columns["form"], ["O"] * len(sentence)
        t = 0
        while t < len(forms):
            length = rng.choice([1, 1, 2, 3])
            if forms[t][0].isupper() and rng.random() < 0.7:
                kind = rng.choice(["LOC", "ORG"]) if forms[t] != "Smith" else "PER"
                stop = min(len(forms), t + length)
                labels[t:stop] = [f"B-{kind}", *[f"I-{kind}"] * (stop - t - 1)]
                t = stop
            else:
                t += 1
        sentences.append(Sentence({**sentence.columns, "ner": labels}))
    recipe = load("carreras-ner").replace({"cutoff": 0, **settings})
    return make_task(recipe, sentences)


class Twin:
    """The reference chunker on the features of a trainer."""

    def __init__(self, trainer: ChunkerTrainer) -> None:
        recipe, encoder = trainer.task.recipe, trainer.encoder
        self.trainer = trainer
        entries = visible(trainer.entries, recipe.chunker_visible, recipe.seed)
        gazetteer = {entry: [trainer.categories[k] for k in ks] for entry, ks in entries.items()}
        self.features = ChunkFeatures(encoder.functional, gazetteer)
        self.chunker = reference.PhraseChunker(len(trainer.categories), recipe.chunker_degree, recipe.chunker_context)
        self.names = [
            [names.name(f) for f in range(len(keys))]
            for keys in (trainer.features.word_keys, trainer.features.phrase_keys)
            for names in [ChunkFeatureNames(encoder, trainer.features, keys, trainer.categories)]
        ]
        self.known = [set(names) for names in self.names]

    def word(self, tokens, i):
        return self.features.word(tokens, i) & self.known[0]

    def phrase(self, tokens, s, e, left):
        names = [None if k is None else self.trainer.categories[k] for k in left]
        return self.features.phrase(tokens, s, e, names) & self.known[1]

    def learn(self) -> list[set]:
        predicted = []
        for sentence, (_, gold) in zip(self.trainer.task.train, self.trainer.examples, strict=True):
            tokens = tokens_of(sentence, "form")
            words = [self.word(tokens, i) for i in range(len(tokens))]
            predicted.append(
                self.chunker.learn_sentence(
                    words, lambda s, e, left, tokens=tokens: self.phrase(tokens, s, e, left), set(gold)
                )
            )
        return predicted


def stored(perceptrons: list[VotedPerceptron]) -> dict[frozenset, list[tuple[int, int]]]:
    """What the reference has stored: instance -> (coefficient, voted coefficient) of each function."""
    found: dict[frozenset, list[list[int]]] = {}
    for c, perceptron in enumerate(perceptrons):
        for i, (x, sign) in enumerate(zip(perceptron.instances, perceptron.signs, strict=True)):
            sums = found.setdefault(frozenset(x), [[0, 0] for _ in perceptrons])
            sums[c][0] += sign
            sums[c][1] += sign * sum(perceptron.survived[i:])
    return {x: [tuple(s) for s in sums] for x, sums in found.items()}


def stored_natively(vectors, names) -> dict[frozenset, list[tuple[float, float]]]:
    begin, features, coefficients, moments = vectors.arrays()
    n = len(vectors)
    coefficients, moments = coefficients.reshape(-1, n), moments.reshape(-1, n)
    voted = coefficients * vectors.clock - moments
    rows = [frozenset(names[f] for f in features[a:b]) for a, b in pairwise(begin.tolist())]
    return {x: list(zip(coefficients[:, i], voted[:, i], strict=True)) for i, x in enumerate(rows)}


@pytest.mark.parametrize("context", ["best", "exact", "none"])
@pytest.mark.parametrize("degree", [1, 2])
def test_learning_equals_the_reference_step_by_step(context, degree):
    task = small_task(7, 12, **{"chunker.context": context, "chunker.degree": degree})
    trainer = ChunkerTrainer(task)
    twin = Twin(trainer)
    for epoch in (1, 2):
        wrong = sum(predicted != gold for predicted, (_, gold) in zip(twin.learn(), trainer.examples, strict=True))
        assert trainer.learn_epoch(epoch) == wrong
    reference_chunker = twin.chunker
    words, phrases = trainer.functions
    assert len(phrases) > 5
    assert stored_natively(words, twin.names[0]) == stored([reference_chunker.begin, reference_chunker.inside])
    assert stored_natively(phrases, twin.names[1]) == stored(reference_chunker.scores)


@pytest.mark.parametrize("context", ["best", "exact", "none"])
def test_recognition_equals_the_reference_with_random_functions(context):
    """Scores without any pattern make contexts matter; the whole path and its score are compared."""
    trainer = ChunkerTrainer(small_task(3, **{"chunker.context": context}))
    rng = random.Random(5)
    words, phrases = trainer.functions
    tables = []
    for vectors in (words, phrases):
        pool = range(vectors.features)
        rows = [frozenset(rng.sample(pool, min(len(pool), 12))) for _ in range(25)]
        table = [(x, c, rng.choice([-2, -1, 1, 2])) for x in rows for c in range(vectors.columns)]
        if vectors is words:
            table += [(frozenset(), c, 40) for c in range(2)]
        for x, c, a in table:
            vectors.add(ids(x), c, a)
        tables.append(table)

    def score(table, columns, x):
        return [sum(a * (len(x & v) + 1) ** 2 for v, c, a in table if c == k) for k in range(columns)]

    layers = Layers(trainer.features, words, phrases, trainer.gazetteer, context)
    several = 0
    for x, _ in trainer.examples:
        seen = layers.recognise(x)
        scores = [score(tables[0], 2, set(trainer.features.word(x, i).tolist())) for i in range(len(x))]
        assert seen.begin == [b for b, _ in scores]
        assert seen.inside == [i for _, i in scores]

        def of_phrase(s, e, left, x=x):
            numbers = [-1 if k is None else k for k in left]
            instance = trainer.features.phrase(x, s, e, numbers, trainer.gazetteer)
            return score(tables[1], phrases.columns, set(instance.tolist()))

        path = reference.recognise(seen.begin, seen.inside, of_phrase, context, 3)[-1]
        assert seen.score == path.score
        assert tuple(seen.phrases) == path.phrases
        several += len(path.phrases) > 1
        if context != "none":
            for s, e, _ in seen.phrases:
                assert seen.left(s, e)[:3] == left_context(s, path.phrases, 3)
    assert several > 5
