"""Memory of streaming: `perceptag tag` reads gigabytes from a pipe; its memory is printed meanwhile.

    python -m benchmarks.stream [--bytes 2e9]

The text is never written to a file. Some words of each block are numbered, so that new words keep coming.
Status 1: memory has grown by more than a tenth between the first quarter and the end.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks import generate
from benchmarks.jobs import ROOT
from benchmarks.measure import peak_memory
from perceptag import Tagger
from perceptag.system.plot import Series, lines

BLOCK = 20_000  # tokens
MARK = b"\x01"  # a placeholder for the number of the block
NEW = 50  # one word in 50 is new
POINTS = 40
GROWTH = 1.1


@dataclass
class Sample:
    """The peak memory of the process after some amount of input."""

    read: int
    memory: int
    seconds: float


def make_model(path: Path) -> None:
    """Train a small model on generated text; only streaming matters here."""
    sentences = list(generate.sentences(BLOCK, 20, seed=1))
    X = [[word for word, _ in sentence] for sentence in sentences]
    y = [[label for _, label in sentence] for sentence in sentences]
    Tagger("collins-pos", epochs=1, templates=["form[-1..1]", "suffix3[0]", "bias * y-1 y0"]).fit(X, y).save(str(path))


def blocks() -> Iterator[bytes]:
    """Yield text without end; every block has words that no other has."""
    lines = []
    for n, (word, _) in enumerate(w for s in generate.sentences(BLOCK, 20, seed=2) for w in [*s, ("", "")]):
        lines.append(word.encode() + MARK if word and n % NEW == 0 else word.encode())
    block = b"\n".join(lines) + b"\n"
    number = 0
    while True:
        yield block.replace(MARK, b"%d" % number)
        number += 1


def stream(model: Path, total: int) -> list[Sample]:
    """Feed the process and watch its memory. Its output is discarded."""
    command = [sys.executable, "-m", "perceptag", "tag", "--quiet", "--model", str(model), "-"]
    samples: list[Sample] = []
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, cwd=ROOT) as process:
        assert process.stdin is not None
        started, written, next_sample = time.perf_counter(), 0, 0.0
        for block in blocks():
            process.stdin.write(block)
            written += len(block)
            if written >= next_sample:
                samples.append(Sample(written, peak_memory(process.pid), time.perf_counter() - started))
                print(show(samples[-1]), flush=True)
                next_sample += total / POINTS
            if written >= total:
                break
        samples.append(Sample(written, peak_memory(process.pid), time.perf_counter() - started))
        process.stdin.close()
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}: exit status {process.returncode}")
    return samples


def show(sample: Sample) -> str:
    """Return a line of the table."""
    rate = sample.read / max(sample.seconds, 1e-9)
    return f"{sample.read / 1e6:>9,.0f} MB read {sample.memory / 1e6:>8.1f} MB at most {rate / 1e6:>7.1f} MB/s"


def main() -> int:
    """Stream, print, draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bytes", type=float, default=2e9)
    parser.add_argument("--out", default="build/bench")
    words = parser.parse_args()
    out = Path(words.out)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "stream.model"
        make_model(model)
        samples = stream(model, int(words.bytes))
    (out / "stream.json").write_text(json.dumps([asdict(s) for s in samples], indent=1), encoding="utf-8")
    curve = [(s.read / 1e6, s.memory / 1e6) for s in samples]
    drawing = lines(
        [Series("perceptag tag", curve)], title="Memory of streaming", x="MB read", y="MB at most", zero=True
    )
    (out / "stream.svg").write_text(drawing, encoding="utf-8")
    early = max(s.memory for s in samples[: max(2, len(samples) // 4)])
    late = max(s.memory for s in samples)
    print(f"most in the first quarter {early / 1e6:.1f} MB, most of all {late / 1e6:.1f} MB")
    return int(late > GROWTH * early)


if __name__ == "__main__":
    sys.exit(main())
