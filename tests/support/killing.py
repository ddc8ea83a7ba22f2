"""Tag a file in parts while workers and drivers are killed at random, and compare with the file tagged alone.

``python tests/support/killing.py --kills 20 --on ray`` is the long form of what the tests do with a few kills.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

PARTS = 100


def kill_at_random(folder: Path, model: Path, text: str, *, on: str, kills: int, seed: int) -> Counter[str]:
    """Kill so many times, run again each time, and check the output; return what was killed how often."""
    chance, killed = random.Random(seed), Counter[str]()
    source, out = folder / "large.txt", folder / "out"
    source.write_text(text)
    size = source.stat().st_size / PARTS / 1e6
    tag = [sys.executable, "-m", "perceptag", "tag", "-q", "-m", str(model), str(source)]
    subprocess.run([*tag, "-o", str(folder / "alone.txt")], check=True)
    command = [*tag, "--out-dir", str(out), "--on", on, "-j", "2", "--part-size", f"{size:.6f}"]
    while True:
        driver = subprocess.Popen(command)
        try:
            while sum(killed.values()) < kills and driver.poll() is None:
                what = chance.choice(["driver", "worker", "worker"])
                if _some_parts_later(driver, out / "_parts.jsonl", chance.randrange(1, 2 * PARTS // (kills + 1) + 1)):
                    killed[what] += _kill(driver, what, chance)
            _below(driver.pid)
            status = driver.wait()
        finally:
            _end(driver)
        if status == 0:
            break
        assert status == -signal.SIGKILL, f"exit status {status}"
    _check(folder, out, source)
    return killed


def _check(folder: Path, out: Path, source: Path) -> None:
    found = sorted(path.name for path in out.rglob("*"))
    assert found == ["_SUCCESS.json", "_parts.jsonl", source.name], found
    assert (out / source.name).read_bytes() == (folder / "alone.txt").read_bytes(), "the output differs"


def _some_parts_later(driver: subprocess.Popen[bytes], journal: Path, parts: int) -> bool:
    """Wait until so many more parts are done; False if the driver has ended."""

    def lines() -> int:
        return journal.read_bytes().count(b"\n") if journal.exists() else 0

    until = lines() + parts
    while driver.poll() is None:
        if lines() >= until:
            return True
        time.sleep(0.005)
    return False


def _kill(driver: subprocess.Popen[bytes], what: str, chance: random.Random) -> int:
    """Kill the driver or one of its workers; return how many were killed."""
    below = _below(driver.pid)
    if what == "driver":
        driver.kill()
        driver.wait()
        return 1
    workers = [pid for pid in below if b"ray::_Actor" in _command(pid) or b"spawn_main" in _command(pid)]
    if not workers:
        return 0
    os.kill(chance.choice(workers), signal.SIGKILL)
    return 1


_seen: dict[int, str] = {}  # processes below drivers, and when they began: a number may be used again


def _stat(pid: int) -> list[str]:
    """What the system says of a process, from its state on; nothing if it has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _below(pid: int) -> list[int]:
    """All processes that a process has started, and those that they have started."""
    stats = {int(entry.name): _stat(int(entry.name)) for entry in Path("/proc").iterdir() if entry.name.isdigit()}
    found = [pid]
    for one in found:
        found += [child for child, stat in stats.items() if stat and int(stat[1]) == one]
    _seen.update({child: stats[child][19] for child in found[1:]})
    return found[1:]


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _end(driver: subprocess.Popen[bytes]) -> None:
    """Wait until nothing is left of a driver and what it has started."""
    driver.kill()
    driver.wait()
    limit = time.monotonic() + 20
    while left := [pid for pid, began in _seen.items() if _stat(pid)[19:20] == [began] and _stat(pid)[0] != "Z"]:
        if time.monotonic() > limit:
            for pid in left:
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.05)
    _seen.clear()


def main() -> None:
    """The long form."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--on", default="ray")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--megabytes", type=float, default=20)
    arguments = parser.parse_args()
    from pipelines import pos_tagger
    from tagged_folders import WORDS

    with tempfile.TemporaryDirectory() as name:
        pos_tagger().save(Path(name) / "model")
        text = WORDS * round(arguments.megabytes * 1e6 / len(WORDS))
        started = time.monotonic()
        killed = kill_at_random(
            Path(name), Path(name) / "model", text, on=arguments.on, kills=arguments.kills, seed=arguments.seed
        )
        print(f"{dict(killed)} killed in {time.monotonic() - started:.0f} s; the output is that of one process")


if __name__ == "__main__":
    main()
