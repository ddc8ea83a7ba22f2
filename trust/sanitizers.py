"""The native code under gcc's sanitizers: addresses and undefined behaviour, races, leaks.

The whole test suite runs with the module built for the address and undefined-behaviour sanitizers. Tests of threads
run with the one for the thread sanitizer. Leaks are looked for in the C++ tests only: an interpreter never frees
everything.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys

from trust import native_code as native
from trust.counts import Tallies, Tally, not_run
from trust.samples import BUILD, ROOT

GUARDED = [
    "tests/search/test_native_guards.py",
    "tests/text/test_columns.py",
    "tests/features/test_attribute_reader.py",
    "tests/models/test_model_file.py",
    "tests/tagging/test_column_files.py",
    "tests/models/linear/test_predictor.py",
]


def check(quick: bool) -> Tallies:
    """Run the C++ tests and the Python tests under all three, in the full form only."""
    if sys.platform != "linux" or not os.path.exists(native.library("libasan.so")):
        yield not_run("sanitizers", "needs Linux and gcc with its sanitizers")
        return
    if quick:  # the core would be compiled once more, which takes longer than all other short checks
        yield not_run("the C++ tests and the test-suite under sanitizers", "only in the full form; make sanitize")
        return
    yield core("address,undefined", "no bad address, undefined behaviour or leak in the C++ tests")
    yield core("thread", "no race in the C++ tests")
    yield suite()
    yield memory_of_python()
    yield threads()


def core(kinds: str, what: str) -> Tally:
    """Run the tests of the core, which contain no Python."""
    tally = Tally(what)
    folder = BUILD / f"core-{kinds.replace(',', '-')}"
    native.cmake(folder, "-DPERCEPTAG_CORE_ONLY=ON", "-DCMAKE_BUILD_TYPE=Debug", f"-DSAN={kinds}")
    env = {**os.environ, "ASAN_OPTIONS": "detect_leaks=1", "TSAN_OPTIONS": "halt_on_error=1"}
    done = subprocess.run([folder / "core_tests"], env=env, capture_output=True, text=True, check=False)
    tests = len(re.findall(r"^void test_\w+\(", (ROOT / "cpp" / "tests" / "main.cpp").read_text("utf-8"), re.MULTILINE))
    tally.add(None if done.returncode == 0 else (done.stdout + done.stderr)[-2000:], tests)
    return tally


def suite() -> Tally:
    """Run every test that is not slow."""
    return _pytest(Tally("the test-suite under ASan and UBSan"), _addresses(), "-m", "not slow", "tests")


def memory_of_python() -> Tally:
    """Run the tests that pass small Python objects to native code, with an allocator that the sanitizer can guard.

    Python's own allocator puts many objects into one block and is three times as fast; numpy's arrays are guarded
    anyway.
    """
    tally = Tally("tests of text and arguments, Python's memory guarded too")
    return _pytest(tally, _addresses(PYTHONMALLOC="malloc"), "-m", "not slow", *GUARDED)


def _addresses(**others: str) -> dict[str, str]:
    asan = f"detect_leaks=0:{native.FEW_FRAMES}"
    ubsan = "print_stacktrace=1:halt_on_error=1"
    return _environment("address", "asan", ASAN_OPTIONS=asan, UBSAN_OPTIONS=ubsan, **others)


def threads() -> Tally:
    """Run the tests with threads in their names, and taggers shared by many Python threads."""
    tally = Tally("the tests of threads under TSan")
    options = f"halt_on_error=1:exitcode=66:suppressions={ROOT / 'trust' / 'tsan.supp'}"
    env = _environment("thread", "tsan", TSAN_OPTIONS=options, OPENBLAS_NUM_THREADS="1")
    return _pytest(tally, env, "-k", "thread", "tests", "trust/shared_taggers.py")


def _environment(variant: str, sanitizer: str, **others: str) -> dict[str, str]:
    folder = native.variant(variant)
    preload = f"{native.library(f'lib{sanitizer}.so')} {native.library('libstdc++.so')}"
    return native.environment(folder, preload, TRUST_BUILD=str(folder), TRUST_SYMBOL=f"__{sanitizer}_", **others)


def _pytest(tally: Tally, env: dict[str, str], *words: str) -> Tally:
    command = [sys.executable, "-m", "pytest", "-p", "no:randomly", "-p", "trust.under_sanitizers"]
    command += [
        "-W",
        "default",
        "-ra",
        "--tb=short",
        "--capture=sys",
        *words,
    ]  # not that of sanitizers
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False, errors="replace")
    passed, failed, skipped = (_last_number(rf"(\d+) {end}", done.stdout) for end in ("passed", "failed", "skipped"))
    tally.tried = passed + failed
    if done.returncode or not passed:
        tally.fail(f"status {done.returncode}: {(done.stdout + done.stderr)[-1800:]}")
    tally.note = f"{skipped} skipped, as in the usual build" if skipped else ""
    return tally


def _last_number(pattern: str, text: str) -> int:
    """Return the last match, which is that in the summary."""
    return int((re.findall(pattern, text) or ["0"])[-1])
