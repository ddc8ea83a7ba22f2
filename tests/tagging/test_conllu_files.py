"""CoNLL-U files tagged natively, compared with reading, tagging and writing sentences."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conllu_toys import texts
from perceptag import Sentence, Tagger, _core
from perceptag.cli.tag import BATCH, tag
from perceptag.errors import DataError, PerceptagError
from perceptag.text import lines
from toys import make_recipe

TRAIN = [
    Sentence({"form": ["the", "dog", "barks"], "lemma": ["the", "dog", "bark"], "upos": ["D", "N", "V"]}),
    Sentence({"form": ["a", "Ωcat", "sees", "a", "x"], "lemma": ["a", "Ωcat", "see", "a", "X"], "upos": list("DNVDX")}),
]
LABELS = {"labels.column": "upos"}
RECIPE = make_recipe(templates=("form[0]", "form[-1] form[0]", "lemma[0]", "bias * y-1 y0"), epochs=3, **LABELS)
OPTIONS = {}, {"replace": True}, {"label": "xpos"}, {"columns": ["form", "upos"]}, {"columns": ["x"]}
ROW = "{}\tthe\t_\t_\t_\t_\t_\t_\t_\t_\n"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("conllu") / "toy.model")
    Tagger(RECIPE).fit(TRAIN).save(path)
    return path


def outcome(model: str, source: str, batch: int, **options: object) -> tuple[bytes, int | str]:
    target = f"{source}.out.conllu"
    try:
        count = tag(model, source, target, batch=batch, **options)
    except PerceptagError as error:
        return b"", str(error)
    return Path(target).read_bytes(), count


@given(text=texts(), threads=st.sampled_from([1, 2]), options=st.sampled_from(OPTIONS))
@settings(deadline=None, max_examples=150)
def test_both_ways_give_the_same_bytes_and_messages(model, tmp_path_factory, text, threads, options):
    source = tmp_path_factory.getbasetemp() / "in.conllu"
    source.write_bytes(text.encode())
    found = outcome(model, str(source), BATCH, threads=threads, **options)
    assert found == outcome(model, str(source), BATCH - 1, **options)


@pytest.mark.parametrize("threads", [1, 2])
def test_many_blocks(model, tmp_path, threads, monkeypatch):
    monkeypatch.setattr(lines, "CHUNK", 1 << 14)
    source = tmp_path / "in.conllu"
    source.write_text(("# a\n" + ROW.format(1) + ROW.format(2) + "\n") * 1_500, encoding="utf-8")
    found = outcome(model, str(source), BATCH, threads=threads)
    assert found == outcome(model, str(source), BATCH - 1)
    assert found[1] == 3_000


def test_the_replaced_column_is_judged_by_as_many_tokens_as_in_other_formats(model, tmp_path):
    """The labels of the model stand in the first block, and what is not a label in the next ones."""
    source = tmp_path / "in.conllu"
    known = (ROW.format(1).replace("_", "D", 2) + "\n") * 10_000
    other = "".join(ROW.format(1).replace("_\t_", f"_\tw{n}", 1) + "\n" for n in range(9_000))
    source.write_text(known + other, encoding="utf-8")
    found = outcome(model, str(source), BATCH)
    assert found == outcome(model, str(source), BATCH - 1)
    assert "the labels would replace column 'upos'" in str(found[1])
    source.write_text(known * 2 + other, encoding="utf-8")
    assert outcome(model, str(source), BATCH)[1] == 29_000


def test_the_first_error_comes_before_the_column_is_judged(model, tmp_path):
    source = tmp_path / "in.conllu"
    source.write_text(ROW.format(1).replace("_\t_", "_\tword", 1) + "\n" + ROW.format(2), encoding="utf-8")
    with pytest.raises(DataError, match=r"in.conllu:3: ids must be consecutive"):
        tag(model, str(source), str(tmp_path / "out.conllu"))
    assert not (tmp_path / "out.conllu").exists()


def test_blocks_before_an_error_are_written_to_a_stream(model, tmp_path, monkeypatch):
    source = tmp_path / "in.conllu"
    good = (ROW.format(1) + "\n") * 20_000
    source.write_text(good + ROW.format(3), encoding="utf-8")
    monkeypatch.setattr("sys.stdout", stream := io.StringIO())
    with pytest.raises(DataError, match=r"in.conllu:40001: ids must be consecutive"):
        tag(model, str(source), "-")
    assert stream.getvalue().startswith("1\tthe\t_\tD\t_\t_\t_\t_\t_\t_\n\n")
    assert stream.getvalue().endswith("\n\n")


def test_a_model_whose_columns_are_not_in_the_file_takes_the_long_way(tmp_path):
    path = str(tmp_path / "toy.model")
    rows = [Sentence({"form": ["a"], "id": [number], "upos": [label]}) for number, label in (("1", "D"), ("2", "N"))]
    Tagger(make_recipe(templates=("id[0]",), **LABELS)).fit(rows).save(path)
    source = tmp_path / "in.conllu"
    source.write_text(ROW.format(1), encoding="utf-8")
    found = outcome(path, str(source), BATCH)
    assert found == outcome(path, str(source), BATCH - 1)
    assert "id" in str(found[1])


def test_labels_are_written_natively():
    text = _core.ConlluText("\n# c\n1-2" + ROW.format("") + ROW.format(1) + ROW.format(2) + "\n\n\n" + ROW.format(1))
    lines = text.write_labels(["A", "Ω"], np.array([0, 1, 0], np.int32), 3).decode()
    words = [ROW.format(n).replace("_\t_", f"_\t{y}", 1) for n, y in ((1, "A"), (2, "Ω"), (1, "A"))]
    assert lines == "# c\n1-2" + ROW.format("") + words[0] + words[1] + "\n" + words[2] + "\n"
    for wrong in (np.zeros(2, np.int32), np.full(3, 2, np.int32), np.full(3, -1, np.int32)):
        with pytest.raises(ValueError):
            text.write_labels(["A", "Ω"], wrong, 3)
    with pytest.raises(IndexError):
        text.write_labels(["A"], np.zeros(3, np.int32), 10)
