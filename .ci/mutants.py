"""Test the tests: change one thing in a source file, run the tests that probably cover it, list what none notices.

    make mutants ARGUMENTS="--count 40 src/perceptag/learn src/perceptag/models/model_file.py"
    make mutants ARGUMENTS="--count 30 cpp/src"                 # changes of the C++ kernels

A change is a comparison, a sign, a condition or a constant turned into another one. Which ones are tried follows from
the seed and from each changed line alone, so that they stay when other lines change. The tests of a line of Python are
those that ``make coverage`` recorded, if it has run; else those that mention most of what is around the line. Those of
a line of C++ are in the folders of its room.

Results are kept in ``build/mutants``. A survivor is a missing test, or a change that makes no difference.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "build/mutants/results.jsonl"
COVERAGE = ROOT / "build/coverage"
LIMIT = 600  # seconds for the tests of a change: some changes make a loop endless
QUICK = "not slow and not browser and not ray and not doors and not spark"
# The tests of a room of C++ whose folder is not tests/models/ROOM.
KERNELS = {
    "core": "tests/search tests/models/linear tests/learn tests/features",
    "search": "tests/search tests/models/linear",
    "text": "tests/text tests/tagging",
    "linear": "tests/models/linear tests/learn",
    "classes": "tests/classes",
    "rules": "tests/rules",
}
# Operators have blanks around them, so brackets of templates are not among them.
SWAPS = {
    " < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > ", " == ": " != ", " != ": " == ",
    " + ": " - ", " - ": " + ", " += ": " -= ", " -= ": " += ",
    " && ": " || ", " || ": " && ", " and ": " or ", " or ": " and ",
    "(!": "(", "if not ": "if ", "while not ": "while ", "not in ": "in ", "is not ": "is ",
    "std::max(": "std::min(", "std::min(": "std::max(",
    "true": "false", "false": "true", "True": "False", "False": "True", "continue;": "break;",
}  # fmt: skip
CHANGE = re.compile("|".join(map(re.escape, SWAPS)) + r"|(?<![\w.])\d+(?![\w.])")
# Guards that show only when another line is wrong are left out, too: `strict=True` and the options of dataclasses.
NOT_CODE = {
    ".py": re.compile(
        r'"""[\s\S]*?"""|"[^"\n]*"|\'[^\'\n]*\'|#.*|^\s*(?:from|import) .*|strict=True|@dataclass\(.*', re.MULTILINE
    ),
    ".cpp": re.compile(r'//.*|"(?:[^"\\\n]|\\.)*"|\'[^\']+\'|^\s*#.*', re.MULTILINE),
}


@dataclass(frozen=True)
class Mutant:
    """A change of one place of a file."""

    path: str
    source: str
    start: int
    end: int
    text: str

    @property
    def line(self) -> int:
        """The number of the changed line."""
        return self.source.count("\n", 0, self.start) + 1

    @property
    def key(self) -> str:
        """The change in words that stay the same when other lines change."""
        first, whole = self.source.rfind("\n", 0, self.start) + 1, self.source.splitlines()[self.line - 1]
        nth = self.source.count(f"\n{whole}\n", 0, first)
        return f"{self.path}|{whole.strip()}|{nth}|{self.start - first}|{self.text.strip()}"

    def __str__(self) -> str:
        change = f"{self.source[self.start : self.end].strip()} → {self.text.strip()}"
        return f"{self.path}:{self.line}: {change}   in   {self.source.splitlines()[self.line - 1].strip()}"

    def changed(self) -> str:
        """The source with the change."""
        return self.source[: self.start] + self.text + self.source[self.end :]


def mutants(path: str) -> Iterator[Mutant]:
    """Yield every change of the code of a file; comments, texts and includes stay as they are."""
    source = (ROOT / path).read_text("utf-8")
    code = NOT_CODE[Path(path).suffix].sub(lambda match: "\0" * len(match[0]), source)
    for match in CHANGE.finditer(code):
        text = SWAPS.get(match[0]) or str(int(match[0]) + 1)
        yield Mutant(path, source, match.start(), match.end(), text)


def files_of(names: list[str]) -> list[str]:
    """The source files that arguments name: files, or folders of Python and C++ sources."""
    places = [ROOT / name for name in names]
    paths = [path for place in places for path in (place.rglob("*") if place.is_dir() else [place])]
    return sorted(path.relative_to(ROOT).as_posix() for path in paths if path.suffix in NOT_CODE)


def covering(path: str, line: int) -> list[str]:
    """The tests that ran a line when coverage was recorded; none: it is not known."""
    if not COVERAGE.exists():
        return []
    from coverage import CoverageData

    data = CoverageData(str(COVERAGE))
    data.read()
    contexts = data.contexts_by_lineno(str(ROOT / path)).get(line, [])
    return sorted({test for context in contexts if (test := _node(context))})


@cache
def _node(context: str) -> str:
    """The name of a test for pytest: tests.labels.test_schemes.test_x becomes tests/labels/test_schemes.py::test_x."""
    parts = context.split(".")
    names = ["::".join(["/".join(parts[:at]) + ".py", *parts[at:]]) for at in range(1, len(parts))]
    return next((name for name in names if (ROOT / name.partition("::")[0]).is_file()), "")


@cache
def test_files() -> dict[str, str]:
    """The text of each test file."""
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in ROOT.glob("tests/**/test_*.py")}


def likely(path: str, line: int) -> list[str]:
    """The test files that mention the module of a line and the functions around it; the likeliest first."""
    parts = Path(path).relative_to("src").with_suffix("").parts
    nodes = [
        node
        for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    ]
    around = {node.name for node in nodes if node.lineno <= line <= (node.end_lineno or 0)}
    scores = Counter[str]()
    for file, text in test_files().items():
        scores[file] += 6 * (".".join(parts) in text) + 6 * (Path(file).stem == f"test_{parts[-1]}")
        scores[file] += 4 * sum(bool(re.search(rf"\b{name}\b", text)) for name in around)
        scores[file] += 3 * file.startswith(f"tests/{parts[1]}/") + 2 * (len(parts) > 3 and f"/{parts[2]}/" in file)
    return [file for file, score in scores.most_common(10) if score > 3]


def succeeds(*command: str) -> bool:
    """Run a command; return whether it succeeds in time."""
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, cwd=ROOT, stdout=quiet, stderr=quiet, start_new_session=True) as process:
        try:
            return process.wait(LIMIT) == 0
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # with what the tests have started
            return False


def tests_pass(tests: tuple[str, ...]) -> bool:
    """Run tests until the first one fails."""
    return succeeds(sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-m", QUICK, *tests)


pass_unchanged = cache(tests_pass)  # tests that fail without a change would notice every one


def built() -> bool:
    """Build the extension from the sources as they are, and put it where Python imports it from."""
    folder = next((ROOT / "build").glob(f"cp{sys.version_info.major}{sys.version_info.minor}-*"))
    name = "_core" + sysconfig.get_config_var("EXT_SUFFIX")
    if not succeeds(str(Path(sys.executable).with_name("ninja")), "-C", str(folder), "_core"):
        return False
    shutil.copy2(folder / name, Path(sysconfig.get_path("platlib")) / "perceptag" / name)
    return True


def outcome(mutant: Mutant) -> str:
    """Make a change, run its tests, and restore the file: ``noticed``, ``SURVIVED``, or why nothing can be said."""
    place = ROOT / mutant.path
    is_python = place.suffix == ".py"
    if is_python:
        tests = tuple(covering(mutant.path, mutant.line) or likely(mutant.path, mutant.line))
    else:
        tests = tuple(KERNELS.get(place.parent.name, f"tests/models/{place.parent.name}").split())
    if tests and not pass_unchanged(tests):
        return "tests fail anyway"
    try:
        place.write_text(mutant.changed(), "utf-8")
        if not is_python and not built():
            return "not compiled"
        return "SURVIVED" if not tests or tests_pass(tests) else "noticed"
    finally:
        place.write_text(mutant.source, "utf-8")


def interval(hits: int, of: int) -> tuple[float, float]:
    """Wilson's interval of a share, at 95 %, in per cent."""
    z, share = 1.96, hits / of
    middle, half = share + z * z / (2 * of), z * math.sqrt(share * (1 - share) / of + (z / (2 * of)) ** 2)
    return 100 * (middle - half) / (1 + z * z / of), 100 * (middle + half) / (1 + z * z / of)


def main() -> int:
    """Try changes that are drawn at random; the exit status says whether one survives."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sources", nargs="*", default=["src/perceptag"], help="files or folders (src/perceptag)")
    parser.add_argument("--count", type=int, default=300, help="changes that are tried (300)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # an exception, so that files are restored
    os.environ.update(PYTHONDONTWRITEBYTECODE="1", CI="true", OMP_NUM_THREADS="1")
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    rows = map(json.loads, RESULTS.read_text("utf-8").splitlines() if RESULTS.exists() else [])
    before = {row["key"]: row["outcome"] for row in rows}
    paths = files_of(options.sources)
    is_native = any(path.endswith(".cpp") for path in paths)
    if is_native and not built():
        sys.exit("the extension cannot be built as it is: make setup")
    drawn = [mutant for path in paths for mutant in mutants(path)]
    drawn.sort(key=lambda mutant: hashlib.sha256(f"{options.seed}|{mutant.key}".encode()).digest())
    counts = Counter[str]()
    try:
        while drawn and counts["noticed"] + counts["SURVIVED"] < options.count:
            mutant = drawn.pop(0)
            if (said := before.get(mutant.key)) is None:
                said = outcome(mutant)
                with RESULTS.open("a", encoding="utf-8") as results:
                    results.write(json.dumps({"key": mutant.key, "outcome": said}) + "\n")
            counts[said] += 1
            print(f"{said:18} {mutant}", flush=True)
    finally:
        if is_native:
            built()
    if of := counts["noticed"] + counts["SURVIVED"]:
        low, high = interval(counts["noticed"], of)
        print(f"{counts['noticed']} of {of} changes noticed (95 % interval {low:.0f} to {high:.0f} %)")
    return bool(counts["SURVIVED"])


if __name__ == "__main__":
    sys.exit(main())
