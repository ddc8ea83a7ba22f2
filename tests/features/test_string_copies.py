"""Copies of paragraphs with addresses and dates: equal to the reference, seeded, stored, never in dev data."""

from __future__ import annotations

import io
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from perceptag import Sentence, Tokenizer
from perceptag.models.task import make_task
from perceptag.models.tokenizer.characters import as_characters
from perceptag.recipe.recipe import load
from perceptag.text.conllu import read_conllu
from perceptag.text.documents import split_documents
from perceptag.text.string_copies import AROUND, PATTERNS, VALUES, with_string_copies
from perceptag.text.treebank import read_treebank
from reference.string_copies import copies_of


def treebank(*paragraphs: list[list[str]]) -> str:
    """CoNLL-U of sentences, with a space between all tokens but before the last."""
    rows = []
    for paragraph in paragraphs:
        rows.append("# newpar")
        for forms in paragraph:
            for number, form in enumerate(forms, 1):
                misc = "SpaceAfter=No" if number == len(forms) - 1 else "_"
                rows.append(f"{number}\t{form}" + "\t_" * 7 + f"\t{misc}")
            rows.append("")
    return "\n".join(rows) + "\n"


TEXT = treebank(*[[["Ann", "reads", "books", "."], ["See", "it", "now", "!"]], [["No"]], [["Why", "not", "?"]]] * 20)


def characters(text: str = TEXT) -> list[Sentence]:
    return as_characters(read_treebank(read_conllu(io.StringIO(text))))


def pairs(sentence: Sentence) -> list[tuple[str, str]]:
    return list(zip(sentence.columns["form"], sentence.columns["label"], strict=True))


WITHOUT_FULL_STOPS = treebank(*[[["Go", "home", "now"], ["On", "and", "on"]]] * 30)


@given(st.booleans(), st.integers(1, 60), st.floats(0, 1), st.integers(0, 9))
def test_copies_are_those_of_the_reference(has_stops: bool, count: int, share: float, seed: int) -> None:
    given_ = characters(TEXT if has_stops else WITHOUT_FULL_STOPS)[:count]
    found = with_string_copies(given_, share, seed)
    paragraphs = [[pairs(s) for s in paragraph] for paragraph in split_documents(given_)]
    assert [pairs(s) for s in found[count:]] == copies_of(paragraphs, share, seed, PATTERNS, VALUES, AROUND)
    assert [pairs(s) for s in found[: count - 1]] == [pairs(s) for s in given_[:-1]]


def test_a_copy_is_a_document_of_its_own_and_spells_its_original() -> None:
    given_ = characters()
    found = with_string_copies(given_, 1, 0)
    copies = found[len(given_) :]
    assert [s.starts_document for s in copies] == [s.starts_document for s in given_]
    assert all("".join(s.columns["form"]).endswith("\n\n") for s in (found[len(given_) - 1], copies[-1]))
    for original, copy in zip(given_, copies, strict=True):
        assert len(copy) > len(original)
        assert copy.columns["label"].count("sentence") == 1
        assert all((label == "between") == c.isspace() for c, label in pairs(copy))


def bank(text: str = TEXT) -> list[Sentence]:
    return list(read_conllu(io.StringIO(text)))


def train(**settings: Any) -> Tokenizer:
    return Tokenizer(epochs=3, cutoff=1, **settings).fit(bank())


def test_addresses_and_handles_are_learned() -> None:
    tokenizer = Tokenizer(epochs=5, augment_strings=1, tokens_patterns=True).fit(bank())
    [sentence] = tokenizer("Ann reads https://t.co/abc123, @ann_13 now.")
    assert [token.text for token in sentence] == ["Ann", "reads", "https://t.co/abc123", ",", "@ann_13", "now", "."]


def test_dev_data_are_not_copied_and_a_note_tells_what_was() -> None:
    task = make_task(load("tokenize").replace({"augment.strings": 1}), characters(), characters())
    assert task.dev is not None
    assert [pairs(s) for s in task.dev] == [pairs(s) for s in characters()]
    assert len(task.train) == 2 * len(characters())
    assert "note: 80 copies of sentences with addresses, dates … (augment: strings 1)" in task.notes
