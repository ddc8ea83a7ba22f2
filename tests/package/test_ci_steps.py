"""The steps of CI: each is a target, the first that fails stops the others and is named."""

from __future__ import annotations

import importlib.util
import re
import sys
import threading
from pathlib import Path

import pytest

from waiting import wait_until

ROOT = Path(__file__).parents[2]
_spec = importlib.util.spec_from_file_location("ci_steps", ROOT / ".ci" / "steps.py")
assert _spec and _spec.loader
ci_steps = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(ci_steps)
# Instead of make: a step is a file that is awaited, an exit status, or anything else, which is printed.
MAKE = """
import sys, time
from pathlib import Path
step = sys.argv[1]
while step.startswith("/") and not Path(step).exists():
    time.sleep(0.01)
print("printed by", step)
sys.exit(int(step) if step.isdigit() else 0)
"""


@pytest.fixture
def run() -> ci_steps.Run:  # type: ignore[name-defined]
    return ci_steps.Run((sys.executable, "-c", MAKE))


def test_every_step_is_a_target() -> None:
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    steps = [step.split()[0] for entries in ci_steps.STEPS for entry in entries for step in entry]
    assert len(set(steps)) == len(steps) and set(steps) <= set(targets)


def test_what_steps_print_is_not_mixed_and_their_seconds_are_counted(run, capfdbinary) -> None:
    run.do([["a", "b"], ["c"], ["d"]])
    found = capfdbinary.readouterr().out.decode()
    for step in "abcd":
        assert re.search(rf"^printed by {step}\n== {step}: passed after 0 seconds\n", found, re.MULTILINE)
    assert found.index("printed by a") < found.index("printed by b")
    assert run.failed is None
    assert sorted(line.split()[1] for line in run.table().splitlines()[1:]) == ["a", "b", "c", "d"]


def test_a_step_that_fails_stops_the_others_and_is_named(run, capfdbinary, tmp_path) -> None:
    never = str(tmp_path / "never")
    run.do([[never, "after it"], ["3", "after 3"], ["later"]])
    run.do([["in the next list"]])
    found = capfdbinary.readouterr().out.decode()
    assert run.failed == "3"
    assert "printed by 3\n== 3: FAILED with status 3" in found and f"== {never}: stopped" in found
    assert set(run.seconds) == {never, "3"}


def test_an_interrupt_stops_both_rows(run, tmp_path) -> None:
    awaited = [str(tmp_path / name) for name in "ab"]
    rows = threading.Thread(target=run.do, args=[[[step] for step in (*awaited, "later")]])
    rows.start()
    wait_until(lambda: len(run._running) == 2)
    run.stop("an interrupt")
    rows.join()
    assert run.failed == "an interrupt"
    assert set(run.seconds) == set(awaited)


def test_some_steps_are_run_once_more(run, capfdbinary, monkeypatch) -> None:
    monkeypatch.setattr(ci_steps, "AGAIN", {"docs", "3"})
    run.do([["docs"]])
    run.do([["3"]])
    found = capfdbinary.readouterr().out.decode()
    assert found.count("== docs: ") == 1
    assert found.index("== 3: FAILED with status 3, to be run once more") < found.index(
        "== 3: FAILED with status 3 after"
    )
    assert run.failed == "3" and set(run.seconds) >= ci_steps.AGAIN
