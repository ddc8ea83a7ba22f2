"""Where new users stumble: text given as columns, a model without a tokeniser, files that are not what they seem."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import typed
from perceptag import Tagger

PROSE = "Ada Lovelace met Bob in Rome. She is fine.\nWe met Ada in London.\n"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a model that knows names and has no tokeniser."""
    folder = tmp_path_factory.mktemp("stumbles")
    words, labels = ["Ada", "met", "Bob", "."], ["B-PER", "O", "B-PER", "O"]
    Tagger("pos").fit([words] * 8, [labels] * 8).save(folder / "m.model")
    (folder / "prose.txt").write_text(PROSE, "utf-8")
    return folder


def test_a_model_without_a_tokeniser_tags_text_with_that_of_en(model: Path) -> None:
    out, _ = typed(model, "tag", "--model", "m.model", "--tokenizer", "en", "prose.txt")
    tokens = [line.split()[0] for line in out.split("\n") if line]
    assert tokens[:7] == ["Ada", "Lovelace", "met", "Bob", "in", "Rome", "."]
    assert "Ada B-PER\n" in out
    piped, _ = typed(model, "tag", "--model", "m.model", "--tokenizer", "en", stdin=PROSE.encode())
    assert piped == out


def test_without_it_the_message_names_it(model: Path) -> None:
    _, err = typed(model, "tag", "--model", "m.model", "prose.txt", status=2)
    assert "if this is running text, 'perceptag tag --tokenizer en' cuts it into tokens" in err


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--model", "en", "--tokenizer", "en"), "--tokenizer: expected a model without a tokeniser"),
        (("--model", "m.model", "--tokenizer", "m.model"), "--tokenizer: expected a model with a tokeniser"),
        (("--model", "m.model", "--tokenizer", "en", "--out-dir", "o"), "perceptag pipeline TOKENIZER MODEL"),
    ],
)
def test_a_tokeniser_that_cannot_be_used_is_refused(model: Path, words: tuple[str, ...], expected: str) -> None:
    _, err = typed(model, "tag", *words, "prose.txt", status=2)
    assert expected in err


@pytest.mark.parametrize(
    "text", [PROSE, "Ada Lovelace met Bob in Rome today.\n\nWe met them again in London later on.\n"]
)
def test_text_is_recognised_and_imported(tmp_path: Path, text: str) -> None:
    (tmp_path / "notes.txt").write_text(text, "utf-8")
    order = ("annotate", "new.ptag", "--import", "notes.txt", "--labels", "PER", "--export", "o.jsonl")
    _, err = typed(tmp_path, *order, "--status", "all")
    assert "notes.txt: taken as running text, not as columns\n" in err
    assert '"Ada", "Lovelace"' in (tmp_path / "o.jsonl").read_text("utf-8")


def test_rows_of_many_columns_are_not_text_because_one_is_too_short(tmp_path: Path) -> None:
    rows = ["Ada a b c d e f g h B-PER\n"] * 15
    (tmp_path / "words.txt").write_text("".join([*rows, "sings a b c d e f g O\n"]), "utf-8")
    _, err = typed(tmp_path, "annotate", "new.ptag", "--import", "words.txt", "--labels", "PER", status=2)
    assert "words.txt:16: expected 10 columns" in err and "running text" not in err


def test_a_column_file_of_short_sentences_is_still_imported(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("Ada B-PER\n\nBob B-PER\n\nRome O\n\n", "utf-8")
    typed(tmp_path, "annotate", "new.ptag", "--import", "words.txt", "--labels", "PER", "--export", "o.txt")
    assert (tmp_path / "o.txt").read_text("utf-8").startswith("Ada B-PER\n")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n\0\1\2\n", "this looks like a PDF file"),
        (b'Here is the JSON:\n```json\n[{"text": "Ada"}]\n```\n', "keep only the JSON between the lines with ```"),
        (PROSE.encode(), "this looks like running text"),
    ],
)
def test_training_says_what_a_file_seems_to_be(tmp_path: Path, content: bytes, expected: str) -> None:
    (tmp_path / "train.txt").write_bytes(content)
    _, err = typed(tmp_path, "train", "--train", "train.txt", "--model", "m.model", status=2)
    assert expected in err


LONE = "Ada Lovelace met Bob in Rome on a very sunny day.\n"


@pytest.mark.parametrize("text", [LONE, f"{LONE}\n{LONE}"])
@pytest.mark.parametrize(
    "order",
    [
        ("train", "--model", "m.model", "--train"),
        (
            "check",
            "--stats",
        ),
        ("eval", "--model", "en"),
        ("check",),
    ],
)
def test_paragraphs_of_one_line_are_not_words_with_columns(tmp_path: Path, order: tuple[str, ...], text: str) -> None:
    (tmp_path / "text.txt").write_text(text, "utf-8")
    out, err = typed(tmp_path, *order, "text.txt", status=1 if order == ("check",) else 2)
    assert "this looks like running text" in " ".join((out + err).split())
    assert not (tmp_path / "m.model").exists()


def test_rules_that_need_a_column_do_not_speak_of_recipes(tmp_path: Path) -> None:
    (tmp_path / "rules.jsonl").write_text('{"label": "X", "pattern": [{"LEMMA": "be"}]}\n', "utf-8")
    _, err = typed(tmp_path, "tag", "--rules", "rules.jsonl", "--tokenizer", "en", stdin=b"It is.", status=2)
    assert "it reads column 'lemma'" in err and "these rules need a model" in err and "recipe" not in err
