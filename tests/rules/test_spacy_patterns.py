"""Patterns of spaCy's EntityRuler are read; what cannot be said with rules is refused."""

import json

import pytest

from perceptag import DataError, Rules, Sentence

PATTERNS = [
    {"label": "ORG", "pattern": "Apple"},
    {"label": "GPE", "pattern": [{"LOWER": "san"}, {"LOWER": "francisco"}], "id": "san-francisco"},
    {"label": "NUM", "pattern": [{"IS_DIGIT": True, "OP": "+"}, {"LOWER": {"IN": ["km", "miles"]}}]},
    {"label": "CODE", "pattern": [{"TEXT": {"REGEX": "^[A-Z]+/[0-9]+$"}}]},
    {"label": "HAS", "pattern": [{"LOWER": {"REGEX": "zz"}}, {"IS_PUNCT": True, "OP": "?"}]},
    {"label": "SHAPE", "pattern": [{"SHAPE": "Xxxxx-dd"}]},
    {"label": "NOT", "pattern": [{"LOWER": "not"}, {"LOWER": "x", "OP": "!"}, {"LOWER": "end"}]},
    {"label": "SEVERAL WORDS", "pattern": [{"ORTH": "two", "OP": "{2,3}"}]},
]


@pytest.fixture
def load(tmp_path):
    def write(*records):
        path = tmp_path / "patterns.jsonl"
        path.write_text("\n".join(map(json.dumps, records)) + "\n")
        return Rules.load(path)

    return write


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("I like Apple pie", [(2, 3, "ORG")]),
        ("in San Francisco today", [(1, 3, "GPE")]),
        ("12 13 km", [(0, 3, "NUM")]),
        ("see AB/12 there", [(1, 2, "CODE")]),
        ("a pizza !", [(1, 3, "HAS")]),
        ("Washington-12 Wash-12", [(0, 1, "SHAPE")]),
        ("not a end not x end", [(0, 3, "NOT")]),
        ("two two two two", [(0, 3, "SEVERAL_WORDS")]),
    ],
)
def test_patterns_match_as_in_spacy(load, text, wanted):
    found = load(*PATTERNS)(text.split())
    assert [(s.start, s.end, s.label) for s in found] == wanted


def test_columns_stand_for_what_spacy_predicts(load):
    rules = load({"label": "X", "pattern": [{"POS": "NOUN", "LEMMA": {"NOT_IN": ["dog"]}}], "id": "n"})
    sentence = Sentence({"form": ["dogs", "cats"], "lemma": ["dog", "cat"], "upos": ["NOUN", "NOUN"]})
    assert [(s.start, s.end, s.rule) for s in rules(sentence)] == [(1, 2, "n-1")]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"label": "X", "pattern": [{"DEP": "nsubj"}]}, "patterns.jsonl:1: DEP: not offered; expected one of TEXT"),
        ({"label": "X", "pattern": [{"LOWER": {"FUZZY": "x"}}]}, "patterns.jsonl:1: FUZZY: not offered; expected IN"),
        ({"label": "X", "pattern": [{"LOWER": "a", "OP": "~"}]}, "patterns.jsonl:1: OP: expected one of ! ? + * 1"),
        ({"pattern": "x"}, "patterns.jsonl:1: expected an object with label, pattern and perhaps id"),
    ],
)
def test_what_is_not_offered_is_refused(load, record, message):
    with pytest.raises(DataError) as caught:
        load(record)
    assert message in str(caught.value)


def test_a_repeated_key_is_refused(tmp_path):
    path = tmp_path / "patterns.jsonl"
    path.write_text('{"label": "X", "pattern": "a", "pattern": "b"}\n')
    with pytest.raises(DataError, match=r"patterns\.jsonl:1: expected a JSON object on each line: the key 'pattern'"):
        Rules.load(path)
