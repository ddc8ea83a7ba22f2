"""Test the tests: change one thing in a source file, run the tests that cover it, and list what no test notices.

    python .ci/mutants.py                                       # 300 changes of the Python sources
    python .ci/mutants.py --count 40 src/perceptag/learn src/perceptag/models/model_file.py
    python .ci/mutants.py --count 30 cpp                        # 30 changes in the C++ kernels of the papers
    python .ci/mutants.py --again                               # the survivors of earlier runs once more

``make mutants`` runs this (``ARGUMENTS="--count 5 FILE"``). A change is a comparison, a sign, a condition or a constant
turned into another one. All tests are collected once; each change is made in a fork of that process. The tests of a
line are those that `covering.py` recorded, the most specific first. Without a record they are the test files that
mention most of what is around the line (`likely_tests.py`): a survivor may then be noticed by another file, which
``--again --also FILE`` shows.

Results are kept in ``build/mutants/results.jsonl``, so a run that was stopped goes on where it ended. The order of the
changes follows from the seed and from each changed line alone: the first part of the list is a fair sample, and stays
the same when other lines change. Lines whose changes no test can notice are in ``equivalent.json``, with the reasons.

Files are changed in place and restored at the end, also when it is stopped: run it in a clone if you want to work
meanwhile. A survivor is either a missing test, or a change that makes no difference: read each of them.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import math
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from likely_tests import dotted, likely_files
from warm_tests import WarmTests, patch

ROOT = Path(__file__).parents[1]
LIMIT = 600  # seconds for a batch of tests: some changes make a loop endless
BUDGETS = (1.0, 8.0, 60.0)  # seconds of tests that are run together, the most specific first; others are not run
MEMORY = 8 << 30  # bytes, for the same reason
QUICK = "not slow and not browser and not ray and not doors and not spark"
COVERING = ROOT / "build/mutants/covering.json"
RESULTS = ROOT / "build/mutants/results.jsonl"
CAREFUL = ("learn", "models", "labels", "evaluation")  # rooms whose share is printed apart
# Modules of other libraries' doors: tests that need those libraries are not among the quick ones.
DOORS = ("src/perceptag/spacy/", "src/perceptag/nltk.py", "src/perceptag/ray.py", "src/perceptag/spark.py")

LINEAR = "tests/models/linear/test_perceptron.py tests/models/linear/test_native_passes.py"
SEARCH = "tests/search/test_lattice.py tests/search/test_nbest.py tests/search/test_many_labels.py"
CHUNKER = "tests/models/chunker/test_native.py tests/models/chunker/test_reference.py"
DOCUMENT = (
    "tests/models/document/test_ascent.py tests/models/document/test_features.py tests/models/document/test_decoder.py"
)
GUIDED = "tests/models/guided/test_guided.py tests/models/guided/test_reference.py tests/models/guided/test_contexts.py"
# The kernels of the papers and their tests.
KERNELS = {
    "cpp/src/core/weights.cpp": LINEAR,
    "cpp/src/core/block.cpp": LINEAR,
    "cpp/src/search/viterbi1.cpp": SEARCH,
    "cpp/src/search/viterbi2.cpp": SEARCH,
    "cpp/src/search/nbest.cpp": SEARCH,
    "cpp/src/linear/passes.cpp": LINEAR,
    "cpp/src/chunker/chunker.cpp": CHUNKER,
    "cpp/src/chunker/kernel.cpp": CHUNKER,
    "cpp/src/chunker/expansion.cpp": CHUNKER,
    "cpp/src/chunker/dense_index.cpp": CHUNKER,
    "cpp/src/document/ascent.cpp": DOCUMENT,
    "cpp/src/document/nonlocal.cpp": DOCUMENT,
    "cpp/src/document/phrase_tally.cpp": DOCUMENT,
    "cpp/src/document/mention_weights.cpp": DOCUMENT,
    "cpp/src/guided/guided.cpp": GUIDED,
    "cpp/src/guided/guided_weights.cpp": GUIDED,
    "cpp/src/guided/contexts.cpp": GUIDED,
}

# Operators have blanks around them (the formatters see to that), so brackets of templates are not among them.
SWAPS = {
    " < ": " <= ",
    " <= ": " < ",
    " > ": " >= ",
    " >= ": " > ",
    " == ": " != ",
    " != ": " == ",
    " + ": " - ",
    " - ": " + ",
    " += ": " -= ",
    " -= ": " += ",
    " && ": " || ",
    " || ": " && ",
    " and ": " or ",
    " or ": " and ",
    "(!": "(",
    "if not ": "if ",
    "while not ": "while ",
    "not in ": "in ",
    "is not ": "is ",
    "std::max(": "std::min(",
    "std::min(": "std::max(",
    "true": "false",
    "false": "true",
    "True": "False",
    "False": "True",
    "continue;": "break;",
}
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
    start: int
    end: int
    text: str

    def line(self, source: str) -> int:
        """The number of the changed line."""
        return source.count("\n", 0, self.start) + 1

    def shown(self, source: str) -> str:
        """File and line, the line as it is, and what stands there instead."""
        return f"{self.path}:{self.line(source)}: {self.change(source)}   in   {self.whole_line(source)}"

    def change(self, source: str) -> str:
        """What stands there, and what instead, such as ``1 → 2``."""
        return f"{source[self.start : self.end].strip()} → {self.text.strip()}"

    def whole_line(self, source: str) -> str:
        """The changed line as it is, without the blanks around it."""
        return source[source.rfind("\n", 0, self.start) + 1 : source.find("\n", self.end)].strip()

    def key(self, source: str) -> str:
        """The change in words that stay the same when other lines change."""
        first = source.rfind("\n", 0, self.start) + 1
        whole = source[first : source.find("\n", self.end)]
        nth = source.count(f"\n{whole}\n", 0, first)
        return f"{self.path}|{whole.strip()}|{nth}|{self.start - first}|{self.text.strip()}"


def mutants(path: str, source: str) -> Iterator[Mutant]:
    """Every change of the code of a file; comments, texts and includes stay as they are."""
    code = NOT_CODE[Path(path).suffix].sub(lambda found: "\0" * len(found[0]), source)
    for found in CHANGE.finditer(code):
        text = SWAPS.get(found[0]) or str(int(found[0]) + 1)
        yield Mutant(path, found.start(), found.end(), text)


@cache
def equivalent() -> dict[tuple[str, str, str], str]:
    """Why no test notices some changes, by file, line and change; an empty change: all of the line."""
    rows = json.loads((ROOT / ".ci/equivalent.json").read_text("utf-8"))
    return {(row["file"], row["text"], row.get("change", "")): row["why"] for row in rows}


def why_equivalent(mutant: Mutant, source: str) -> str:
    """Return why no test can notice a change; an empty text if one could."""
    line, known = mutant.whole_line(source), equivalent()
    return known.get((mutant.path, line, "")) or known.get((mutant.path, line, mutant.change(source)), "")


@cache
def recorded() -> dict[str, Any]:
    """What `covering.py` recorded: the test files of each line, and the seconds of each test file."""
    if not COVERING.exists():
        sys.exit(f"{COVERING.relative_to(ROOT)} is missing: run python .ci/covering.py (or make mutants)")
    found: dict[str, Any] = json.loads(COVERING.read_text("utf-8"))
    return found


@cache
def lines_of_tests() -> Counter[int]:
    """How many lines each test runs: few lines make a specific test."""
    return Counter(test for lines in recorded()["lines"].values() for tests in lines.values() for test in tests)


def statement_at(path: str, line: int) -> tuple[int, bool]:
    """The first line of the statement at a line, and whether it is in a function: other lines run at the import."""
    nodes = [node for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))) if isinstance(node, ast.stmt)]
    around = [node for node in nodes if node.lineno <= line <= (node.end_lineno or node.lineno)]
    functions = [node for node in around if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return max(node.lineno for node in around), any(line >= node.body[0].lineno for node in functions)


def python_tests(path: str, line: int) -> list[int]:
    """The numbers of the tests of a line, the most specific first. Lines of the import have those of their module."""
    module: dict[str, list[int]] = recorded()["lines"].get(path, {})
    first, inside = statement_at(path, line)
    tests = {test for at in (line, first) for test in module.get(str(at), [])} if inside else set()
    covered = Counter(test for found in module.values() for test in found)
    whole, seconds = lines_of_tests(), recorded()["seconds"]

    def specific(test: int) -> float:
        return covered[test] / float(whole[test] * (0.05 + seconds[test]) ** 0.5)

    return sorted(tests or (set() if inside else covered), key=specific, reverse=True)


def batches(tests: list[int]) -> Iterator[list[str]]:
    """Cut tests into batches by their seconds: the first one is quick and notices most changes."""
    names, seconds = recorded()["tests"], recorded()["seconds"]
    at = 0
    for budget in BUDGETS:
        batch: list[str] = []
        cost = 0.0
        while at < len(tests) and (not batch or cost + seconds[tests[at]] <= budget):
            cost += 0.02 + seconds[tests[at]]
            batch.append(names[tests[at]])
            at += 1
        if batch:
            yield batch


def runs(command: list[str]) -> bool:
    """Whether a command succeeds, within the limits of time and memory."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=LIMIT, preexec_fn=limited, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def build(folder: Path, target: str) -> bool:
    """Build a target of the C++ sources. No limits: the compiler is not on trial."""
    command = [str(Path(sys.executable).with_name("cmake")), "--build", str(folder), "--target", target]
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == 0


def install() -> bool:
    """Build the extension from the sources as they are, and put it where Python imports it from."""
    folder = next((ROOT / "build").glob(f"cp{sys.version_info.major}{sys.version_info.minor}-*"))
    if not build(folder, "_core"):
        return False
    name = "_core" + sysconfig.get_config_var("EXT_SUFFIX")
    shutil.copy2(folder / name, Path(sysconfig.get_path("platlib")) / "perceptag" / name)
    return True


def pytest_fails(tests: list[str]) -> bool:
    """Whether one of some test files fails."""
    return not runs([sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-m", QUICK, *tests])


def chosen(warm: WarmTests, path: str, line: int) -> Iterator[list[pytest.Item]]:
    """The tests of a line in batches: its own examples, those recorded or likely, and the files that are named."""
    if path in warm.items:
        yield warm.items[path]
    if COVERING.exists():
        named = {item.nodeid: item for items in warm.items.values() for item in items}
        for batch in batches(python_tests(path, line)):
            if tests := [named[name] for name in batch if name in named]:
                yield tests
    else:
        files = [file for file in likely_files(path, line) if file in warm.items]
        yield from (warm.items[file] for file in files[: warm.files])
    yield from (warm.items[file] for file in warm.also if file in warm.items)


def python_outcome(warm: WarmTests, mutant: Mutant, source: str) -> str:
    """What notices a change of Python that has been made; an empty text: nothing does."""
    changed = source[: mutant.start] + mutant.text + source[mutant.end :]
    found = list(chosen(warm, mutant.path, mutant.line(source)))
    for tests in found:
        by = warm.fails(tests, lambda: patch(ROOT / mutant.path, dotted(mutant.path), changed))
        if by == "cold":  # a fresh process imports the changed file
            files = {item.location[0] for tests in found for item in tests}
            return "pytest" if pytest_fails(sorted(files)) else ""
        if by:
            return f"{by} of {tests[0].location[0]}"
    return ""


def kernel_outcome(path: str) -> str:
    """What notices a change of a kernel that has been made; an empty text: nothing does."""
    if not build(ROOT / "build/check", "core_tests"):
        return "not compiled"
    if not runs(["build/check/core_tests"]):
        return "core_tests"
    if not install():
        return "not compiled"
    return "pytest" if pytest_fails(KERNELS[path].split()) else ""


def tried(mutant: Mutant, source: str, outcome: Callable[[], str]) -> str:
    """Make a change, run the tests, and restore the file, with its time: the compiled form of it stays valid."""
    place = ROOT / mutant.path
    times = place.stat()
    try:
        place.write_text(source[: mutant.start] + mutant.text + source[mutant.end :], "utf-8")
        return outcome()
    finally:
        place.write_text(source, "utf-8")
        os.utime(place, ns=(times.st_atime_ns, times.st_mtime_ns))


def files_of(names: list[str]) -> list[str]:
    """The source files that arguments name: files, folders of Python sources, or `cpp` for the kernels."""
    found: list[str] = []
    for name in names:
        if name == "cpp":
            found += KERNELS
        elif (ROOT / name).is_dir():
            found += sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / name).rglob("*.py"))
        else:
            found.append(name)
    return found


def earlier() -> dict[str, str]:
    """What noticed the changes of earlier runs."""
    if not RESULTS.exists():
        return {}
    rows = map(json.loads, RESULTS.read_text("utf-8").splitlines())
    return {row["key"]: row["by"] for row in rows}


def interval(hits: int, of: int) -> tuple[float, float]:
    """Wilson's interval of a share, at 95 %, in per cent."""
    if not of:
        return 0.0, 100.0
    z, share = 1.96, hits / of
    middle = share + z * z / (2 * of)
    half = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return 100 * (middle - half) / (1 + z * z / of), 100 * (middle + half) / (1 + z * z / of)


class Trials:
    """Tries changes one after the other, and keeps what noticed them."""

    def __init__(self, sources: dict[str, str], options: argparse.Namespace) -> None:
        self.sources, self.options = sources, options
        self.noticed: Counter[bool] = Counter()
        self.careful: Counter[bool] = Counter()

    def order(self, mutant: Mutant) -> str:
        """A number in the order of which changes are tried, by the seed and the line alone."""
        return hashlib.sha256(f"{self.options.seed} {mutant.key(self.sources[mutant.path])}".encode()).hexdigest()

    def run(self, warm: WarmTests | None = None) -> None:
        """Try as many changes as wanted, but for those that have been tried before."""
        before = earlier()
        every = (mutant for path, source in self.sources.items() for mutant in mutants(path, source))
        for number, mutant in enumerate(sorted(every, key=self.order)):
            if self.noticed.total() == self.options.count:
                break
            source = self.sources[mutant.path]
            key = mutant.key(source)
            if why := why_equivalent(mutant, source):
                print(f"{number:4} {'equivalent':40} {mutant.shown(source)}   {why}", flush=True)
                continue
            by = before.get(key)
            if by is None or (self.options.again and not by):
                by = tried(mutant, source, lambda m=mutant, s=source: self._outcome(warm, m, s))  # type: ignore[misc]
                with RESULTS.open("a", encoding="utf-8") as results:
                    results.write(json.dumps({"key": key, "by": by}) + "\n")
            print(f"{number:4} {by or 'SURVIVED':40} {mutant.shown(source)}", flush=True)
            if by != "not compiled":
                self.noticed[bool(by)] += 1
                self.careful[bool(by)] += mutant.path.startswith(tuple(f"src/perceptag/{room}/" for room in CAREFUL))

    def _outcome(self, warm: WarmTests | None, mutant: Mutant, source: str) -> str:
        return python_outcome(warm, mutant, source) if warm else kernel_outcome(mutant.path)

    def show(self) -> None:
        """Print the shares of what was noticed."""
        for counted, where in ((self.noticed, "changes noticed"), (self.careful, f"in {', '.join(CAREFUL)}")):
            if counted.total():
                low, high = interval(counted[True], counted.total())
                print(f"{counted[True]} of {counted.total()} {where} (95 % interval {low:.0f} to {high:.0f} %)")


def main() -> int:
    """Try changes that are drawn at random; the exit status says whether one survives."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sources", nargs="*", default=["src/perceptag"])
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", action="store_true", help="try the survivors of earlier runs once more")
    parser.add_argument("--files", type=int, default=10, help="test files for a line of which nothing is recorded")
    parser.add_argument("--also", nargs="+", default=[], help="test files for all lines, after those that are chosen")
    parser.add_argument("--tests", nargs="+", default=[], help="test folders that are collected; by default all")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # an exception, so that files are restored
    paths = [path for path in files_of(options.sources) if not path.startswith(DOORS)]
    trials = Trials({path: (ROOT / path).read_text("utf-8") for path in paths}, options)
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    sys.dont_write_bytecode = True  # a changed file must not leave a compiled form
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    os.environ["REPEAT_EXAMPLES"] = "true"  # examples that are drawn at random are the same in each run
    os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
    if any(path.startswith("cpp/") for path in paths):
        try:
            trials.run()
        finally:
            install()
    else:
        os.chdir(ROOT)
        warm = WarmTests(trials.run, options.files, options.also)
        pytest.main(["-q", "-s", "-p", "no:xdist", "-m", QUICK, *options.tests], [warm])
    trials.show()
    return bool(trials.noticed[False])


if __name__ == "__main__":
    sys.exit(main())
