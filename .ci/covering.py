"""Record which test files run which lines of src/perceptag: `python .ci/covering.py` runs the quick tests once.

``make mutants`` runs this first; it writes ``build/mutants/covering.json``, and needs ``coverage``. Lines that only
processes of their own run (commands in a subprocess, workers of a server) are not recorded.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import coverage
import pytest

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build/mutants"
RESULT = FOLDER / "covering.json"
SOURCES = "src/perceptag"
QUICK = "not slow and not every and not browser and not ray and not doors and not spark"
ROWS = 2


class Contexts:
    """A plugin of pytest that tells coverage which test file runs, and adds up the seconds of each file.

    A file with a test that fails is left out: it would notice every change.
    """

    def __init__(self, seconds: Path) -> None:
        self._place = seconds
        self._seconds: dict[str, float] = defaultdict(float)
        self._failed: set[str] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        file = item.location[0]
        if current := coverage.Coverage.current():
            current.switch_context(file)
        began = time.process_time()
        try:
            return (yield)
        finally:
            self._seconds[file] += time.process_time() - began

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed.add(report.location[0])

    def pytest_sessionfinish(self) -> None:
        passed = {file: seconds for file, seconds in self._seconds.items() if file not in self._failed}
        self._place.write_text(json.dumps(passed), "utf-8")


def row(number: int, files: list[str]) -> int:
    """Run test files in this process, under coverage."""
    measured = coverage.Coverage(
        data_file=str(FOLDER / f"part.{number}"), source=[SOURCES], branch=True, config_file=False
    )
    measured.start()
    status = pytest.main(["-n", "0", "-m", QUICK, *files], [Contexts(FOLDER / f"seconds.{number}")])
    measured.stop()
    measured.save()
    return int(status)


def covering() -> dict[str, Any]:
    """Read what the rows recorded: the test files of each line, and the seconds of each test file."""
    lines: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    seconds: dict[str, float] = {}
    for number in range(ROWS):
        seconds |= json.loads((FOLDER / f"seconds.{number}").read_text("utf-8"))
        data = coverage.CoverageData(str(FOLDER / f"part.{number}"))
        data.read()
        for path in data.measured_files():
            name = os.path.relpath(path, ROOT)
            for line, contexts in data.contexts_by_lineno(path).items():
                lines[name][line].update(context for context in contexts if context in seconds)
    return {
        "seconds": seconds,
        "lines": {name: {line: sorted(found) for line, found in one.items()} for name, one in lines.items()},
    }


def main() -> int:
    """Run all quick tests in two rows, and write the result."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    if sys.argv[1:2] == ["row"]:
        return row(int(sys.argv[2]), sys.argv[3:])
    files = [path.relative_to(ROOT).as_posix() for path in sorted(ROOT.glob("tests/**/test_*.py"))] + [SOURCES]
    commands = [[sys.executable, __file__, "row", str(number), *files[number::ROWS]] for number in range(ROWS)]
    running = [subprocess.Popen(command, cwd=ROOT) for command in commands]
    failed = [process.args for process in running if process.wait() not in (0, 1)]
    if failed:
        sys.exit("the quick tests did not run to their end")
    RESULT.write_text(json.dumps(covering()), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
