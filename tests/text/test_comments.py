"""Comments in column files: only if the user says how they begin; tagging keeps them."""

from __future__ import annotations

import io

import pytest

from command_line import check, run, succeed, toy_model
from perceptag.errors import DataError
from perceptag.text import read_columns, write_columns

TEXT = "# id 1 x y\nThe DT O\n#2\n# SYM B-X\n\n# alone\n\n\n# id 2 x y\nDogs NNS O\n\n"


def test_a_line_with_another_number_of_columns_is_a_comment():
    one, two = read_columns(io.StringIO(TEXT), comment="#")
    assert (one.tokens, two.tokens) == (["The", "#"], ["Dogs"])
    assert [one.where(t) for t in (0, 1)] == ["<stream>:2", "<stream>:4"]
    assert two.where() == "<stream>:10"


def test_comments_are_written_back():
    out = io.StringIO()
    write_columns(read_columns(io.StringIO(TEXT), comment="#"), out)
    assert out.getvalue() == TEXT


def test_a_prefix_with_a_space_is_enough():
    text = "# id 7\tdomain=a\na _ _ O\n# _ _ O\n"
    [sentence] = read_columns(io.StringIO(text), comment="# id")
    assert sentence.tokens == ["a", "#"]


def test_hashtags_are_tokens():
    [sentence] = read_columns(io.StringIO("#one O\n# a comment\n#two O\n"), comment="#")
    assert sentence.tokens == ["#one", "#two"]


@pytest.mark.parametrize("text", ["a b\n# text: a comment\n", "# a comment line\na b\n"])
def test_an_error_tells_of_the_option(text):
    with pytest.raises(
        DataError, match=r"<stream>:2: expected .*; if lines .* are comments, use --comment '#' .*"
    ) as error:
        list(read_columns(io.StringIO(text)))
    assert error.value.where == "<stream>:2"


def test_the_line_of_an_error_counts_the_comments_before_it():
    text = "# x y z\na b\n# x y z\n#\n c d\n#\ne\nf g\n"
    with pytest.raises(DataError, match="expected 2 columns") as error:
        list(read_columns(io.StringIO(text), comment="#"))
    assert error.value.where == "<stream>:7"


@pytest.mark.parametrize("options", [(), ("--batch", 1), ("-j", 2), ("--keep-given",)])
def test_tag_keeps_comments(tmp_path, options):
    model = toy_model(tmp_path)
    text = "# id 1 x\n# text = The dog\nThe DT _\ndog NN _\n\n\nDogs NNS _\n\n# the end of it all\n\n"
    out = succeed("tag", "-m", model, "--comment", "#", *options, stdin=text.encode()).out
    assert out == text.replace("The DT _", "The DT B-NP").replace("dog NN _", "dog NN I-NP").replace("S _", "S B-NP")
    check(run("tag", "-m", model, stdin=text.encode()), r"use --comment '#'")


def test_a_comment_right_after_the_mark_of_a_document_may_be_a_token() -> None:
    (sentence,) = read_columns(io.StringIO("-DOCSTART- O\n# a\n"), ["form", "ner"], comment="#")
    assert sentence.columns == {"form": ["#"], "ner": ["a"]}
    assert sentence.starts_document
    assert not list(read_columns(io.StringIO("-DOCSTART- O\n# a\n"), ["form", "ner"], comment="# a"))
