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


@pytest.mark.parametrize(
    ("to", "lost"),
    [("columns", "the key 'id', the key 'text', the key 'offsets', the key 'by'"), ("parquet", "the key 'by'")],
)
def test_tagging_notes_keys_without_a_place(tmp_path: Path, to: str, lost: str) -> None:
    listed = lines_of(tmp_path / "a.jsonl", {"id": 7, "text": TEXT, "by": "Ann"})
    told = succeed("tag", "--model", "en", listed, "--to", to, "-o", tmp_path / "a.out").err
    found = told.partition(f"left out, since {to} has no place for it: ")[2].partition("\n")[0]
    assert sorted(found.split(", ")) == sorted(lost.split(", "))


def test_exports_of_projects_keep_text_in_conllu(tmp_path: Path) -> None:
    source = lines_of(tmp_path / "a.jsonl", {"id": 7, "text": TEXT, "label": [[0, 9, "PER"]], "source": "a.pdf"})
    project, target = tmp_path / "a.ptag", tmp_path / "a.conllu"
    told = succeed("annotate", project, "--import", source, "--export", target).err
    assert "note: left out, since conllu has no place for it: the key 'id', the key 'source'\n" in told
    assert target.read_text() == succeed("convert", source, "-", "--to", "conllu").out


def test_exports_of_projects_keep_other_columns_in_conllu(tmp_path: Path) -> None:
    columns = {"pos": ["NNP", "VBD"], "chunk": ["B-NP", "B-VP"], "labels": ["B-PER", "O"]}
    source = lines_of(tmp_path / "a.jsonl", {"tokens": ["Ann", "ran"], **columns})
    succeed("annotate", tmp_path / "a.ptag", "--import", source, "--export", tmp_path / "a.conllu")
    assert (tmp_path / "a.conllu").read_text() == succeed("convert", source, "-", "--to", "conllu").out


@pytest.mark.parametrize(
    ("ending", "lost"),
    [("txt", "the key 'id', the key 'source', the key 'text', the key 'offsets'"), ("parquet", "the key 'source'")],
)
def test_exports_of_projects_note_keys_without_a_place(tmp_path: Path, ending: str, lost: str) -> None:
    source = lines_of(tmp_path / "a.jsonl", {"id": 7, "text": TEXT, "label": [[0, 9, "PER"]], "source": "a.pdf"})
    exported, converted = tmp_path / f"a.{ending}", tmp_path / f"b.{ending}"
    told = succeed("annotate", tmp_path / "a.ptag", "--import", source, "--export", exported).err
    note = next(line for line in told.splitlines() if "has no place for it" in line)
    assert note.endswith(f"has no place for it: {lost}")
    assert note in succeed("convert", source, converted).err


# --- ids and metadata of records ---

SPAN = {"start": 0, "end": 4, "label": "PER"}
WORDS = "Anna left Oslo."
REGION = {"start": 0, "end": 4, "text": "Anna", "labels": ["PER"]}
OF_TOOLS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "label studio": (
        {
            "id": 501,
            "data": {"text": WORDS, "source": "a.pdf"},
            "annotations": [{"result": [{"type": "labels", "value": REGION}]}],
            "created_at": "2026-01-01",
            "meta": {},
        },
        {"id": 501, "source": "a.pdf"},
    ),
    "json-min": (
        {"id": 501, "text": WORDS, "source": "a.pdf", "label": [REGION], "annotator": 1, "annotation_id": 2},
        {"id": 501, "source": "a.pdf"},
    ),
    "prodigy": (
        {"text": WORDS, "spans": [SPAN], "answer": "accept", "meta": {"source": "a.pdf"}, "id": 501, "_task_hash": 1},
        {"id": 501, "meta": {"source": "a.pdf"}},
    ),
    "spans": (
        {"id": 501, "text": WORDS, "entities": [SPAN], "source": "a.pdf"},
        {"id": 501, "source": "a.pdf"},
    ),
    "names": (
        {"id": 501, "text": WORDS, "entities": [{"text": "Anna", "label": "PER"}], "source": "a.pdf"},
        {"id": 501, "source": "a.pdf"},
    ),
}
_OF_SENTENCES = {"tokens", "text", "offsets", "labels", "document"}


def further_keys(path: Path) -> tuple[dict[str, Any], str]:
    """Return what a converted sentence has besides its text and its labels, and what was said."""
    result = succeed("convert", path, "-", "--to", "jsonl")
    record = json.loads(result.out.splitlines()[0])
    assert record["labels"] == ["B-PER", "O", "O", "O"]
    return {key: value for key, value in record.items() if key not in _OF_SENTENCES}, result.err


@pytest.mark.parametrize("tool", OF_TOOLS)
def test_ids_and_metadata_are_kept(tmp_path: Path, tool: str) -> None:
    record, kept = OF_TOOLS[tool]
    found, told = further_keys(lines_of(tmp_path / "a.jsonl", record))
    assert found == kept
    assert "left out" not in told
    told = succeed("convert", tmp_path / "a.jsonl", tmp_path / "a.txt").err
    assert all(f"the key {key!r}" in told for key in kept)


def test_lists_about_a_text_are_noted_once(tmp_path: Path) -> None:
    record = {"text": WORDS, "entities": [SPAN], "keywords": ["a", "b"], "document": "d-1", "relations": []}
    found, told = further_keys(lines_of(tmp_path / "a.jsonl", *[record] * 5))
    assert found == {}
    assert told.count("left out") == 1
    assert "left out, since sentences have no place for it: 'keywords', 'document'" in told


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("id,text,start,end,label,source", "501,Anna left Oslo.,0,4,PER,a.pdf"),
        ("id,text,entities,source", "501,Anna left Oslo.,\"[(0, 4, 'PER')]\",a.pdf"),
        ("id,tokens,ner_tags,source", "501,\"['Anna', 'left', 'Oslo', '.']\",\"['B-PER', 'O', 'O', 'O']\",a.pdf"),
    ],
)
def test_further_columns_of_tables_are_kept(tmp_path: Path, header: str, cells: str) -> None:
    (tmp_path / "a.csv").write_text(f"{header}\n{cells}\n")
    found, told = further_keys(tmp_path / "a.csv")
    assert found == {"id": "501", "source": "a.pdf"}
    assert "left out" not in told


def test_columns_about_spans_are_noted(tmp_path: Path) -> None:
    rows = "id,text,start,end,label,by\n1,Ann met Bob.,0,3,PER,x\n1,Ann met Bob.,8,11,PER,y\n"
    (tmp_path / "a.csv").write_text(rows)
    result = succeed("convert", tmp_path / "a.csv", "-", "--to", "jsonl")
    assert json.loads(result.out)["id"] == "1"
    assert "left out, since sentences have no place for it: 'by'" in result.err


# --- names of documents ---


@pytest.mark.parametrize("ending", ["jsonl", "csv", "conllu", "parquet"])
def test_names_of_documents_are_kept(tmp_path: Path, ending: str) -> None:
    first, source = tmp_path / "first.jsonl", tmp_path / f"a.{ending}"
    names = ["d-17", "d-17", "d-18"]
    lines_of(first, *({"tokens": ["Ann"], "labels": ["B-PER"], "document": name} for name in names))
    if ending == "csv":
        source.write_text("doc_id,sentence_id,token,label\nd-17,1,Ann,B-PER\nd-17,2,Ann,B-PER\nd-18,3,Ann,B-PER\n")
    else:
        succeed("convert", first, source)
    records = [json.loads(line) for line in succeed("convert", source, "-", "--to", "jsonl").out.splitlines()]
    assert [record["document"] for record in records] == names
    conllu = succeed("convert", source, "-", "--to", "conllu").out
    assert [line for line in conllu.splitlines() if line.startswith("#")] == [f"# newdoc id = d-{n}" for n in (17, 18)]
    assert "the names of documents" in succeed("convert", source, tmp_path / "b.txt").err


def test_documents_with_numbers_are_numbered(tmp_path: Path) -> None:
    source = lines_of(tmp_path / "a.jsonl", *({"tokens": ["Ann"], "document": n} for n in (1, 2)))
    assert succeed("convert", source, "-", "--to", "conllu").out.count("# newdoc\n") == 2


# --- answers in Prodigy ---

FOUND = SPAN | {"rank": 0, "score": 0.58, "source": "core_web_sm"}


@pytest.mark.parametrize(
    ("further", "labels"),
    [
        ({"spans": [FOUND], "meta": {"score": 0.58}, "_view_id": "ner"}, "B-PER _ _ _"),
        ({"spans": [FOUND], "meta": {"score": 0.58}}, "B-PER _ _ _"),
        ({"spans": [SPAN | {"pattern": 3}], "meta": {"pattern": "3"}, "_view_id": "ner"}, "B-PER _ _ _"),
        ({"spans": [FOUND], "meta": {"score": 0.58}, "_view_id": "ner", "_is_binary": False}, "B-PER O O O"),
        ({"spans": [FOUND], "meta": {"score": 0.58}, "_view_id": "ner_manual"}, "B-PER O O O"),
        ({"spans": [SPAN], "_view_id": "ner_manual"}, "B-PER O O O"),
        ({"spans": [SPAN, SPAN | {"start": 10, "end": 14, "answer": "reject"}]}, "B-PER _ _ _"),
        ({"spans": [SPAN | {"answer": "accept"}]}, "B-PER O O O"),
    ],
)
def test_answers_about_one_span_are_drafts(tmp_path: Path, further: dict[str, Any], labels: str) -> None:
    source = lines_of(tmp_path / "a.jsonl", {"text": WORDS, "answer": "accept", **further})
    result = succeed("convert", source, "-", "--to", "jsonl")
    assert " ".join(json.loads(result.out)["labels"]) == labels
    is_refused = "reject" in str(further)
    assert ("a.jsonl:1: left out: 1 span whose own answer is not accept" in result.err) == is_refused


# --- records without a text, and texts without words ---

COMMANDS = {
    "tag": ["tag", "--model", "en"],
    "convert": ["convert", "--to", "jsonl"],
    "annotate": ["annotate", "a.ptag", "--labels", "PER", "--export", "b.jsonl", "--import"],
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("ending", "place"), [("jsonl", ":2"), ("json", ", record 2")])
@pytest.mark.parametrize("value", [None, 5])
def test_a_record_without_a_text_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, ending: str, place: str, value: object
) -> None:
    monkeypatch.chdir(tmp_path)
    records = [{"id": 1, "text": "Anna left."}, {"id": 2, "text": value}]
    source = lines_of(tmp_path / f"a.{ending}", *records)
    if ending == "json":
        source.write_text(json.dumps(records))
    result = run(*COMMANDS[command], source.name, *(["-"] if command == "convert" else []))
    assert result.status == 2
    found = json.dumps(value)
    assert result.err.strip().endswith(f"{source.name}{place}: expected a text, found {found}")


def test_a_null_text_among_spans_is_named(tmp_path: Path) -> None:
    records = [{"text": WORDS, "entities": [SPAN]}, {"text": None, "entities": []}]
    result = run("convert", lines_of(tmp_path / "a.jsonl", *records), "-")
    assert "a.jsonl:2: expected a text, found null" in result.err


TABLES = {
    "a.csv": "id,text,by\n1,Anna left Oslo.,me\n2,,me\n,,\n",
    "b.csv": 'id,text,entities\n1,Anna left Oslo.,"[[0, 4, ""PER""]]"\n2,,[]\n',
}


@pytest.mark.parametrize("name", ["a.jsonl", *TABLES])
def test_texts_without_words_are_noted(tmp_path: Path, name: str) -> None:
    source = lines_of(tmp_path / "a.jsonl", {"id": 1, "text": WORDS}, {"id": 3, "text": " "})
    if name in TABLES:
        (source := tmp_path / name).write_text(TABLES[name])
    line = 3 if name in TABLES else 2
    commands = [["convert", source, "-", "--to", "jsonl"], ["tag", "--model", "en", source]]
    for command in commands[: 1 if name == "b.csv" else 2]:
        result = succeed(*command)
        assert len(result.out.splitlines()) == 1
        assert f"{name}:{line}: left out: a text without words" in result.err


# --- numbers of labels ---


@pytest.mark.parametrize("names", ["O,B-PER", "['O', 'B-PER']", '["O", "B-PER"]', "('O', 'B-PER')"])
def test_names_of_labels_may_be_a_list(tmp_path: Path, names: str) -> None:
    source = lines_of(tmp_path / "a.jsonl", {"tokens": ["Ann", "ran"], "ner_tags": [1, 0]})
    result = succeed("convert", source, "-", "--to", "inline", "--label-names", names)
    assert result.out == "Ann/B-PER ran/O\n"


@pytest.mark.parametrize("names", ["[O,B-PER]", "[0, 1]", '{"O": 0}', "['O', 'B-PER'"])
def test_other_names_of_labels_are_refused(tmp_path: Path, names: str) -> None:
    source = lines_of(tmp_path / "a.jsonl", {"tokens": ["Ann", "ran"], "ner_tags": [1, 0]})
    result = run("convert", source, "-", "--to", "inline", "--label-names", names)
    assert result.status == 2
    assert "--label-names: expected names, such as O,B-PER,I-PER, or a list of them, found" in result.err


def test_numbers_of_a_parquet_file_need_names(tmp_path: Path) -> None:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    source = tmp_path / "a.parquet"
    pq.write_table(pa.table({"tokens": [["Ann", "ran"]], "label": [[1, 0]]}), source)
    told = succeed("convert", source, "-", "--to", "columns").err
    assert "the column 'label' (numbers without names: --label-names O,B-PER,I-PER names them)" in told
    named = succeed("convert", source, "-", "--to", "jsonl", "--label-names", "O,B-PER")
    assert json.loads(named.out)["labels"] == ["B-PER", "O"]
