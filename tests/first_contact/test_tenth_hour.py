"""What else a file knows about its texts: white space, ids, metadata, names of documents, empty and missing texts."""

import json
from pathlib import Path
from typing import Any

import pytest

from command_line import run, succeed

TEXT = "Anna Berg (Oslo) left.Then she came."


def lines_of(path: Path, *records: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def rows_of(conllu: str) -> list[list[str]]:
    return [line.split("\t") for line in conllu.splitlines() if line[:1].isdigit()]


# --- the text of sentences in CoNLL-U, and keys that formats have no place for ---


def test_tagged_lists_of_texts_keep_their_text_in_conllu(tmp_path: Path) -> None:
    listed = lines_of(tmp_path / "a.jsonl", {"id": 7, "text": TEXT})
    (plain := tmp_path / "a.txt").write_text(f"{TEXT}\n")
    result = succeed("tag", "--model", "en", listed, "--to", "conllu")
    same = succeed("tag", "--model", "en", plain, "--to", "conllu").out
    assert result.out == same.replace("# newpar\n", "").replace("SpacesAfter=\\n|", "")  # one text ends as all do
    assert "# text = Anna Berg (Oslo) left.\n" in result.out
    assert "SpaceAfter=No" in rows_of(result.out)[6][-1]
    assert "note: left out, since conllu has no place for it: the key 'id'\n" in result.err
    one_by_one = succeed("tag", "--model", "en", listed, "--to", "conllu", "--batch", "1")
    assert "# text = Anna Berg (Oslo) left.\n" in one_by_one.out


@pytest.mark.parametrize("to", ["columns", "parquet"])
def test_tagging_notes_keys_without_a_place(tmp_path: Path, to: str) -> None:
    listed = lines_of(tmp_path / "a.jsonl", {"id": 7, "text": TEXT})
    told = succeed("tag", "--model", "en", listed, "--to", to, "-o", tmp_path / "a.out").err
    assert f"left out, since {to} has no place for it: the key 'id', the key 'text', the key 'offsets'" in told


def test_exports_of_projects_keep_text_in_conllu(tmp_path: Path) -> None:
    source = lines_of(tmp_path / "a.jsonl", {"id": 7, "text": TEXT, "label": [[0, 9, "PER"]], "source": "a.pdf"})
    project, target = tmp_path / "a.ptag", tmp_path / "a.conllu"
    told = succeed("annotate", project, "--import", source, "--export", target).err
    assert "note: left out, since conllu has no place for it: the key 'id', the key 'source'\n" in told
    assert target.read_text() == succeed("convert", source, "-", "--to", "conllu").out


@pytest.mark.parametrize("ending", ["txt", "parquet"])
def test_exports_of_projects_note_keys_without_a_place(tmp_path: Path, ending: str) -> None:
    source = lines_of(tmp_path / "a.jsonl", {"id": 7, "text": TEXT, "label": [[0, 9, "PER"]], "source": "a.pdf"})
    exported, converted = tmp_path / f"a.{ending}", tmp_path / f"b.{ending}"
    told = succeed("annotate", tmp_path / "a.ptag", "--import", source, "--export", exported).err
    note = next(line for line in told.splitlines() if "has no place for it" in line)
    assert "the key 'id', the key 'source', the key 'text', the key 'offsets'" in note
    assert note in succeed("convert", source, converted).err
