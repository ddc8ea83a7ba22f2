"""Files in parts: all parts together are the file, wherever it is cut."""

import gzip
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cut_files import files
from perceptag.cluster.parts import FilePart, cut, expand, read_part
from perceptag.errors import DataError
from perceptag.text import borders, read
from perceptag.text.columns import FORMAT, read_columns
from perceptag.text.documents import split_documents


def outcome(work):
    """The sentences with their places, or the error."""
    try:
        return [(s.columns, s.starts_document, s.layout) for s in work()]
    except DataError as error:
        return str(error)


@pytest.mark.parametrize("comment", ["", "#"])
@given(files(), st.integers(1, 40))
@settings(max_examples=100, deadline=None)
def test_parts_together_are_the_file(tmp_path_factory, comment, file, size):
    name, data = file
    path = tmp_path_factory.mktemp("parts") / f"x.{name}"
    path.write_bytes(data)
    commented = FORMAT.__class__(**{**vars(FORMAT), "read": partial(read_columns, comment=comment), "comment": comment})
    format_ = commented if name == "columns" else name
    whole = outcome(lambda: read(str(path), format_))
    cuts = cut([str(path)], size)
    parts = [outcome(partial(read_part, part, format_)) for part in cuts]
    if isinstance(whole, str):
        assert next(part for part in parts if isinstance(part, str)) == whole
    else:
        assert [sentence for part in parts for sentence in part] == whole


@given(files(), st.integers(1, 40))
@settings(max_examples=100, deadline=None)
def test_documents_are_never_cut(tmp_path_factory, file, size):
    name, data = file
    path = tmp_path_factory.mktemp("parts") / f"x.{name}"
    path.write_bytes(data)
    try:
        whole = split_documents(read(str(path)))
    except DataError:
        return
    parts = [split_documents(read_part(part, whole_documents=True)) for part in cut([str(path)], size)]
    assert [len(d) for part in parts for d in part] == [len(d) for d in whole]
    assert [s.columns for part in parts for d in part for s in d] == [s.columns for d in whole for s in d]


def test_an_error_names_the_line_of_the_file(tmp_path):
    path = tmp_path / "x.txt"
    path.write_bytes(b"a B\r\n\r\n" * 100 + b"a B C\r\n\r\n" + b"a B\r\n\r\n" * 100)
    errors = [found for part in cut([str(path)], 64) if isinstance(found := outcome(lambda p=part: read_part(p)), str)]
    assert errors == [f"{path}:201: expected 2 columns (form, label), found 3: 'a B C'"]


def test_names_and_patterns(tmp_path):
    for name in ("b.txt", "a.txt", "c.conllu"):
        (tmp_path / name).write_text("")
    pattern = str(tmp_path / "*.txt")
    assert expand([str(tmp_path / "c.conllu"), pattern, pattern]) == [
        str(tmp_path / name) for name in ("c.conllu", "a.txt", "b.txt")
    ]
    with pytest.raises(DataError, match=r"none\*: there is no such file"):
        expand([str(tmp_path / "none*")])
    with pytest.raises(DataError, match="found a folder"):
        expand([str(tmp_path)])


def test_compressed_and_empty_files_are_one_part(tmp_path):
    (tmp_path / "x.gz").write_bytes(gzip.compress(bytes(range(256)) * 20))
    (tmp_path / "empty").write_text("")
    paths = [str(tmp_path / "x.gz"), str(tmp_path / "empty")]
    assert cut(paths, 10) == [FilePart(path) for path in paths]


def test_running_text_is_cut_where_a_paragraph_begins_after_one_blank_line(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(text := "one\ntwo\n\nthree\n\n\nfour\n\n five\nsix\n \t\nseven\n")
    found = {borders.border(str(path), "text", place).place for place in range(1, len(text))}
    assert found == {text.index("three"), text.index("seven"), len(text)}
