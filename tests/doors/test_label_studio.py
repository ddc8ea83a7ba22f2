"""A real Label Studio: what it exports is read, what is written for it can be imported, and it learns with a workbench.

`make test-label-studio` installs it in an environment of its own. Elsewhere these tests are skipped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotating import Workbench
from command_line import succeed
from label_studio import COMMAND, TEXTS, LabelStudio, fill
from waiting import wait_until

pytestmark = [
    pytest.mark.doors,
    pytest.mark.skipif(COMMAND is None, reason="Label Studio is not installed: make test-label-studio"),
]


@pytest.fixture(scope="module")
def tool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabelStudio]:
    tool = LabelStudio(tmp_path_factory.mktemp("label-studio"))
    yield tool
    tool.stop()


def test_what_is_written_for_it_comes_back(tool: LabelStudio, tmp_path: Path) -> None:
    number = fill(tool)
    (tmp_path / "a.json").write_bytes(tool.export(number, "JSON"))
    succeed("convert", tmp_path / "a.json", tmp_path / "b.json", "--to", "label-studio")
    tasks = json.loads((tmp_path / "b.json").read_text("utf-8"))
    again, _ = tool.project([])
    assert tool("POST", f"projects/{again}/import", tasks)["task_count"] == len(tasks)
    (tmp_path / "c.json").write_bytes(tool.export(again, "JSON"))
    labelled = [
        {
            (task["data"]["text"][r["value"]["start"] : r["value"]["end"]], *r["value"]["labels"])
            for r in task["annotations"][0]["result"]
        }
        for task in json.loads((tmp_path / "c.json").read_text("utf-8"))
        if task["annotations"] and task["annotations"][0]["result"]
    ]
    assert set().union(*labelled) == {span for _, spans, _ in TEXTS for span in spans or ()}


def test_it_asks_a_workbench_and_the_workbench_learns(tool: LabelStudio, tmp_path: Path) -> None:
    names = ["Oslo", "Bergen", "Paris", "Rome", "Lima"]
    (tmp_path / "first.txt").write_text("Anna\nsleeps\n.\n\n")
    given = ("--import", str(tmp_path / "first.txt"), "--columns", "form", "--labels", "PER,LOC,ORG")
    bench = Workbench(tmp_path / "names.ptag", *given, "--annotator", "studio:admin", "--annotator", "boss:admin")
    try:
        token = bench.links["studio"].partition("token=")[2]
        adapter = f"{bench.address}adapters/label-studio/{token}"
        number, tasks = tool.project([f"We saw {name} today." for name in names])
        backend = tool("POST", "ml/", {"url": adapter, "project": number, "title": "perceptag"})
        assert backend["state"] == "CO", backend
        hook = {"url": f"{adapter}/webhook", "project": number, "send_payload": True, "send_for_all_actions": True}
        tool("POST", "webhooks/", hook)
        for task, name in list(zip(tasks, names, strict=True))[:4]:
            tool.annotate(task, f"We saw {name} today.", [(name, "LOC")])
        bench.wait_until_learned(4)
        tool("POST", f"dm/actions?id=retrieve_tasks_predictions&project={number}",
             {"selectedItems": {"all": False, "included": [tasks[4]]}, "project": number})  # fmt: skip
        wait_until(lambda: tool("GET", f"predictions/?task={tasks[4]}") != [])
        (found,) = tool("GET", f"predictions/?task={tasks[4]}")
        regions = [(r["value"]["start"], r["value"]["end"], r["value"]["labels"]) for r in found["result"]]
        assert regions == [(7, 11, ["LOC"])]
        assert found["model_version"].startswith("perceptag-")
    finally:
        bench.stop()
