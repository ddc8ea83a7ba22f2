"""Training on more data than memory: makes a corpus of millions of tokens, trains on it, and measures the memory.

    python -m benchmarks.large_corpus --data FOLDER --make TMP --millions 10 [--on threads] [--workers 2] [--limit 4]

The corpus is EWT again and again. In each copy a few words are changed into words of that copy alone, so that the
vocabulary and the features grow with the data. It is written once, into TMP, as column files of a million tokens.
The memory is that of the process and all its children together, read twice a second: what they have to themselves
(anonymous pages), and with it the pages of mapped files, which the system may drop. With --limit, in GB, the run ends
in an error if the first of them has gone beyond it.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import numpy as np

from perceptag.text.formats import read

CHANGED = 0.01  # share of the words that are made new
FILE = 1_000_000  # tokens
SETTINGS = ("shards=16", "mixes=16", "shuffle=true", "support=gold", "cutoff=2")
# The templates of the recipe collins-pos, without those of three labels.
TEMPLATES = (
    *("form[-2..2]", "prefix1[0]", "prefix2[0]", "prefix3[0]", "prefix4[0]", "suffix1[0]", "suffix2[0]", "suffix3[0]"),
    *("suffix4[0]", "digit[0]", "upper[0]", "hyphen[0]", "bias * y-1 y0"),
)


def make_corpus(source: Path, target: Path, tokens: int) -> list[Path]:
    """Write copies of a treebank with new words into files, those that are not there yet."""
    target.mkdir(parents=True, exist_ok=True)
    wanted = [target / f"large-{number:04}.txt" for number in range(tokens // FILE)]
    if all(path.exists() for path in wanted):
        return wanted
    copies = _copies(_lines(source))
    for path in wanted:
        size, part = 0, path.with_suffix(".part")
        with part.open("w") as stream:
            while size < FILE:
                lines = next(copies)
                stream.writelines(lines)
                size += len(lines)
        part.rename(path)
    return wanted


def _lines(source: Path) -> list[str]:
    """The tokens of a treebank as lines of a column file; the last one of a sentence with the empty line after it."""
    lines: list[str] = []
    for s in read(str(source)):
        words = zip(s.columns["form"], s.columns["xpos"], strict=True)
        lines += [f"{form.replace(' ', '_')} {tag}\n" for form, tag in words]
        lines[-1] += "\n"
    return lines


def _copies(lines: list[str]) -> Iterator[list[str]]:
    rng = np.random.default_rng(0)
    for number in count():
        copy = list(lines)
        for i in rng.choice(len(lines), int(CHANGED * len(lines)), replace=False).tolist():
            form, _, rest = copy[i].partition(" ")
            copy[i] = f"{form}{number:x}{rng.integers(4096):x} {rest}"
        yield copy


class Watch(threading.Thread):
    """Reads the memory of a process and its children, twice a second."""

    def __init__(self, process: int) -> None:
        super().__init__(daemon=True)
        self.process, self.own, self.all, self.processes, self.over = process, 0, 0, 0, threading.Event()

    def run(self) -> None:
        """Keep the largest sums until told to stop."""
        while not self.over.wait(0.5):
            found = [_memory(process) for process in _tree(self.process)]
            self.own = max(self.own, sum(own for own, _ in found))
            self.all = max(self.all, sum(every for _, every in found))
            self.processes = max(self.processes, len(found))


def _tree(process: int) -> list[int]:
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
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


def measure(files: list[Path], dev: Path, on: str, workers: int, passes: int) -> dict[str, object]:
    """Train, and measure time and memory."""
    with tempfile.TemporaryDirectory() as folder:
        recipe = Path(folder) / "large.toml"
        recipe.write_text(f"templates = {json.dumps(TEMPLATES)}\n")
        command = [
            *(sys.executable, "-m", "perceptag", "train", "--on", on, "--threads", str(workers), "--label", "tag"),
            *("--train", str(files[0].parent / "large-*.txt"), "--columns", "form,tag", "--recipe", str(recipe)),
            *("--dev", str(dev), "--model", f"{folder}/large.model", "--json"),
            *(word for setting in SETTINGS for word in ("--set", setting)),
            *("--set", f"epochs={passes}"),
        ]
        started = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        watch = Watch(process.pid)
        watch.start()
        output, _ = process.communicate()
        watch.over.set()
        if process.returncode:
            raise SystemExit(process.returncode)
        outcome = json.loads(output)
        return {
            "on": on,
            "workers": workers,
            "files": len(files),
            "seconds": round(time.perf_counter() - started, 1),
            "CPU seconds": round(sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]), 1),
            "passes": [round(report["seconds"], 1) for report in outcome["passes"]],
            "dev": outcome["dev_score"],
            "model MB": round(Path(f"{folder}/large.model").stat().st_size / 1e6, 1),
            "most memory GB": round(watch.own / 2**30, 2),
            "with mapped files GB": round(watch.all / 2**30, 2),
            "processes": watch.processes,
            "sha256": outcome["sha256"],
        }


def main() -> None:
    """Make the corpus, train, print one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--make", type=Path, required=True)
    parser.add_argument("--millions", type=int, default=10)
    parser.add_argument("--on", default="threads")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--limit", type=float, default=0.0)
    given = parser.parse_args()
    folder = given.make / f"{given.millions}M"
    files = make_corpus(given.data / "ewt/en_ewt-ud-train.conllu", folder, given.millions * FILE)
    dev = folder / "dev.col"
    if not dev.exists():
        _write_dev(given.data / "ewt/en_ewt-ud-dev.conllu", dev)
    found = measure(files, dev, given.on, given.workers, given.passes)
    print(json.dumps({"millions": given.millions, **found}))
    if given.limit and float(str(found["most memory GB"])) > given.limit:
        raise SystemExit(f"expected at most {given.limit} GB, found {found['most memory GB']}")


def _write_dev(source: Path, target: Path) -> None:
    target.write_text("".join(_lines(source)))


if __name__ == "__main__":
    main()
