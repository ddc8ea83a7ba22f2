"""Column files."""

from __future__ import annotations

import io
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptag.errors import DataError
from perceptag.text import Sentence, from_tokens, read_columns, write_columns
from perceptag.text.documents import split_documents

NAMES = ["form", "pos", "chunk", "ner"]
ODD = "\u2028\u2029\x85\xa0\x0b\x0c\x1c\x1d\x1e\x1f\u200d\u3000\ufeff\u00ad#\"'\\-_𝒳é"


def written(sentences: list[Sentence], separator: str | None = None) -> str:
    stream = io.BytesIO()
    write_columns(sentences, stream, separator=separator)
    return stream.getvalue().decode()


def parsed(text: str, columns: list[str] | None = None) -> list[Sentence]:
    return list(read_columns(io.StringIO(text), columns))


def values(banned: str) -> st.SearchStrategy[str]:
    usual = st.characters(exclude_categories=["Cs"], exclude_characters=banned)
    return st.text(st.one_of(usual, st.sampled_from(ODD)), min_size=1, max_size=6)


def corpora(banned: str, widths: st.SearchStrategy[int]) -> st.SearchStrategy[list[Sentence]]:
    def sentences(width: int) -> st.SearchStrategy[list[Sentence]]:
        names = ["form", *(f"c{i}" for i in range(1, width - 1)), "label"][:width]
        row = st.tuples(*[values(banned)] * width).filter(lambda r: r[0].strip(" ") and "-DOCSTART-" not in r[0])
        rows = st.lists(row, min_size=1, max_size=4)
        make = st.builds(
            lambda rows, starts: Sentence(
                dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)), starts_document=starts
            ),
            rows,
            st.booleans(),
        )
        return st.lists(make, max_size=4)

    return widths.flatmap(sentences)


@given(corpora("\n\r\0\t", st.integers(2, 4)))
def test_what_is_written_with_tabs_is_read_back(sentences: list[Sentence]) -> None:
    text = written(sentences, "\t")
    again = parsed(text)
    assert again == sentences
    assert written(again) == text


def test_documents_start_at_their_marks() -> None:
    text = "a X\n\n-DOCSTART- -X-\n\nb X\n\nc X\n\n-DOCSTART- -X-\nd X\n  -DOCSTART- -X-\ne X\n"
    sentences = parsed(text)
    assert [[s.tokens for s in document] for document in split_documents(sentences)] == [
        [["a"]], [["b"], ["c"]], [["d"]], [["e"]],
    ]  # fmt: skip
    assert [s.line for s in sentences] == [1, 5, 7, 10, 12]


def test_a_mark_before_no_sentence_is_dropped() -> None:
    assert written(parsed("a\n\n-DOCSTART-\n\n")) == "a\n\n"
    assert parsed("-DOCSTART-\n") == []


def test_marks_are_made_and_filled_up() -> None:
    (sentence,) = parsed("-DOCSTART- -X-\n\na X\n")
    sentence.columns["label2"] = ["Y"]
    assert written([sentence]) == "-DOCSTART- -X- O\n\na X Y\n\n"
    assert written([Sentence({"form": ["a"], "label": ["X"]}, starts_document=True)]) == "-DOCSTART- O\n\na X\n\n"
    sentence.starts_document = False
    assert written([sentence]) == "a X Y\n\n"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a", ["form"]),
        ("a b c d", ["form", "c1", "c2", "label"]),
        ("-DOCSTART- -X- O O\n\na b", ["form", "label"]),
    ],
)
def test_columns_without_names(text: str, names: list[str]) -> None:
    assert list(parsed(text)[0].columns) == names


def test_runs_of_blanks_separate_when_the_first_line_has_no_tab() -> None:
    assert parsed(" EU  NNP \nof \t IN\n\t-\tO\n") == [
        Sentence({"form": ["EU", "of", "-"], "label": ["NNP", "IN", "O"]})
    ]
    assert parsed("a b\nc\td\n") == [Sentence({"form": ["a", "c"], "label": ["b", "d"]})]


def test_single_tabs_separate_when_the_first_line_has_one() -> None:
    text = "New York\tB\n at \tO\n"
    assert parsed(text) == [Sentence({"form": ["New York", " at "], "label": ["B", "O"]})]
    assert [s.tokens for s in read_columns(io.StringIO("a\tb c\n"), separator=" ")] == [["a"]]
    assert [s.tokens for s in read_columns(io.StringIO("New York\n"), separator="\t")] == [["New York"]]


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("a b c d\nEU NNP I-NP\n", 2, "expected 4 columns (form, pos, chunk, ner), found 3: 'EU NNP I-NP'"),
        ("a b c d\n\n\na b c d e\n", 4, "expected 4 columns (form, pos, chunk, ner), found 5: 'a b c d e'"),
        ("a b c d\n\n-DOCSTART-\na  b c\n", 4, "found 3: 'a b c'"),
        ("a\tb\tc\td\na\t\tc\td\n", 2, "expected a value in column 'pos', found none: 'a\\t\\tc\\td'"),
    ],
)
def test_lines_with_other_columns(text: str, where: int, message: str) -> None:
    with pytest.raises(DataError) as caught:
        parsed(text, NAMES)
    assert caught.value.where == f"<stream>:{where}"
    assert message in str(caught.value)


def test_a_wrong_line_is_found_in_one_pass_over_its_sentence() -> None:
    """The number of times that lines are split does not depend on the length of the sentence."""

    def splits(length: int) -> int:
        found = 0

        def count(frame: object, event: str, function: object) -> None:
            nonlocal found
            found += event == "c_call" and getattr(function, "__name__", "") == "split"

        text = io.StringIO("a\nb\nc d\n" + "e\n" * length)
        sys.setprofile(count)
        try:
            list(read_columns(text))
        except DataError as error:
            assert error.where == "<stream>:3"
        finally:
            sys.setprofile(None)
        return found

    assert 0 < splits(10) == splits(1000)


@pytest.mark.parametrize(
    ("columns", "separator", "message"),
    [
        ({"form": ["New York"], "label": ["B"]}, " ", "form 'New York' of token 1: it contains a space, which only"),
        ({"form": ["a", "b"], "label": ["B", "I\tB"]}, " ", "label 'I\\tB' of token 2: it contains a tab"),
        ({"form": ["a\nb"], "label": ["B"]}, " ", "it contains a line feed"),
        ({"form": ["\ud800"], "label": ["B"]}, " ", "it contains a lone surrogate, U+D800"),
        ({"form": ["a", ""], "label": ["B", "O"]}, " ", "cannot write form of token 2: it is empty"),
        ({"form": [" "], "label": [" "]}, "\t", "token 1 has only spaces: a blank line"),
        ({"form": ["-DOCSTART-"], "label": ["O"]}, " ", "token 1 is -DOCSTART-, which marks a document"),
        ({"form": []}, " ", "a sentence without tokens"),
        ({"form": ["a", "b"], "label": ["B"]}, " ", "column 'label': expected 2 values as in column 'form', found 1"),
        ({"form": ["a"], "label": [7]}, " ", "label 7 of token 1: it is not a string"),
    ],
)
def test_what_cannot_be_written(columns: dict[str, list[str]], separator: str, message: str) -> None:
    good = Sentence({name: ["x"] for name in columns or {"form": 0}})
    sentences = [good, Sentence(columns)] if columns else [Sentence(columns)]
    with pytest.raises(DataError) as caught:
        written(sentences, separator)
    assert caught.value.where == f"sentence {len(sentences)}"
    assert message in str(caught.value)


def test_an_unwritable_sentence_is_named_by_its_file() -> None:
    (sentence,) = parsed("\na b\nc d\n")
    sentence.columns["label"][1] = "d e"
    with pytest.raises(DataError, match=r"^<stream>:3: cannot write label 'd e' of token 2"):
        written([sentence])


def test_all_sentences_must_have_the_same_columns() -> None:
    with pytest.raises(DataError, match=r"sentence 2: expected the columns of the first sentence \(form\), found x"):
        written([from_tokens(["a"]), Sentence({"x": ["a"]})])


def test_a_text_stream_is_written_to_as_it_is() -> None:
    stream = io.StringIO()
    write_columns([from_tokens(["é"])], stream)
    assert stream.getvalue() == "é\n\n"
    with pytest.raises(DataError, match="lone surrogate"):
        write_columns([from_tokens(["\udfff"])], stream)
