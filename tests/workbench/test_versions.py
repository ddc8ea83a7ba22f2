"""Models: the newest is given, and each is a function of the log."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benches import GOLD, Benched, keys, new_project
from perceptag.models.model_file import check_digest


def test_the_model_in_use_is_given(bench: Benched) -> None:
    assert bench.ask("GET", "/model").status == 404
    for number in (1, 2, 3):
        bench.label(number)
        bench.learned(number)
    digests = [version.digest for version in bench.project.versions()]
    assert check_digest(bench.ask("GET", "/model").body, "model") == digests[2]


ACTIONS = st.lists(
    st.one_of(
        st.tuples(st.just("label"), st.integers(1, 8), st.booleans()),
        st.tuples(st.sampled_from(["undo", "redo", "skip"]), st.integers(1, 8), st.booleans()),
    ),
    max_size=12,
)


def carry_out(bench: Benched, actions: list[Any]) -> None:
    for what, number, is_gold in actions:
        if what == "label":
            bench.label(number, GOLD[number] if is_gold else ["O"] * len(GOLD[number]))
        elif what == "skip":
            base = bench.get(f"/sentences/{number}")["revision"]
            bench.ask("POST", f"/sentences/{number}/skip", {"base_revision": base, "key": next(keys)})
        else:
            bench.ask("POST", f"/{what}", {"key": next(keys)})


def state(bench: Benched) -> Any:
    return [(i["labels"], i["status"], i["revision"]) for i in bench.get("/sentences")["sentences"]]


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(actions=ACTIONS)
def test_any_order_of_changes_is_the_replay_of_the_log(tmp_path_factory: Any, actions: list[Any]) -> None:
    folder: Path = tmp_path_factory.mktemp("replay")
    bench = Benched(new_project(folder))
    carry_out(bench, actions)
    seen = state(bench)
    log = bench.project.log()
    bench.project.rebuild()  # everything that follows from the revisions, again
    assert state(bench) == seen
    assert bench.project.log() == log == bench.project.log(bench.project.last_revision)
    assert bench.project.check() == []
    bench.close()


def test_the_same_log_gives_the_same_digests(tmp_path: Path) -> None:
    digests = []
    for run in ("first", "second"):
        (tmp_path / run).mkdir()
        bench = Benched(new_project(tmp_path / run))
        for number in (3, 1, 5):
            bench.label(number)
            bench.learned(len(bench.project.log()))
        bench.send("/undo", {"key": "undo-key-1"})
        bench.learned(2)
        digests.append([version.digest for version in bench.project.versions()])
        bench.close()
    assert digests[0] == digests[1] and len(set(digests[0])) == 3
    assert hashlib.sha256(b"").hexdigest() not in digests[0]
