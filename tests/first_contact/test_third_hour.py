"""Small stumbles of the third hour: what people paste, and the names that they know from other libraries."""

import json
from pathlib import Path

import pytest

import perceptag
from perceptag.errors import DataError, SettingError
from perceptag.foreign.file_hints import content_looks_like
from perceptag.models.tokenizer.line_ends import paragraph_starts
from perceptag.pipeline.document import Document, DocumentSentence, DocumentSpan, DocumentToken, DocumentWord
from perceptag.pipeline.text_documents import checked_text
from perceptag.server.guard import _of_router
from typed_commands import typed

PAGE = """\
QUARTERLY REPORT OF THE NATIONAL BANK OF NORWAY, SECOND EDITION, PAGE 12 OF 48, FOR INTERNAL USE
the board met in Oslo on Monday and decided, after
Anna Smith had spoken, to keep the rate where it
was. The members from Bergen were against it, and
Paul Jones, who had come late, did not vote at all
in the first round.
"""
TABLE = "Two people came.\n| Name | Age |\n|------|-----|\n| Anna | 3 |\n"


def test_a_wide_header_above_wrapped_text_is_one_line() -> None:
    lines = [PAGE[start:].split("\n", maxsplit=1)[0] for start in paragraph_starts(PAGE)]
    assert not [line for line in lines if line.startswith(("Anna", "Paul"))]
    offices = "Offices of the bank in the three largest towns of the country\nOslo, 12 people\nBergen, 7\nVoss, 2\n"
    assert len(list(paragraph_starts(offices))) == 3  # a list under a wide line is still a list


def test_rows_of_a_table_in_markdown_are_paragraphs() -> None:
    assert [TABLE[start:].split("\n", maxsplit=1)[0] for start in paragraph_starts(TABLE)] == TABLE.split("\n")[1:4]


def word(text: str, start: int, **labels: str) -> DocumentToken:
    return DocumentToken(text, start, start + len(text), (DocumentWord(text, start, start + len(text), labels),))


def test_spans_of_a_document_are_in_the_order_of_the_text() -> None:
    spans = [DocumentSpan("values", "DATE", 2, 3, 9, 12, "May"), DocumentSpan("ner", "PER", 0, 1, 0, 4, "Anna")]
    sentence = DocumentSentence("Anna met May", 0, 12, [word("Anna", 0), word("met", 5), word("May", 9)], spans)
    document = Document("Anna met May", [sentence])
    assert [span.text for span in document.spans] == ["Anna", "May"] == [span.text for span in document.ents]
    assert (len(document), len(document.tokens)) == (1, 3)


@pytest.mark.parametrize(
    ("name", "here"), [("pos_", "upos"), ("tag_", "xpos"), ("ent_type_", "ner"), ("text_", "text"), ("idx", "start")]
)
def test_names_of_spacy_have_a_hint(name: str, here: str) -> None:
    token = word("Anna", 0, upos="PROPN", xpos="NNP", ner="B-PER")
    for one in (token, token.words[0]):
        with pytest.raises(AttributeError, match=f"found '{name}'; what spaCy calls {name} is {here} here"):
            getattr(one, name)
    with pytest.raises(AttributeError, match=r"found 'lemma_'$"):  # this pipeline has no lemmas
        _ = token.lemma_


def test_bytes_are_to_be_decoded() -> None:
    with pytest.raises(SettingError, match=r"found b'Anna'; text\.decode\('utf-8'\) makes a string of bytes"):
        checked_text(b"Anna")


def test_a_refused_method_says_which_ones_there_are() -> None:
    from starlette.exceptions import HTTPException

    problem = _of_router(HTTPException(405, headers={"Allow": "HEAD, GET"}))
    assert (problem.status, problem.detail) == (405, "method: expected GET or HEAD")
    assert (b"allow", b"GET, HEAD") in problem.headers


CHAT = {"messages": [{"role": "user", "content": "Find names: Anna sings"}, {"role": "assistant", "content": "Anna"}]}
FOUND = [{"start": 0, "end": 4, "text": "Anna", "label": "person", "score": 0.98}]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('[rules]\nlabel = "X"\n', "this looks like TOML"),
        ('learner = "margin"\nepochs = 3\n', "this looks like TOML"),
        (json.dumps(CHAT), "this looks like chats with a language model"),
        (
            json.dumps([{"tokenized_text": ["Anna"], "ner": [[0, 0, "person"]]}]),
            "this looks like training data of GLiNER",
        ),
        (json.dumps(FOUND), "without their text; expected a record for each text, such as {"),
        ('{"name": "x"}', "this looks like JSON of no known tool"),
        ("#begin document (bc/cctv/00/cctv_0000); part 000\n", "CoNLL-2012 shared task"),
    ],
)
def test_files_that_are_not_labelled_text_are_named(content: str, says: str) -> None:
    assert says in content_looks_like(content.encode())


def test_columns_of_ontonotes_are_named(tmp_path: Path) -> None:
    words = ["In", "the", "summer", "of", "2005", ",", "a"]
    rows = [
        f"bc/cctv/00/cctv_0000   0   {n}   {w}   NN   *   -   -   -   Speaker#1   *   -" for n, w in enumerate(words)
    ]
    (tmp_path / "onto.txt").write_text("\n".join(rows) + "\n\n")
    _, err = typed(tmp_path, "train", "--train", "onto.txt", "--no-dev", "--model", "m.model", status=2)
    assert "CoNLL-2012 shared task (OntoNotes)" in err


def test_reading_an_export_says_what_reads_it(tmp_path: Path) -> None:
    (tmp_path / "export.jsonl").write_text('{"id": 1, "text": "Anna sings", "label": [[0, 4, "PER"]]}\n')
    with pytest.raises(DataError, match=r"'perceptag convert FILE sentences\.jsonl' reads exports of annotation tools"):
        list(perceptag.text.read(tmp_path / "export.jsonl"))


def test_eval_says_which_columns_it_needs(tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text("Anna NNP B-PER\nsings VBZ O\n\nPaul NNP B-PER\neats VBZ O\n\n")
    (tmp_path / "gold.txt").write_text("Anna B-PER\nsings O\n\n")
    columns = ("--columns", "form,pos,ner")
    typed(tmp_path, "train", "--train", "train.txt", *columns, "--no-dev", "-r", "basic-ner", "-m", "m.model", "-q")
    _, err = typed(tmp_path, "eval", "--model", "m.model", "gold.txt", status=2)
    assert "(form, pos, ner), found 2; name them with --columns; the labels are in ner, the model may look at" in err


def test_the_columns_of_the_user_count_more_than_the_guess(tmp_path: Path) -> None:
    rows = "".join(
        f"{n} {word} {tag}\n" for n, (word, tag) in enumerate([("a", "B-X"), ("b", "O"), ("c", "B-X")] * 2, 1)
    )
    (tmp_path / "numbered.txt").write_text(rows + "\n")
    words = ("train", "--train", "numbered.txt", "--no-dev", "-r", "basic-ner", "-m", "m.model", "-q")
    _, err = typed(tmp_path, *words, status=2)
    assert "--columns id,form,label names the columns; if they are words, --columns with form first says so" in err
    typed(tmp_path, *words, "--columns", "form,c1,label")
