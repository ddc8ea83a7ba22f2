"""What one format says, another one says too: texts with spans through pairs of formats and back."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from perceptag.cli.convert import convert
from perceptag.cli.input_files import choose_label, read_all
from perceptag.text import Sentence, write
from perceptag.text.given_file import FileFacts

WORD = st.text("abcdeXYZöß", min_size=1, max_size=6)
FILES = ("a.conllu", "a.txt", "a.jsonl", "a.doccano.json", "a.studio.json", "a.spacy.json", "a.ann")
TO = {"a.doccano.json": "doccano", "a.studio.json": "label-studio", "a.spacy.json": "spacy"}
PAIRS = [
    pytest.param(a, b, marks=[] if FILES[0] in (a, b) else pytest.mark.slow) for a, b in product(FILES, FILES) if a != b
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


@pytest.fixture(scope="module")
def by_white_space(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A tokeniser that has only seen tokens between spaces, so that words are those of the texts."""
    from perceptag.cli.train import train
    from perceptag.recipe import recipe

    folder = tmp_path_factory.mktemp("tokens")
    words = ["ab", "cd", "eX", "YZ", "öß", "a", "Xb", "Z"]
    rows = [f"{n}\t{w}" + "\t_" * 8 for n, w in enumerate(words * 4, 1)]
    (folder / "t.conllu").write_text("\n\n".join(["\n".join(rows)] * 8) + "\n\n", "utf-8")
    train(recipe.load("tokenize"), str(folder / "t.conllu"), str(folder / "t.model"), settings={"epochs": 2})
    return str(folder / "t.model")


def read_back(path: Path, facts: FileFacts) -> tuple[list[str], list[str]]:
    from perceptag.text.given_file import GivenFile

    sentences = read_all(GivenFile(str(path), facts), None, None, "given")
    column = choose_label(sentences, "")
    return [t for s in sentences for t in s.tokens], [y for s in sentences for y in s.columns[column]]


@pytest.mark.parametrize(("first", "second"), PAIRS)
@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.lists(labelled(), min_size=1, max_size=3))
def test_labels_survive_pairs_of_formats(
    tmp_path: Path, by_white_space: str, first: str, second: str, data: list[tuple[list[str], list[str]]]
) -> None:
    data = [*data, (["Xa", "sah", "Ya"], ["B-PER", "O", "B-LOC"])]  # some labels, whatever was drawn
    facts = FileFacts(tokenizer=by_white_space)
    start = tmp_path / "start.jsonl"
    write([Sentence({"form": words, "label": labels}) for words, labels in data], str(start))
    a, b = tmp_path / "one" / first, tmp_path / "two" / second
    for path in (a, b):
        path.parent.mkdir(exist_ok=True)
    convert(str(start), str(a), to=TO.get(first, ""), facts=facts)
    convert(str(a), str(b), to=TO.get(second, ""), label="", facts=facts)
    expected = [w for words, _ in data for w in words], [y for _, labels in data for y in labels]
    assert read_back(a, facts) == expected
    assert read_back(b, facts) == expected
