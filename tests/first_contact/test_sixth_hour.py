"""Tables of Label Studio, names as keys, several lists of numbered tags, files of no known tool."""

import json
from pathlib import Path

import pytest

from command_line import check, run
from perceptag.foreign.header_tables import read
from perceptag.foreign.read_export import read_foreign
from perceptag.foreign.texts import ForeignText

STUDIO = (
    "annotation_id,annotator,id,label,text\n"
    '1,1,7,"[{""start"":5,""end"":13,""text"":""John Doe"",""labels"":[""PER""]}]",Call John Doe now\n'
    "2,1,8,,Nothing to see here\n"
)


def texts(table: str) -> list[ForeignText]:
    return [one for one in read(table, "a.csv") if isinstance(one, ForeignText)]


def rows_of(path: Path) -> list[list[str]]:
    rows = [line.split() for line in path.read_text().splitlines()]
    return [row for row in rows if row and row[0] != "-DOCSTART-"]


def test_a_table_of_label_studio() -> None:
    first, second = texts(STUDIO)
    assert [(s.start, s.end, s.label) for s in first.first.spans] == [(5, 13, "PER")]
    assert (second.text, second.first.spans) == ("Nothing to see here", [])


def test_two_people_in_a_table_of_label_studio_are_readings_of_one_text() -> None:
    again = STUDIO.splitlines()[1].replace("1,1,7", "3,2,7").replace("PER", "ORG")
    first, _ = texts(STUDIO + again + "\n")
    assert [s.label for s in first.first.spans] == ["PER"]
    assert [[s.label for s in other.spans] for other in first.others] == [["ORG"]]


def test_regions_of_label_studio_in_another_table() -> None:
    [text, _] = texts('text,label\nBob ran,"[{""start"":0,""end"":3,""labels"":[""PER""]}]"\nNo one,\n')
    assert [(s.start, s.end, s.label) for s in text.first.spans] == [(0, 3, "PER")]


@pytest.mark.parametrize("entities", [{"Tesla": "ORG", "Berlin": "LOC"}, {"ORG": "Tesla", "LOC": "Berlin"}])
def test_objects_of_names_and_labels_are_read_by_what_is_in_the_text(entities: dict[str, str], tmp_path: Path) -> None:
    record = {"text": "Tesla opened a plant in Berlin.", "entities": entities}
    (tmp_path / "a.jsonl").write_text(json.dumps(record) + "\n")
    assert run("convert", tmp_path / "a.jsonl", tmp_path / "b.txt").status == 0
    labels = [row[-1] for row in rows_of(tmp_path / "b.txt")]
    assert labels == ["B-ORG", "O", "O", "O", "O", "B-LOC", "O"]


# --- tags as numbers ---

NUMBERED = {"tokens": ["EU", "rejects"], "pos_tags": [1, 0], "ner_tags": [1, 0]}


def test_other_tags_that_are_numbers_are_a_column() -> None:
    found = read_foreign(json.dumps(NUMBERED).encode(), "a", label_names=["O", "B-ORG"])
    assert found.sentences[0].labels == ["B-ORG", "O"]
    assert found.sentences[0].columns == {"pos_tags": ["1", "0"]}


@pytest.mark.parametrize("label", ["pos_tags", "ner_tags"])
def test_numbers_of_the_tags_that_are_meant_get_names(label: str, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps(NUMBERED) + "\n")
    way = ("--label", label, "--label-names", "X,Y", "--to", "columns")
    assert run("convert", tmp_path / "a.jsonl", tmp_path / "b.txt", *way).status == 0
    assert [row[-1] for row in rows_of(tmp_path / "b.txt")] == ["Y", "X"]


def test_the_only_tags_may_be_numbers_of_parts_of_speech(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"tokens": ["EU", "rejects"], "upos": [1, 0]}\n')
    check(run("check", tmp_path / "a.jsonl"), "'upos' are numbers up to 1 here: expected their names")


# --- files of no known tool ---


def test_json_of_no_known_tool_is_not_called_an_export(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"text": {"0": "Anna lives"}, "label": {"0": [[0, 4, "PER"]]}}\n')
    done = run("convert", tmp_path / "a.json", tmp_path / "b.txt")
    check(done, "this looks like JSON of no known tool")
    assert "export of" not in done.err
    assert "reads exports" not in done.err


def test_python_is_not_called_toml(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text('TRAIN_DATA = [\n    ("Anna lives", {"entities": [(0, 4, "PER")]}),\n]\n')
    done = run("train", "--train", tmp_path / "a.py", "--model", tmp_path / "a.model")
    check(done, "this looks like Python; write its list as JSON")


# --- what is kept, and what is said ---


def test_other_keys_of_exports_are_kept(tmp_path: Path) -> None:
    lists = {"id": "a7", "source": "mail", "tokens": ["EU", "rejects"], "ner_tags": [1, 0]}
    text = {"id": 9, "source": "mail", "text": "EU rejects", "label": [[0, 2, "ORG"]]}
    for record in (lists, text):
        (tmp_path / "a.jsonl").write_text(json.dumps(record) + "\n")
        assert run("convert", tmp_path / "a.jsonl", tmp_path / "b.jsonl", "--label-names", "O,B-ORG").status == 0
        found = json.loads((tmp_path / "b.jsonl").read_text())
        assert (found["id"], found["source"], found["labels"]) == (record["id"], "mail", ["B-ORG", "O"])


@pytest.mark.parametrize(("text", "is_said"), [("Anna left.  Bob ran.", True), ("Anna left.", False)])
def test_white_space_between_sentences_is_not_lost_silently(text: str, is_said: bool, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"text": text, "label": [[0, 4, "PER"]]}) + "\n")
    done = run("convert", tmp_path / "a.jsonl", tmp_path / "b.jsonl", "--to", "doccano")
    assert done.status == 0
    assert ("between sentences of a text, one character of white space becomes a space" in done.err) == is_said


def test_gold_labels_may_have_another_usual_name_than_in_training(tmp_path: Path) -> None:
    record = {"tokens": ["Anna", "ran"], "labels": ["B-PER", "O"]}
    (tmp_path / "train.jsonl").write_text((json.dumps(record) + "\n") * 8)
    record["ner_tags"] = record.pop("labels")
    (tmp_path / "gold.jsonl").write_text((json.dumps(record) + "\n") * 8)
    model = tmp_path / "a.model"
    assert run("train", "--train", tmp_path / "train.jsonl", "--model", model, "-r", "basic-ner", "-q").status == 0
    assert run("eval", "--model", model, tmp_path / "gold.jsonl").status == 0
