"""The supply chain: pinned tools, a licence for every file, reproducible builds, complete wheels and nothing else."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

from trust.counts import Tallies, Tally, not_run
from trust.samples import ROOT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

EPOCH = "1700000000"
# The package itself, installers, and tools that only these checks need.
UNPINNED = {"perceptag", "perceptag-en", "pip", "setuptools", "wheel"}


def check(quick: bool) -> Tallies:
    """Check everything that needs no network, then audit."""
    yield pins()
    yield licences()
    with tempfile.TemporaryDirectory() as folder:
        yield from builds("sdist", Path(folder))
        if quick:
            yield not_run("the wheel builds reproducibly", "only in the full form")
        else:
            yield from builds("wheel", Path(folder))
    yield audit()


def files() -> list[str]:
    """Return the files of the repository."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    return [name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).exists()]


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins() -> Tally:
    """Check that the installed versions are those of constraints.txt, and that it has all that pyproject.toml needs."""
    tally = Tally("development dependencies are pinned")
    text = (ROOT / "constraints.txt").read_text("utf-8")
    pinned: dict[str, set[str]] = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            found = re.fullmatch(r'([\w.-]+)==([\w.]+)(; python_version (>=|<) "[\d.]+")?', line)
            tally.check(found is not None, f"not an exact version: {line}")
            if found:
                pinned.setdefault(_normal(found[1]), set()).add(found[2])
    tally.check("://" not in text and "--" not in text, "constraints.txt names an index or an address")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wanted = [*project["build-system"]["requires"], *project["project"]["dependencies"]]
    extras = project["project"]["optional-dependencies"]
    installed = ("dev", "server", "zstd", "ray", "doors", "browser")
    wanted += [r for extra in installed for r in extras[extra]]
    for requirement in wanted:
        name = _normal(re.match(r"[\w.-]+", requirement)[0])  # type: ignore[index]
        tally.check(name in pinned or "python_version <" in requirement, f"{requirement} is not in constraints.txt")
    audit_only = _needed_by("pip-audit")
    for installed in importlib.metadata.distributions():
        name = _normal(installed.metadata["Name"])
        if name in pinned:
            tally.check(installed.version in pinned[name], f"{name} {installed.version} is installed")
        else:
            tally.check(name in UNPINNED | audit_only, f"{name} is installed and not pinned")
    return tally


def _needed_by(name: str) -> set[str]:
    """Return a distribution and everything that it needs, if it is installed: the tool of one check."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        one = _normal(waiting.pop())
        if one in found:
            continue
        found.add(one)
        try:
            needs = importlib.metadata.requires(one) or []
        except importlib.metadata.PackageNotFoundError:
            continue
        waiting += [
            re.match(r"[\w.-]+", need)[0] for need in needs if "extra ==" not in need or one in ("cachecontrol",)
        ]  # type: ignore[index]
    return found


def licences() -> Tally:
    """Check that REUSE.toml covers every file, that each licence text exists, and that no file says otherwise."""
    tally = Tally("every file has licence data")
    rules = tomllib.loads((ROOT / "REUSE.toml").read_text("utf-8"))["annotations"]
    for name in files():
        covered = [rule for rule in rules if any(_covers(path, name) for path in rule["path"])]
        complete = covered and all(
            covered[-1].get(f"SPDX-{key}") for key in ("FileCopyrightText", "License-Identifier")
        )
        named = covered[-1]["SPDX-License-Identifier"].split(" AND ") if complete else []
        there = named and all((ROOT / "LICENSES" / f"{licence}.txt").exists() for licence in named)
        tally.check(bool(there), f"{name} has no licence data")
        is_licence = name.startswith("LICENSE") or Path(name).name.startswith(("LICENSE", "NOTICE"))
        foreign = [] if is_licence else _FOREIGN.findall((ROOT / name).read_bytes())
        tally.check(not foreign, f"{name} mentions another licence: {foreign[:2]}")
    tally.check(not any(_covers(path, "elsewhere/file") for rule in rules for path in rule["path"]), "a rule for all")
    same = (ROOT / "LICENSES" / "MIT.txt").read_bytes() == (ROOT / "LICENSE").read_bytes()
    tally.check(same, "LICENSE and LICENSES/MIT.txt differ")
    return tally


# What files from other projects have at their beginning.
_FOREIGN = re.compile(rb"(?i)copyright (?:\(c\)|\xc2\xa9|\d{4})[^\n]{0,60}|licen[sc]ed under[^\n]{0,60}")


def _covers(path: str, name: str) -> bool:
    """Match as REUSE.toml does: ``*`` stays within a folder, ``**`` crosses folders."""
    parts = (".*" if part == "**" else "[^/]*" if part == "*" else re.escape(part) for part in re.split(r"(\*+)", path))
    return re.fullmatch("".join(parts), name) is not None


# ----------------------------------------------------------------------------------------------- builds


def builds(kind: str, folder: Path) -> Tallies:
    """Build twice, from copies in folders of different names, and look inside."""
    tally = Tally(f"the {kind} builds reproducibly")
    made = [_build(kind, folder / name) for name in (f"{kind}-a", f"{kind}-in-another-folder")]
    digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in made]
    tally.add(None if digests[0] == digests[1] else f"two digests: {digests}; {_differences(*made)}", 2)
    tally.note = digests[0][:16]
    yield tally
    yield _contents(kind, made[0])


def _build(kind: str, folder: Path) -> Path:
    source, target = folder / "source", folder / "out"
    target.mkdir(parents=True)
    for name in files():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, source / name)
    code = f"import scikit_build_core.build as b; b.build_{kind}({str(target)!r})"
    env = {
        **os.environ,
        "SOURCE_DATE_EPOCH": EPOCH,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=source, env=env, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stdout[-1500:] + done.stderr[-1500:])
    return next(target.iterdir())


def _names(path: Path) -> dict[str, str]:
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            return {name: hashlib.sha256(archive.read(name)).hexdigest() for name in archive.namelist()}
    with tarfile.open(path) as archive:
        members = [m for m in archive.getmembers() if m.isfile()]
        return {m.name: hashlib.sha256(archive.extractfile(m).read()).hexdigest() for m in members}  # type: ignore[union-attr]


def _differences(a: Path, b: Path) -> list[str]:
    first, second = _names(a), _names(b)
    return sorted(name for name in {*first, *second} if first.get(name) != second.get(name))[:10]


def _contents(kind: str, path: Path) -> Tally:
    """Check that the file contains all of the package and nothing else."""
    tally = Tally(f"the {kind} contains what it should")
    found = set(_names(path))
    if kind == "sdist":
        found = {name.partition("/")[2] for name in found} - {"PKG-INFO"}
        project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
        left_out = tuple(project["tool"]["scikit-build"]["sdist"]["exclude"])
        expected = {name for name in files() if not name.startswith(left_out)}
    else:
        found = {name for name in found if ".dist-info/" not in name}
        expected = {n.removeprefix("src/") for n in files() if n.startswith("src/perceptag/")}
        native = {name for name in found if re.fullmatch(r"perceptag/_core\.[\w-]+\.so", name)}
        tally.check(len(native) == 1, f"native modules: {native}")
        found -= native
    for name in sorted(expected | found):
        tally.check(name in expected and name in found, f"{name} is {'missing' if name in expected else 'unexpected'}")
    return tally


def audit() -> Tally:
    """Look for known vulnerabilities of installed packages."""
    what = "pip-audit finds no known vulnerability"
    if importlib.util.find_spec("pip_audit") is None:
        return not_run(what, "pip-audit is not installed")
    command = [sys.executable, "-m", "pip_audit", "--progress-spinner", "off", "--timeout", "10", "--format", "json"]
    try:
        done = subprocess.run(
            [*command, "--skip-editable", "--local"], capture_output=True, text=True, check=False, timeout=180
        )
        found = json.loads(done.stdout)["dependencies"]
    except subprocess.TimeoutExpired:
        return not_run(what, "its service did not answer in time")
    except (ValueError, KeyError):
        return not_run(what, f"its service cannot be reached from here ({done.stderr.strip()[-80:]})")
    audited = [package for package in found if "skip_reason" not in package]
    if not audited:  # it ends with status 0 anyway
        return not_run(what, f"its service cannot be reached from here: none of {len(found)} packages was audited")
    tally = Tally(what, note=f"{len(found) - len(audited)} could not be audited")
    for package in audited:
        tally.check(not package["vulns"], f"{package['name']} {package['version']}: {package['vulns']}")
    return tally
