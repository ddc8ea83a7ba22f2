"""Columns computed from documents and gazetteers: compared with values made by hand, and without leaks."""

from __future__ import annotations

from itertools import combinations
from time import process_time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptag import ModelError, Sentence, Tagger, _core
from perceptag.features.gazetteer import POSITIONS, Gazetteer, read_gazetteer
from perceptag.models.kinds import make_ready
from perceptag.models.task import without_empty
from perceptag.text.documents import as_document, document_numbers, split_documents
from perceptag.training.train import Training
from reference.document_columns import COLUMNS, MAX_OCCURRENCES, document_column
from reference.phrase_marks import first_or_inside, phrase_marks
from toys import make_recipe


def sentence(text: str, starts: bool = False, labels: str = "") -> Sentence:
    columns = {"form": text.split()} | ({"ner": labels.split()} if labels else {})
    return Sentence(columns, starts_document=starts)


def marks(name: str, sentences: list[Sentence]) -> list[list[tuple[str, ...]]]:
    return document_column(name, sentences)


DOCUMENT = [
    sentence("Apple sold apple pies", starts=True),
    sentence("The Apple of Ann"),
    sentence("Apple"),
    sentence("Ann saw The Ann and Bob"),
]
# name: the values of each token of DOCUMENT; () for words that are not capitalised
BY_HAND = {
    "doc_recurs": ["1---", "11-1", "1", "1-11--"],  # The, Apple and Ann recur, Bob does not
    "doc_lower": ["1---", "-1--", "1", "------"],  # apple
    # Other occurrences inside a sentence. The first Apple has "The Apple", which itself has none.
    "doc_inside": ["1---", "1--1", "1", "1--1--"],
}


@pytest.mark.parametrize("name", BY_HAND)
def test_flags_by_hand(name: str) -> None:
    found = ["".join("1" if value else "-" for value in values) for values in marks(name, DOCUMENT)]
    assert found == BY_HAND[name]


def test_neighbours_by_hand() -> None:
    before, after = marks("doc_before", DOCUMENT), marks("doc_after", DOCUMENT)
    assert before[0][0] == ("the", "<s>")  # "The Apple", and Apple at the start of the third sentence
    assert after[0][0] == ("of", "</s>")
    assert before[1][1] == ("<s>",)  # twice, but a value is listed once
    assert after[1][1] == ("sold", "</s>")
    assert before[1][3] == ("<s>", "the")  # Ann
    assert after[1][3] == ("saw", "and")
    assert before[0][1:] == [(), (), ()]  # words in lower case
    assert before[3][5] == ()  # Bob occurs once
    assert marks("doc_name_before", DOCUMENT)[0][0] == ("The",)
    assert marks("doc_name_after", DOCUMENT)[2][0] == ()
    assert marks("doc_name_after", DOCUMENT)[1][0] == ("Ann",)  # The: its other occurrence is "The Ann"


def test_only_the_first_occurrences_count() -> None:
    document = [sentence("Ann", starts=True), *(sentence(f"w{i} Ann") for i in range(MAX_OCCURRENCES + 3))]
    assert marks("doc_before", document)[0][0] == tuple(f"w{i}" for i in range(MAX_OCCURRENCES))
    assert marks("doc_before", document)[2][1] == ("<s>", "w0", *(f"w{i}" for i in range(2, MAX_OCCURRENCES)))


@pytest.mark.parametrize("name", COLUMNS)
def test_documents_do_not_see_each_other(name: str) -> None:
    twice = [*DOCUMENT, *DOCUMENT]
    assert marks(name, twice) == marks(name, DOCUMENT) * 2
    other = [sentence("Bob met apple The Ann", starts=True), sentence("in Bob")]
    assert marks(name, [*DOCUMENT, *other]) == marks(name, DOCUMENT) + marks(name, other)


@pytest.mark.parametrize("name", COLUMNS)
def test_sentences_of_no_document_stand_alone(name: str) -> None:
    alone = [sentence("Ann saw Ann"), sentence("Ann"), sentence("the ann Ann")]
    expected = [values for one in alone for values in marks(name, [one])]
    assert marks(name, [*alone, *DOCUMENT]) == expected + marks(name, DOCUMENT)


@pytest.mark.parametrize("name", COLUMNS)
def test_labels_do_not_matter(name: str) -> None:
    labelled = [Sentence({**s.columns, "ner": ["B-X"] * len(s)}, starts_document=s.starts_document) for s in DOCUMENT]
    assert marks(name, labelled) == marks(name, DOCUMENT)


def test_documents_are_cut_at_marks() -> None:
    a, b = sentence("a"), sentence("b", starts=True)
    assert [len(d) for d in split_documents([a, a, b, a, a, b, b])] == [1, 1, 3, 1, 1]
    assert split_documents([]) == []
    assert [s.starts_document for s in as_document([a, b, a])] == [True, False, False]
    assert (a.starts_document, b.starts_document) == (False, True)


def test_an_empty_sentence_that_starts_a_document_hands_the_mark_on() -> None:
    """Otherwise dropping it would join two documents."""
    empty, a = Sentence({"form": []}, starts_document=True), sentence("a")
    kept = without_empty([a, empty, a, a, empty, empty, a, empty])
    assert [s.starts_document for s in kept] == [False, True, False, True]
    assert not a.starts_document


# ------------------------------------------------------------------------------------------ gazetteers

TRAIN = [
    sentence("in New York", starts=True, labels="O B-LOC I-LOC"),
    sentence("York and Bonn", labels="B-LOC O B-LOC"),
    sentence("to York", starts=True, labels="O B-LOC"),
    sentence("York is Ann", labels="B-PER O B-PER"),
    sentence("of Bonn", starts=True, labels="O B-ORG"),
]


def learned(sentences: list[Sentence], start: Gazetteer | None = None) -> Gazetteer:
    gazetteer = start or Gazetteer()
    words, labels = ([s.columns[name] for s in sentences] for name in ("form", "ner"))
    gazetteer.learn(words, labels, "IOB2", document_numbers(sentences))
    return gazetteer


def test_a_training_document_sees_only_what_other_documents_know() -> None:
    found = learned(TRAIN).column(TRAIN, document_numbers(TRAIN))
    assert found == [
        # New York is known from here only; but York is a place and a person in the second document.
        [(), (), ("B-LOC", "B-PER")],
        [("B-LOC", "B-PER"), (), ("B-ORG",)],  # Bonn: a place only here, an organisation elsewhere
        [(), ("B-LOC",)],
        [("B-LOC",), (), ()],  # York as a person, and Ann, are known from here only
        [(), ("B-LOC",)],
    ]


def test_leaving_a_document_out_is_learning_from_the_others() -> None:
    """The same marks as those of a gazetteer that has never seen the document."""
    found = learned(TRAIN).column(TRAIN, document_numbers(TRAIN))
    documents = split_documents(TRAIN)
    expected = []
    for i, document in enumerate(documents):
        others = [s for k, other in enumerate(documents) if k != i for s in other]
        expected += learned(others).column(document)
    assert found == expected


PHRASES = st.lists(st.sampled_from("ab"), min_size=1, max_size=4).map(tuple)


@given(
    st.dictionaries(st.sampled_from("XY"), st.sets(PHRASES)),
    st.dictionaries(st.tuples(st.sampled_from("XY"), PHRASES), st.integers(0, 1)),
    st.lists(st.sampled_from("abc"), max_size=9),
)
def test_matching_is_that_of_every_phrase_at_every_token(phrases, only_in, tokens) -> None:
    gazetteer = Gazetteer(phrases, only_in)
    visible = {name: {p for p in found if only_in.get((name, p)) != 0} for name, found in phrases.items()}
    for document, seen in ((0, visible), (-1, phrases)):
        marks = phrase_marks(seen, tokens)
        assert gazetteer.match(tokens, document, POSITIONS) == marks
        assert gazetteer.match(tokens, document) == first_or_inside(marks)


def test_sentences_of_no_document_leave_themselves_out() -> None:
    train = [sentence("Ann", labels="B-PER"), sentence("Ann", labels="B-PER"), sentence("Bob", labels="B-PER")]
    assert learned(train).column(train, document_numbers(train)) == [[("B-PER",)], [("B-PER",)], [()]]


def test_phrases_from_files_are_no_leak(tmp_path) -> None:
    path = tmp_path / "places.txt"
    path.write_text("New York\n\n  Bonn \n")
    gazetteer = learned(TRAIN, read_gazetteer([f"LOC={path}"]))
    found = gazetteer.column(TRAIN, document_numbers(TRAIN))
    assert found[0] == [(), ("B-LOC",), ("I-LOC", "B-PER")]
    assert found[1][2] == ("B-LOC", "B-ORG")
    assert found[3][2] == ()  # Ann is still only known from there


def test_the_trainer_leaves_out_and_the_tagger_does_not() -> None:
    recipe = make_recipe(templates=["gazetteer[0]", "bias * y-1 y0"], gazetteer=["train"], epochs=1)
    training = Training(recipe, TRAIN)
    rows = [[len(x.rows(0, t)) for t in range(len(x))] for x in training.trainer.sequences]
    assert rows == [[0, 0, 2], [2, 0, 1], [0, 1], [1, 0, 0], [0, 1]]
    tagger = Tagger(recipe).fit(TRAIN)
    data = tagger.ready_model.reader.computed["gazetteer"](TRAIN)
    assert data == learned(TRAIN).column(TRAIN)


def test_lists_that_match_in_any_case(tmp_path) -> None:
    texts = {"cities": "New York\nYork\n", "names": "ANN\nde la Cruz\n", "more": "Rome\n"}
    gazetteer = read_gazetteer(["city=cities", "name~=names", "city~=more", "train"], texts.__getitem__)
    tokens = ["ann", "De", "La", "CRUZ", "saw", "new", "York", "and", "ROME"]
    assert gazetteer.match(tokens) == [
        *[("B-name",), ("B-name",), ("I-name",), ("I-name",), ()],
        *[(), ("B-city",), (), ("B-city",)],
    ]
    both = read_gazetteer(["city=cities", "city~=cities"], texts.__getitem__)
    assert both.match(["York", "yORK"]) == [("B-city",), ("B-city",)]
    again = Gazetteer.from_dict(gazetteer.to_dict())
    assert again.match(tokens) != gazetteer.match(tokens)
    again.join(Gazetteer(in_any_case=Gazetteer.from_dict(gazetteer.in_any_case.to_dict())))
    assert again.match(tokens) == gazetteer.match(tokens)


def test_positions_in_matches_are_of_both_sorts_of_lists() -> None:
    """A word can be the last of one match and the only one of another."""
    texts = {"cities": "New York City\nYork\n", "any": "new york\n"}
    gazetteer = read_gazetteer(["city=cities", "city~=any"], texts.__getitem__)
    tokens = ["New", "York", "City", "York", "NEW", "YORK"]
    assert gazetteer.match(tokens, column=POSITIONS) == [
        *[("B-city",), ("I-city", "L-city"), ("L-city",)],
        *[("U-city",), ("B-city",), ("L-city",)],
    ]


def test_names_of_the_training_data_in_any_case() -> None:
    """A document does not see its own names, whatever their case is elsewhere in it."""
    settings = {"gazetteer": ["train~"], "epochs": 1}
    data = [
        sentence("to Bonn", starts=True, labels="O B-LOC"),
        sentence("BONN and Ulm", labels="B-LOC O B-LOC"),
        sentence("to ulm", starts=True, labels="O B-LOC"),
    ]
    recipe = make_recipe(templates=["gazetteer[0]"], **settings)
    rows = [[len(x.rows(0, t)) for t in range(len(x))] for x in Training(recipe, data).trainer.sequences]
    assert rows == [[0, 0], [0, 0, 1], [0, 1]]
    model = Tagger(recipe).fit(data).model_
    assert (model.facts["gazetteer"], model.facts["gazetteer_in_any_case"]) == ({}, {"LOC": [["bonn"], ["ulm"]]})
    words = [sentence("BONN ULM Bern")]
    assert make_ready(model).reader.computed["gazetteer"](words) == [[("B-LOC",), ("B-LOC",), ()]]


def test_models_keep_lists_that_match_in_any_case(tmp_path) -> None:
    (tmp_path / "cities").write_text("Bonn\n")
    data = [sentence("in BONN", labels="O B-LOC"), sentence("in Ulm", labels="O O")]
    recipe = make_recipe(
        templates=("gazetteer[0]", "bias"), support="all", gazetteer=[f"c~={tmp_path / 'cities'}"], epochs=3
    )
    first = Tagger(recipe).fit(data)
    first.save(tmp_path / "m")
    loaded = Tagger.load(tmp_path / "m")
    assert loaded.predict([["bonn"], ["Bonn"], ["Ulm"]]) == [["B-LOC"], ["B-LOC"], ["O"]]
    (tmp_path / "cities").write_text("Ulm\n")
    more = Training(recipe, data, start=loaded.model_).model()
    assert more.facts["gazetteer_in_any_case"] == {"c": [["bonn"], ["ulm"]]}
    assert "gazetteer_in_any_case" not in loaded.model_.facts
    for wrong, message in ((b"new  york", "single spaces"), (b"bonn\n", "single spaces"), (b"\xff", "UTF-8")):
        loaded.model_.arrays["lists.c"] = np.frombuffer(wrong, np.uint8)
        with pytest.raises(ModelError, match=rf"array 'lists.c': expected .*{message}"):
            loaded._set_model(loaded.model_)


def test_phrases_of_many_sets_of_classes_take_linear_time():
    def seconds(classes: int) -> float:
        pairs = list(combinations(range(classes), 2))
        lists = {str(k): [[f"w{n}"] for n, pair in enumerate(pairs) if k in pair] for k in range(classes)}
        phrases, table = Gazetteer.from_dict(lists), _core.PhraseTable()
        start = process_time()
        phrases.fill(table)
        return process_time() - start

    few, many = (min(seconds(classes) for _ in range(3)) for classes in (60, 180))
    assert many < 30 * few  # 9 times the phrases; 81 times the pairs of sets
