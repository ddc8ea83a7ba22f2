"""Texts in CoNLL-U, right and damaged."""

from __future__ import annotations

from hypothesis import strategies as st

VALUE = st.sampled_from(["a", "the", "Ωcat", "_", "X", "x" * 40, "two words", "\u00a0", "\u2028", "#", "1", "\ufeff"])
COMMENT = st.sampled_from(
    ["#", "# text = a", "# newdoc", "#newdoc id = 1", "# \t newdoc\tx", "# newdocs", "# new", "#\t", "# a\tb\tc", "# Ω"]
)


def row(number: str) -> st.SearchStrategy[str]:
    """A line with an id and nine more fields."""
    return st.lists(VALUE, min_size=9, max_size=9).map(lambda values: "\t".join([number, *values]))


@st.composite
def sentences(draw: st.DrawFn) -> str:
    """A sentence of one to four words, with comments, multiword ranges and empty nodes."""
    length = draw(st.integers(1, 4))
    rows: list[str] = []
    for n in range(length + 1):
        rows += draw(st.lists(COMMENT, max_size=2))
        rows += [draw(row(f"{n}.{part}")) for part in sorted(draw(st.sets(st.integers(1, 12), max_size=2)))]
        if n + 1 < length and draw(st.booleans()):
            rows.append(draw(row(f"{n + 1}-{draw(st.integers(n + 2, length))}")))
        if n < length:
            rows.append(draw(row(str(n + 1))))
    return "\n".join(rows)


BLANK = st.sampled_from(["\n\n", "\n\n\n", "\n \n", "\n\t\n\n"])
ID_PARTS = ["0", "1", "2", "01", "1-2", "1-", "-1", "0.1", "1.", ".", "-", "999999999", "1111111111", "²", "x", "_"]
SPLINTERS = st.sampled_from(
    ["\t", "\t\t", "\n", "\n\n", " ", "#", "\r", "1\t", "\n1\t", "\n# c\n", "\n2-3\t", "\0", *ID_PARTS]
)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Some sentences, in most cases with a few characters lost or added, and any line ends."""
    parts = draw(st.lists(st.tuples(sentences(), BLANK), max_size=4))
    text = draw(st.sampled_from(["", "", "\n", "\ufeff"])) + "".join(a + b for a, b in parts)
    for _ in range(draw(st.integers(0, 2))):
        start = draw(st.integers(0, len(text)))
        stop = start + draw(st.sampled_from([0, 0, 1, 2, 20]))
        text = text[:start] + draw(st.one_of(st.just(""), SPLINTERS)) + text[stop:]
    return text[: len(text) - draw(st.integers(0, 3))].replace("\n", draw(st.sampled_from(["\n", "\r\n", "\r"])))
