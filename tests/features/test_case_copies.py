"""Copies of training sentences in other case: equal to the reference, seeded, stored, never in dev data."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from perceptag import Sentence, Tagger
from perceptag.models.task import case_copies, is_chosen, make_task
from perceptag.recipe.recipe import load
from perceptag.training.train import Training
from reference.case_copies import copies_of

shares = st.fixed_dictionaries({}, optional={case: st.floats(0, 1) for case in ("lower", "upper", "title")})
X = [["Ann", "lives", "in", "Paris"], ["IBM", "hired", "Ben"], ["it", "rains"]] * 8
Y = [["B-PER", "O", "O", "B-LOC"], ["B-ORG", "O", "B-PER"], ["O", "O"]] * 8


def sentences(words: list[list[str]]) -> list[Sentence]:
    return [Sentence({"form": some, "label": ["O"] * len(some)}) for some in words]


@given(
    st.lists(st.lists(st.text(min_size=1, max_size=4), min_size=1, max_size=4), max_size=8), shares, st.integers(0, 9)
)
def test_copies_are_those_of_the_reference(words: list[list[str]], wanted: dict[str, float], seed: int) -> None:
    found = case_copies(sentences(words), wanted, seed)
    assert [(original, list(copy.columns["form"])) for original, copy in found] == copies_of(words, wanted, seed)
    assert all(copy.starts_document for _, copy in found)


def test_a_copy_has_the_labels_and_other_columns_of_its_original() -> None:
    whole = {"form": ["Ann", "reads"], "pos": ["NNP", "VBZ"], "label": ["B-PER", "O"]}
    copies = case_copies([Sentence(whole)], {"lower": 1, "upper": 1, "title": 1}, 0)
    lower, upper, title = (copy for _, copy in copies)
    assert lower.columns == whole | {"form": ["ann", "reads"]}
    assert upper.columns == whole | {"form": ["ANN", "READS"]}
    assert title.columns == whole | {"form": ["Ann", "Reads"]}


def test_the_first_column_holds_the_words_where_none_is_called_form() -> None:
    ((_, copy),) = case_copies([Sentence({"word": ["Ann"], "label": ["A"]})], {"lower": 1}, 0)
    assert copy.columns == {"word": ["ann"], "label": ["A"]}


def test_a_share_is_kept_and_a_larger_one_adds_copies() -> None:
    chosen = [{n for n in range(4000) if is_chosen(3, "lower", n, share)} for share in (0.25, 0.5, 1)]
    assert chosen[0] < chosen[1] < chosen[2] == set(range(4000))
    assert 900 < len(chosen[0]) < 1100
    assert chosen[0] != {n for n in range(4000) if is_chosen(4, "lower", n, 0.25)}


def train(**settings: Any) -> Tagger:
    return Tagger("basic-ner", epochs=3, **settings).fit(X, Y)


def test_dev_data_are_not_copied_and_a_note_tells_what_was() -> None:
    recipe = load("basic-ner").replace({"augment.lower": 1, "augment.title": 0.5, "labels.column": "label"})
    data = [Sentence({"form": words, "label": labels}) for words, labels in zip(X, Y, strict=True)]
    task = make_task(recipe, data, data)
    assert task.dev is not None
    assert [s.columns["form"] for s in task.dev] == X
    assert len(task.train) > len(X)
    assert f"note: {len(task.train) - 24} copies of sentences in other case (augment: lower 1, title 0.5)" in task.notes


def test_a_copy_does_not_make_the_names_of_its_original_known() -> None:
    """Otherwise the list of the training data would give their labels away: *Ann* is in one sentence and its copy."""
    data = [
        Sentence({"form": ["Ann", "met", "Ben"], "label": ["B-PER", "O", "B-PER"]}, starts_document=True),
        Sentence({"form": ["Cid", "left"], "label": ["B-PER", "O"]}),
        Sentence({"form": ["Ben", "left"], "label": ["B-PER", "O"]}, starts_document=True),
    ]
    settings = {"gazetteer": ["train"], "augment.title": 1, "labels.column": "label"}
    recipe = load("basic-ner").replace(settings | {"templates": ["gazetteer[0]"]})
    task = make_task(recipe, data)
    assert task.documents() == [0, 0, 1, 0, 0, 1]
    rows = [[len(x.rows(0, t)) for t in range(len(x))] for x in Training(recipe, data).trainer.sequences]
    assert rows == [[0, 0, 1], [0, 0], [1, 0]] * 2
