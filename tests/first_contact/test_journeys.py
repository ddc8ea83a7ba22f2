"""What a new user types, from a file as other tools wrote it to a tagger that finds the names in new text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import typed_commands
from command_line import OLD_MODEL, typed

DRUGS = ("Aspirin", "Ibuprofen", "Metformin", "Warfarin", "Heparin", "Insulin", "Morphine", "Codeine")
SIGNS = ("fever", "pain", "nausea", "fatigue")
SENTENCES = [f"The patient took {drug} against {sign}." for drug in DRUGS for sign in SIGNS]
EMPTY = ["The patient slept well.", "The patient went home."] * 4
FAST = ("--recipe", "pos", "--no-dev")  # any recipe shows whether the labels arrive; this one is quick


def spans(text: str) -> list[tuple[int, int, str]]:
    """The places of drugs in a sentence."""
    return [(at, at + len(drug), "DRUG") for drug in DRUGS if (at := text.find(drug)) >= 0]


def assert_finds_drugs(folder: Path, model: str = "m.model") -> None:
    words = "The\npatient\ntook\nWarfarin\nagainst\nnausea\n.\n"
    out, _ = typed(folder, "tag", "--model", model, stdin=words.encode())
    assert [line.split()[-1] for line in out.split("\n") if line] == ["O", "O", "O", "B-DRUG", "O", "O", "O"]


def jsonl(folder: Path, records: list[object]) -> None:
    (folder / "train.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")


def test_from_a_doccano_export_to_a_model(tmp_path: Path) -> None:
    jsonl(tmp_path, [{"id": n, "text": t, "label": spans(t)} for n, t in enumerate(SENTENCES + EMPTY)])
    order = ("train", "--train", "train.jsonl", "--model", "m.model", *FAST)
    _, err = typed_commands.typed(tmp_path, *order)  # in a process of its own, as a user does it
    assert "train.jsonl: doccano export, 40 texts, spans in characters; tokenised by en" in err
    assert "8 texts without spans: all their tokens are O" in err
    assert "2 labels from column 'label', IOB2" in err
    assert_finds_drugs(tmp_path)


def test_the_detour_over_conllu_gives_the_same_labels(tmp_path: Path) -> None:
    jsonl(tmp_path, [{"id": n, "text": t, "label": spans(t)} for n, t in enumerate(SENTENCES + EMPTY)])
    typed(tmp_path, "convert", "train.jsonl", "train.conllu")
    first = (tmp_path / "train.conllu").read_text().split("\n\n")[0]
    assert "# text = The patient took Aspirin against fever." in first
    assert first.split("\n")[-2].endswith("\tSpaceAfter=No|LABEL=O")
    _, err = typed(tmp_path, "train", "--train", "train.conllu", "--model", "m.model", *FAST)
    assert "2 labels from column 'label', IOB2" in err
    assert_finds_drugs(tmp_path)
    out, _ = typed(tmp_path, "eval", "--model", "m.model", "train.jsonl")
    assert "precision: 100.00%; recall: 100.00%; FB1: 100.00" in " ".join(out.split()).replace("% ", "%")


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_from_a_table_to_a_model(tmp_path: Path, separator: str) -> None:
    rows = ["Sentence #,Word,POS,Tag"]
    for number, text in enumerate(SENTENCES, 1):
        for place, word in enumerate([*text[:-1].split(), "."]):
            name = f"Sentence: {number}" if place == 0 else ""
            rows.append(f"{name},{word},XX,{'B-DRUG' if word in DRUGS else 'O'}")
    (tmp_path / "train.csv").write_text("\n".join(rows).replace(",", separator) + "\n")
    _, err = typed(tmp_path, "train", "--train", "train.csv", "--model", "m.model", *FAST)
    assert "train.csv: table with a header, 32 sentences; with its own tokens" in err
    assert "train: 32 sentences, 224 tokens; 2 labels from column 'label', IOB2" in err
    out, _ = typed(tmp_path, "check", "train.csv")
    assert "32 sentences, 224 tokens" in out
    out, _ = typed(tmp_path, "check", "--stats", "train.csv", "--json")
    assert json.loads(out)["files"][0]["sentences"] == 32


def test_from_answers_of_a_language_model_without_offsets_to_a_model(tmp_path: Path) -> None:
    records: list[object] = [
        {"text": t, "entities": [{"text": t[a:b], "label": y} for a, b, y in spans(t)]} for t in SENTENCES
    ]
    records.append({"text": "The patient took Aspirin.", "entities": [{"text": "Aspirin forte", "label": "DRUG"}]})
    records.append({"text": "The patient slept.", "entities": [{"text": "Zinc", "label": "DRUG"}]})
    jsonl(tmp_path, records)
    _, err = typed(tmp_path, "train", "--train", "train.jsonl", "--model", "m.model", *FAST, "-q")
    assert "tokenised by en" not in err  # what was recognised is not shown with -q, what is lost is
    assert "train.jsonl:33: span 17 to 24, DRUG, 'Aspirin': the file says that it is 'Aspirin forte" in err
    assert "train.jsonl:34: 'Zinc' (DRUG): not found in the text" in err
    assert "1 sentence left out, whose labels are not known; first: train.jsonl:33" in err
    assert_finds_drugs(tmp_path)


@pytest.mark.parametrize("given", ["corpus", "corpus/*.ann"])
def test_from_a_folder_of_brat_to_a_model(tmp_path: Path, given: str) -> None:
    (tmp_path / "corpus").mkdir()
    for number, text in enumerate(SENTENCES):
        (tmp_path / "corpus" / f"{number}.txt").write_text(text)
        lines = [f"T1\t{y} {a} {b}\t{text[a:b]}\n" for a, b, y in spans(text)]
        (tmp_path / "corpus" / f"{number}.ann").write_text("".join(lines))
    _, err = typed(tmp_path, "train", "--train", given, "--model", "m.model", *FAST)
    assert f"{given}: brat annotation, 32 texts, spans in characters; tokenised by en" in err
    assert_finds_drugs(tmp_path)
    _, err = typed(tmp_path, "annotate", "p.ptag", "--import", given, "--export", "out.jsonl")
    assert f"{given}: 32 sentences, 32 of them labelled" in err
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 32


def test_a_model_that_is_replaced_is_kept(tmp_path: Path) -> None:
    jsonl(tmp_path, [{"id": n, "text": t, "label": spans(t)} for n, t in enumerate(SENTENCES)])
    arguments = ("train", "--train", "train.jsonl", "--model", "m.model", *FAST)
    (tmp_path / "m.model").write_bytes(OLD_MODEL)
    _, err = typed(tmp_path, *arguments)
    assert "m.model is replaced; the model that was there is kept as m.model.bak" in err
    assert (tmp_path / "m.model.bak").read_bytes() == OLD_MODEL
    (tmp_path / "m.model.bak").unlink()
    typed(tmp_path, *arguments, "--overwrite")
    assert not (tmp_path / "m.model.bak").exists()
