"""Project files: what was acknowledged is never lost, and damage is found, whatever happens."""

from __future__ import annotations

import io
import os
import random
import resource
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from perceptag.errors import ConflictError, PerceptagError, ProjectError
from perceptag.project.project import Project
from trust.children import fork, silent, start
from trust.counts import Tallies, Tally, not_run
from trust.damage import Random, in_children, mutate_bytes

WORDS = ("Anna", "left", "Rome", "in", "May")


def check(quick: bool) -> Tallies:
    """Try kills, full disks, damage, and a clock that goes backwards."""
    yield kills(20 if quick else 200)
    yield killed_imports(10 if quick else 100)
    yield killed_copies(10 if quick else 60)
    yield small_limits(10 if quick else 60)
    yield small_disk()
    good = {"project": sample()}
    yield in_children("random damage of a project file", damaged, good, 300 if quick else 5_000)
    yield in_children("single bits of a project file", flipped, good, 300 if quick else 5_000)
    yield in_children("truncated project files", truncated, good, 100 if quick else 1_000)
    yield clock()


def make(path: Path, sentences: int = 20) -> Project:
    """Make a project with a few sentences."""
    project = Project.create(path, kind="spans", labels=["PER", "LOC"], column="ner", seed=3)
    text = "".join("".join(f"{WORDS[(n + i) % 5]}{n} NN\n" for i in range(3)) + "\n" for n in range(sentences))
    project.import_file(text.encode(), name="text", columns=["form", "pos"])
    return project


def put(project: Project, number: int, mark: str, key: str) -> int:
    """Label a sentence; return the number of the revision."""
    base = project.sentence(number).revision
    return project.label(number, [f"B-{mark}", "O", "O"], base=base, key=key, who="anna").id


# ---------------------------------------------------------------------------------------------- kills


def keep_writing(path: Path, acknowledged: int, seed: int) -> None:
    """Write for ever; each change is acknowledged by its revision and what it did, on a pipe."""
    silent()
    rng = random.Random(seed)
    project = Project.open(path)
    while True:
        number, mark = rng.randint(1, 20), rng.choice(("PER", "LOC"))
        revision = put(project, number, mark, f"{seed}-{project.last_revision}")
        os.write(acknowledged, f"{revision} {number} {mark}\n".encode())
        if rng.random() < 0.1 and (undone := project.undo("anna", f"u{seed}-{revision}")):
            os.write(acknowledged, f"{undone.revision} 0 undo\n".encode())


def kills(number: int) -> Tally:
    """Kill a process that writes, again and again, and look for everything that it has acknowledged."""
    tally = Tally("kill -9 while labels are written: none is lost")
    rng = random.Random(0)
    total = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "p.ptag"
        make(path).close()
        for seed in range(number):
            lines = _killed(lambda pipe, seed=seed: keep_writing(path, pipe, seed), 0.05 + rng.random() * 0.3)
            total += len(lines)
            tally.add(_lost(path, [line.split() for line in lines]))
    if not total:
        tally.fail("nothing was acknowledged before a kill")
    tally.note = f"{total:,} acknowledged changes"
    return tally


def _killed(work: Callable[[int], None], seconds: float) -> list[str]:
    """Let a child work for some time and kill it; return the whole lines that it has written to its pipe."""
    reader, writer = os.pipe()
    pid, result = start(lambda: work(writer))
    os.close(writer)
    time.sleep(seconds)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(result)
    with os.fdopen(reader, encoding="utf-8") as pipe:
        return [line for line in pipe if line.endswith("\n")]


def _lost(path: Path, lines: list[list[str]]) -> str | None:
    with Project.open(path) as project:
        if wrong := project.check():
            return f"check: {wrong[:3]}"
        found = {r.id: r for r in project.history(limit=1 << 30)}
        for revision, number, mark in lines:
            one = found.get(int(revision))
            if one is None:
                return f"revision {revision} was acknowledged and is lost"
            if mark != "undo" and (one.sentence, one.labels) != (int(number), [f"B-{mark}", "O", "O"]):
                return f"revision {revision}: expected {number} {mark}, found {one.sentence} {one.labels}"
    return None


def killed_imports(number: int) -> Tally:
    """Kill a process that imports: the whole file is there or nothing of it."""
    tally = Tally("kill -9 during an import: all or nothing")
    rng = random.Random(1)
    text = "".join(f"w{n} NN\n\n" for n in range(3000)).encode()
    seen = set()
    with tempfile.TemporaryDirectory() as folder:
        for n in range(number):
            path = Path(folder) / f"{n}.ptag"
            make(path).close()

            def work(_: int, path: Path = path) -> None:
                silent()
                Project.open(path).import_file(text, name="more", columns=["form", "pos"])
                time.sleep(10)

            _killed(work, 0.02 + rng.random() * 0.4)
            with Project.open(path) as project:
                count = project.counts().sentences
                seen.add(count)
                tally.check(count in (20, 3020) and not project.check(), f"{count} sentences")
    tally.note = f"found {sorted(seen)} sentences"
    return tally


def killed_copies(number: int) -> Tally:
    """Kill a process that copies the project: the copy is the old one or the new one."""
    tally = Tally("kill -9 while a project is copied: old copy or new")
    rng = random.Random(2)
    with tempfile.TemporaryDirectory() as folder:
        path, copy = Path(folder) / "p.ptag", Path(folder) / "copy.ptag"
        with make(path, 500) as project:
            project.backup(copy)

        def work(_: int) -> None:
            silent()
            project = Project.open(path)
            while True:
                put(project, 1, "PER", "")
                project.backup(copy)

        for _ in range(number):
            _killed(work, 0.05 + rng.random() * 0.2)
            try:
                with Project.open(copy) as project:
                    tally.check(project.check() == [], "the copy is damaged")
            except ProjectError as error:
                tally.add(str(error))
    return tally


# ------------------------------------------------------------------------------------------ full disks


def fill(path: Path) -> list[str]:
    """Label until the disk is full; return what was acknowledged, and the error as the last line."""
    lines = []
    try:
        project = Project.open(path)
        for n in range(100_000):
            number, mark = 1 + n % 20, ("PER", "LOC")[n % 2]
            lines.append(f"{put(project, number, mark, f'k{n}')} {number} {mark}")
    except ProjectError as error:
        return [*lines, f"error {error}"]
    return [*lines, "no error"]


def _judged(tally: Tally, path: Path, lines: list[str], words: tuple[str, ...]) -> None:
    is_told = lines[-1].startswith(f"error {path}") and any(word in lines[-1] for word in words)
    tally.check(is_told, f"{lines[-1]}")
    if fault := _lost(path, [line.split() for line in lines[:-1]]):
        tally.fail(fault)


def small_limits(number: int) -> Tally:
    """Limit the size of files; everything that was acknowledged before the error is there."""
    tally = Tally("a limit on the size of files: an error, nothing lost")

    def work(path: Path, size: int) -> list[str]:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        return fill(path)

    with tempfile.TemporaryDirectory() as folder:
        for n in range(number):
            path = Path(folder) / f"{n}.ptag"
            make(path).close()
            size = 40_000 + n * 10_007
            end = fork(lambda path=path, size=size: work(path, size))
            if end.fault:
                tally.add(end.fault)
            else:
                _judged(tally, path, end.value, ("disk", "full", "read or write"))
    return tally


def small_disk() -> Tally:
    """Fill a file system of 1 MiB with labels."""
    what = "a full file system: an error, nothing lost"
    with tempfile.TemporaryDirectory() as folder:
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=1m", "trust", folder], capture_output=True, text=True, check=False
        )
        if mounted.returncode:
            return not_run(what, f"no right to mount one ({mounted.stderr.strip()[-60:]})")
        try:
            tally = Tally(what)
            path = Path(folder) / "p.ptag"
            with make(path) as project:
                project.backup_path.unlink(missing_ok=True)
            project.backup_path.unlink(missing_ok=True)
            end = fork(lambda: fill(path))
            lines = end.value if not end.fault else [f"{end.fault}"]
            with tempfile.TemporaryDirectory() as room:
                copy = Path(room) / "p.ptag"
                for ending in ("", "-wal"):
                    if Path(f"{path}{ending}").exists():
                        Path(f"{copy}{ending}").write_bytes(Path(f"{path}{ending}").read_bytes())
                is_told = lines[-1].startswith(f"error {path}") and ("full" in lines[-1] or "disk" in lines[-1])
                tally.check(is_told, lines[-1])
                if fault := _lost(copy, [line.split() for line in lines[:-1]]):
                    tally.fail(fault)
            return tally
        finally:
            subprocess.run(["umount", folder], check=True)


# --------------------------------------------------------------------------------------------- damage


def sample() -> bytes:
    """Return the bytes of a project with something in every table."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "p.ptag"
        with make(path) as project:
            for n in range(1, 11):
                put(project, n, "PER", f"k{n}")
            project.undo("anna", "u")
            project.comment(1, "odd", "c", "ben")
            project.flag(2, True, "f", "ben")
            project.set_setting("x", [1, 2])
            project.add_version("sha256:0", 5)
        return path.read_bytes()


def everything(project: Project) -> list[Any]:
    """Return all that a project says."""
    target = io.BytesIO()
    project.export(target, status="all", format="columns")
    return [
        project.find(limit=1000), project.find(text="anna"), project.history(limit=1000), project.counts(),
        project.log(), project.log(5), project.pool(), project.readings(), project.labels(), project.settings,
        project.versions(), project.sources(), project.comments(1), project.next_of("random"),
        target.getvalue(), project.kind, project.column, project.seed,
    ]  # fmt: skip


def judged(data: bytes, good: bytes) -> str:
    """Open a damaged project: it must be refused, or `check` must find it, or it must say what it said before."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("bad.ptag", "good.ptag")]
        for path, content in zip(paths, (data, good), strict=True):
            path.write_bytes(content)
        try:
            with Project.open(paths[0]) as project:
                found = project.check()
                said = _said(project)
                with suppress(ConflictError):
                    put(project, 20, "PER", "new")
        except PerceptagError as error:
            return "refused" if str(paths[0]) in str(error) or "damaged" in str(error) else f"unclear: {error}"
        if found or said is None:
            return "refused"
        with Project.open(paths[1]) as project:
            return "taken" if said == _said(project) else "accepted, but it says something else"


def _said(project: Project) -> list[Any] | None:
    try:
        return everything(project)
    except PerceptagError:
        return None


def damaged(data: bytes, rng: Random) -> str:
    """Damage bytes anywhere."""
    return judged(mutate_bytes(data, rng), data)


def flipped(data: bytes, rng: Random) -> str:
    """Flip one bit."""
    wrong = bytearray(data)
    wrong[int(rng.integers(len(data)))] ^= 1 << int(rng.integers(8))
    return judged(bytes(wrong), data)


def truncated(data: bytes, rng: Random) -> str:
    """Cut the file off."""
    return judged(data[: int(rng.integers(len(data)))], data)


# ---------------------------------------------------------------------------------------------- clock


def clock() -> Tally:
    """Write while the clock jumps: the order is that of the changes."""
    tally = Tally("a clock that goes backwards")
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "p.ptag"
        with make(path) as project, mock.patch("time.time", lambda: float(rng.integers(-(10**9), 10**9))):
            for n in range(50):
                put(project, 1, ("PER", "LOC")[n % 2], f"k{n}")
                tally.check(project.sentence(1).labels == [f"B-{('PER', 'LOC')[n % 2]}", "O", "O"], f"change {n}")
            undone = [project.undo("anna", f"u{n}") for n in range(50)]
            tally.check([u.step for u in undone if u] == list(range(50, 0, -1)), "undone in another order")
            tally.check(project.check() == [], "check finds something")
    return tally
