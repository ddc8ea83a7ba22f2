"""What `perceptag convert` makes of the files that people have: words with labels, what is kept beside them, notes."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from command_line import CORPUS, run, succeed

NUMBERED = {"tokens": ["EU", "rejects"], "pos_tags": [1, 0], "ner_tags": [1, 0]}
STUDIO = (
    "annotation_id,annotator,id,label,text\n"
    '1,1,7,"[{""start"":5,""end"":13,""text"":""John Doe"",""labels"":[""PER""]}]",Call John Doe now\n'
    "2,1,8,,Nothing to see here\n"
)
CITIES = "Tesla/B-ORG opened/O a/O plant/O in/O Berlin/B-LOC ./O"
LISTS = "Sentence #,Sentence,POS,Tag,Note\nS 1,Anna left Oslo,\"['N', 'V', 'N']\",\"['B-per', 'O', 'B-geo']\",x\n"
SPANS_IN_CELLS = 'text,entities\nAnna ran.,"[[0, 4, ""PER""]]"\n'
DOCUMENT = {"text": "Anna left Oslo.", "answer": "accept", "spans": [{"start": 0, "end": 4, "label": "PER"}]}
GUESSED = {**DOCUMENT, "spans": [{"start": 0, "end": 4, "label": "PER", "score": 0.58}], "meta": {"score": 0.58}}
TWO_ANSWERS = [*DOCUMENT["spans"], {"start": 10, "end": 14, "label": "LOC", "answer": "reject"}]


def spelled(form: str, outside: str = "O") -> str:
    """Return a column file whose labels are spelled in another way."""
    rows = [("Anna", "B", "PER"), ("Berg", "I", "PER"), ("sings", "O", ""), ("Oslo", "B", "LOC")]
    return "".join(f"{w} {form.format(tag=t, kind=k) if k else outside}\n" for w, t, k in rows) + "\n"


def spacy(ents: list[Any], **groups: list[Any]) -> str:
    """Return a document of spaCy with named groups of spans."""
    tokens = [{"id": 0, "start": 0, "end": 4}, {"id": 1, "start": 5, "end": 10}]
    return json.dumps([{"text": "Anna sings", "ents": ents, "tokens": tokens, "spans": groups}])


ANNA, BOTH = {"start": 0, "end": 4, "label": "PER"}, {"start": 0, "end": 10, "label": "FACT"}
IOB = "Anna/B-PER Berg/I-PER sings/O Oslo/B-LOC"
# name of the file, its content, options, the words with their labels, what is said
CASES: list[tuple[str, str, str, str, str]] = [
    # other spellings
    ("a.txt", spelled("{tag}_{kind}"), "--iob", IOB, ""),
    ("a.txt", spelled("{kind}-{tag}"), "--iob", IOB, ""),
    ("a.txt", "Anna PER\nBerg PER\nsings O\nin O\nold O\nOslo LOC\n. O\n", "--iob",
     "Anna/B-PER Berg/I-PER sings/O in/O old/O Oslo/B-LOC ./O", ""),
    # tables
    ("a.csv", "word,tag\n[1],O\nAnna,B-PER\n", "", "[1]/O Anna/B-PER", ""),
    ("a.csv", "tokens,ner_tags\n\"['Anna', 'sings']\",\"['B-PER', 'O']\"\n\"[\"\"Ben\"\"]\",\"[\"\"B-PER\"\"]\"\n", "",
     "Anna/B-PER sings/O | Ben/B-PER", ""),
    ("a.csv", "tokens,ner_tags\n\"['Anna' 'left'\n 'for' 'Rome']\",\"['B-PER' 'O'\n 'O' 'B-LOC']\"\n", "",
     "Anna/B-PER left/O for/O Rome/B-LOC", ""),
    ("a.csv", 'tokens,ner_tags\n"[""Anna"", ""left""]","[1 0]"\n', "--label-names O,B-PER", "Anna/B-PER left/O", ""),
    ("a.csv", 'sentence,labels\nAnna left,"B-PER,O"\nBob went home,B-PER O O\n', "",
     "Anna/B-PER left/O | Bob/B-PER went/O home/O", ""),
    ("a.csv", "sentence,tags\nAnna didn't go,B-PER O O\nBob didn't go,\n", "",
     "Anna/B-PER didn't/O go/O | Bob/O didn't/O go/O", "a.csv:3: nothing in column 'tags': taken as O"),
    ("a.csv", 'sentence_id\tword\ttag\n1\t"\tO\n1\tAnna\tB-PER\n1\t"\tO\n2\tBob\tB-PER\n', "",
     '"/O Anna/B-PER "/O | Bob/B-PER', ""),
    ("a.csv", "sentence_id,token,label\n1,Anna,B-PER\n1,sings,\n1,.,O\n", "", "Anna/B-PER sings/O ./O",
     "a.csv:3: no tag in column 'label': taken as O"),
    ("a.csv", "Sentence #,Word,Tag\nS 1,Bob,B-PER\n,left,O\nS 2,,\n,Eva,B-PER\n", "", "Bob/B-PER left/O | Eva/B-PER",
     ""),
    ("a.csv", "Satz;word;tag\nu7;Anna;B-PER\nu7;sings;O\nu3;Bob;B-PER\nu3;left;O\n", "",
     "Anna/B-PER sings/O | Bob/B-PER left/O", "rows with the same 'satz' are taken for one sentence"),
    ("a.csv", "Satz;word;tag\na;Anna;B-PER\na;sings;O\nb;Bob;B-PER\na;left;O\n", "",
     "Anna/B-PER sings/O Bob/B-PER left/O", ""),
    *((f"{name}.csv", f"{name};word;tag\n1;Anna;B-PER\n1;sings;O\n2;Bob;B-PER\n", "", "Anna/B-PER sings/O | Bob/B-PER",
     "")
      for name in ("SentenceID", "sentence_no", "Sentence_Number", "sid")),
    ("a.csv", LISTS, "", "Anna/B-per left/O Oslo/B-geo", ""),
    ("a.csv", LISTS, "--label pos", "Anna/N left/V Oslo/N", ""),
    # spans in tables
    ("a.csv", STUDIO, "", "Call/O John/B-PER Doe/I-PER now/O | Nothing/O to/O see/O here/O", ""),
    ("a.csv", 'text;start;end;label\r\n"Hi\r\nA B C";4;7;PER\r\n', "", "Hi/O | A/B-PER B/I-PER C/O", ""),
    ("a.csv", f"{SPANS_IN_CELLS}Thanks,\nHello,nan\n", "", "Anna/B-PER ran/O ./O | Thanks/O | Hello/O",
     "a.csv:3: nothing in column 'entities': taken as O"),
    ("a.csv", 'ID,body,entities\n7,Anna ran,"[[0, 4, ""PER""]]"\n', "--text body", "Anna/B-PER ran/O", ""),
    # texts without labels
    ("a.csv", '\ufeffid;text;from\r\n1;"Anna left; Bob stayed";me\r\n2;Gone now;you\r\n3;;me\r\n', "",
     "Anna left ; Bob stayed | Gone now", "a.csv:4: left out: a text without words"),
    # answers of language models
    *(("a.jsonl", json.dumps({"text": "Tesla opened a plant in Berlin.", "entities": entities}), "", CITIES, "")
      for entities in ({"Tesla": "ORG", "Berlin": "LOC"}, {"ORG": "Tesla", "LOC": "Berlin"},
                       {"ORG": [{"text": "Tesla"}], "LOC": ["Berlin"], "PER": None},
                       [["Tesla", "ORG"], ["Berlin", "LOC"]])),
    ("a.jsonl", json.dumps({"text": "Anna is in Köln.", "entities": {"PER": ["Anna"], "LOC": ["Koln"]}}), "",
     "Anna/B-PER is/_ in/_ Köln/_ ./_", "imported without labels"),
    ("a.jsonl", '{"text": "Anna left", "entities": [{"text": "Anna", "label": "PER"}]}\n{"text": "Bob left"}\n'
     '{"text": "Eva left", "entities": null}\n{"text": "Ed left", "entities": []}', "",
     "Anna/B-PER left/O | Bob/_ left/_ | Eva/_ left/_ | Ed/O left/O", "left without labels"),
    # texts in which nobody has marked anything
    ("a.jsonl", '{"text": "Ada sat", "label": [[0, 3, "PER"]]}\n{"text": "It fell", "label": []}\n', "",
     "Ada/B-PER sat/O | It/O fell/O", "1 text without spans: all their tokens are O"),
    ("a.jsonl", '{"text": "Ada sat", "label": [[0, 3, "PER"]]}\n{"text": "It fell", "label": []}\n',
     "--unlabelled missing", "Ada/B-PER sat/O | It/_ fell/_", "they are left without labels; first: a.jsonl:2"),
    # numbers
    ("a.jsonl", json.dumps(NUMBERED), "--label-names O,B-ORG", "EU/B-ORG rejects/O", ""),
    ("a.jsonl", json.dumps(NUMBERED), "--label pos_tags --label-names X,Y", "EU/Y rejects/X", ""),
    ("a.txt", "EU 1\nrejects 0\n", "--label-names '[\"O\", \"B-ORG\"]'", "EU/B-ORG rejects/O", ""),
    ("a.csv", "sentence_id,token,ner_tag\n1,EU,1\n2,rejects,0\n", "--label-names O,B-ORG", "EU/B-ORG | rejects/O", ""),
    # Prodigy: an answer about one span says nothing about the other words
    ("a.jsonl", json.dumps(GUESSED | {"_view_id": "ner"}), "", "Anna/B-PER left/_ Oslo/_ ./_", ""),
    ("a.jsonl", json.dumps(DOCUMENT | {"spans": [ANNA | {"pattern": 3}], "meta": {"pattern": "3"}, "_view_id": "ner"}),
     "", "Anna/B-PER left/_ Oslo/_ ./_", ""),
    ("a.jsonl", json.dumps(GUESSED | {"_view_id": "ner", "_is_binary": False}), "", "Anna/B-PER left/O Oslo/O ./O", ""),
    ("a.jsonl", json.dumps(DOCUMENT | {"spans": TWO_ANSWERS}), "", "Anna/B-PER left/_ Oslo/_ ./_",
     "a.jsonl:1: left out: 1 span whose own answer is not accept"),
    # spaCy: the only group of spans has the labels if there are no entities
    ("a.json", spacy([], sc=[ANNA]), "", "Anna/B-PER sings/O", "the labels are those of the spans 'sc'"),
    ("a.json", spacy([ANNA], sc=[BOTH]), "", "Anna/B-PER sings/O", "'spans.sc'"),
    ("a.json", spacy([], sc=[ANNA, BOTH]), "", "Anna/O sings/O", "'spans.sc'"),
]  # fmt: skip


def records_of(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


def labelled(record: dict[str, Any], label: str) -> str:
    labels = record.get("labels", record.get(label))
    return " ".join(record["tokens"] if labels is None else map("/".join, zip(record["tokens"], labels, strict=True)))


@pytest.mark.parametrize(("name", "content", "options", "expected", "said"), CASES, ids=range(len(CASES)))
def test_words_and_labels(
    name: str, content: str, options: str, expected: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(content.encode())
    done = succeed("convert", name, "-", "--to", "jsonl", *shlex.split(options))
    chosen = options.partition("--label ")[2].partition(" ")[0]
    shown = [
        labelled({**r, "labels": r.get(chosen, r.get("labels"))} if chosen else r, chosen) for r in records_of(done.out)
    ]
    assert " | ".join(shown) == expected
    assert said in done.err


# --- what is kept beside words and labels ---

WORDS = "Anna left Oslo."
REGION = {"start": 0, "end": 4, "text": "Anna", "labels": ["PER"]}
CELLS = "\"['Anna', 'left', 'Oslo', '.']\",\"['B-PER', 'O', 'O', 'O']\""
KEPT: dict[str, tuple[str, str, dict[str, Any]]] = {
    "label studio": (
        "a.jsonl",
        json.dumps(
            {"id": 501, "data": {"text": WORDS, "source": "a.pdf"}, "meta": {}, "created_at": "2026-01-01",
             "annotations": [{"result": [{"type": "labels", "value": REGION}]}]}
        ),
        {"id": 501, "source": "a.pdf"},
    ),
    "json-min": (
        "a.jsonl",
        json.dumps({"id": 501, "text": WORDS, "source": "a.pdf", "label": [REGION], "annotator": 1}),
        {"id": 501, "source": "a.pdf"},
    ),
    "prodigy": (
        "a.jsonl",
        json.dumps(DOCUMENT | {"meta": {"source": "a.pdf"}, "id": 501, "_task_hash": 1}),
        {"id": 501, "meta": {"source": "a.pdf"}},
    ),
    "spans": (
        "a.jsonl",
        json.dumps({"id": 501, "text": WORDS, "entities": [ANNA], "source": "a.pdf"}),
        {"id": 501, "source": "a.pdf"},
    ),
    "names": (
        "a.jsonl",
        json.dumps({"id": 501, "text": WORDS, "entities": [{"text": "Anna", "label": "PER"}], "source": "a.pdf"}),
        {"id": 501, "source": "a.pdf"},
    ),
    "rows of spans": (
        "a.csv", "id,text,start,end,label,source\n501,Anna left Oslo.,0,4,PER,a.pdf\n", {"id": "501", "source": "a.pdf"}
    ),
    "lists in cells": ("a.csv", f"id,tokens,ner_tags,source\n501,{CELLS},a.pdf\n", {"id": "501", "source": "a.pdf"}),
}  # fmt: skip
OF_SENTENCES = {"tokens", "text", "offsets", "labels", "document"}


@pytest.mark.parametrize("tool", KEPT)
def test_ids_and_metadata_are_kept_or_named(tool: str, tmp_path: Path) -> None:
    name, content, kept = KEPT[tool]
    (tmp_path / name).write_text(content)
    done = succeed("convert", tmp_path / name, "-", "--to", "jsonl")
    (record,) = records_of(done.out)
    assert {key: value for key, value in record.items() if key not in OF_SENTENCES} == kept
    assert record["labels"] == ["B-PER", "O", "O", "O"] and "left out" not in done.err
    told = succeed("convert", tmp_path / name, tmp_path / "a.txt").err
    assert all(f"the key {key!r}" in told for key in kept)


@pytest.mark.parametrize("ending", ["jsonl", "csv", "conllu", "parquet"])
def test_names_of_documents_are_kept(ending: str, tmp_path: Path) -> None:
    first, source, names = tmp_path / "first.jsonl", tmp_path / f"a.{ending}", ["d-17", "d-17", "d-18"]
    records = [{"tokens": ["Ann"], "labels": ["B-PER"], "document": name} for name in names]
    first.write_text("".join(json.dumps(record) + "\n" for record in records))
    if ending == "csv":
        source.write_text("doc_id,sentence_id,token,label\nd-17,1,Ann,B-PER\nd-17,2,Ann,B-PER\nd-18,3,Ann,B-PER\n")
    else:
        succeed("convert", first, source)
    assert [r["document"] for r in records_of(succeed("convert", source, "-", "--to", "jsonl").out)] == names
    marks = [line for line in succeed("convert", source, "-", "--to", "conllu").out.splitlines() if line[0:1] == "#"]
    assert marks == ["# newdoc id = d-17", "# newdoc id = d-18"]
    assert "the names of documents" in succeed("convert", source, tmp_path / "b.txt").err


def test_documents_of_brat_have_the_names_of_their_files(tmp_path: Path) -> None:
    for name in ("one", "two/one"):
        (tmp_path / "brat" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "brat" / f"{name}.txt").write_text("Anna left.")
        (tmp_path / "brat" / f"{name}.ann").write_text("T1\tPER 0 4\tAnna\n")
    found = records_of(succeed("convert", tmp_path / "brat", "-", "--to", "jsonl").out)
    assert [one["document"] for one in found] == ["one", "two/one"]


def test_tags_of_a_table_go_into_their_column_of_conllu(tmp_path: Path) -> None:
    for tags, column in ((("NNP", "VBZ"), "_\tNNP"), (("PROPN", "VERB"), "PROPN\t_")):
        (tmp_path / "k.csv").write_text(f"Sentence #,Word,POS,Tag\n1,Anna,{tags[0]},B-PER\n,sings,{tags[1]},O\n")
        out = succeed("convert", tmp_path / "k.csv", "-", "--to", "conllu").out
        assert f"1\tAnna\t_\t{column}\t_\t_\t_\t_\tLABEL=B-PER" in out


@pytest.mark.parametrize(
    ("spans", "tags", "column"),
    [
        ("ner_tags", "pos_tags", "ner_tags"),
        ("ner", "terms", "terms"),  # as a pipeline writes its layers
        ("terms", "ner", "ner"),
    ],
)
def test_the_list_that_has_the_labels(spans: str, tags: str, column: str, tmp_path: Path) -> None:
    record = {"tokens": ["EU", "rejects"], spans: ["B-ORG", "O"], tags: ["NNP", "VBZ"]}
    (tmp_path / "a.jsonl").write_text(json.dumps(record) + "\n")
    assert json.loads(run("check", tmp_path / "a.jsonl", "--json").out)["label"] == column


# --- files of other tools are not written over ---


@pytest.mark.parametrize("text", ["Dear Anna,\n\n  I left.\n", "Anna B-PER\nleft O\n"])
def test_a_text_next_to_spans_of_brat_is_not_replaced(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"tokens": ["Anna", "left"], "labels": ["B-PER", "O"]}\n')
    (tmp_path / "letter.txt").write_text(text)
    result = run("convert", tmp_path / "a.jsonl", tmp_path / "letter.ann")
    assert result.status == 2 and "letter.txt" in result.err
    assert (tmp_path / "letter.txt").read_text() == text and not (tmp_path / "letter.ann").exists()
    succeed("convert", tmp_path / "a.jsonl", tmp_path / "letter.ann", "--overwrite")
    assert (tmp_path / "letter.txt").read_text() == "Anna left\n\n"
    succeed("convert", tmp_path / "a.jsonl", tmp_path / "letter.ann")  # the same text again


RUNNING = "Anna lives in Rome.  Bob left.\r\n\r\nEva\tstays in Rome. She sings.\n"


@pytest.mark.parametrize("ending", ["conllu", "jsonl"])
@pytest.mark.parametrize("text", [RUNNING, f"\ufeff{RUNNING}"], ids=["plain", "with a byte order mark"])
def test_spans_of_brat_have_the_places_of_their_text(text: str, ending: str, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_bytes(text.encode())
    succeed("tag", "-m", "en", tmp_path / "t.txt", "--to", ending, "-o", tmp_path / f"s.{ending}")
    succeed("convert", tmp_path / f"s.{ending}", tmp_path / "t.ann", "--to", "brat", "--label", "ner")
    assert (tmp_path / "t.txt").read_bytes() == text.encode()
    lines = [line.split("\t") for line in (tmp_path / "t.ann").read_text().splitlines()]
    for _, place, words in lines:
        _, start, end = place.split()
        assert text[int(start) : int(end)] == words
    assert len(lines) > 2
    (tmp_path / "t.txt").write_text(text.replace("Eva", "Ida"))
    (tmp_path / "t.ann").unlink()
    refused = run("convert", tmp_path / f"s.{ending}", tmp_path / "t.ann", "--to", "brat", "--label", "ner")
    assert refused.status == 2 and "t.txt" in refused.err and not (tmp_path / "t.ann").exists()


@pytest.mark.parametrize("command", [("tag", "-m", "en", "{}.txt", "-o", "{}.ann"), ("convert", "{}.jsonl", "{}.ann")])
def test_spans_of_brat_are_not_replaced_by_columns(command: tuple[str, ...], tmp_path: Path) -> None:
    spans = "T1\tPER 0 4\tAnna\nT2\tLOC 14 18\tOslo\n"
    (tmp_path / "a.ann").write_text(spans)
    (tmp_path / "a.txt").write_text("Anna lives in Oslo.")
    (tmp_path / "a.jsonl").write_text('{"tokens": ["Anna", "lives"], "labels": ["B-PER", "O"]}\n')
    assert run(*(word.format(tmp_path / "a") for word in command), "--to", "columns").status == 2
    assert (tmp_path / "a.ann").read_text() == spans


def test_an_export_is_not_replaced_by_sentences(tmp_path: Path) -> None:
    export = '{"id": 7, "text": "Anna sings.", "label": [[0, 4, "PER"]]}\n'
    (tmp_path / "a.jsonl").write_text(export)
    result = run("convert", CORPUS / "dev.txt", tmp_path / "a.jsonl")
    assert result.status == 2 and (tmp_path / "a.jsonl").read_text() == export
    for _ in range(2):  # sentences are replaced by sentences
        succeed("convert", CORPUS / "dev.txt", tmp_path / "c.jsonl")


def test_white_space_before_a_text_counts(tmp_path: Path) -> None:
    texts = [{"id": n, "text": f"\n  Anna left {p}.", "label": [[3, 7, "PER"]]} for n, p in enumerate(("Oslo", "Rome"))]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(one) + "\n" for one in texts))
    succeed("convert", tmp_path / "a.jsonl", tmp_path / "b.json", "--to", "label-studio")
    for task, one in zip(json.loads((tmp_path / "b.json").read_text()), texts, strict=True):
        value = task["annotations"][0]["result"][0]["value"]
        assert (value["start"], value["end"], value["text"]) == (3, 7, "Anna")
        assert len(task["data"]["text"]) == len(one["text"]) and task["data"]["text"].split() == one["text"].split()


def test_spans_without_a_name_get_one_in_other_tools(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The O\nbattery B\nlife I\nis O\ngreat O\n\nNice O\nscreen B\n. O\n\n")
    for tool, name in (("doccano", "b.jsonl"), ("label-studio", "b.json"), ("spacy", "c.json"), ("brat", "b.ann")):
        succeed("convert", tmp_path / "a.txt", tmp_path / name, "--to", tool)
        back = records_of(succeed("convert", tmp_path / name, "-", "--from", tool, "--to", "jsonl").out)
        assert [y for r in back for y in r["labels"]] == ["O", "B-SPAN", "I-SPAN", "O", "O", "O", "B-SPAN", "O"]
