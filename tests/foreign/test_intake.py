"""What is recognised by its content, and what is read from it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from exports_of_tools import LABELS, NAMES, RECORDS, TABLES, TOKENS
from foreign_toys import by_spaces
from perceptag.errors import DataError, LostLabel, PerceptagError
from perceptag.foreign.as_sentences import as_sentences
from perceptag.foreign.file_hints import content_looks_like, own_format
from perceptag.foreign.intake import recognise_bytes, summed_up
from perceptag.foreign.mentions import ListedName, place
from perceptag.system.given_file import FileFacts


def labels_of(data: bytes, name: str = "a.jsonl") -> list[list[str]]:
    found = recognise_bytes(data, name, FileFacts(label_names=NAMES))
    assert found is not None
    return [s.columns["label"] for s in as_sentences(found.read(by_spaces, False))]


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
@pytest.mark.parametrize("layout", ["lines", "list"])
def test_records_of_all_tools_give_the_same_labels(record: object, layout: str) -> None:
    data = json.dumps([record, record], indent=1) if layout == "list" else f"{json.dumps(record)}\n" * 2
    assert labels_of(data.encode()) == [LABELS, LABELS]


@pytest.mark.parametrize("text", TABLES.values(), ids=TABLES)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_tables_of_all_layouts_give_the_same_labels(text: str, end: str) -> None:
    assert labels_of(text.replace("\n", end).encode(), "a.csv") == [LABELS]
    assert labels_of(b"\xef\xbb\xbf" + text.encode(), "a.csv") == [LABELS]


def test_other_columns_of_a_table_are_columns() -> None:
    found = recognise_bytes(TABLES["kaggle"].encode(), "a.csv")
    assert found is not None
    (sentence,) = as_sentences(found.read(None, False))
    assert sentence.columns == {"form": TOKENS, "pos": ["NNP", "VBZ", "IN", "NNP"], "label": LABELS}


def test_sentences_of_a_table_end_at_empty_rows_and_new_names() -> None:
    text = "doc_id,sentence_id,word,tag\nd1,1,a,O\nd1,2,b,O\n\nd2,1,c,O\nd2,1,d,X\n"
    found = recognise_bytes(text.encode(), "a.csv")
    assert found is not None
    sentences = as_sentences(found.read(None, False))
    assert [s.tokens for s in sentences] == [["a"], ["b"], ["c", "d"]]
    assert [s.starts_document for s in sentences] == [True, False, True]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("word,tag\na,O,x\n", "a.csv:2: expected 2 cells \\(word, tag\\), found 3"),
        ("text,start,end,label\na b,x,1,P\n", "a.csv:2: start: expected a number of characters, found 'x'"),
        (
            "sentence,tags\na b c,O O\n",
            "a.csv:2: 'tags': expected 3 tags, one for each word, or a list of spans, found",
        ),
        ("word,tag\n,B-PER\n", "a.csv:2: expected a word in column 'word', found none"),
        ('text;spans\na;[{"start": 0, "end": 1, "end": 2, "label": "P"}]\n', "a.csv:2: the key 'end' occurs twice"),
        ('text;spans\na;[{"start": 0, "end": NaN, "label": "P"}]\n', "a.csv:2: expected a number, found NaN"),
    ],
)
def test_tables_with_faults_are_refused_with_their_line(text: str, message: str) -> None:
    found = recognise_bytes(text.encode(), "a.csv")
    assert found is not None
    with pytest.raises(PerceptagError, match=message):
        found.read(by_spaces, False)


@pytest.mark.parametrize(
    "text", ["Anna B-PER\nsings O\n", "EU,rejects\n", '{"tokens": ["a"], "labels": ["O"]}\n', "", "word\n"]
)
def test_perceptags_own_formats_are_left_alone(text: str) -> None:
    assert recognise_bytes(text.encode(), "a") is None


def test_a_nul_is_a_character_like_others() -> None:
    """For csv of Python 3.10 it is an error, in a binary file as in a table."""
    assert recognise_bytes(b"PAR1\0\x15,\0\n", "a") is None
    assert content_looks_like(b"a\0,b\nc,d\n").startswith("this looks like a table separated by commas")
    found = recognise_bytes(b"text,from\nAnna \0 sings,x\n", "a.csv")
    assert found is not None and "table" in found.title


@pytest.mark.parametrize(("end", "labels"), [(4, ["B-PER", "O"]), (7, ["B-PER", "_"])])
def test_texts_that_were_not_annotated_have_no_labels_beside_whole_and_partly_labelled_ones(
    end: int, labels: list[str]
) -> None:
    spans = [[0, 4, "PER"], *([[5, end, "LOC"]] if end > 4 else [])]  # the second ends inside a token
    records = [{"text": "Anna sings", "entities": spans}, {"text": "a b", "entities": None}]
    assert labels_of(b"".join(json.dumps(record).encode() + b"\n" for record in records)) == [labels, ["_", "_"]]


def places(text: str, *mentions: tuple[str, str]) -> list[tuple[str, str]]:
    spans, _ = place(text, [ListedName(*mention) for mention in mentions])
    return [(text[s.start : s.end], s.label) for s in spans if s.text is None]


def test_names_are_found_as_whole_words_the_longest_first() -> None:
    assert places("New York Times of New  York", ("New York", "LOC"), ("New York Times", "ORG")) == [
        ("New York Times", "ORG"), ("New  York", "LOC")]  # fmt: skip
    assert places("Annas Anna ANNA", ("Anna", "PER")) == [("Anna", "PER")]
    assert places("it is ANNA", ("Anna", "PER")) == [("ANNA", "PER")]
    assert places("Paris met Paris", ("Paris", "PER"), ("Paris", "LOC")) == [("Paris", "PER"), ("Paris", "LOC")]


def test_names_that_cannot_be_placed_are_reported() -> None:
    spans, lost = place("Anna Berg left", [ListedName("Dr. Anna Berg", "PER"), ListedName("Zoe", "PER")])
    assert lost == [ListedName("Zoe", "PER")]
    assert [(s.start, s.end, s.text) for s in spans] == [
        (0, 4, "Dr. Anna Berg"),
        (5, 9, "Dr. Anna Berg"),
    ]
    spans, lost = place("Paris, Paris, Paris", [ListedName("Paris", "PER"), ListedName("Paris", "LOC")])
    assert not lost and {s.text for s in spans} == {"Paris (PER or LOC)"} and len(spans) == 3


def test_notes_are_summed_up() -> None:
    notes = [f"a:{n}: without an answer" for n in range(3, 83)] + [
        LostLabel(f"a:{n}: span {n} is lost") for n in range(5)
    ]
    summed = summed_up(notes)
    assert summed == ["80 times: without an answer; first: a:3", "5 times: span 0 is lost; first: a:0"]
    assert [isinstance(note, LostLabel) for note in summed] == [False, True]
    assert summed_up(["x", "y"]) == ["x", "y"]


def test_conllu_is_recognised_whatever_its_name(tmp_path: Path) -> None:
    row = "1\tAnna\t_\t_\t_\t_\t_\t_\t_\tNER=B-PER"
    (tmp_path / "a.txt").write_text(f"# text = Anna\n{row}\n\n")
    (tmp_path / "b.txt").write_text("Anna B-PER\n")
    assert own_format(str(tmp_path / "a.txt")) == "conllu" and own_format(str(tmp_path / "b.txt")) is None


@pytest.mark.parametrize("wrong", ['{"text":', "[1", '{"text": "a", "text": "b"}'])
def test_one_bad_line_of_an_export_is_named(wrong: str) -> None:
    data = f"{json.dumps(RECORDS['doccano'])}\n\n{wrong}\n{json.dumps(RECORDS['doccano'])}\n"
    found = recognise_bytes(data.encode(), "a.jsonl")
    assert found is not None
    with pytest.raises(DataError, match=r"^a\.jsonl:3: expected JSON: "):
        found.read(by_spaces, False)


def test_characters_go_before_words_where_a_span_counts_both() -> None:
    from perceptag.foreign.span_values import span_of

    span = span_of({"start": 3, "end": 4, "start_char": 14, "end_char": 20, "label": "LOC"}, "a.jsonl:1")
    assert (span.start, span.end) == (14, 20)
