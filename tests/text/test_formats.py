"""A format is one declaration in one table; nothing else knows its name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from perceptag import Tagger
from perceptag.cli.tag import tag
from perceptag.system.output_files import Target, open_output, text_writer
from perceptag.text import FORMATS, Sentence, detect_format, read, write
from perceptag.text.format import Format, Names
from perceptag.text.lines import Source, read_text

SOURCE = Path(__file__).parents[2] / "src" / "perceptag"


def read_words(source: Source, columns: Names | None = None) -> Iterator[Sentence]:
    for number, line in enumerate(read_text(source).splitlines(), 1):
        yield Sentence({"form": line.split()}, str(source), number)


def write_words(sentences: Iterable[Sentence], target: Target) -> None:
    with open_output(target) as stream:
        for s in sentences:
            pairs = zip(s.tokens, s.columns.get("label", s.tokens), strict=True)
            text_writer(stream)(" ".join(f"{word}/{label}" for word, label in pairs) + "\n")


@pytest.fixture
def words(monkeypatch: pytest.MonkeyPatch) -> Format:
    new = Format("words", read_words, write_words, lambda s, name, values: s, endings=(".words",))
    monkeypatch.setitem(FORMATS, "words", new)
    return new


@pytest.mark.usefixtures("words")
def test_a_new_format_is_one_row(tmp_path: Path) -> None:
    model, text = tmp_path / "model", tmp_path / "a.words"
    Tagger("collins-pos", epochs=2).fit([["the", "dog"]], [["DT", "NN"]]).save(model)
    text.write_text("the dog\ndog\n")
    assert detect_format(text) == "words"
    assert [s.tokens for s in read(text)] == [["the", "dog"], ["dog"]]
    tag(str(model), str(text), str(tmp_path / "out"))
    assert (tmp_path / "out").read_text() == "the/DT dog/NN\ndog/NN\n"
    write(read(text), tmp_path / "b", "words")
    assert (tmp_path / "b").read_text() == "the/the dog/dog\ndog/dog\n"


def test_the_command_line_does_not_look_at_names_of_formats() -> None:
    names = re.compile(rf"""[=!]= ?["']({"|".join(FORMATS)})["']""")
    assert [path.name for path in (SOURCE / "cli").glob("*.py") if names.search(path.read_text())] == []


def test_no_two_formats_have_the_same_ending() -> None:
    endings = [ending for format_ in FORMATS.values() for ending in format_.endings]
    assert sorted(set(endings)) == sorted(endings)
    assert all(ending == ending.lower() and ending[0] == "." for ending in endings)


def test_sentences_of_a_file_come_one_by_one_also_after_all_were_looked_at(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a\n\nb\n")
    for looks in (True, False):
        found = read(tmp_path / "a.txt")
        assert not looks or len(found) == 2
        assert [next(found).tokens, next(found).tokens] == [["a"], ["b"]]
        with pytest.raises(StopIteration):
            next(found)
        assert [sentence.tokens for sentence in found] == [["a"], ["b"]]  # a loop begins again
