"""Record which tests run which lines of src/perceptag: `python .ci/covering.py` runs the quick tests once.

``make covering`` runs this; it needs ``coverage``. Each test file leaves one part in ``build/mutants/parts``, so a
run that was stopped goes on where it ended, and a test file that has changed is recorded again. ``covering.json`` joins
the parts. Lines that only processes of their own run (workers of a server) are not recorded.

    python .ci/covering.py                    # what is missing or has changed, in two rows
    python .ci/covering.py --join             # only join what is there
    python .ci/covering.py --report           # lines and branches that the tests run, for each room
"""

from __future__ import annotations

import hashlib
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
PARTS = FOLDER / "parts"
RESULT = FOLDER / "covering.json"
SOURCES = "src/perceptag"
QUICK = "not slow and not browser and not ray and not doors and not spark"
ROWS = 2


def part_of(file: str) -> Path:
    """Where the record of a test file is; its name changes with the file."""
    digest = hashlib.sha256((ROOT / file).read_bytes()).hexdigest()[:12]
    return PARTS / f"{file.replace('/', '-').removesuffix('.py')}.{digest}.json"


def measuring(place: Path) -> coverage.Coverage:
    """Start to record lines and branches."""
    measured = coverage.Coverage(data_file=str(place), source=[SOURCES], branch=True, config_file=False)
    measured.set_option("run:disable_warnings", ["no-data-collected"])  # all tests of a file may be skipped
    measured.start()
    return measured


class Recorder:
    """A plugin of pytest that records the lines and the seconds of each test, in one part for each test file.

    A test that fails is left out: it would notice every change.
    """

    def __init__(self, number: int) -> None:
        self._measured = measuring(PARTS / f"import-{number}.lines")  # until the first test
        self._file = ""
        self._seconds: dict[str, float] = {}
        self._failed: set[str] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        if self._file != item.location[0]:
            self.close()
            self._file = item.location[0]
            place = part_of(self._file).with_suffix(".lines")
            place.unlink(missing_ok=True)
            self._measured = measuring(place)
        self._measured.switch_context(item.nodeid)
        began = time.process_time()
        try:
            return (yield)
        finally:
            self._seconds[item.nodeid] = round(time.process_time() - began, 4)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed.add(report.nodeid)

    def close(self) -> None:
        """Write the part of a test file."""
        self._measured.stop()
        self._measured.save()
        if self._file:
            passed = {test: seconds for test, seconds in self._seconds.items() if test not in self._failed}
            part_of(self._file).write_text(json.dumps(passed), "utf-8")
        self._seconds, self._failed = {}, set()

    def pytest_sessionfinish(self) -> None:
        self.close()


def row(number: int, files: list[str]) -> int:
    """Run test files in this process, under coverage. Examples of a missing library cannot be collected."""
    recorder = Recorder(number)
    return int(pytest.main(["-n", "0", "-m", QUICK, "--continue-on-collection-errors", *files], [recorder]))


def covering() -> dict[str, Any]:
    """Join the parts: the tests, their seconds, and the numbers of the tests that run each line."""
    seconds: dict[str, float] = {}
    numbers: dict[str, int] = {}
    lines: dict[str, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for part in sorted(map(part_of, test_files())):
        if not part.exists():
            continue
        seconds |= json.loads(part.read_text("utf-8"))
        data = coverage.CoverageData(str(part.with_suffix(".lines")))
        data.read()
        for path in data.measured_files():
            module = lines[os.path.relpath(path, ROOT)]
            for line, tests in data.contexts_by_lineno(path).items():
                module[line].update(numbers.setdefault(test, len(numbers)) for test in tests if test in seconds)
    return {
        "tests": list(numbers),
        "seconds": [seconds[test] for test in numbers],
        "lines": {name: {line: sorted(found) for line, found in one.items()} for name, one in lines.items()},
    }


def test_files() -> list[str]:
    """All files with tests; those of the rooms that need most care come first."""
    tests = sorted(ROOT.glob("tests/**/test_*.py"))
    examples = [path for path in sorted(ROOT.glob(f"{SOURCES}/**/*.py")) if ">>>" in path.read_text("utf-8")]
    files = [path.relative_to(ROOT).as_posix() for path in tests + examples]
    first = tuple(f"tests/{room}/" for room in ("labels", "evaluation", "learn", "search", "models", "features"))
    return sorted(files, key=lambda file: not file.startswith(first))


def report() -> int:
    """Print the share of lines and branches that the quick tests run, for each room and in all."""
    measured = coverage.Coverage(data_file=str(FOLDER / "all.lines"), source=[SOURCES], branch=True, config_file=False)
    measured.combine([str(path) for path in PARTS.glob("*.lines")], keep=True)
    rooms: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for path in sorted(ROOT.glob(f"{SOURCES}/**/*.py")):
        numbers = measured._analyze(str(path)).numbers
        parts = path.relative_to(ROOT / SOURCES).parts
        for room in (parts[0] if len(parts) > 1 else "(top)", "all"):
            for at, more in enumerate(
                (numbers.n_executed, numbers.n_statements, numbers.n_executed_branches, numbers.n_branches)
            ):
                rooms[room][at] += more
    for room, (lines, of_lines, branches, of_branches) in rooms.items():
        print(
            f"{room:12} lines {lines:6} of {of_lines:6} = {100 * lines / max(1, of_lines):5.1f} %"
            f"   branches {branches:6} of {of_branches:6} = {100 * branches / max(1, of_branches):5.1f} %"
        )
    return 0


def main() -> int:
    """Run the quick tests that are not recorded, in two rows, and write the result."""
    PARTS.mkdir(parents=True, exist_ok=True)
    if sys.argv[1:2] == ["row"]:
        return row(int(sys.argv[2]), sys.argv[3:])
    if sys.argv[1:2] == ["--report"]:
        return report()
    missing = [file for file in test_files() if not part_of(file).exists()]
    failed = []
    if missing and "--join" not in sys.argv:
        commands = [[sys.executable, __file__, "row", str(number), *missing[number::ROWS]] for number in range(ROWS)]
        running = [subprocess.Popen(command, cwd=ROOT) for command in commands]
        failed = [process.args for process in running if process.wait() not in (0, 1, 5)]
    RESULT.write_text(json.dumps(covering()), "utf-8")
    if failed:
        sys.exit("the quick tests did not run to their end: run this again, it goes on where it stopped")
    return 0


if __name__ == "__main__":
    sys.exit(main())
