"""Coverage-guided fuzzing: of the native code that model files feed, and of the readers and the loader in Python.

The native part runs in C++ with the address and undefined-behaviour sanitizers. The Python part is guided by the lines
that an input reaches; it is a thousand times slower and does as many executions as time allows.
"""

from __future__ import annotations

import io
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from perceptag import PerceptagError
from perceptag.features.template import parse_all
from perceptag.text import read_columns, read_conllu, read_jsonl, write_columns, write_conllu, write_jsonl
from trust import native_code as native
from trust import samples
from trust.children import fork, silent
from trust.counts import Tallies, Tally

# Executions of the native targets in the full form, twenty million in total; the reader is slower.
NATIVE = {"fuzz_loader": 18_000_000, "fuzz_reader": 2_000_000}
FLAGS = [
    "-std=c++20",
    "-O1",
    "-g1",  # lines, which reports name; all else that debuggers know takes a quarter of the time
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-D_GLIBCXX_ASSERTIONS",
]
HANGS, SLOWEST = 60.0, 2_000.0  # seconds, and executions a second, below which a target hangs
COVERAGE = "-fsanitize-coverage=trace-pc,trace-cmp"


def check(quick: bool) -> Tallies:
    """Fuzz native code, then Python."""
    for target, executions in NATIVE.items():
        yield fuzz_native(target, executions // 100 if quick else executions)
    for name, attempt in TARGETS.items():
        yield fuzz_python(name, attempt, 3.0 if quick else 40.0)


def build(target: str) -> str:
    """Build the driver with one target, linked to the instrumented core."""
    folder = samples.BUILD / "fuzz"
    folder.mkdir(parents=True, exist_ok=True)
    include = f"-I{samples.ROOT / 'cpp' / 'include'}"
    headers = [*(samples.ROOT / "cpp" / "include" / "perceptag").rglob("*.hpp"), *native.HERE.glob("*.hpp")]
    newest = max(p.stat().st_mtime for p in headers)

    def compile_one(source: Any, *flags: str) -> str:
        made = folder / f"{source.parent.name}-{source.stem}.o"  # files in two folders may have one name
        if not made.exists() or made.stat().st_mtime < max(newest, source.stat().st_mtime):
            native.run("g++", *flags, include, "-c", source, "-o", made)
        return str(made)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        core = list(pool.map(lambda source: compile_one(source, *FLAGS, COVERAGE), needed(target)))
    driver = compile_one(native.HERE / "fuzz.cpp", "-std=c++20", "-O2")  # not instrumented, so that it is fast
    objects = [driver, compile_one(native.HERE / f"{target}.cpp", *FLAGS)]
    made = folder / target
    native.run("g++", *FLAGS, *objects, *core, "-o", made, "-lpthread")
    return str(made)


def needed(target: str) -> list[Path]:
    """Return the sources of the core that a target uses, by what it includes; to compile the others takes minutes."""
    core = samples.ROOT / "cpp"
    found: set[str] = set()
    waiting = [native.HERE / f"{target}.cpp"]
    while waiting:
        new = included(waiting.pop()) - found
        found |= new
        waiting += [path for name in new for path in _files(core, name) if path.exists()]
    sources = core.glob("src/*/*.cpp")
    return sorted(path for path in sources if _is_needed(path, f"{path.parent.name}/{path.stem}", found))


def included(path: Path) -> set[str]:
    """Return the names of the headers of the core that a file includes, such as search/nbest."""
    return set(re.findall(r'#include "perceptag/(.+)\.hpp"', path.read_text("utf-8")))


def _files(core: Path, name: str) -> tuple[Path, Path]:
    return core / "include" / "perceptag" / f"{name}.hpp", core / "src" / f"{name}.cpp"


def _is_needed(path: Path, name: str, found: set[str]) -> bool:
    """Whether the header of a source was found; what has none implements a part of the headers that it includes."""
    has_header = _files(samples.ROOT / "cpp", name)[0].exists()
    return name in found if has_header else included(path) <= found


def fuzz_native(target: str, executions: int) -> Tally:
    """Do `executions` executions, shared by as many processes as there are cores (at most two)."""
    tally = Tally(f"guided fuzzing of native code: {target.removeprefix('fuzz_')}")
    program = build(target)
    processes = min(2, os.cpu_count() or 1)
    share = executions // processes
    env = {**os.environ, "ASAN_OPTIONS": native.FEW_FRAMES}
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    running = [subprocess.Popen([program, str(share), str(seed)], env=env, **pipes) for seed in range(processes)]
    notes = []
    for process in running:
        try:
            out, error = process.communicate(timeout=HANGS + share / SLOWEST)
        except subprocess.TimeoutExpired:
            process.kill()
            out, error = process.communicate()
            error += "did not end in time"
        found = re.match(r"(\d+) executions, (\d+) inputs kept, (\d+) places", out)
        tally.add(None if process.returncode == 0 else error[-1800:] or out, int(found[1]) if found else 0)
        notes.append(f"{found[3]} places, {found[2]} inputs kept" if found else "")
    tally.note = f"{notes[0]}; ASan and UBSan"
    return tally


# ---------------------------------------------------------------------------------------------- Python


def _read(reader: Callable[..., Any], writer: Callable[..., Any]) -> Callable[[bytes], None]:
    def attempt(data: bytes) -> None:
        whole = list(reader(io.BytesIO(data)))
        written = io.BytesIO()
        writer(whole, written)
        if list(reader(io.BytesIO(written.getvalue()))) != whole:
            raise AssertionError("reading back what was written gives something else")

    return attempt


def _load(data: bytes) -> None:
    tagger = samples.load(samples.resealed(data))
    tagger.predict([{"form": ["the"], "pos": ["DT"]}])


def _templates(data: bytes) -> None:
    parse_all(data.decode("utf-8", "replace").split("\n"), ["form", "pos"])


TARGETS: dict[str, Callable[[bytes], None]] = {
    "model loader (sealed again)": _load,
    "reader of columns": _read(read_columns, write_columns),
    "reader of CoNLL-U": _read(read_conllu, write_conllu),
    "reader of JSONL": _read(read_jsonl, write_jsonl),
    "templates": _templates,
}


def seeds_of(name: str) -> list[bytes]:
    """Return inputs to start from."""
    if name.startswith("model"):
        return [data for data in samples.kinds().values() if len(data) < 200_000]
    if name == "templates":
        return [b"form[0]\npos[-1..1] * y-1 y0", b"lower.suffix3[0] form[-1]\nbias * y-2 y-1 y0", b"bias * y+1 y0"]
    token = b"1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_\n"
    range_ = b"1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n"
    columns = b"-DOCSTART- -X- O\n\nThe DT B-NP\ndog NN I-NP\n\nIt PRP O\n"
    tree = b"# newdoc\n# text = x\n" + token + b"2\tdog\t_\t_\t_\t_\t0\t_\t_\t_\n\n"
    objects = b'{"tokens": ["a", "b"], "pos": ["x", "y"], "document": 3}\n["a"]\n'
    return {
        "reader of columns": [columns, b"a\tb c\td\r\n\r\n", b"\xef\xbb\xbfx\n"],
        "reader of CoNLL-U": [tree, range_ + token + b"2\tle\t_\t_\t_\t_\t_\t_\t_\t_\n\n"],
        "reader of JSONL": [objects, b'{"tokens": [], "n": 1e3}\n'],
    }[name]


WORDS = [
    *(b"\n", b"\r\n", b"\r", b"\t", b" ", b"\0", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"\xff", b"\xed\xa0\x80"),
    *(b"-DOCSTART-", b"#", b"1-2", b"1.1", b"_", b'"', b"\\ud800", b"[", b"]", b"{", b"}", b"null", b"NaN", b"1e999"),
    *(b"tokens", b"form", b"document", b"-1", b"99999999999", b"* y-1 y0", b"[0]", b"..", b"F32", b"shape"),
    *(b"data_offsets", b"sha256:"),
]


def mutate(data: bytes, other: bytes, rng: random.Random) -> bytes:
    """Make one to three changes."""
    made = bytearray(data)
    for _ in range(rng.randint(1, 3)):
        i = rng.randint(0, len(made))
        match rng.randrange(6):
            case 0 if i < len(made):
                made[i] ^= 1 << rng.randrange(8)
            case 1:
                made[i:i] = rng.choice(WORDS)
            case 2:
                del made[i : i + rng.choice((1, 2, 8, 64))]
            case 3:
                j = rng.randint(0, len(other))
                made[i:i] = other[j : j + rng.choice((1, 4, 16, 64))]
            case 4:
                made[i : i + 1] = rng.randbytes(1)
            case _:
                j = rng.randint(0, len(made))
                made[i:i] = made[j : j + rng.choice((1, 4, 16, 64))]
    return bytes(made)


class Coverage:
    """Which lines of the package a call reaches, by a trace function that looks at nothing else."""

    def __init__(self) -> None:
        self.lines: set[tuple[CodeType, int]] = set()
        self.new = False

    def __call__(self, frame: FrameType, event: str, _: Any) -> Any:
        if event == "call" and "/perceptag/" not in frame.f_code.co_filename:
            return None
        place = (frame.f_code, frame.f_lineno)
        if place not in self.lines:
            self.lines.add(place)
            self.new = True
        return self


def fuzz_python(name: str, attempt: Callable[[bytes], None], seconds: float) -> Tally:
    """Do as many executions as time allows, in a child; its death would be a finding."""
    tally = Tally(f"guided fuzzing in Python: {name}")
    findings: dict[str, str] = {}
    end = fork(lambda: list(_session(attempt, seeds_of(name), seconds)), seconds * 4 + 60)
    if end.fault:
        tally.add(end.fault)
        return tally
    executions, lines, kept, findings = end.value
    tally.tried = executions
    for fault, data in findings.items():
        tally.fail(f"{fault}: {data}")
    tally.note = f"{lines} lines, {kept} inputs kept"
    return tally


def _session(attempt: Callable[[bytes], None], seeds: list[bytes], seconds: float) -> Iterator[Any]:
    silent()
    rng = random.Random(0)
    coverage = Coverage()
    kept = list(seeds)
    findings: dict[str, str] = {}
    executions = 0
    for data in seeds:
        _execute(attempt, data, coverage, findings)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        executions += 1
        base = rng.choice(kept[-16:]) if rng.random() < 0.5 else rng.choice(kept)
        data = mutate(base, rng.choice(kept), rng)
        if _execute(attempt, data, coverage, findings):
            kept.append(data)
    yield from (executions, len(coverage.lines), len(kept), findings)


def _execute(attempt: Callable[[bytes], None], data: bytes, coverage: Coverage, findings: dict[str, str]) -> bool:
    coverage.new = False
    signal.alarm(30)  # no handler: a hang ends the child
    sys.settrace(coverage)
    try:
        attempt(data)
    except PerceptagError:
        pass
    except Exception as error:
        sys.settrace(None)
        fault = f"{type(error).__name__}: {error}"
        if len(findings) < 5:
            findings.setdefault(re.sub(r"\d+", "N", fault)[:80], f"{data!r:.400}")
    finally:
        sys.settrace(None)
        signal.alarm(0)
    return coverage.new
