"""Whatever happens while a file is written, it is the old or the new one, byte for byte; a full disk is an error."""

from __future__ import annotations

import errno
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from perceptag import DataError, Tagger
from perceptag.models import model_file as modelfile
from perceptag.system.output_files import _stem
from perceptag.training import checkpoint
from perceptag.training.train import Training
from trust import native_code as native
from trust import samples
from trust.children import fork, silent, start
from trust.counts import Tallies, Tally, not_run

Save = Callable[[str, int], None]  # writes the first or the second content
PATIENCE = 5  # times the number of kills, at most, until one has come during a save and both contents have been seen


def check(quick: bool) -> Tallies:
    """Try kills, failing system calls and full disks."""
    savers = make_savers()
    with tempfile.TemporaryDirectory() as folder:
        for name, save in savers.items():
            yield kills(Path(folder) / name, name, save, 40 if quick else 500)
    yield leftovers(savers["model"])
    yield from in_a_process_with_the_shim()
    yield full_devices(savers)
    yield small_limits(savers, quick)
    yield small_disk(savers)


def make_savers() -> dict[str, Save]:
    """Return functions that write what perceptag writes: models, checkpoints, tagged text."""
    data = list(samples.sentences(30))
    taggers = [Tagger(recipe="collins-np", epochs=epochs).fit(data) for epochs in (1, 3)]
    trainings = [
        Training(taggers[0].resolved_recipe().replace({"epochs": n, "labels.column": "label"}), data) for n in (1, 3)
    ]
    for training in trainings:
        list(training.run())
    from perceptag.text import write_columns

    return {
        "model": lambda path, which: (modelfile.save(taggers[which].model_, path), None)[1],
        "checkpoint": lambda path, which: checkpoint.write(trainings[which], path),
        "text": lambda path, which: write_columns(data[: 10 + 20 * which], path),
    }


def contents(save: Save, folder: Path) -> tuple[bytes, bytes]:
    """Return both contents as they are when nothing goes wrong."""
    path = folder / "whole"
    found = []
    for which in (0, 1):
        save(str(path), which)
        found.append(path.read_bytes())
    path.unlink()
    return found[0], found[1]


# ---------------------------------------------------------------------------------------------- kills


def kills(folder: Path, name: str, save: Save, number: int) -> Tally:
    """Kill a child that saves one content over the other, again and again."""
    tally = Tally(f"kill -9 while a {name} is saved over another one")
    folder.mkdir()
    rng = random.Random(0)
    whole = contents(save, folder)
    path = folder / "m"
    save(str(path), 0)

    def keep_saving() -> None:
        silent()
        while True:
            for which in (1, 0):
                save(str(path), which)

    left = 0
    seen = set()
    longest = 0.03
    while tally.tried < number or ((len(seen) < 2 or not left) and tally.tried < PATIENCE * number):
        if tally.tried >= number:
            longest *= 1.1  # on a busy machine the child begins later
        pid, reader = start(keep_saving)
        time.sleep(0.002 + rng.random() * longest)
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        os.close(reader)
        found = path.read_bytes()
        seen.add(found)
        tally.check(found in whole, "the file is neither the old nor the new one")
        if not os.WIFSIGNALED(status) or os.WTERMSIG(status) != signal.SIGKILL:
            tally.fail(f"the child ended by itself, with status {status}")
        left = max(left, len(list(folder.iterdir())) - 1)
    save(str(path), 0)
    if len(seen) < len(whole) or not left:
        tally.fail(f"no kill came during a save: {len(seen)} contents were found, {left} temporary files")
    if [p.name for p in folder.iterdir()] != ["m"]:
        tally.fail(f"left over after the next save: {sorted(p.name for p in folder.iterdir())}")
    tally.note = f"at most {left} temporary file left, which the next save removes"
    return tally


def leftovers(save: Save) -> Tally:
    """Check that the next save removes what a killed one has left, but not what a living one is writing."""
    tally = Tally("leftovers are removed, files being written are not")
    for _ in range(20):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / ".hidden.tmp").write_bytes(b"of somebody else")
            reader, writer = os.pipe()

            def hold(folder: Path = folder, writer: int = writer) -> None:
                from perceptag.system.output_files import open_output

                with open_output(folder / "m") as stream:
                    stream.write(b"half")
                    stream.flush()
                    os.write(writer, b"x")
                    time.sleep(60)

            pid, result = start(hold)
            os.read(reader, 1)
            save(str(folder / "m"), 0)
            tally.check(len(list(folder.iterdir())) == 3, "the file of a living process was removed")
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            for end in (reader, writer, result):
                os.close(end)
            save(str(folder / "m"), 1)
            names = sorted(p.name for p in folder.iterdir())
            tally.check(names == [".hidden.tmp", "m"], f"left: {names}")
    return tally


# --------------------------------------------------------------------------------------- system calls

SYSTEM_CALLS = {
    "write": (native.WRITE, (errno.ENOSPC, errno.EIO)),
    "short write": (native.SHORT_WRITE, (0,)),
    "sync": (native.SYNC, (errno.EIO, errno.ENOSPC)),
    "rename": (native.RENAME, (errno.EIO, errno.ENOSPC)),
    "open": (native.OPEN, (errno.ENOSPC, errno.EMFILE)),
    "chmod": (native.MODE, (errno.EPERM,)),
    "close": (native.CLOSE, (errno.EIO,)),
}


def in_a_process_with_the_shim() -> Iterator[Tally]:
    """Let every system call of a save fail in turn."""
    command = [sys.executable, "-m", "trust.saving"]
    env = native.environment(preload=str(native.shim()), PYTHONPATH=str(samples.ROOT))
    done = subprocess.run(command, cwd=samples.ROOT, env=env, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode:
        tally = Tally("every system call of a save fails in turn")
        tally.add(f"status {done.returncode}: {done.stderr[-1500:]}")
        yield tally
        return
    for line in done.stdout.splitlines():
        yield Tally(**json.loads(line))


def failing_calls(savers: dict[str, Save]) -> Iterator[Tally]:
    """Do that in the process that has the shim."""
    failing = native.Failing()
    for call, (kind, errors) in SYSTEM_CALLS.items():
        tally = Tally(f"every {call} of a save fails in turn")
        for name, save in savers.items():
            with tempfile.TemporaryDirectory() as folder:
                whole = contents(save, Path(folder))
                for error in errors:
                    _sweep(tally, failing, kind, error, save, Path(folder) / name, whole)
        yield tally
    yield removals(failing, savers)


def removals(failing: native.Failing, savers: dict[str, Save]) -> Tally:
    """Let removals fail: a leftover that stays is not an error, and the first error is the one that is raised."""
    tally = Tally("every removal fails, in a save that succeeds or fails")
    for name, save in savers.items():
        with tempfile.TemporaryDirectory() as folder:
            whole = contents(save, Path(folder))
            path = Path(folder) / name
            for error in (errno.EIO, errno.EACCES):
                path.write_bytes(whole[0])
                path.with_name(f"{_stem(path)}0123456789abcdef.tmp").write_bytes(b"of the dead")
                failing.arm(native.UNLINK, -1, error)
                raised = _attempt(save, path)
                calls = failing.disarm()
                fine = calls and not raised and path.read_bytes() == whole[1]
                tally.check(bool(fine), f"{name}, {os.strerror(error)}: {calls} removals, {raised or 'no error'}")
                for kind in (native.WRITE, native.SYNC, native.RENAME):
                    path.write_bytes(whole[0])
                    failing.arm(kind, 1, error, also=native.UNLINK)
                    raised = _attempt(save, path)
                    failing.disarm()
                    fine = raised.startswith(str(path)) and path.read_bytes() == whole[0]
                    tally.check(fine, f"{name}, {os.strerror(error)}, call of kind {kind}: {raised or 'no error'}")
    return tally


def _attempt(save: Save, path: Path) -> str:
    """Save the second content; return the error that it raises, or ""."""
    try:
        save(str(path), 1)
    except DataError as problem:
        return str(problem)
    except Exception as problem:
        return f"{type(problem).__name__}: {problem}"
    return ""


def _sweep(
    tally: Tally, failing: native.Failing, kind: int, error: int, save: Save, path: Path, whole: tuple[bytes, bytes]
) -> None:
    for n in range(1, 1000):
        path.write_bytes(whole[0])
        failing.arm(kind, n, error)
        raised = _attempt(save, path)
        calls = failing.disarm()
        if calls < n:  # there are no more calls of this kind
            if n == 1:
                tally.add(f"{path.name}: a save makes no such call, or the shim does not see it")
            return
        found = path.read_bytes()
        where = f"{path.name}, call {n}, {os.strerror(error) if error else 'cut short'}"
        tally.check(found in whole, f"{where}: neither the old nor the new file")
        # After a short write the rest is written again, and nothing is wrong; every other failure must be reported.
        expected = found == whole[1] and not raised if kind == native.SHORT_WRITE else raised.startswith(str(path))
        if not expected:
            tally.fail(f"{where}: {raised or 'no error'}")
        names = [p.name for p in path.parent.iterdir()]
        if names != [path.name]:
            tally.fail(f"{where}: left {names}")
    tally.fail("a thousand calls, and no end")


# ------------------------------------------------------------------------------------------ full disk


def full_devices(savers: dict[str, Save]) -> Tally:
    """Check that a full device is an error, in Python and on the command line."""
    tally = Tally("a full device raises")
    for name, save in savers.items():
        for which in (0, 1):
            tally.add(_must_refuse(lambda save=save, which=which: save("/dev/full", which), name))
    words = ["train", "-r", "collins-np", "--train", str(samples.CORPUS / "dev.txt"), "--no-dev", "--epochs", "1"]
    words += ["--columns", "form,pos,chunk,ner", "--label", "chunk"]
    for command in ([*words, "-m", "/dev/full"], ["list"]):
        with Path("/dev/full").open("wb") as full:
            out = full if command == ["list"] else subprocess.DEVNULL
            done = subprocess.run(
                [sys.executable, "-m", "perceptag", *command], stdout=out, stderr=subprocess.PIPE, check=False
            )
        tally.check(done.returncode == 2 and b"No space left" in done.stderr, f"{command}: {done.stderr!r:.300}")
    return tally


def _must_refuse(save: Callable[[], None], name: str) -> str | None:
    try:
        save()
    except DataError as error:
        told = any(word in str(error) for word in ("No space left", "File too large"))
        return None if told else f"{name}: {error}"
    return f"{name}: no error"


def small_limits(savers: dict[str, Save], quick: bool) -> Tally:
    """Limit the size of files to many different numbers of bytes."""
    tally = Tally("a limit on the size of files, at many sizes")

    def attempt(save: Save, path: Path, size: int) -> str | None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        return _must_refuse(lambda: save(str(path), 1), f"{size} bytes")

    with tempfile.TemporaryDirectory() as folder:
        for name, save in savers.items():
            old, new = contents(save, Path(folder))
            path = Path(folder) / name
            path.write_bytes(old)
            for i in range(10 if quick else 100):
                size = len(new) * i // (10 if quick else 100)
                end = fork(lambda save=save, path=path, size=size: attempt(save, path, size))
                tally.add(end.fault or end.value)
                if path.read_bytes() != old:
                    tally.fail(f"{name}: the old file has changed")
    return tally


def small_disk(savers: dict[str, Save]) -> Tally:
    """Save to a full file system of 64 KiB."""
    what = "a full file system"
    with tempfile.TemporaryDirectory() as folder:
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=64k", "trust", folder], capture_output=True, text=True, check=False
        )
        if mounted.returncode:
            return not_run(what, f"no right to mount one ({mounted.stderr.strip()[-60:]})")
        try:
            return _fill(Tally(what), savers, Path(folder))
        finally:
            subprocess.run(["umount", folder], check=True)


def _fill(tally: Tally, savers: dict[str, Save], folder: Path) -> Tally:
    for name, save in savers.items():
        path = folder / name
        for old in (b"", b"old O\n\n"):  # columns, which text may replace
            path.write_bytes(old)
            with _filled(folder):
                tally.add(_must_refuse(lambda save=save, path=path: save(str(path), 1), name))
            if path.read_bytes() != old or len(list(folder.iterdir())) != 1:
                tally.fail(f"{name}: the old file has changed, or something is left")
        path.unlink()
    return tally


@contextmanager
def _filled(folder: Path) -> Iterator[Any]:
    ballast = folder / "ballast"
    try:
        with ballast.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(4096))
    except OSError:
        yield
    finally:
        ballast.unlink()


if __name__ == "__main__":
    for found in failing_calls(make_savers()):
        print(json.dumps(found.to_dict()), flush=True)
