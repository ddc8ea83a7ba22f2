"""Training and tagging on more data than memory: generated text of millions of tokens, time and memory by phase.

    python -m benchmarks.large_corpus --make TMP --millions 10 [--on threads] [--workers 2] [--limit 4] [--tag 100]

The text is that of `benchmarks.generate`, whose vocabulary grows as that of English text does. It is written once, into
TMP, as column files of a million tokens. The memory is that of the process and all its children together, read four
times a second: what they have to themselves (anonymous pages), and with it the pages of mapped files, which the system
may drop. With --limit, in GB, the run ends in an error if the first of them has gone beyond it. With --tag, the model
then tags so many millions of tokens: the files again and again, through pipes, so nothing is kept.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from benchmarks.generate import write
from benchmarks.phase_marks import START

FILE = 1_000_000  # tokens
LABELS, DEV = 45, 20_000  # tokens of the dev data, whose seed no training file has
SETTINGS = ("shards=16", "shuffle=true", "support=gold", "cutoff=2")
# The templates of the recipe collins-pos, without those of three labels.
TEMPLATES = (
    *("form[-2..2]", "prefix1[0]", "prefix2[0]", "prefix3[0]", "prefix4[0]", "suffix1[0]", "suffix2[0]", "suffix3[0]"),
    *("suffix4[0]", "digit[0]", "upper[0]", "hyphen[0]", "bias * y-1 y0"),
)
TAGGED = 1 << 20  # bytes of a read


def make_corpus(target: Path, millions: int) -> list[Path]:
    """Write the files that are not there yet."""
    target.mkdir(parents=True, exist_ok=True)
    wanted = [target / f"large-{number:04}.txt" for number in range(millions)]
    for number, path in enumerate(wanted):
        if not path.exists():
            part = path.with_suffix(".part")
            write(part, FILE, LABELS, seed=number + 1)
            part.rename(path)
    return wanted


class Watch(threading.Thread):
    """Reads the memory of a process and its children, and the names of its phases."""

    def __init__(self, process: int, phases: int | None = None) -> None:
        super().__init__(daemon=True)
        self.process, self.phases, self.over = process, phases, threading.Event()
        self.own = self.all = self.processes = 0
        self.by_phase: dict[str, int] = defaultdict(int)
        self.seconds: dict[str, float] = defaultdict(float)
        self._phase = START

    def run(self) -> None:
        """Keep the largest sums until told to stop."""
        if self.phases is not None:
            threading.Thread(target=self._read_phases, daemon=True).start()
        while not self.over.wait(0.25):
            found = [_memory(process) for process in _tree(self.process)]
            own = sum(own for own, _ in found)
            self.own, self.all = max(self.own, own), max(self.all, sum(every for _, every in found))
            self.processes = max(self.processes, len(found))
            self.by_phase[self._phase] = max(self.by_phase[self._phase], own)

    def _read_phases(self) -> None:
        assert self.phases is not None
        began = time.perf_counter()
        with os.fdopen(self.phases) as lines:
            for line in lines:
                now = time.perf_counter()
                self.seconds[self._phase] += now - began
                self._phase, began = line.strip(), now

    def found(self) -> dict[str, object]:
        """The figures."""
        phases = {
            phase: {"GB": _gigabytes(self.by_phase.get(phase, 0)), "seconds": round(seconds, 1)}
            for phase, seconds in self.seconds.items()
        }
        most = {"most memory GB": _gigabytes(self.own), "with mapped files GB": _gigabytes(self.all)}
        return {**most, "processes": self.processes} | ({"phases": phases} if phases else {})


def _gigabytes(size: int) -> float:
    return round(size / 2**30, 2)


def _tree(process: int) -> list[int]:
    try:
        tasks = [task.name for task in Path(f"/proc/{process}/task").iterdir()]
        children = [c for task in tasks for c in Path(f"/proc/{process}/task/{task}/children").read_text().split()]
    except OSError:
        return []
    return [process, *(p for child in children for p in _tree(int(child)))]


def _memory(process: int) -> tuple[int, int]:
    """Anonymous memory, and all of it, in bytes."""
    try:
        lines = dict(line.split(":", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines())
    except OSError:
        return 0, 0
    anonymous, every = (int(lines.get(name, "0 kB").split()[0]) * 1024 for name in ("RssAnon", "VmRSS"))
    return anonymous, every


def measure(folder: Path, on: str, workers: int, passes: int) -> dict[str, object]:
    """Train on all files of a folder; time and memory. The model stays there."""
    recipe, model = folder / "large.toml", folder / "large.model"
    recipe.write_text(f"templates = {json.dumps(TEMPLATES)}\n")
    reading, writing = os.pipe()
    command = [
        *(sys.executable, "-m", "benchmarks.phase_marks", str(writing)),
        *("train", "--on", on, "--threads", str(workers), "--label", "tag"),
        *("--train", str(folder / "large-*.txt"), "--columns", "form,tag", "--recipe", str(recipe)),
        *("--dev", str(folder / "dev.col"), "--model", str(model), "--overwrite", "--restart", "--json"),
        *(word for setting in SETTINGS for word in ("--set", setting)),
        *("--set", f"epochs={passes}"),
    ]
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, pass_fds=[writing])
    os.close(writing)
    watch = Watch(process.pid, reading)
    watch.start()
    output, _ = process.communicate()
    watch.over.set()
    if process.returncode:
        raise SystemExit(process.returncode)
    outcome = json.loads(output)
    return {
        **{"on": on, "workers": workers, "seconds": round(time.perf_counter() - started, 1)},
        "CPU seconds": round(sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]), 1),
        "passes": [round(report["seconds"], 1) for report in outcome["passes"]],
        "dev": outcome["dev_score"],
        "model MB": round(model.stat().st_size / 1e6, 1),
        **watch.found(),
        "sha256": outcome["sha256"],
    }


def tag(files: Sequence[Path], millions: int, model: Path, threads: int) -> dict[str, object]:
    """Tag the files again and again; time and memory."""
    words = [sys.executable, "-m", "perceptag", "tag", "--model", str(model), "--threads", str(threads), "-q"]
    started = time.perf_counter()
    with subprocess.Popen(
        [*words, "--columns", "form,tag"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    ) as process:
        watch = Watch(process.pid)
        watch.start()
        assert process.stdin is not None
        for path in islice(cycle(files), millions):
            with path.open("rb") as stream:
                while data := stream.read(TAGGED):
                    process.stdin.write(data)
        process.stdin.close()
    watch.over.set()
    if process.returncode:
        raise SystemExit(process.returncode)
    seconds = time.perf_counter() - started
    speed = {"seconds": round(seconds, 1), "tokens/s": round(millions * FILE / seconds)}
    return {"tagged millions": millions, **speed, **watch.found()}


def main() -> None:
    """Make the corpus, train, print one line of JSON; tag, print another."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--make", type=Path, required=True)
    parser.add_argument("--millions", type=int, default=10)
    parser.add_argument("--on", default="threads")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--limit", type=float, default=0.0)
    parser.add_argument("--tag", type=int, default=0)
    given = parser.parse_args()
    folder = given.make / f"{given.millions}M"
    files = make_corpus(folder, given.millions)
    write(folder / "dev.col", DEV, LABELS, seed=0)
    found: list[dict[str, Any]] = [measure(folder, given.on, given.workers, given.passes)]
    print(json.dumps({"millions": given.millions, **found[0]}), flush=True)
    if given.tag:
        found.append(tag(files, given.tag, folder / "large.model", given.workers))
        print(json.dumps(found[1]), flush=True)
    most = max(one["most memory GB"] for one in found)
    if given.limit and most > given.limit:
        raise SystemExit(f"expected at most {given.limit} GB, found {most}")


if __name__ == "__main__":
    main()
