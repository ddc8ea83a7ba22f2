"""Versions after a setting has changed: each is made again as it was trained."""

from __future__ import annotations

from pathlib import Path

from benches import SENTENCES, Benched, new_project
from class_files import toy_class_file
from perceptag.models.model_file import check_digest
from perceptag.project.project import Project


def file_of(bench: Benched, version: int) -> tuple[int, bytes]:
    bench.bench.loop.kept.clear()
    reply = bench.ask("GET", f"/versions/{version}/model")
    return reply.status, reply.body


def labelled(bench: Benched) -> tuple[int, str]:
    for number in (1, 2, 3, 4, 5):
        bench.label(number)
    version = bench.learned(5)
    return version["id"], version["digest"]


def again(bench: Benched, **settings: str) -> Benched:
    path = bench.project.path
    bench.close()
    project = Project.open(path)
    for name, value in settings.items():
        project.set_setting(name, value)
    return Benched(project)


def test_a_version_comes_back_after_another_recipe_was_chosen(tmp_path: Path) -> None:
    bench = Benched(new_project(tmp_path))
    number, digest = labelled(bench)
    bench = again(bench, recipe="basic-ner")
    bench.learned(5)
    assert len(bench.get("/versions")) > number
    status, data = file_of(bench, number)
    assert status == 200 and check_digest(data, "model") == digest
    bench.close()


def test_a_version_needs_the_model_that_it_started_from(tmp_path: Path) -> None:
    first = Benched(new_project(tmp_path))
    labelled(first)
    start, other = tmp_path / "start.model", tmp_path / "other"
    start.write_bytes(file_of(first, 1)[1])
    first.close()
    other.mkdir()
    project = new_project(other)
    project.set_setting("start", str(start))
    bench = Benched(project)
    number, digest = labelled(bench)
    bench = again(bench, start="")
    bench.learned(5)
    status, data = file_of(bench, number)
    assert status == 200 and check_digest(data, "model") == digest
    bench.bench.loop.kept.clear()
    start.unlink()
    bench = again(bench)
    status, data = file_of(bench, number)
    assert status == 409 and b"start.model as it was then" in data
    bench.close()


def test_a_version_needs_the_classes_that_it_looked_at(tmp_path: Path) -> None:
    words = tmp_path / "words.classes"
    words.write_bytes(Path(toy_class_file()).read_bytes())
    project = new_project(tmp_path)
    project.set_setting("classes", str(words))
    bench = Benched(project)
    number, digest = labelled(bench)
    bench = again(bench, classes="")
    assert bench.learned(5)["digest"] != digest
    status, data = file_of(bench, number)
    assert status == 200 and check_digest(data, "model") == digest
    words.write_bytes(b"other")
    bench = again(bench)
    status, data = file_of(bench, number)
    assert status == 409 and b"words.classes as it was then" in data
    bench.close()


def with_tags(folder: Path) -> Project:
    project = Project.create(folder / "names.ptag", kind="spans", labels=["PER", "LOC", "ORG"], seed=1)
    rows = [zip(s.split(), labels.split(), strict=True) for s, labels in SENTENCES]
    text = "\n\n".join("\n".join(f"{w}\t{'NN' if w.istitle() else 'VB'}\t{y}" for w, y in row) for row in rows) + "\n"
    project.import_file(text.encode(), name="a.txt", columns=["form", "pos", "label"], label="label")
    return project


def test_sentences_may_lack_a_column_that_others_have(tmp_path: Path) -> None:
    bench = Benched(with_tags(tmp_path))
    bench.learned(len(SENTENCES))
    bench.send(
        "/import", {"name": "b.txt", "format": "columns", "columns": ["form"], "text": "Otto\nsaw\nOslo\n\nIt\nrains\n"}
    )
    bench.label(9, ["B-PER", "O", "B-LOC"])
    version = bench.learned(9)
    status, data = file_of(bench, version["id"])
    assert status == 200 and check_digest(data, "model") == version["digest"]
    assert bench.bench.loop.ranked_pool() == [10]
    bench.close()


def test_columns_are_decided_once_also_if_all_sentences_are_labelled(tmp_path: Path) -> None:
    project = with_tags(tmp_path)
    bench = Benched(project)
    bench.learned(len(SENTENCES))
    columns = project.settings["columns"]
    bench.project.import_file(
        b"Otto\tNN\t_\nsaw\tVB\t_\n", name="b.txt", columns=["form", "pos", "label"], label="label"
    )
    digest = bench.get("/versions")[0]["digest"]
    bench = again(bench)
    bench.learned(len(SENTENCES))
    assert bench.project.settings["columns"] == columns == ["pos"]
    status, data = file_of(bench, 1)
    assert status == 200 and check_digest(data, "model") == digest
    bench.close()


def test_a_project_without_sentences_has_no_learner_until_there_are_some(tmp_path: Path) -> None:
    bench = Benched(Project.create(tmp_path / "names.ptag", kind="spans", labels=["PER", "LOC", "ORG"], seed=1))
    error = bench.bench.loop.ask("issues", kind="errors").exception(10)
    assert "there are no sentences yet" in str(error)
    text = "\n\n".join(s.replace(" ", "\n") for s, _ in SENTENCES)
    bench.send("/import", {"name": "a.txt", "format": "columns", "columns": ["form"], "text": text})
    labelled(bench)
    assert bench.project.settings["columns"] == []
    bench.close()
