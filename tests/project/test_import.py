"""Import: labels of any scheme, all or nothing, and what cannot be used is said with its place."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pytest

from perceptag import Tokenizer
from perceptag.errors import DataError, PerceptagError, ProjectError, SettingError
from perceptag.project.project import Project
from projects import TEXT, exported, make, put


def empty(folder: Path, kind: str = "spans", **settings: object) -> Project:
    return Project.create(folder / "e.ptag", kind=kind, seed=1, **settings)  # type: ignore[arg-type]


def rows(labels: str) -> bytes:
    return "".join(f"w{n} {label}\n" for n, label in enumerate(labels.split())).encode()


def test_labels_that_break_the_scheme_are_reported_and_kept(tmp_path: Path) -> None:
    text = rows("B-PER I-PER O I-LOC") + b"\n" + rows("B-LOC O")
    with empty(tmp_path) as project:
        found = project.import_file(text, name="x.txt")
        assert found.notes[0] == "x.txt:4: I-LOC follows O, which breaks IOB2"
        assert project.sentence(1).labels == ["B-PER", "I-PER", "O", "B-LOC"]
        assert exported(project) == text


def test_labels_that_no_scheme_has_are_left_open(tmp_path: Path) -> None:
    text = rows("B-PER I-PER FOO I-PER O") + b"\n" + rows("B-LOC O")
    with empty(tmp_path) as project:
        found = project.import_file(text, name="x.txt")
        assert "x.txt:3: FOO is not a label of IOB2, which breaks IOB2" in found.notes
        assert found.labelled == 1
        entry = project.sentence(1)
        assert (entry.status, entry.draft) == ("new", ["B-PER", "I-PER", None, None, "O"])
        assert exported(project) == text


def test_missing_labels(tmp_path: Path) -> None:
    with empty(tmp_path) as project:
        found = project.import_file(rows("_ _") + b"\n" + rows("B-PER _ O") + b"\n" + rows("O"), name="x")
        assert (found.sentences, found.labelled) == (3, 1)
        assert [e.draft for e in project.entries([1, 2])] == [None, ["B-PER", None, "O"]]


def test_a_table_without_a_known_header_is_taken_for_words_only_if_the_user_says_so(tmp_path: Path) -> None:
    with empty(tmp_path) as project:
        with pytest.raises(DataError, match="x: this looks like a table separated by commas, without a header"):
            project.import_file(b"Anna,PERSON\nsings,OTHER\n", name="x")
        assert project.import_file(b"Anna,PERSON\nsings,OTHER\n", name="x", format="columns").sentences == 1
        assert project.import_file(b'{"tokens": ["Anna,PERSON"]}\n', name="x.jsonl").sentences == 1


def test_tags(tmp_path: Path) -> None:
    with empty(tmp_path, "tags", column="pos") as project:
        found = project.import_file(b"The DT\ndog NN\n\nIt _\n", name="x")
        assert found.labelled == 1
        assert [entry.name for entry in project.labels()] == ["DT", "NN"]
        assert project.sentence(1).labels == ["DT", "NN"]
        project.label(2, ["NN"], base=0, key="a", who="anna")
        assert exported(project) == b"The DT\ndog NN\n\nIt NN\n"


def test_tags_in_a_project_of_spans(tmp_path: Path) -> None:
    with empty(tmp_path) as project:
        with pytest.raises(DataError, match="x:1: expected labels of spans such as B-PER or O, found 'DT'"):
            project.import_file(b"The DT\ndog NN\n", name="x")
        assert project.counts().sentences == 0


def test_which_column_has_the_labels(tmp_path: Path) -> None:
    text = b"Rome NNP B-LOC\n"
    with empty(tmp_path, column="ner") as project:
        project.import_file(text, name="a")
        project.import_file(text, name="b", columns=["form", "pos", "ner"], again=True)
        project.import_file(text, name="c", columns=["form", "pos", "x"], label="x", again=True)
        project.import_file(text, name="d", columns=["form", "pos", "x"], again=True)
        assert [entry.labels for entry in project.find()[1]] == [["B-LOC"]] * 3 + [None]
        assert project.sentence(2).columns == {"pos": ["NNP"]}
        assert project.sentence(4).columns == {"pos": ["NNP"], "x": ["B-LOC"]}
        with pytest.raises(SettingError, match="label: expected one of the columns form, pos, ner, found 'x'"):
            project.import_file(text, columns=["form", "pos", "ner"], label="x", again=True)


@pytest.mark.parametrize(
    ("text", "settings", "message"),
    [
        (b"a X\nb\n", {}, "f.txt:2: expected 2 columns"),
        (b"a\xff O\n", {}, "f.txt:1: invalid UTF-8"),
        (b"", {}, "f.txt: expected at least one sentence, found none"),
        (
            b"a O\n",
            {"format": "inline"},
            "format: expected columns, conllu, jsonl, text, label-studio, spacy, .*, found 'inline'",
        ),
        (b"a O\n", {"format": "text"}, "f.txt: running text needs a tokeniser"),
        (b"It rained. Nobody sang.\n", {}, r"f.txt: running text needs a tokeniser \(--tokenizer en\)"),
        (b"a\tB-A B\n", {}, "f.txt:1: expected a label without spaces, found 'A B'"),
        (b"a B-" + b"x" * 101 + b"\n", {}, "f.txt:1: expected a label without spaces"),
    ],
)
def test_what_cannot_be_imported(tmp_path: Path, text: bytes, settings: dict[str, str], message: str) -> None:
    with empty(tmp_path) as project:
        with pytest.raises(PerceptagError, match=message):
            project.import_file(text, name="f.txt", **settings)  # type: ignore[arg-type]
        assert project.counts().sentences == 0
        assert project.labels() == []
        assert project.check() == []


def test_the_same_file_again(tmp_path: Path) -> None:
    with make(tmp_path) as project:
        message = "other.txt: expected a new file, found the content of 'text.txt', which was imported before"
        with pytest.raises(DataError, match=message):
            project.import_file(TEXT, name="other.txt", columns=["form", "pos"])
        assert project.import_file(TEXT, name="other.txt", columns=["form", "pos"], again=True).source_id == 2
        assert project.counts().sentences == 10


def test_compressed_files_paths_and_streams(tmp_path: Path) -> None:
    text = rows("B-PER O")
    (tmp_path / "x.conllu.gz").write_bytes(gzip.compress(b"1\tRome" + b"\t_" * 8 + b"\n\n"))
    with empty(tmp_path) as project:
        assert project.import_file(io.BytesIO(gzip.compress(text)), name="x.gz").labelled == 1
        assert project.import_file(tmp_path / "x.conllu.gz").sentences == 1
        assert exported(project, source=1) == text
        assert [source.format for source in project.sources()] == ["columns", "conllu"]
        with pytest.raises(DataError, match=r"bad\.gz: cannot read: the compressed file is damaged"):
            project.import_file(gzip.compress(text)[:-4], name="bad.gz")


def test_running_text(tmp_path: Path) -> None:
    treebank = Path(__file__).parents[2] / "src/perceptag/data/text-train.conllu"
    tokenizer = Tokenizer(epochs=3).fit(treebank)
    text = "Peter saw Mary. She smiled!\n\nA new day."
    with empty(tmp_path) as project:
        found = project.import_file(text.encode(), name="x.txt", format="text", tokenizer=tokenizer)
        entries = project.find()[1]
        assert found.sentences == len(entries) >= 2
        assert "".join(token for e in entries for token in e.tokens) == "".join(text.split())
        put_all = [e.id for e in entries]
        project.add_label("PER")
        put(project, put_all[0], "PER", "a")
        records = [json.loads(line) for line in exported(project, format="jsonl").splitlines()]
        assert records[0]["labels"][0] == "B-PER"
        assert [text[a:b] for record in records for a, b in record["offsets"]] == [t for e in entries for t in e.tokens]
        assert project.check() == []
        with pytest.raises(DataError, match="which was imported before"):
            project.import_file(text.encode(), name="y.txt", format="text", tokenizer=tokenizer)
        target = tmp_path / "labels.txt.gz"
        target.write_bytes(gzip.compress(text.encode())[:-4])  # an export that was interrupted
        assert project.export(target, status="all", overwrite=True) == len(entries)
        target.write_bytes(gzip.compress(text.encode()))
        with pytest.raises(ProjectError, match="found a file that was imported"):
            project.export(target, status="all", overwrite=True)


def test_documents_are_numbered(tmp_path: Path) -> None:
    text = b"a O\n\n-DOCSTART- O\n\nb O\n\nc O\n\n-DOCSTART- O\n\nd O\n"
    with empty(tmp_path) as project:
        project.import_file(text, name="x")
        project.import_file(b"e O\n\nf O\n", name="y")
        assert [entry.document for entry in project.find()[1]] == [1, 2, 2, 3, 4, 5]


def test_exports_of_other_tools(tmp_path: Path) -> None:
    def annotation(who: int, *spans: tuple[int, int, str]) -> dict[str, object]:
        result = [
            {"type": "labels", "from_name": "l", "to_name": "t", "value": {"start": a, "end": b, "labels": [y]}}
            for a, b, y in spans
        ]
        return {"completed_by": who, "result": result}

    tasks = [
        {"data": {"text": "Anna left"}, "annotations": [annotation(1, (0, 4, "PER")), annotation(2, (0, 4, "ORG"))]},
        {"data": {"text": "It rained"}, "annotations": []},
    ]
    tokenizer = Tokenizer(epochs=1).fit(Path(__file__).parents[2] / "src/perceptag/data/text-train.conllu")
    with empty(tmp_path) as project:
        found = project.import_file(json.dumps(tasks).encode(), name="x.json", tokenizer=tokenizer)
        assert (found.sentences, found.labelled) == (2, 1)
        assert any("other labels by 2 are kept as second readings" in note for note in found.notes)
        assert [entry.name for entry in project.labels()] == ["PER", "ORG"]
        entry = project.sentence(1)
        assert (entry.tokens, entry.labels, entry.who) == (["Anna", "left"], ["B-PER", "O"], "1")
        (reading,) = project.readings()
        assert (reading.first, reading.second, reading.reading) == ("1", "2", ["B-ORG", "O"])
        assert project.check() == []
        with pytest.raises(SettingError, match="the text has no tokens: expected a tokeniser, found none"):
            project.import_file(json.dumps(tasks).encode(), name="x.json", again=True)
