"""Projects of earlier releases open as they were, pass the check of their log, and can be labelled further."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from perceptag.project.project import Project
from projects import exported, put

GOLDEN = sorted((Path(__file__).parent.parent / "golden").glob("*/*.ptag"))


def seen(project: Project) -> dict[str, Any]:
    """What a project holds, as the files next to the golden ones say it."""
    entries = project.entries(range(1, 7))
    return {
        "sentences": [[e.tokens, e.status, e.labels, e.draft, e.flagged, e.comments] for e in entries],
        "labels": [[entry.name, entry.key] for entry in project.labels()],
        "settings": project.settings,
        "versions": [version.digest for version in project.versions()],
        "export": exported(project).decode(),
    }


@pytest.mark.parametrize("path", GOLDEN, ids=[f"{p.parent.name}/{p.name}" for p in GOLDEN])
def test_projects_of_earlier_releases(path: Path, tmp_path: Path) -> None:
    expected = json.loads(path.with_name(f"{path.name}.json").read_text("utf-8"))
    copy = Path(shutil.copy(path, tmp_path / "p.ptag"))
    with Project.open(copy) as project:
        assert seen(project) == expected
        assert project.check() == []
        project.rebuild()
        assert seen(project) == expected
        put(project, 5, "LOC", "new")
    with Project.open(copy) as project:
        assert project.sentence(5).labels == ["B-LOC", "O"]
        assert project.check() == []


def test_there_is_a_project_of_the_first_release_that_had_them() -> None:
    assert "0.2.0" in {path.parent.name for path in GOLDEN}
