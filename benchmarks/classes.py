"""Word classes: CPU time and memory of `perceptag classes`, from text to file.

    PERCEPTAG_DATA=… python -m benchmarks.classes [--sizes 64,256,800] [--words 1e8] [--noise 0.05]

Clusters the news in `unlabelled/news.txt.gz` of the data folder into each number of classes, in a process of its own
on one thread. Then it clusters a text of `--words` words into the smallest number, to see the memory: the news again
and again, with words replaced at random, so that new bigrams keep coming. `--words 0` leaves that out.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

NEWS = Path("unlabelled", "news.txt.gz")


def news() -> Path:
    """The text, in the data folder."""
    path = Path(os.environ.get("PERCEPTAG_DATA", "nowhere"), NEWS)
    if not path.is_file():
        sys.exit(f"there is no {path}; PERCEPTAG_DATA names the folder that has {NEWS}")
    return path


def noisy(lines: list[bytes], words: int, noise: float) -> Iterator[bytes]:
    """Yield the lines again and again, with some of their words replaced by any other word of the text."""
    rng = random.Random(1)
    known = sorted({word for line in lines for word in line.split()})
    while words > 0:
        for line in lines:
            found = line.split()
            for place in range(len(found)):
                if rng.random() < noise:
                    found[place] = rng.choice(known)
            yield b" ".join(found) + b"\n"
            words -= len(found)
            if words <= 0:
                return


def measure(text: Path, sizes: str, folder: Path) -> dict[str, Any]:
    """Run the command; return what it says, CPU seconds, seconds, and the peak of its memory in bytes."""
    words = [sys.executable, "-m", "perceptag", "classes", str(text), "--sizes", sizes, "-o", str(folder / "out")]
    started = time.perf_counter()
    with subprocess.Popen([*words, "-j", "1", "-q", "--json", "--restart"], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        said = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"status {process.returncode}")
    scale = 1 if sys.platform == "darwin" else 1024
    return {
        **json.loads(said),
        "cpu": used.ru_utime + used.ru_stime,
        "seconds": time.perf_counter() - started,
        "memory": used.ru_maxrss * scale,
    }


def show(found: dict[str, Any]) -> None:
    """Print one line for one run."""
    print(
        f"{found['tokens'] / 1e6:8.1f} M words  {found['types']:8} types  {found['bigrams'] / 1e6:6.2f} M bigrams  "
        f"{found['sizes'][0]:4} classes  {found['passes'][0]:2} passes  {-found['likelihood'][0]:7.3f} bits  "
        f"{found['cpu']:7.1f} s CPU  {found['memory'] / 1e6:6.0f} MB",
        flush=True,
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="64,256,800")
    parser.add_argument("--words", type=float, default=1e8)
    parser.add_argument("--noise", type=float, default=0.05)
    given = parser.parse_args()
    sizes = given.sizes.split(",")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for size in sizes:
            show(measure(news(), size, folder))
        if given.words:
            with gzip.open(news()) as stream:
                lines = stream.readlines()
            with (folder / "long.txt").open("wb") as out:
                out.writelines(noisy(lines, int(given.words), given.noise))
            del lines
            show(measure(folder / "long.txt", sizes[0], folder))


if __name__ == "__main__":
    main()
