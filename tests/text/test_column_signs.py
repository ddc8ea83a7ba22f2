"""Files of columns that are given as running text, and sentences of a file as a sequence."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from command_line import CORPUS, check, run, succeed
from perceptag import DataError, Tagger
from perceptag.models.class_file import load
from perceptag.tagging.running_text import has_word_lines, surely_columns
from perceptag.text import read
from pipelines import TEXT

COLUMNS = "".join(f"{word} NNP {label}\n" for word, label in [("Angela", "B-PER"), ("lost", "O")] * 8)
CONLLU = "# text = A\n1\tA\t_\tX\t_\t_\t_\t_\t_\t_\n\n"
WORDS = "".join(f"{word}\n" for word in ["Angela", "Merkel", "stayed", ".", ""] * 4)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (COLUMNS, "3 fields on each line, the last of them a label; --format columns reads them"),
        ("-DOCSTART- -X- O O\n\nEU NNP B-NP B-ORG\n", "-DOCSTART-, which marks documents in files of columns"),
        (CONLLU, "ten fields, as in CoNLL-U; --format conllu reads them"),
    ],
)
def test_columns_are_told_from_text(text: str, found: str) -> None:
    assert surely_columns(text).startswith(found)


@pytest.mark.parametrize(
    "text", ["", "\n", TEXT, WORDS, "One of them is O\nTwo of them is O\n" * 3, "The -DOCSTART- mark.\n", "1\t2\n" * 20]
)
def test_text_is_left_alone(text: str) -> None:
    assert surely_columns(text) == ""
    assert has_word_lines(text) == (text is WORDS)


def test_classes_are_learned_from_columns_only_if_the_user_says_what_they_are(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(COLUMNS)
    words = ("classes", tmp_path / "in.txt", "--sizes", "2", "-o", tmp_path / "out", "--min-count", 1)
    check(run(*words), "in.txt: expected running text, found 3 fields .* and --format text takes them as text")
    for format_, labels in (("columns", False), ("text", True)):
        succeed(*words, "--format", format_)
        assert ("B-PER" in load(tmp_path / "out").classes.words) == labels


def test_sentences_of_a_file_can_be_read_twice() -> None:
    path, columns = CORPUS / "dev.txt", ["form", "pos", "chunk", "ner"]
    found = read(path, columns=columns)
    first = next(iter(found))
    assert list(found) == list(found) == found and found[0] is first and found[-1] is list(found)[-1]
    assert len(found) == len(list(found)) > 10 and found[1:3] == list(found)[1:3]
    tagger = Tagger("collins-pos", epochs=1, labels_column="pos").fit(found)
    assert len(tagger.predict(found)) == len(found)
    again = read(path, columns=columns)
    assert next(again) == found[0] and next(again) == found[1]  # it is an iterator, too


def test_sentences_are_read_when_they_are_needed() -> None:
    found = read(io.StringIO("a X\n\nb\n"), columns=["form", "pos"])
    each = iter(found)
    assert next(each).tokens == ["a"]
    for _ in range(2):  # an error is not forgotten
        with pytest.raises(DataError, match="expected 2 columns"):
            list(found)
