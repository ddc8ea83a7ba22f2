r"""Files of CRFsuite: what is read and written again, what is refused, and the command line with them."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perceptag import Tagger
from perceptag.errors import DataError
from perceptag.text import Sentence, read, write

TEXT = "B-PER\tword=Angela\ttitle:1\tlower:0\nO\tword=said\ttime\\:now\\\\\n\nO\tword=it\nB-LOC\tword=Rome\ttitle:1.0\n"
NAMES = st.text(st.characters(exclude_characters="\0\t\n\r\x1e\x1f", exclude_categories=["Cs"]), min_size=1, max_size=4)
TOKENS = st.lists(
    st.tuples(st.lists(NAMES, unique=True, max_size=3), st.sampled_from(["B-X", "O", ":"])), min_size=1, max_size=3
)


def test_features_and_numbers_are_read() -> None:
    first, second = read(io.StringIO(TEXT), "crfsuite")
    assert first.columns == {"features": ["word=Angela\x1ftitle", "word=said\x1ftime:now\\"], "label": ["B-PER", "O"]}
    assert second.where(1) == "<stream>:5"
    (third,) = read(io.StringIO("O\tlength:0.30\tlow:-2.0\n"), "crfsuite")
    assert third.columns["features"] == ["length\x1e0.3\x1flow\x1e-2"]
    stream = io.StringIO()
    write([third], stream, "crfsuite")
    assert stream.getvalue() == "O\tlength:0.3\tlow:-2\n\n"


@settings(max_examples=25)
@given(st.lists(TOKENS, max_size=2))
def test_what_is_written_is_read_again(sentences: list[list[tuple[list[str], str]]]) -> None:
    given = [
        Sentence({"features": ["\x1f".join(names) for names, _ in tokens], "label": [label for _, label in tokens]})
        for tokens in sentences
    ]
    stream = io.StringIO()
    write(given, stream, "crfsuite")
    assert [*read(io.StringIO(stream.getvalue()), "crfsuite")] == given


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("O\tlength:17", "feature 'length': expected a number from -16 to 16, found 17; divide by a constant"),
        ("O\tlength:nan", "feature 'length': expected a number from -16 to 16, found nan"),
        ("O\tword:dog", r"expected a feature, or name:number \(\\: is a colon in a name\), found 'word:dog'"),
        ("O\ta\\", "expected a feature, or name:number"),
        ("O\ta\ta", "expected each once, found 'a' again"),
        ("\ta", "expected a label before the first tab, found none"),
    ],
)
def test_what_is_wrong_is_named(line: str, message: str) -> None:
    with pytest.raises(DataError, match=f"^<stream>:2: .*{message}"):
        list(read(io.StringIO(f"O\tx\n{line}\n"), "crfsuite"))


def test_numbers_that_a_model_does_not_take_are_named_by_their_lines(tmp_path: Path) -> None:
    file, settings_ = tmp_path / "a.crfsuite", {"templates": ["features.each[0]", "bias"], "epochs": 1}
    file.write_text("A\tx\nB\ty\n\nA\tx\nB\tz:0.5\n", encoding="utf-8")
    words = Tagger("collins-pos", **settings_).fit(list(read(io.StringIO("A\tx\nB\ty\n"), "crfsuite")))
    for use in (Tagger("collins-pos", **settings_).fit, words.predict):
        with pytest.raises(DataError, match=rf"^{file}:5: feature 'z': expected 0 or 1 for this model, found 0.5"):
            use(list(read(file)))
