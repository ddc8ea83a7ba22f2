"""Columns computed natively from documents, in training and in tagging, are what their definitions say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perceptag import Sentence, _core
from perceptag.features.dataset import SequenceReader, computed_columns
from perceptag.features.document_columns import numbered_columns
from perceptag.features.encoder import Encoder
from perceptag.features.fixed_encoder import ComputedColumns, FixedEncoder
from perceptag.features.gazetteer import COLUMNS as LISTS
from perceptag.features.gazetteer import Gazetteer
from perceptag.features.template import parse_all
from reference.document_columns import COLUMNS, document_column

# Capitals that have no lower case, become longer in lower case, or are neither; the borders of sentences as words.
WORDS = [
    *["Ann", "ann", "ANN", "Kent", "and", "New", "York", "İ", "i̇", "ΑΣ", "ας", "𝐀b", "ǅ", "É", "é", "ß", "1", "<s>"],
    "",
]
SENTENCE = st.tuples(st.lists(st.sampled_from(WORDS), max_size=6), st.booleans())
DOCUMENTS = st.lists(SENTENCE, max_size=6).map(
    lambda rows: [Sentence({"form": words}, starts_document=starts) for words, starts in rows]
)
PHRASE = st.lists(st.sampled_from([w for w in WORDS if w]), min_size=1, max_size=3).map(tuple)
PHRASES = st.dictionaries(st.sampled_from(["a", "b", "C"]), st.sets(PHRASE, min_size=1, max_size=5), max_size=3)
TEMPLATES = [
    *(f"{name}[0]" for name in COLUMNS),
    *("gazetteer[-1..1]", "doc_before.suffix1[1]", "doc_after[0] form[0]", "doc_name_after.length[0]"),
    *(
        "doc_before[0] doc_after[0]",
        "gazetteer[0] gazetteer[1]",
        "form[0]",
        "gazetteer_bilu[-1..1]",
        "gazetteer_bilu[0] gazetteer[0]",
    ),
]


def lists_of(phrases: dict[str, set[tuple[str, ...]]], others: dict[str, set[tuple[str, ...]]]) -> Gazetteer:
    lower = {name: {tuple(w.lower() for w in p) for p in found} for name, found in others.items()}
    return Gazetteer(phrases, in_any_case=Gazetteer(lower) if others else None)


def rows(corpus: _core.Corpus) -> list[list[list[int]]]:
    return [[corpus[i].rows(0, t).tolist() for t in range(len(corpus[i]))] for i in range(len(corpus))]


def encoders(train: list[Sentence], lists: Gazetteer) -> tuple[Encoder, FixedEncoder]:
    """Return an encoder that has learned its features from some documents, and a fixed one over the same features."""
    encoder = Encoder(parse_all(TEMPLATES, ["form", *COLUMNS, *LISTS]))
    computed = computed_columns(lists)
    data = SequenceReader(encoder.columns, computed).read(train)
    encoder.encode_new(data.columns, data.units, np.zeros(int(data.units[-1]), np.int32))
    return encoder, FixedEncoder(
        encoder, None, 1, ComputedColumns([c for c in encoder.columns if c in computed], lists)
    )


@given(train=DOCUMENTS, seen=DOCUMENTS, phrases=PHRASES, others=PHRASES)
@settings(deadline=None)
def test_native_columns_give_the_features_of_python(train, seen, phrases, others):
    lists = lists_of(phrases, others)
    encoder, fixed = encoders([*train, *seen], lists)
    computed = computed_columns(lists)
    for sentences in (seen, train, seen):
        slow = SequenceReader(encoder.columns, computed).read(sentences)
        quick = SequenceReader(encoder.columns, computed, is_native=True).read(sentences)
        assert rows(fixed.encode(quick.columns, quick.units)) == rows(encoder.encode(slow.columns, slow.units))


@given(sentences=DOCUMENTS, names=st.permutations(list(COLUMNS)))
def test_columns_of_training_have_the_values_of_their_definition(sentences, names):
    for name, column in numbered_columns(names, sentences).items():
        expected = [values for marks in document_column(name, sentences) for values in marks]
        assert [column.values[number] for number in column.numbers] == expected
        assert list(dict.fromkeys(column.numbers.tolist())) == list(range(len(column.values)))  # as they come


def test_the_core_checks_what_it_is_given():
    _, fixed = encoders([Sentence({"form": ["a", "b"]})], Gazetteer())
    reader = fixed.current_types().words
    words, begin, documents = reader.words([["a", "b"]]), np.array([0, 2], np.int32), np.array([0, 1], np.int32)
    assert len(reader.columns(words, begin, documents)) == len(fixed.computed.names)
    for bad in (
        (np.asarray(words) + 10_000, begin, documents),
        (words, begin[:1], documents),
        (words, begin, begin),
        (words, begin[::-1].copy(), documents),
        (words, begin, documents[:0]),
    ):
        with pytest.raises(ValueError, match=r"expected|out of range"):
            reader.columns(*bad)
    for names, ends in (*(([name], [0, 1]) for name in LISTS), (["doc_other"], [0, 1]), (["doc_lower"], [0, 2])):
        with pytest.raises(ValueError, match="expected"):
            _core.document_values(names, [["a"]], np.array(ends, np.int32))
    with pytest.raises(ValueError, match="expected the name of a column"):
        _core.DocumentReader([("doc_other", {}, None)], None, None)
