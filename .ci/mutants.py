"""Test the tests: change one thing in a source file, run the tests that cover it, and list what no test notices.

    python .ci/mutants.py                                       # 300 changes of the Python sources
    python .ci/mutants.py --count 40 src/perceptag/learn src/perceptag/store/atomic.py
    python .ci/mutants.py --count 30 cpp                        # 30 changes in the C++ kernels of the papers

``make mutants`` runs this (``ARGUMENTS="--count 5 FILE"``). A change is a comparison, a sign, a condition or a constant
turned into another one. The tests of a line of Python are those that `covering.py` recorded, the most specific first.
Files are changed in place and restored at the end, also when it is stopped. A survivor is either a missing test, or a
change that makes no difference: read each of them.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import re
import resource
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
from typing import Any

ROOT = Path(__file__).parents[1]
LIMIT = 600  # seconds for a batch of tests: some changes make a loop endless
BATCHES = (
    4,
    12,
    40,
)  # test files that are run together, the most specific first; what covers a line beyond them is not run
MEMORY = 8 << 30  # bytes, for the same reason
QUICK = "not slow and not every and not browser and not ray and not doors and not spark"
COVERING = ROOT / "build/mutants/covering.json"
CAREFUL = ("learn", "models", "labels", "evaluation", "store")  # rooms whose share is printed apart

LINEAR = "tests/models/linear/test_perceptron.py tests/models/linear/test_native_passes.py tests/learn/test_by_hand.py"
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
NOT_CODE = {
    ".py": re.compile(r'"""[\s\S]*?"""|"[^"\n]*"|\'[^\'\n]*\'|#.*|^\s*(?:from|import) .*', re.MULTILINE),
    ".cpp": re.compile(r'//.*|"(?:[^"\\\n]|\\.)*"|\'[^\']+\'|^\s*#.*', re.MULTILINE),
}


@dataclass(frozen=True)
class Mutant:
    """A change of one place of a file."""

    path: str
    start: int
    end: int
    text: str

    def shown(self, source: str) -> str:
        """File and line, the line as it is, and what stands there instead."""
        first = source.rfind("\n", 0, self.start) + 1
        line = source.count("\n", 0, self.start) + 1
        whole = source[first : source.find("\n", self.end)].strip()
        return f"{self.path}:{line}: {source[self.start : self.end].strip()} → {self.text.strip()}   in   {whole}"


def mutants(path: str, source: str) -> Iterator[Mutant]:
    """Every change of the code of a file; comments, texts and includes stay as they are."""
    code = NOT_CODE[Path(path).suffix].sub(lambda found: "\0" * len(found[0]), source)
    for found in CHANGE.finditer(code):
        text = SWAPS.get(found[0]) or str(int(found[0]) + 1)
        yield Mutant(path, found.start(), found.end(), text)


@cache
def recorded() -> dict[str, Any]:
    """What `covering.py` recorded: the test files of each line, and the seconds of each test file."""
    if not COVERING.exists():
        sys.exit(f"{COVERING.relative_to(ROOT)} is missing: run python .ci/covering.py (or make mutants)")
    found: dict[str, Any] = json.loads(COVERING.read_text("utf-8"))
    return found


@cache
def lines_of_tests() -> Counter[str]:
    """How many lines each test file runs: few lines make a specific test."""
    return Counter(test for lines in recorded()["lines"].values() for tests in lines.values() for test in tests)


def statement_at(path: str, line: int) -> tuple[int, bool]:
    """The first line of the statement at a line, and whether it is in a function: other lines run at the import."""
    nodes = [node for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))) if isinstance(node, ast.stmt)]
    around = [node for node in nodes if node.lineno <= line <= (node.end_lineno or node.lineno)]
    functions = [node for node in around if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return max(node.lineno for node in around), any(line >= node.body[0].lineno for node in functions)


def python_tests(path: str, line: int) -> list[str]:
    """The test files that run a line, the most specific first. Lines of the import have the tests of their module."""
    module: dict[str, list[str]] = recorded()["lines"].get(path, {})
    first, inside = statement_at(path, line)
    tests = {test for at in (line, first) for test in module.get(str(at), [])} if inside else set()
    covered = Counter(test for found in module.values() for test in found)
    whole, seconds = lines_of_tests(), recorded()["seconds"]

    def specific(test: str) -> float:
        return covered[test] / whole[test] / (2 + float(seconds.get(test, 0))) ** 0.5

    return sorted(tests or (set() if inside else covered), key=specific, reverse=True)


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


def outcome(path: str, tests: list[str]) -> str:
    """What notices the change of a file that has been made; an empty text: nothing does."""
    if path.startswith("cpp/"):
        if not build(ROOT / "build/check", "core_tests"):
            return "not compiled"
        if not runs(["build/check/core_tests"]):
            return "core_tests"
        if not install():
            return "not compiled"
    for size in BATCHES:
        batch, tests = tests[:size], tests[size:]
        if batch and pytest_fails(batch):
            return "pytest"
    return ""


def tried(mutant: Mutant, source: str) -> str:
    """Make a change, run the tests, and restore the file."""
    place = ROOT / mutant.path
    line = source.count("\n", 0, mutant.start) + 1
    tests = KERNELS[mutant.path].split() if mutant.path in KERNELS else python_tests(mutant.path, line)
    if not tests:
        return ""
    try:
        place.write_text(source[: mutant.start] + mutant.text + source[mutant.end :], "utf-8")
        return outcome(mutant.path, tests)
    finally:
        place.write_text(source, "utf-8")


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


def main() -> int:
    """Try changes that are drawn at random; the exit status says whether one survives."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", default=["src/perceptag"])
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # an exception, so that files are restored
    sources = {path: (ROOT / path).read_text("utf-8") for path in files_of(options.files)}
    places = [mutant for path, source in sources.items() for mutant in mutants(path, source)]
    random.Random(options.seed).shuffle(places)
    noticed: Counter[bool] = Counter()
    careful: Counter[bool] = Counter()
    try:
        for mutant in places:
            if noticed.total() == options.count:
                break
            by = tried(mutant, sources[mutant.path])
            print(f"{by or 'SURVIVED':12} {mutant.shown(sources[mutant.path])}", flush=True)
            if by != "not compiled":
                noticed[bool(by)] += 1
                careful[bool(by)] += mutant.path.startswith(tuple(f"src/perceptag/{room}/" for room in CAREFUL))
    finally:
        if any(path.startswith("cpp/") for path in sources):
            install()
    print(f"{noticed[True]} of {noticed.total()} changes noticed")
    if careful.total():
        print(f"{careful[True]} of {careful.total()} in {', '.join(CAREFUL)}")
    return bool(noticed[False])


if __name__ == "__main__":
    sys.exit(main())
