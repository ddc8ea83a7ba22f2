"""Small files of every format that can be cut, with lines in any order."""

from __future__ import annotations

from hypothesis import strategies as st

COLUMN_LINES = ["a\tB", "a B", "c  D", "", "", " \t", "-DOCSTART- O", "# note", "\ufeffx y", "é ü"]
CONLLU_LINES = ["1\ta" + "\t_" * 8, "2\tb" + "\t_" * 8, "", "", "# newdoc", "# text = a", "1-2\tab" + "\t_" * 8]
JSON_LINES = ['["a"]', '{"tokens": ["b"], "document": 1}', '{"tokens": ["c", "d"], "document": 2}', "", "[]"]
BY_ENDING = {"columns": COLUMN_LINES, "conllu": CONLLU_LINES, "jsonl": JSON_LINES}


@st.composite
def files(draw):
    """A format, and the bytes of a file in which lines stand in any order."""
    format_ = draw(st.sampled_from(sorted(BY_ENDING)))
    lines = draw(st.lists(st.sampled_from(BY_ENDING[format_]), max_size=24))
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    return format_, (end.join(lines) + end * draw(st.integers(0, 2))).encode()
