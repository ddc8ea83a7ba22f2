"""What one format says, another one says too: texts with spans through pairs of formats and back."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from foreign_toys import by_spaces
from perceptag.cli.convert import convert
from perceptag.cli.input_files import read_all
from perceptag.foreign.label_column import choose_label
from perceptag.text import Sentence, write

WORD = st.text("abcdeXYZöß", min_size=1, max_size=6)
FILES = ("a.conllu", "a.txt", "a.jsonl", "a.doccano.json", "a.studio.json", "a.spacy.json", "a.ann")
TO = {"a.doccano.json": "doccano", "a.studio.json": "label-studio", "a.spacy.json": "spacy"}
PAIRS = [
    pytest.param(a, b, marks=[] if FILES[0] in (a, b) else pytest.mark.every)
    for a, b in product(FILES, FILES)
    if a != b
]


@st.composite
def labelled(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    words = draw(st.lists(WORD, min_size=1, max_size=6))
    labels: list[str] = []
    while len(labels) < len(words):
        kind = draw(st.sampled_from(["O", "O", "PER", "LOC"]))
        length = 1 if kind == "O" else draw(st.integers(1, len(words) - len(labels)))
        labels += ["O"] if kind == "O" else [f"B-{kind}", *[f"I-{kind}"] * (length - 1)]
    return words, labels


@pytest.fixture(scope="module", autouse=True)
def cut_at_spaces() -> Iterator[None]:
    """Texts are cut at white space, so that the words are those of the start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("perceptag.cli.foreign_files.cutter", lambda *_, **__: by_spaces)
        yield


def read_back(path: Path) -> tuple[list[str], list[str]]:
    sentences = read_all(str(path), None, None, "given")
    column = choose_label(sentences, "")
    return [t for s in sentences for t in s.tokens], [y for s in sentences for y in s.columns[column]]


@pytest.mark.parametrize(("first", "second"), PAIRS)
@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.lists(labelled(), min_size=1, max_size=3))
def test_labels_survive_pairs_of_formats(
    tmp_path: Path, first: str, second: str, data: list[tuple[list[str], list[str]]]
) -> None:
    data = [*data, (["Xa", "sah", "Ya"], ["B-PER", "O", "B-LOC"])]  # some labels, whatever was drawn
    start = tmp_path / "start.jsonl"
    write([Sentence({"form": words, "label": labels}) for words, labels in data], str(start))
    a, b = tmp_path / "one" / first, tmp_path / "two" / second
    for path in (a, b):
        path.parent.mkdir(exist_ok=True)
    convert(str(start), str(a), to=TO.get(first, ""), overwrite=True)
    convert(str(a), str(b), to=TO.get(second, ""), label="", overwrite=True)
    expected = [w for words, _ in data for w in words], [y for _, labels in data for y in labels]
    assert read_back(a) == expected
    assert read_back(b) == expected
