"""Native code for the checks: a shim that makes calls fail, and perceptag's own module built in other ways."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from pathlib import Path

from trust.samples import BUILD, ROOT

HERE = Path(__file__).parent / "native"
PACKAGE = ROOT / "src" / "perceptag"

# The ways to build the module: options of CMake.
VARIANTS = {
    "O0": ["-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS=-O0"],
    "scalar": ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS=-DPERCEPTAG_SCALAR -fno-tree-vectorize"],
    "address": ["-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS=-O1", "-DSAN=address,undefined"],
    "thread": ["-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS=-O1", "-DSAN=thread"],
}

# For each allocation the address sanitizer records its origin: two frames are enough, and thirty take long.
FEW_FRAMES = "malloc_context_size=2"

# The finder of an editable installation would find the usual module, whatever the path says.
_SITE = """\
import sys

sys.meta_path[:] = [finder for finder in sys.meta_path if "Redirecting" not in type(finder).__name__]
"""


def run(*command: object) -> None:
    """Run a command that must succeed; an error contains what it printed."""
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}\n{done.stdout.decode(errors='replace')[-3000:]}")


def cmake(folder: Path, *options: str) -> None:
    """Configure and build in `folder`."""
    tools = Path(sys.executable).parent
    run(tools / "cmake", "-G", "Ninja", "-S", ROOT, "-B", folder, f"-DCMAKE_MAKE_PROGRAM={tools / 'ninja'}", *options)
    run(tools / "cmake", "--build", folder)


def variant(name: str) -> Path:
    """Return a folder for PYTHONPATH with the package and its native module built in another way."""
    built, place = BUILD / f"build-{name}", BUILD / f"python-{name}"
    cmake(built, f"-DPython_EXECUTABLE={sys.executable}", *VARIANTS[name])
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(PACKAGE, place / "perceptag", ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    for module in built.glob("_core*.so"):
        shutil.copy(module, place / "perceptag")
    (place / "sitecustomize.py").write_text(_SITE, encoding="utf-8")
    return place


def environment(variant_folder: Path | None = None, preload: str = "", **others: str) -> dict[str, str]:
    """Return the environment of a process that uses such a variant."""
    made = dict(os.environ) | others
    if variant_folder is not None:
        made["PYTHONPATH"] = os.pathsep.join([str(variant_folder), str(ROOT), str(ROOT / "tests" / "support")])
    if preload:
        made["LD_PRELOAD"] = preload
    return made


def library(name: str) -> str:
    """Return the path of a library of the compiler."""
    found = subprocess.run(["g++", f"-print-file-name={name}"], capture_output=True, text=True, check=True)
    return os.path.realpath(found.stdout.strip())


def shim() -> Path:
    """Build and return the library that makes calls fail."""
    made = BUILD / "libfail.so"
    BUILD.mkdir(parents=True, exist_ok=True)
    source = HERE / "fail.cpp"
    if not made.exists() or made.stat().st_mtime < source.stat().st_mtime:
        run("g++", "-std=c++20", "-O1", "-shared", "-fPIC", "-o", made, source, "-ldl")
    return made


WRITE, SHORT_WRITE, SYNC, RENAME, OPEN, MODE, CLOSE, UNLINK, ALLOCATION = range(1, 10)


class Failing:
    """Controls the shim from inside a process that was started with it."""

    def __init__(self) -> None:
        library_ = ctypes.CDLL(None)
        self._arm = library_.trust_arm
        self._arm.argtypes = [ctypes.c_int, ctypes.c_long, ctypes.c_int]
        self._also = library_.trust_also
        self._also.argtypes = [ctypes.c_int]
        self._disarm = library_.trust_disarm
        self._disarm.restype = ctypes.c_long

    def arm(self, kind: int, n: int, error: int = 0, also: int = 0) -> None:
        """Let the n-th call of a kind fail; -n: also all calls after it; `also`: also all calls of another kind."""
        self._also(also)
        self._arm(kind, n, error)

    def disarm(self) -> int:
        """Let everything succeed again; return how many calls of the kind there were."""
        return int(self._disarm())
