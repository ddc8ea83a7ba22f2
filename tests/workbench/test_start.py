"""A project that begins with a model: its labels are the first proposals, and a column for the project's own model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benches import TOKENS, Benched, new_project
from perceptag.errors import PerceptagError, SettingError
from perceptag.project.project import Project
from perceptag.workbench.opening import ProjectRequest, open_project


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Benched]:
    project = new_project(tmp_path)
    project.set_setting("start", "en:ner")
    made = Benched(project)
    yield made
    made.close()


def test_its_labels_are_the_first_proposals(bench: Benched) -> None:
    assert bench.get("")["start"] == "en:ner" and bench.get("")["version"] is None
    proposal = bench.get("/sentences/3")["proposal"]
    assert (proposal["version"], proposal["labels"]) == (0, ["B-LOC", "O", "O"])
    assert proposal["confidence"] is not None and proposal["spans"][0]["confidence"] is not None


def test_its_labels_are_a_column_of_the_model_that_learns(bench: Benched) -> None:
    for number in (1, 2, 3, 4):
        bench.label(number)
    version = bench.learned(4)
    assert bench.get("/sentences/6")["proposal"]["version"] == version["id"]
    headers = {"authorization": f"Bearer {TOKENS['anna']}"}
    about = bench("GET", "/v1/models/project", headers=headers).json()
    assert [layer["name"] for layer in about["layers"]][-2:] == ["start", "label"] and about["has_tokenizer"]
    body = b'{"text": "Peter lives in Paris.", "model": "project"}'
    found = bench("POST", "/v1/tag", body, headers).json()["sentences"][0]
    assert found["tokens"] == ["Peter", "lives", "in", "Paris", "."]


def test_the_model_that_learns_also_reads_columns_of_the_files(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "names.ptag", kind="spans", labels=["PER", "LOC"], seed=1)
    rows = "Anna\tNNP\nsaw\tVBD\nRome\tNNP\n\nBen\tNNP\nleft\tVBD\n\nRome\tNNP\nfell\tVBD\n"
    project.import_file(rows.encode(), name="names.txt", columns=["form", "pos"])
    project.set_setting("start", "en:ner")
    bench = Benched(project)
    bench.label(1, ["B-PER", "O", "B-LOC"])
    bench.label(2, ["B-PER", "O"])
    version = bench.learned(2)
    assert bench.get("/sentences/3")["proposal"]["version"] == version["id"]
    about = bench("GET", "/v1/models/project", headers={"authorization": f"Bearer {TOKENS['anna']}"}).json()
    assert {"form", "pos"} == set(about["columns"]) and not about["has_tokenizer"]
    bench.close()


def test_a_model_that_is_not_there_begins_nothing(tmp_path: Path) -> None:
    path = tmp_path / "p.ptag"
    for name in ("nothing", "en:nothing", str(tmp_path / "none.model")):
        with pytest.raises(SettingError, match="--model"):
            open_project(ProjectRequest(str(path), spans=["PER"], settings={"start": name}), print)
        assert not path.exists()


def test_a_start_that_fails_leaves_the_copy_of_a_lost_project(tmp_path: Path) -> None:
    project = new_project(tmp_path)
    project.close()
    project.path.unlink()
    copy = project.backup_path.read_bytes()
    wanted = ProjectRequest(str(project.path), imports=[str(tmp_path / "missing.txt")], spans=["PER"])
    with pytest.raises(PerceptagError, match="to continue with that project, copy"):
        open_project(wanted, print)
    assert project.backup_path.read_bytes() == copy
    project.backup_path.unlink()
    with pytest.raises(PerceptagError, match=r"missing\.txt"):
        open_project(wanted, print)
    assert not list(tmp_path.iterdir())
