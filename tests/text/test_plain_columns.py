"""Plain parts of column files, which are read natively: the same sentences as those that Python reads."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptag.errors import DataError
from perceptag.text.columns import ColumnReader
from perceptag.text.sentence import Sentence

LINES = ["a X", "b Y", "é\u2028 Z", "a X", "-DOCSTART- O", "-DOCSTART-", "a", "a  X", "a\tX", "x-DOCSTART-y O", "# a b",
         "a X Y", " a X", "a X ", "", "", "", "\t"]  # fmt: skip
TEXTS = st.lists(st.sampled_from(LINES), max_size=12).map("\n".join)


class OnlyPython(ColumnReader):
    def _plain_tables(self, part: object) -> None:
        """No part is plain."""


def everything(reader: ColumnReader, text: str) -> tuple[list[object], str, str]:
    """Sentences with their lines and layouts, what stands after them, and the error if there is one."""
    found: list[object] = []
    error = ""
    try:
        found.extend((s, s.line, s.source, s.layout) for s in reader.read(io.StringIO(text)))
    except DataError as raised:
        error = str(raised)
    return found, "" if error else reader.text_at_end(), error


@given(text=TEXTS, comment=st.sampled_from(["", "#"]), end=st.sampled_from(["", "\n", "\n\n"]))
def test_plain_parts_are_read_as_python_reads_them(text: str, comment: str, end: str) -> None:
    for names in (["form", "label"], None):
        quick, slow = (make(names, None, comment) for make in (ColumnReader, OnlyPython))
        assert everything(quick, text + end) == everything(slow, text + end)


@pytest.mark.parametrize("separator", [" ", "\t"])
def test_equal_values_are_one_object(separator: str) -> None:
    text = f"dog{separator}NN\nthe{separator}DT\n\n-DOCSTART-\n\ndog{separator}NN\n"
    first, second = ColumnReader().read(io.StringIO(text))
    assert second == Sentence({"form": ["dog"], "label": ["NN"]}, starts_document=True)
    assert first.tokens[0] is second.tokens[0]
    assert first.columns["label"][0] is second.columns["label"][0]
