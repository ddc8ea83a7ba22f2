"""Features: the native ones are those of the reference, on any sentence and any templates."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perceptag import _core
from perceptag.arrays import offsets
from perceptag.errors import DataError
from perceptag.features.class_attributes import class_attributes
from perceptag.features.class_table import WordClassTable
from perceptag.features.encoder import Encoder
from perceptag.features.lexicon import Lexicon, ValueNumbers
from perceptag.features.template import LATTICE_CONTEXTS, Field, Template, parse, parse_all
from reference.features import Feature, Padding, sentence_features
from toys import BAG, HARD_TEXT, feature_names

PATHS = [("form", ()), ("form", ("lower",)), ("form", ("suffix2",)), ("form", ("prefix1",)), ("form", ("digit",))]
CLASSES = [("form", ("class2",)), ("form", ("class3",)), ("form", ("lower", "class3"))]
OWN = BAG | class_attributes(
    WordClassTable((2, 3), ("a", "B", "0", "x-0"), np.array([4, 3, 2, 1]), np.array([[0, 0], [1, 1], [0, 2], [1, 2]]))
)
BAGS = [("form", ("letters",)), ("form", ("vowels",)), ("form", ("letters", "upper")), ("lists", ())]

fields = st.builds(
    lambda path, offset: Field(*path, offset), st.sampled_from(PATHS + CLASSES + BAGS), st.integers(-3, 3)
)
templates = st.builds(Template, st.lists(fields, max_size=4).map(tuple), st.sampled_from(LATTICE_CONTEXTS)).filter(
    lambda t: not t.is_plain_transition
)
values = st.sampled_from(["B-city", "I-city", "B-name"])
tokens = st.tuples(HARD_TEXT, st.lists(values, max_size=3).map(tuple))
corpora = st.lists(st.lists(tokens, max_size=7), min_size=1, max_size=4)


def columns_of(corpus: list[list[tuple[str, tuple[str, ...]]]]) -> dict[str, list[list[object]]]:
    return {"form": [[w for w, _ in s] for s in corpus], "lists": [[g for _, g in s] for s in corpus]}


def rows_as_features(encoder: Encoder, corpus: _core.Corpus) -> list[list[list[Feature]]]:
    """Return what the core found, by sentence and token, in the order of the reference: by template."""
    names = feature_names(encoder)
    number = {t: i for i, t in enumerate(encoder.templates)}
    found = []
    for i in range(len(corpus)):
        x = corpus[i]
        tokens = [[names[o, r] for o in range(3) for r in x.rows(o, t).tolist()] for t in range(len(x))]
        found.append([sorted(token, key=lambda f: number[f.template]) for token in tokens])
    return found


def expected(encoder: Encoder, columns: dict[str, list[list[object]]], i: int) -> list[list[Feature]]:
    return sentence_features(encoder.templates, {name: column[i] for name, column in columns.items()}, OWN)


@settings(max_examples=150, deadline=None)
@given(st.lists(templates, min_size=1, max_size=5, unique=True), corpora)
def test_native_features_are_those_of_the_reference(chosen, corpus):
    columns = columns_of(corpus)
    encoder = Encoder(chosen, OWN)
    encoded = encoder.encode_new(columns, offsets([len(s) for s in corpus]), np.zeros(0, np.int32))
    assert rows_as_features(encoder, encoded) == [expected(encoder, columns, i) for i in range(len(corpus))]


@settings(max_examples=150, deadline=None)
@given(st.lists(templates, min_size=1, max_size=4, unique=True), corpora, corpora)
def test_what_training_never_saw_does_not_fire(chosen, seen, unseen):
    encoder = Encoder(chosen, OWN)
    encoder.encode_new(columns_of(seen), offsets([len(s) for s in seen]), np.zeros(0, np.int32))
    known = set(feature_names(encoder).values())
    columns = columns_of(unseen)
    for threads in (1, 3):
        encoded = encoder.encode(columns, offsets([len(s) for s in unseen]), threads=threads)
        wanted = [
            [[f for f in token if f in known] for token in expected(encoder, columns, i)] for i in range(len(unseen))
        ]
        assert rows_as_features(encoder, encoded) == wanted


@pytest.mark.parametrize("arity", [2, 3, 5, 6])
def test_keys_wider_than_64_bits(arity):
    """A vocabulary of 40,000 needs 16 bits a field, so four fields fill a key and more need several stages."""
    rng = np.random.default_rng(arity)
    words = [f"w{i}" for i in range(40_000)]
    pool = [words[:3], words][arity % 2]  # with few words, many features differ in one field only
    corpus = [words, *[[pool[i] for i in rng.integers(len(pool), size=30)] for _ in range(40)]]
    template = Template(tuple(Field("form", (), offset) for offset in range(arity)))
    encoder = Encoder([template])
    encoded = encoder.encode_new({"form": corpus}, offsets([len(s) for s in corpus]), np.zeros(0, np.int32))
    names = feature_names(encoder)
    assert len(set(names.values())) == len(names) == encoder.index.rows(0)
    for i, sentence in enumerate(corpus):
        reference = sentence_features([template], {"form": sentence[-8_000:]})  # the first is all 40,000 words
        found = [encoded[i].rows(0, t)[0] for t in range(max(0, len(sentence) - 8_000), len(sentence))]
        assert [names[0, row] for row in found] == [f for (f,) in reference]
    again = encoder.encode({"form": corpus}, offsets([len(s) for s in corpus]))
    assert all(
        (again[i].rows(0, t) == encoded[i].rows(0, t)).all()
        for i, s in enumerate(corpus)
        for t in range(0, len(s), 1 if i else 20)
    )


def test_every_distance_outside_the_sentence_has_its_own_symbol():
    encoder = Encoder(parse_all(["form[-2] form[-1]", "form[2]"]))
    encoded = encoder.encode_new({"form": [["<s1>", "</s1>"]]}, offsets([2]), np.zeros(0, np.int32))
    found = rows_as_features(encoder, encoded)[0]
    assert [[f.values for f in token] for token in found] == [
        [(Padding(-2), Padding(-1)), (Padding(1),)],
        [(Padding(-1), "<s1>"), (Padding(2),)],
    ]
    assert str(found[0][0]) == "form[-2]=<s2> form[-1]=<s1>"
    assert found[1][0].values != (Padding(-1), Padding(-1)), "a word that looks like padding is not padding"


def test_attributes_run_once_for_each_distinct_value():
    calls = []
    encoder = Encoder([parse("spy[0]"), parse("spy[1]")], {"spy": lambda value: calls.append(value) or value})
    encoder.encode_new({"form": [["a", "b", "a"], ["b"]]}, offsets([3, 1]), np.zeros(0, np.int32))
    assert calls == ["a", "b"]


@pytest.mark.parametrize("bad", ["a\0b", "\ud800", 3, 1.5, b"x", ["x"]])
def test_attribute_values_must_be_plain_strings(bad):
    lexicon = Lexicon([lambda _: [bad]], [ValueNumbers(0)], grows=True)
    with pytest.raises(DataError, match="expected a string"):
        lexicon["word"]
    assert "word" not in lexicon
