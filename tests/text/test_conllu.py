"""CoNLL-U."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptag.errors import DataError
from perceptag.text import CONLLU_COLUMNS, Sentence, from_tokens, read_conllu, write_conllu
from perceptag.text.conllu import ConlluLayout

REST = "\t_" * 7
FILE = f"""\
# global.columns = whatever
# newdoc id = d1
# text = Vámonos al mar
1-2\tVámonos\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
1\tVamos\tir\tVERB\t_\tMood=Imp|Number=Plur\t0\troot\t0:root\t_
2\tnos\tnosotros\tPRON\t_\t_\t1\tobj\t1:obj\t_
3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_
3\ta\ta\tADP\t_\t_\t5\tcase\t5:case\t_
# a comment between words
4\tel\tel\tDET\t_\t_\t5\tdet\t5:det\t_
5\tmar\tmar\tNOUN\t_\t_\t1\tobl\t1:obl\t_
5.1\tfui\tir\tVERB\t_\t_\t_\t_\t0:root\t_
5.2\t_\t_\t_\t_\t_\t_\t_\t1:x\t_

0.1\tempty\t_\t_\t_\t_\t_\t_\t0:root\t_
1\tla la\t_{REST}
# at the end

#newdoc
1\t…\t_{REST}

"""


def parsed(text: str) -> list[Sentence]:
    return list(read_conllu(io.StringIO(text)))


def written(sentences: list[Sentence]) -> str:
    stream = io.BytesIO()
    write_conllu(sentences, stream)
    return stream.getvalue().decode()


def test_only_syntactic_words_are_tokens() -> None:
    first, second, third = parsed(FILE)
    assert first.tokens == ["Vamos", "nos", "a", "el", "mar"]
    assert tuple(first.columns) == CONLLU_COLUMNS
    assert first.columns["upos"] == ["VERB", "PRON", "ADP", "DET", "NOUN"]
    assert second.tokens == ["la la"]
    assert [s.starts_document for s in (first, second, third)] == [True, False, True]


def test_changed_columns_are_written_in_place() -> None:
    sentences = parsed(FILE)
    sentences[0].columns["upos"] = ["A", "B", "C", "D", "E"]
    old, new = FILE.split("\n"), written(sentences).split("\n")
    assert [b.split("\t")[3] for a, b in zip(old, new, strict=True) if a != b] == ["A", "B", "C", "D", "E"]


def test_the_document_comment_follows_the_flag() -> None:
    sentences = parsed(FILE)
    sentences[0].starts_document = False
    sentences[1].starts_document = True
    text = written(sentences)
    assert "newdoc id" not in text
    assert [s.starts_document for s in parsed(text)] == [False, True, True]
    assert "# newdoc\n0.1\tempty" in text


def test_missing_columns_are_written_as_underscores() -> None:
    assert written([from_tokens(["a", "b c"])]) == f"1\ta\t_{REST}\n2\tb c\t_{REST}\n\n"


@pytest.mark.parametrize(
    ("rows", "line", "message"),
    [
        (["1\ta"], 1, "expected 10 columns (id, form, lemma, upos, xpos, feats, head, deprel, deps, misc), found 2"),
        (["# c", f"1\ta\t_{REST}", f"2\ta\t_{REST}\t_"], 3, "found 11"),
        ([f"1\ta\t_{REST}", f"2-3\ta{REST}"], 2, "found 9"),
        (["dog"], 1, "found 1: 'dog'; format 'columns' has a word on each line"),
        ([f"1\t\t_{REST}"], 1, "expected a value in column 'form', found none"),
        (
            [f"1\ta\t_{REST}", f"2-3\t\t_{REST}", f"2\tb\t_{REST}", f"3\tc\t_{REST}"],
            2,
            "expected a value in column 'form', found none",
        ),
        ([f"2\ta\t_{REST}"], 1, "ids must be consecutive: expected 1, 1-… or 0.1, found '2'"),
        ([f"1\ta\t_{REST}", f"1\ta\t_{REST}"], 2, "expected 2, 2-… or 1.1, found '1'"),
        ([f"²\ta\t_{REST}"], 1, "expected an id such as 3, 3-4 or 3.1, found '²'"),
        ([f"{'9' * 5000}\ta\t_{REST}"], 1, "expected an id"),
        ([f"1-3\tx\t_{REST}", f"1\ta\t_{REST}"], 1, "the range ends at word 3, but the sentence has 1"),
        (["# only a comment"], 1, "expected at least one word"),
    ],
)
def test_bad_lines(rows: list[str], line: int, message: str) -> None:
    with pytest.raises(DataError) as caught:
        parsed(f"1\tgood\t_{REST}\n\n" + "\n".join(rows))
    assert caught.value.where == f"<stream>:{line + 2}"
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"form": ["a\tb"]}, "cannot write form 'a\\tb' of token 1: it contains a tab"),
        ({"form": ["a"], "upos": [""]}, "cannot write upos of token 1: it is empty"),
        ({"form": ["a", "\udc80"]}, "of token 2: it contains a lone surrogate, U+DC80"),
        ({"form": ["a", "b"], "upos": ["X"]}, "column 'upos': expected 2 values as in column 'id', found 1"),
        ({"form": ["a"], "ner": ["O"]}, "not the columns of CoNLL-U: expected form and any of lemma, upos"),
    ],
)
def test_what_cannot_be_written(columns: dict[str, list[str]], message: str) -> None:
    with pytest.raises(DataError) as caught:
        written([from_tokens(["fine"]), Sentence(columns)])
    assert caught.value.where == "sentence 2"
    assert message in str(caught.value)


@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from(["# a", "# b"]))).map(sorted))
def test_other_lines_go_back_between_the_words(extra: list[tuple[int, str]]) -> None:
    layout = ConlluLayout(4, tuple(extra))
    words = [f"{n}\t{form}\t_{REST}" for n, form in enumerate("abcd", 1)]
    rows = list(words)
    for before, line in reversed(extra):
        rows.insert(before, line)
    assert written([Sentence({"form": list("abcd")}, layout=layout)]) == "\n".join(rows) + "\n\n"
    first = rows.index(words[0])
    assert [layout.line_of(t) for t in range(4)] == [rows.index(word) - first for word in words]


def test_a_sentence_that_lost_words_does_not_fit_its_layout() -> None:
    sentence = parsed(FILE)[0]
    for values in sentence.columns.values():
        values.pop()
    with pytest.raises(
        DataError, match=r"^<stream>:5: expected the 5 words that were read, found 4; remove the layout"
    ):
        written([sentence])
    sentence.layout = None
    assert parsed(written([sentence])) == [sentence]
