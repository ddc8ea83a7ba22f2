"""Work that takes longer than a reply may: it is done all the same, and the learner hears of it."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from benches import GOLD, Benched
from perceptag.server.limits import Limits

FILE = {"name": "more.txt", "columns": ["form", "label"], "text": "Oslo B-LOC\nis O\ncold O\n"}
LABELS = {"labels": GOLD[3], "base_revision": 0, "key": "slow-work"}


def import_(bench: Benched) -> Any:
    return bench.ask("POST", "/import", FILE)


def label(bench: Benched) -> Any:
    return bench.ask("PUT", "/sentences/3/labels", LABELS)


@pytest.mark.parametrize(("send", "method"), [(import_, "import_file"), (label, "label")])
def test_the_learner_hears_of_work_that_nobody_waits_for(
    bench: Benched, monkeypatch: pytest.MonkeyPatch, send: Any, method: str
) -> None:
    go_on, usual, write = threading.Event(), getattr(bench.project, method), bench.bench.write

    def slow(*given: Any, **named: Any) -> Any:
        go_on.wait(60)
        return usual(*given, **named)

    async def hasty(work: Any) -> Any:
        bench.service.limits = Limits(answer_seconds=0.2)
        return await write(work)

    monkeypatch.setattr(bench.project, method, slow)
    monkeypatch.setattr(bench.bench, "write", hasty)
    try:
        assert send(bench).status == 503
    finally:
        bench.service.limits = Limits()
        go_on.set()
    assert bench.learned(1)["sentences"] == 1
