"""A project that begins with rules: their spans are proposed, with or without a model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benches import Benched, new_project
from perceptag.errors import PerceptagError, SettingError
from perceptag.workbench.opening import ProjectRequest, open_project

RULES = """
[[rule]]
name = "towns"
label = "LOC"
phrases = ["Rome"]

[[rule]]
name = "people"
label = "PER"
say = "suggest"
tokens = '[capital] (?= "lives")'

[[rule]]
name = "days"
label = "DATE"
tokens = '[]'
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "my.toml").write_text(RULES)
    return tmp_path / "my.toml"


@pytest.fixture
def bench(tmp_path: Path, path: Path) -> Iterator[Benched]:
    project = new_project(tmp_path)
    project.set_setting("rules", str(path))
    made = Benched(project)
    yield made
    made.close()


def spans_of(bench: Benched, number: int) -> list[tuple[str, str, str | None]]:
    item = bench.get(f"/sentences/{number}")
    found = item["proposal"]["spans"]
    return [(" ".join(item["tokens"][s["start"] : s["end"]]), s["label"], s.get("rule")) for s in found]


def test_their_spans_are_the_first_proposals_and_named(bench: Benched) -> None:
    assert spans_of(bench, 1) == [("Smith", "PER", "people"), ("Rome", "LOC", "towns")]
    proposal = bench.get("/sentences/1")["proposal"]
    assert (proposal["version"], proposal["confidence"]) == (0, None)
    assert proposal["nbest"] == [{"labels": proposal["labels"], "score": None}]
    assert bench.get("/sentences/3")["proposal"] is None  # no rule says anything, and there is no model yet
    assert bench.get("")["settings"]["rules"].endswith("my.toml")


def test_a_model_keeps_to_forced_spans(bench: Benched) -> None:
    for number in (1, 2, 3, 4):
        tokens = bench.get(f"/sentences/{number}")["tokens"]
        bench.label(number, ["B-PER" if token in ("Rome", "Paris") else "O" for token in tokens])
    bench.learned(4)
    assert spans_of(bench, 6) == [("Rome", "LOC", "towns")]
    listed = bench.get("/sentences/6")["proposal"]["nbest"]
    assert {one["labels"][0] for one in listed} == {"B-LOC"}
    assert len({tuple(one["labels"]) for one in listed}) == len(listed)
    assert spans_of(bench, 7) == [("Paris", "PER", None)]


def test_rules_that_cannot_be_used_are_refused(tmp_path: Path, path: Path) -> None:
    with pytest.raises(SettingError, match="--rules: expected a project that marks spans"):
        open_project(ProjectRequest(str(tmp_path / "a.ptag"), tags=["NN"], settings={"rules": str(path)}), print)
    with pytest.raises(PerceptagError, match=r"none\.toml: cannot read: No such file"):
        open_project(ProjectRequest(str(tmp_path / "a.ptag"), spans=["X"], settings={"rules": "none.toml"}), print)
    assert not (tmp_path / "a.ptag").exists()
