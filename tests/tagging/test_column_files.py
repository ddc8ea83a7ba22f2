"""Plain lines of column files, tagged natively, against reading, tagging and writing sentences."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perceptag import Sentence, Tagger, _core
from perceptag.cli.tag import BATCH, tag
from perceptag.errors import PerceptagError
from perceptag.text import lines
from toys import make_recipe

TRAIN = [
    Sentence({"form": ["the", "dog", "barks"], "pos": ["D", "N", "V"], "label": ["B-X", "I-X", "O"]}),
    Sentence(
        {"form": ["a", "Ωcat", "sees", "the", "dog"], "pos": list("DNVDN"), "label": ["B-X", "I-X", "O", "B-X", "I-X"]}
    ),
]
RECIPE = make_recipe(templates=("form[0]", "form[-1] form[0]", "pos[0]", "bias * y-1 y0"), epochs=3)

FIELD = st.sampled_from(["the", "dog", "Ωcat", "-", "B-X", "x" * 40, "\u00a0", "\u2028", "-DOCSTART-", "\ufeff"])
LINE = st.one_of(
    st.lists(FIELD, min_size=1, max_size=4).map(" ".join),
    st.lists(FIELD, min_size=2, max_size=3).map("\t".join),
    st.lists(FIELD, min_size=2, max_size=2).map("  ".join),
    st.sampled_from(["", " ", "-DOCSTART- -X- O", " the D", "the D ", "\x00 D", "the\tD x"]),
)
PLAIN_LINE = st.one_of(st.tuples(FIELD, FIELD).map(" ".join), st.just(""))
WORD = st.sampled_from(["the", "Dog", "dog", "Ωcat", "Ωdog", "and"])
MARK = st.sampled_from(["-DOCSTART-", "-DOCSTART- -X- O", "-DOCSTART- -X- O O O", "-DOCSTART-  X", "-DOCSTART- "])
PARAGRAPH = st.one_of(st.lists(st.tuples(WORD, FIELD).map(" ".join), min_size=1, max_size=4).map("\n".join), MARK)
TEXT = st.tuples(
    st.sampled_from(["", "\ufeff"]),
    st.one_of(
        st.lists(PLAIN_LINE, max_size=12),
        st.lists(LINE, max_size=8),
        st.lists(PARAGRAPH, max_size=8).map(lambda parts: "\n\n".join(parts).split("\n")),
    ),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(["", "\n", "\n\n"]),
).map(lambda parts: parts[0] + parts[2].join(parts[1]) + parts[3])


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("plain") / "toy.model")
    Tagger(RECIPE).fit(TRAIN).save(path)
    return path


def outcome(model: str, source: str, batch: int, **options: object) -> tuple[bytes, int | str]:
    target = f"{source}.out"
    try:
        count = tag(model, source, target, batch=batch, **options)
    except PerceptagError as error:
        return b"", str(error)
    with open(target, "rb") as file:  # noqa: PTH123
        return file.read(), count


@pytest.fixture(scope="module")
def models(model, tmp_path_factory):
    """A model of sentences, and one that looks at documents, with columns and non-local features computed from them."""
    of_documents = tmp_path_factory.mktemp("documents") / "toy.model"
    templates = ("form[0]", "pos[0]", "doc_before[0]", "doc_recurs[0]", "gazetteer[0]", "bias * y-1 y0")
    features, settings_ = ["phrase", "unlabelled", "conjunction"], {"nonlocal_view": "sentence", "gazetteer": ["train"]}
    recipe = make_recipe(learner="ascent", templates=templates, nonlocal_features=features, epochs=3, **settings_)
    Tagger(recipe).fit(TRAIN).save(of_documents)
    return {"sentences": model, "documents": str(of_documents)}


@pytest.mark.parametrize("kind", ["sentences", "documents"])
@given(text=TEXT, threads=st.sampled_from([1, 2]), columns=st.sampled_from([None, ["form", "pos"]]))
@settings(deadline=None, max_examples=60)
def test_both_ways_give_the_same_bytes_and_messages(kind, models, tmp_path_factory, text, threads, columns):
    model, source = models[kind], str(tmp_path_factory.getbasetemp() / "in.txt")
    with open(source, "wb") as file:  # noqa: PTH123
        file.write(text.encode())
    found = outcome(model, source, BATCH, threads=threads, columns=columns)
    other = outcome(model, source, BATCH - 1, columns=columns)
    if "the labels would replace column" in f"{found[1]}{other[1]}":
        return  # one way judges the column by the first block, the other by the first batch
    assert found == other


@pytest.mark.parametrize("columns", ["form pos", "pos form", "form pos label", "label pos form"])
@pytest.mark.parametrize("separator", [" ", "\t"])
def test_columns_in_any_order(model, tmp_path, columns, separator):
    columns = columns.split()
    rows = [separator.join({"form": "dog", "pos": "N", "label": "O"}[c] for c in columns)] * 3
    source = tmp_path / "in.txt"
    source.write_text("\n".join([*rows, "", "", *rows, ""]))
    found = outcome(model, str(source), BATCH, columns=columns)
    assert found == outcome(model, str(source), BATCH - 1, columns=columns)
    assert found[1] == 6


def test_many_blocks(model, tmp_path, monkeypatch):
    """Blocks with and without runs of blanks follow each other."""
    monkeypatch.setattr(lines, "CHUNK", 1 << 14)
    source = tmp_path / "in.txt"
    plain = "the D\ndog N\n\n" * 2_500
    source.write_text(plain + "the   D\ndog N\n\n-DOCSTART- O\n\nthe D\n\n" + plain)
    found = outcome(model, str(source), BATCH, threads=2)
    assert found == outcome(model, str(source), BATCH - 1)
    assert found[1] == 10_003


BLANK = st.sampled_from(["\n", "\n\n", "\n\n\n", " \n\n"])
MARKED = st.sampled_from(["", "", "-DOCSTART- O\n\n", "-DOCSTART- O\n\n\n\n", "\n-DOCSTART- O\n\n-DOCSTART- O\n\n"])
SPACED = st.lists(st.tuples(MARKED, st.sampled_from(["the D\n", "the D\ndog N\n", "the  D\n"]), BLANK), max_size=6)


@given(parts=SPACED, before=st.sampled_from(["", "\n", "\n\n \n"]), size=st.integers(1, 40), columns=st.booleans())
@settings(deadline=None, max_examples=70)
def test_every_line_stays_where_it_is(model, tmp_path_factory, parts, before, size, columns):
    """So that `paste` puts input and output side by side; however the text comes in."""
    text = before + "".join("".join(part) for part in parts)
    chunks = [text[i : i + size] for i in range(0, len(text), size)]
    out = tmp_path_factory.getbasetemp() / "out.txt"
    for batch in (BATCH, 1, BATCH - 1):
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr("sys.stdin", io.TextIOWrapper(Pausing(*chunks)))
            tag(model, "-", str(out), batch=batch, columns=["form", "pos"] if columns else None)
        written = [" ".join(line.split()[:-1]) for line in out.read_text().split("\n")]
        assert written == [" ".join(line.split()) for line in text.split("\n")]


class Pausing(io.BytesIO):
    """A pipe that gives one part at a time."""

    def __init__(self, *parts: str) -> None:
        super().__init__()
        self.parts = [part.encode() for part in parts]

    def read1(self, size: int = -1) -> bytes:
        del size
        return self.parts.pop(0) if self.parts else b""


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("separator", [" ", "\t"])
@pytest.mark.parametrize("columns", [None, ["form", "pos"]])
def test_a_first_block_without_a_token(model, tmp_path, monkeypatch, columns, separator, threads):
    parts = "-DOCSTART- -X-\n\n", "the D\n\n".replace(" ", separator), "dog  N\n\n".replace("  ", separator * 2)
    if separator == "\t":
        parts = (*parts[:2], "dog N\tN\n\n")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(Pausing(*parts)))
    assert tag(model, "-", target := str(tmp_path / "out.txt"), columns=columns, threads=threads) == 2
    whole = tmp_path / "in.txt"
    whole.write_text("".join(parts))
    assert outcome(model, str(whole), BATCH - 1)[0] == (tmp_path / target).read_bytes()
    for nothing, expected in (("", b""), ("\n", b"\n"), ("-DOCSTART- -X-\n\n", b"")):
        whole.write_text(nothing)
        assert outcome(model, str(whole), BATCH, columns=columns, threads=threads) == (expected, 0)


def test_a_text_stream_gets_text(model, tmp_path, monkeypatch):
    source = tmp_path / "in.txt"
    source.write_text("the D\ndog N\n")
    monkeypatch.setattr("sys.stdout", stream := io.StringIO())
    assert tag(model, str(source)) == 2
    assert stream.getvalue().count("\n") == 3


def test_native_text_checks_its_arguments():
    text = _core.ColumnText("a b\n\nc d\n", " ", 2)
    labels = np.zeros(2, np.int32)
    assert text.is_plain
    assert text.write(["L"], labels, 2, False) == b"a b L\n\nc d L\n\n"
    assert text.write(["L"], labels, 0, False) == b"L a b\n\nL c d\n\n"
    assert text.write(["L"], labels, 1, True) == b"a L\n\nc L\n\n"
    for wrong in ((["L"], labels[:1], 2, False), (["L"], labels + 1, 2, False), (["L"], labels - 1, 2, False)):
        with pytest.raises(ValueError):
            text.write(*wrong)
    for column, replace in ((3, False), (2, True)):
        with pytest.raises(IndexError):
            text.write(["L"], labels, column, replace)
    with pytest.raises(IndexError):
        text.type_ids(2, {}, _core.TypeNumbers(_core.TypeTable(0), None))
    for bad in ("a\n", "a b c\n", "a  b\n", " a b\n", "a b \n", "a\tb\n", "-DOCSTART- b\n"):
        assert not _core.ColumnText(bad, " ", 2).is_plain
        assert len(_core.ColumnText(bad, " ", 2)) == 0
    with pytest.raises(ValueError):
        _core.ColumnText("a\n", ",", 1)


def test_numbers_that_are_none_are_named_by_their_lines(tmp_path):
    columns = {"form": ["a", "b"], "price": ["1.5", "_"], "label": ["A", "B"]}
    model, source = str(tmp_path / "a.model"), str(tmp_path / "a.txt")
    Tagger("collins-pos", templates=["price.amount[0]", "bias"], epochs=1).fit([Sentence(columns)]).save(model)
    (tmp_path / "a.txt").write_text("a 1\n\nb 2\nb x\n")
    assert outcome(model, source, BATCH) == (
        b"",
        f"{source}:4: amount: expected a number, or nothing or _ or -, found 'x'",
    )
