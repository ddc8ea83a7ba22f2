"""Test the tests: change one thing in a source file, run the tests of its room, and list what no test notices.

    python .ci/mutants.py                                  # 30 changes in the kernels of the papers
    python .ci/mutants.py --count 5 --seed 3 cpp/src/guided/guided.cpp src/perceptag/learn/margin.py

``make mutants`` runs this (``ARGUMENTS="--count 5 FILE"``). A change is a comparison, a sign, a condition or a constant
turned into another one. Files are changed in place and restored at the end, also when it is stopped. A survivor is
either a missing test, or a change that makes no difference: read each of them.
"""

from __future__ import annotations

import argparse
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIMIT = 600  # seconds for the tests of a change: some changes make a loop endless
MEMORY = 8 << 30  # bytes, for the same reason
QUICK = "not slow and not every and not browser and not ray and not doors and not spark"

LINEAR = "tests/models/linear/test_perceptron.py tests/models/linear/test_native_passes.py tests/learn/test_by_hand.py"
SEARCH = "tests/search/test_lattice.py tests/search/test_nbest.py tests/search/test_many_labels.py"
CHUNKER = "tests/models/chunker/test_native.py tests/models/chunker/test_reference.py"
DOCUMENT = (
    "tests/models/document/test_ascent.py tests/models/document/test_features.py tests/models/document/test_decoder.py"
)
GUIDED = "tests/models/guided/test_guided.py tests/models/guided/test_reference.py tests/models/guided/test_contexts.py"
# The kernels of the papers and their tests. Other files have the tests of the folder with the name of theirs.
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


def tests_of(path: str) -> list[str]:
    """The tests of a file: those of the table, else the folder of tests with the name of its room."""
    if path in KERNELS:
        return KERNELS[path].split()
    room = Path(path).parent.relative_to("cpp/src" if path.startswith("cpp/") else "src/perceptag")
    for folder in (Path("tests") / room, Path("tests/models") / room):
        if (ROOT / folder).is_dir():
            return [folder.as_posix()]
    sys.exit(f"{path}: found neither tests/{room.as_posix()} nor an entry in the table of {Path(__file__).name}")


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


def outcome(path: str, tests: list[str]) -> str:
    """What notices the change of a file that has been made; an empty text: nothing does."""
    if path.startswith("cpp/"):
        if not build(ROOT / "build/check", "core_tests"):
            return "not compiled"
        if not runs(["build/check/core_tests"]):
            return "core_tests"
        if not install():
            return "not compiled"
    pytest = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider", "-m", QUICK, *tests]
    return "" if runs(pytest) else "pytest"


def tried(mutant: Mutant, source: str) -> str:
    """Make a change, run the tests, and restore the file."""
    place = ROOT / mutant.path
    try:
        place.write_text(source[: mutant.start] + mutant.text + source[mutant.end :], "utf-8")
        return outcome(mutant.path, tests_of(mutant.path))
    finally:
        place.write_text(source, "utf-8")


def main() -> int:
    """Try changes that are drawn at random; the exit status says whether one survives."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", default=list(KERNELS))
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # an exception, so that files are restored
    sources = {path: (ROOT / path).read_text("utf-8") for path in options.files}
    drawn = random.Random(options.seed)
    left = {path: list(mutants(path, source)) for path, source in sources.items()}
    survivors, done = [], 0
    try:
        while done < options.count and (paths := [path for path in left if left[path]]):
            path = drawn.choice(paths)  # every file is as likely as any other, whatever its length
            mutant = left[path].pop(drawn.randrange(len(left[path])))
            noticed = tried(mutant, sources[path])
            print(f"{noticed or 'SURVIVED':12} {mutant.shown(sources[path])}", flush=True)
            done += noticed != "not compiled"
            survivors += [mutant] if not noticed else []
    finally:
        if any(path.startswith("cpp/") for path in sources):
            install()
    print(f"{done} changes, {len(survivors)} of them not noticed")
    return bool(survivors)


if __name__ == "__main__":
    sys.exit(main())
