"""Tagging a large file in parts, on threads, processes and Ray, next to `perceptag tag` on one thread: the same file.

python -m benchmarks.cluster_tagging [--data FOLDER] [--tokens MILLIONS] [--rounds N]

Wall time, best of several rounds, so it needs a machine with nothing else to do; the load is printed. Starting a
cluster of Ray and its workers is left out: it is done once for any number of files. What is written is compared.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from perceptag import Tagger
from perceptag.cluster.tagging import tag_files
from perceptag.engines.calls import Crew, Engine
from perceptag.engines.engine_names import engine
from perceptag.engines.ray_engine import start
from perceptag.system.cores import cores
from perceptag.tagging.tag_file import open_pipeline, tag_file
from perceptag.text import read_columns
from perceptag.text.formats import read

PART = 2_000_000  # bytes, so that there are enough parts for two workers
SHIPPED = Path(__file__).parents[1] / "src" / "perceptag" / "data"


def prepare(folder: Path, data: Path | None, tokens: float) -> int:
    """Train a model, and write a column file of so many tokens; return how many there are."""
    if data is None:
        sentences = list(read_columns(SHIPPED / "train.txt", ["form", "xpos", "chunk", "ner"]))
    else:
        sentences = list(read(str(data / "ewt" / "en_ewt-ud-train.conllu")))
    Tagger("pos", epochs=2, weights="averaged", labels_column="xpos").fit(
        [s.tokens for s in sentences], [s.columns["xpos"] for s in sentences]
    ).save(folder / "model")
    text = "".join("\n".join(s.tokens) + "\n\n" for s in sentences)
    size = sum(map(len, sentences))
    copies = max(1, round(tokens / size))
    with (folder / "large.txt").open("w", encoding="utf-8") as file:
        for _ in range(copies):
            file.write(text)
    return size * copies


def best(rounds: int, work: Callable[[], object]) -> float:
    """The shortest time of several rounds."""
    seconds = []
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - started)
    return min(seconds)


class Kept:
    """An engine whose workers stay for all rounds; the first round makes them."""

    def __init__(self, chosen: Engine) -> None:
        self.name = chosen.name
        self._engine = chosen
        self._crew: Crew | None = None

    def crew(self, make: Callable[[], object]) -> Crew:
        """The workers; only `end` ends them."""
        self._crew = self._crew or self._engine.crew(make)
        self.share, self.run, self.size = self._crew.share, self._crew.run, self._crew.size
        return self

    def close(self) -> None:
        """Do nothing: there is another round."""

    def end(self) -> None:
        """End the workers."""
        if self._crew:
            self._crew.close()


def in_parts(folder: Path, chosen: Engine) -> None:
    """Tag the file into a new folder, and compare it."""
    shutil.rmtree(folder / "out", ignore_errors=True)
    tag_files(str(folder / "model"), [str(folder / "large.txt")], str(folder / "out"), on=chosen, part_bytes=PART)
    assert (folder / "out" / "large.txt").read_bytes() == (folder / "alone.txt").read_bytes()


def measure(folder: Path, tokens: int, rounds: int, names: list[str]) -> None:
    """Print a table."""
    opened = open_pipeline(str(folder / "model"), allow_code=False)

    def alone() -> None:
        tag_file(opened, str(folder / "large.txt"), str(folder / "alone.txt"))

    base = best(rounds, alone)
    print(f"{tokens:,} tokens; load {os.getloadavg()[0]:.1f} on {cores()} cores")
    print("| way | workers | tokens/s | to one thread | to one worker |\n|---|---:|---:|---:|---:|")
    print(f"| perceptag tag | 1 | {tokens / base:,.0f} | 1.00 | |", flush=True)
    for name in names:
        one = 0.0
        for workers in (1, 2):
            kept = Kept(engine(name, workers))
            in_parts(folder, kept)
            found = best(rounds, lambda kept=kept: in_parts(folder, kept))  # type: ignore[misc]
            kept.end()
            one = one or found
            print(
                f"| {name} | {workers} | {tokens / found:,.0f} | {base / found:.2f} | {one / found:.2f} |", flush=True
            )


def main() -> None:
    """Make the data, start Ray if it is there, and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--tokens", type=float, default=5.0, metavar="MILLIONS")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    names = ["threads", "processes"]
    try:
        import ray

        start(ray, 2)
        names.append("ray")
    except ImportError:
        print("Ray is not installed: make setup-ray")
    with tempfile.TemporaryDirectory() as name:
        tokens = prepare(Path(name), given.data, given.tokens * 1e6)
        measure(Path(name), tokens, given.rounds, names)


if __name__ == "__main__":
    main()
