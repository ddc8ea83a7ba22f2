"""The launcher that compiles the same text once, for CI."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

LAUNCHER = Path(__file__).parents[2] / ".ci" / "compile_once.py"
COMPILER = shutil.which("c++")
pytestmark = pytest.mark.skipif(COMPILER is None or sys.platform != "linux", reason="needs Linux and a compiler")
PLAIN = "int twice(int x) { return 2 * x; }\n"
WARNED = "int twice(int x) { int unused = 3; return 2 * x; }\n"


def compiled(folder: Path, text: str, *flags: str, header: str = "") -> subprocess.CompletedProcess[str]:
    """Compile a text in a folder as CMake does; objects are kept in a folder next to it."""
    (folder / "include").mkdir(parents=True, exist_ok=True)
    (folder / "include" / "h.hpp").write_text(header)
    (folder / "a.cpp").write_text(f'#include "h.hpp"\n{text}')
    paths = ["-I", folder / "include", "-MD", "-MT", "a.o", "-MF", folder / "a.d", "-o", folder / "a.o", "-c"]
    command = [sys.executable, LAUNCHER, COMPILER, "-Wall", *flags, *paths, folder / "a.cpp"]
    env = {**os.environ, "COMPILE_ONCE": str(kept(folder))}
    return subprocess.run(list(map(str, command)), env=env, capture_output=True, text=True, check=False)


def kept(folder: Path) -> Path:
    return folder.parent / "objects"


def test_the_same_text_is_compiled_once(tmp_path: Path) -> None:
    assert compiled(tmp_path / "one", PLAIN).returncode == 0
    (only,) = kept(tmp_path / "one").iterdir()
    assert only.read_bytes() == (tmp_path / "one" / "a.o").read_bytes()
    only.write_bytes(b"what was kept")
    assert compiled(tmp_path / "two", PLAIN, "-Werror").returncode == 0
    assert (tmp_path / "two" / "a.o").read_bytes() == b"what was kept"
    assert str(tmp_path / "two" / "include" / "h.hpp") in (tmp_path / "two" / "a.d").read_text()


@pytest.mark.parametrize(("flags", "header"), [((), "#define int long\n"), (("-O2",), ""), (("-DX",), "")])
def test_other_headers_and_flags_give_other_objects(tmp_path: Path, flags: tuple[str, ...], header: str) -> None:
    compiled(tmp_path / "one", PLAIN)
    assert compiled(tmp_path / "two", PLAIN, *flags, header=header).returncode == 0
    assert len(list(kept(tmp_path / "one").iterdir())) == 2


def test_what_has_warnings_is_not_kept(tmp_path: Path) -> None:
    first = compiled(tmp_path / "one", WARNED)
    assert first.returncode == 0 and "unused" in first.stderr and not kept(tmp_path / "one").exists()
    second = compiled(tmp_path / "two", WARNED, "-Werror")
    assert second.returncode == 1 and "unused" in second.stderr


def test_errors_and_other_commands_are_those_of_the_compiler(tmp_path: Path) -> None:
    wrong = compiled(tmp_path / "one", '#include "missing.hpp"\n')
    assert wrong.returncode == 1 and "missing.hpp" in wrong.stderr
    command = [sys.executable, str(LAUNCHER), str(COMPILER), "--version"]
    assert "Copyright" in subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_a_build_that_does_not_name_a_folder_compiles_as_usual(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text(PLAIN)
    words = [sys.executable, LAUNCHER, COMPILER, "-o", tmp_path / "a.o", "-c", tmp_path / "a.cpp"]
    env = {name: value for name, value in os.environ.items() if name != "COMPILE_ONCE"}
    assert subprocess.run(list(map(str, words)), env=env, check=False).returncode == 0
    assert (tmp_path / "a.o").exists()
