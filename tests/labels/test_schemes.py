"""Labels and spans: every chunking of short sentences, random labels, and the corpora of the shared tasks."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptag.errors import DataError
from perceptag.labels.pairs import transition_mask
from perceptag.labels.schemes import (
    SCHEMES,
    Span,
    convert,
    detect_scheme,
    keep_types,
    repair,
    spans,
    spans_to_labels,
    violations,
)


def all_chunkings(length: int, types: tuple[str, ...], start: int = 0) -> Iterator[list[Span]]:
    """Yield every way to place chunks in a sentence: the oracle for what is valid in a scheme."""
    yield []
    for begin in range(start, length):
        for end in range(begin + 1, length + 1):
            for kind in types:
                for rest in all_chunkings(length, types, end):
                    yield [Span(begin, end, kind), *rest]


@st.composite
def chunked_sentences(draw: st.DrawFn) -> tuple[list[Span], int]:
    chunks, position = [], 0
    for _ in range(draw(st.integers(0, 8))):
        start = position + draw(st.sampled_from([0, 0, 1, 3]))
        position = start + draw(st.integers(1, 4))
        chunks.append(Span(start, position, draw(st.sampled_from(["PER", "LOC", "NP-SBJ", ""]))))
    return chunks, position + draw(st.integers(0, 2))


any_labels = st.lists(
    st.builds(lambda tag, kind: tag + kind, st.sampled_from("BIESLUMW[]"), st.sampled_from(["", "-X", "-Y", "-X-Y"]))
    | st.sampled_from(["O", ".", "OO", "NN", "-LRB-", "O-X"]),
    max_size=10,
)

LABELS = {
    "IOB1": ["O", "B-X", "I-X", "B-Y", "I-Y"],
    "IOB2": ["O", "B-X", "I-X", "B-Y", "I-Y"],
    "IOBES": ["O", "B-X", "I-X", "E-X", "S-X", "B-Y", "E-Y", "I-Y"],
}


# --- reading and writing ---


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ("", []),
        ("I-X I-X B-X", [(0, 2, "X"), (2, 3, "X")]),
        ("O I-X I-Y", [(1, 2, "X"), (2, 3, "Y")]),  # a label that continues nothing opens a chunk
        ("B-X O I-X", [(0, 1, "X"), (2, 3, "X")]),
        ("B I O B B", [(0, 2, ""), (3, 4, ""), (4, 5, "")]),
        ("B-NP-SBJ I-NP-SBJ I-NP", [(0, 2, "NP-SBJ"), (2, 3, "NP")]),
        ("E-X E-X I-X E-X", [(0, 1, "X"), (1, 2, "X"), (2, 4, "X")]),
        ("B-X E-X B-X", [(0, 3, "X")]),  # conlleval has no boundary between E and B
        ("S-X S-X", [(0, 2, "X")]),  # and does not know S
        ("[-X ]-X I-X", [(0, 1, "X"), (1, 2, "X")]),  # brackets are chunks of one token
    ],
)
def test_spans_are_those_of_conlleval(labels: str, expected: list[tuple[int, int, str]]) -> None:
    assert spans(labels.split()) == [Span(*e) for e in expected]


def test_spans_of_iobes_keep_touching_chunks_apart() -> None:
    labels = ["B-X", "E-X", "B-X", "E-X", "S-X", "S-X", "O", "S-Y"]
    expected = [Span(0, 2, "X"), Span(2, 4, "X"), Span(4, 5, "X"), Span(5, 6, "X"), Span(7, 8, "Y")]
    assert spans(labels, "IOBES") == expected
    bilou = [label.replace("E-", "L-").replace("S-", "U-") for label in labels]
    assert spans(bilou, "IOBES") == expected
    assert spans(["B", "M", "E", "S", "S", "B", "E"], "IOBES") == [
        Span(0, 3, ""),
        Span(3, 4, ""),
        Span(4, 5, ""),
        Span(5, 7, ""),
    ]


@given(any_labels)
def test_spans_lie_in_order_and_do_not_overlap(labels: list[str]) -> None:
    for scheme in (None, *SCHEMES):
        found = spans(labels, scheme)
        assert all(s.start < s.end for s in found)
        assert all(a.end <= b.start for a, b in itertools.pairwise(found))
        assert all(s.end <= len(labels) for s in found)


@given(st.lists(st.sampled_from(["O", "B-X", "I-X", "B-Y", "I-Y", "B", "I"])))
def test_reading_by_iobes_changes_nothing_without_e_and_s(labels: list[str]) -> None:
    assert spans(labels, "IOBES") == spans(labels)


@pytest.mark.parametrize("scheme", SCHEMES)
@given(sentence=chunked_sentences())
def test_round_trip(scheme: str, sentence: tuple[list[Span], int]) -> None:
    chunks, length = sentence
    labels = spans_to_labels(chunks, length, scheme)
    assert len(labels) == length
    assert spans(labels, scheme) == chunks
    assert violations(labels, scheme) == []
    assert repair(labels, scheme) == labels
    if chunks:
        assert detect_scheme([labels]) == scheme


@pytest.mark.parametrize(("source", "target"), list(itertools.product(SCHEMES, SCHEMES)))
@given(sentence=chunked_sentences())
def test_conversion_keeps_spans(source: str, target: str, sentence: tuple[list[Span], int]) -> None:
    chunks, length = sentence
    labels = spans_to_labels(chunks, length, source)
    converted = convert(labels, target, source=source)
    assert spans(converted, target) == chunks
    assert convert(labels, target) == converted
    assert convert(converted, source, source=target) == labels


@pytest.mark.parametrize("scheme", SCHEMES)
@given(labels=any_labels)
def test_repair_is_valid_and_keeps_the_spans(scheme: str, labels: list[str]) -> None:
    repaired = repair(labels, scheme)
    assert violations(repaired, scheme) == []
    assert spans(repaired, scheme) == spans(labels, scheme)
    assert repair(repaired, scheme) == repaired


@pytest.mark.parametrize("span", [Span(0, 3, "X"), Span(-1, 1, "X"), Span(1, 1, "X")])
def test_spans_outside_the_sentence(span: Span) -> None:
    with pytest.raises(DataError, match="does not lie within a sentence of 2 tokens"):
        spans_to_labels([span], 2, "IOB2")


def test_spans_that_overlap() -> None:
    with pytest.raises(DataError, match="overlaps"):
        spans_to_labels([Span(1, 3, "X"), Span(0, 2, "Y")], 3, "IOB2")


def test_keep_types() -> None:
    labels = ["B-NP", "B-VP", "O", "B-NP-SBJ", "B"]
    assert keep_types(labels, ["NP", "NP-SBJ"]) == ["B-NP", "O", "O", "B-NP-SBJ", "O"]
    assert keep_types(labels, "NP") == ["B-NP", "O", "O", "O", "O"]
    assert keep_types(labels, []) == ["O"] * 5


# --- what is valid ---


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("length", range(5))
def test_mask_and_violations_accept_exactly_the_chunkings(scheme: str, length: int) -> None:
    labels = LABELS[scheme] + (["S-Y"] if scheme == "IOBES" else [])
    valid = {tuple(spans_to_labels(c, length, scheme)) for c in all_chunkings(length, ("X", "Y"))}
    allowed, may_end = transition_mask(labels, scheme)
    assert allowed.shape == (len(labels) + 1, len(labels))
    for ys in itertools.product(range(len(labels)), repeat=length):
        sequence = tuple(labels[y] for y in ys)
        passes = all(allowed[p, y] for p, y in zip((len(labels), *ys), ys, strict=False))
        passes = passes and (not ys or bool(may_end[ys[-1]]))
        assert passes == (sequence in valid)
        assert (violations(sequence, scheme) == []) == (sequence in valid)


def test_mask_knows_the_label_outside_from_one_with_a_type() -> None:
    for labels in (["O", "O-X"], ["O-X", "O"]):
        allowed, _ = transition_mask(labels, "IOB2")
        assert allowed.tolist() == [[y == "O" for y in labels]] * 3


# --- which scheme ---


@pytest.mark.parametrize(
    ("corpus", "scheme"),
    [
        ([], "none"),
        (["B-X"], "IOB2"),
        (["O I-X", "I-Y"], "IOB1"),
        (["B I O", "B"], "IOB2"),
        (["B-X L-X", "U-X"], "IOBES"),
        (["B M E", "S S"], "IOBES"),
        (["DT NN . VB", "S NN"], "none"),
        (["O O O PER LOC"], "none"),  # types without a tag are not a scheme, even with a lot of O
        (["B-X I-X O B-X OO I--X", "B-X O B-X"], "IOB2"),  # a few typing errors do not hide the scheme
        (["B-X O B-X O I-X"], "IOB2"),  # broken once as IOB2, twice as IOB1
    ],
)
def test_detect_scheme(corpus: list[str], scheme: str) -> None:
    assert detect_scheme([line.split() for line in corpus]) == scheme
