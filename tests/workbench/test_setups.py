"""What the model looks at: columns that some sentences lack, and a project that has no sentences yet."""

from __future__ import annotations

from pathlib import Path

from benches import SENTENCES, Benched
from perceptag.project.project import Project


def again(bench: Benched) -> Benched:
    path = bench.project.path
    bench.close()
    return Benched(Project.open(path))


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
    bench.learned(9)
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
    digest = bench.project.versions()[0].digest
    bench = again(bench)
    assert bench.learned(len(SENTENCES))["digest"] == digest
    assert bench.project.settings["columns"] == columns == ["pos"]
    bench.close()


def test_a_project_without_sentences_has_no_learner_until_there_are_some(tmp_path: Path) -> None:
    bench = Benched(Project.create(tmp_path / "names.ptag", kind="spans", labels=["PER", "LOC", "ORG"], seed=1))
    assert bench.bench.loop.learner is None
    text = "\n\n".join(s.replace(" ", "\n") for s, _ in SENTENCES)
    bench.send("/import", {"name": "a.txt", "format": "columns", "columns": ["form"], "text": text})
    bench.label(1)
    bench.learned(1)
    assert bench.project.settings["columns"] == []
    bench.close()
