"""The chunker's decoders: the kernel by its definition, inverted index, dense index, expansion.

    python benchmarks/chunker.py --train eng.train --dev eng.testa --columns form,pos,chunk,ner

trains with the recipe carreras-ner, tags the dev data with every decoder and reports tokens per second of CPU time on
one thread; then again with only the first support vectors, up to all of them, to show how each cost grows. Without
files it uses the corpus in the package. `--plot FILE` writes the same as a drawing (SVG). A trained model can be kept
with `--model FILE`: it is read if it exists and written otherwise.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import time
from collections.abc import Callable, Sequence
from importlib import resources
from pathlib import Path

import numpy as np

from perceptag import _core
from perceptag.models import model_file as modelfile
from perceptag.models.chunker.encoder import Encoded
from perceptag.models.chunker.model import Functions, Layers
from perceptag.models.chunker.tagger import ChunkTagger
from perceptag.models.model import Model
from perceptag.recipe.recipe import load
from perceptag.text import Sentence, read
from perceptag.training.train import Training

DECODERS: dict[str, Callable[[_core.SupportVectors], _core.Scorer]] = {
    "kernel": _core.DirectKernel,
    "inverted index": lambda vectors: vectors,
    "dense index": _core.DenseIndex,
    "expansion": _core.Expansion,
}
SLOW = ("kernel",)  # measured on fewer sentences
SHARES = (0.1, 0.2, 0.4, 0.7, 1.0)
Point = tuple[int, float]  # support vectors, microseconds per token


def main() -> None:
    """Parse the command line, measure, print, draw."""
    folder = Path(str(resources.files("perceptag") / "data"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", default=str(folder / "train.txt"))
    parser.add_argument("--dev", default=str(folder / "dev.txt"))
    parser.add_argument("--columns", default="form,pos,chunk,ner")
    parser.add_argument("--model", default="")
    parser.add_argument("--plot", default="")
    options = parser.parse_args()
    columns = options.columns.split(",")
    dev = list(read(options.dev, columns=columns))
    model = find_model(options.model, options.train, columns)
    tagger = ChunkTagger(dataclasses.replace(model, recipe=model.recipe.replace({"chunker.decoder": "index"})))
    curves = {name: [measure(tagger, dev, name, share) for share in SHARES] for name in DECODERS}
    print(table(curves))
    if options.plot:
        Path(options.plot).write_text(drawing(curves), encoding="utf-8")


def find_model(path: str, train: str, columns: Sequence[str]) -> Model:
    """Return the model to measure: read it, or train and write it."""
    if path and Path(path).is_file():
        return modelfile.load(path)
    training = Training(load("carreras-ner"), list(read(train, columns=columns)))
    for report in training.run():
        print(f"pass {report.epoch}: {report.mistakes} of {report.sequences} wrong, {report.seconds:.1f} s")
    if path:
        modelfile.save(training.model(), path)
    return training.model()


def measure(tagger: ChunkTagger, dev: Sequence[Sentence], name: str, share: float) -> Point:
    """Return support vectors and CPU time per token, with the first part of the support vectors of both layers."""
    some = dev[: max(1, len(dev) // 20)] if name in SLOW else dev
    encoded = tagger.encoder.encode(some)
    functions = tagger.functions[0], tagger.functions[1]
    kept: Functions = part(functions[0], share), part(functions[1], share)
    make = DECODERS[name]
    layers = dataclasses.replace(tagger.layers, words=make(kept[0]), phrases=make(kept[1]))
    best = min(seconds(layers, encoded) for _ in range(1 if name in SLOW else 3))
    return len(kept[0]) + len(kept[1]), best * 1e6 / sum(map(len, some))


def part(vectors: _core.SupportVectors, share: float) -> _core.SupportVectors:
    """Return the first support vectors."""
    begin, ids, coefficients, _ = vectors.arrays()
    n = max(1, round(len(vectors) * share))
    made = _core.SupportVectors(vectors.features, vectors.columns, vectors.degree)
    columns = coefficients.reshape(vectors.columns, -1)[:, :n]
    made.load(begin[: n + 1].copy(), ids[: begin[n]].copy(), columns.ravel(), np.zeros(0), vectors.clock)
    return made


def seconds(layers: Layers, encoded: Encoded) -> float:
    """Return the CPU time of tagging once."""
    started = time.process_time()
    layers.recognise_all(encoded)
    return time.process_time() - started


def table(curves: dict[str, list[Point]]) -> str:
    """Return microseconds per token by number of support vectors, and tokens per second with all of them."""
    lines = ["support vectors " + "".join(f"{name:>16}" for name in curves)]
    for i, (n, _) in enumerate(next(iter(curves.values()))):
        lines.append(f"{n:>15} " + "".join(f"{points[i][1]:>13.1f} us" for points in curves.values()))
    slowest = curves["kernel"][-1][1]
    lines.append("tokens / second " + "".join(f"{1e6 / points[-1][1]:>16,.0f}" for points in curves.values()))
    lines.append("times kernel    " + "".join(f"{slowest / points[-1][1]:>16.1f}" for points in curves.values()))
    return "\n".join(lines)


def drawing(curves: dict[str, list[Point]]) -> str:
    """Return the curves as SVG with two logarithmic axes."""
    width, height, margin = 640, 400, 60
    points = [p for curve in curves.values() for p in curve]
    x_low, x_high = (math.log10(f(n for n, _ in points)) for f in (min, max))
    y_low, y_high = math.floor(math.log10(min(t for _, t in points))), math.ceil(math.log10(max(t for _, t in points)))

    def place(n: float, t: float) -> tuple[float, float]:
        x = margin + (math.log10(n) - x_low) / (x_high - x_low) * (width - 3 * margin)
        y = height - margin - (math.log10(t) - y_low) / (y_high - y_low) * (height - 2 * margin)
        return round(x, 1), round(y, 1)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">']
    parts.append('<rect width="100%" height="100%" fill="white"/>')
    for power in range(y_low, y_high + 1):
        y = place(10**x_low, 10.0**power)[1]
        parts.append(f'<path d="M{margin} {y}H{width - 2 * margin}" stroke="#ddd"/>')
        parts.append(f'<text x="{margin - 6}" y="{y + 4}" font-size="12" text-anchor="end">{10**power:g} µs</text>')
    for n, _ in next(iter(curves.values())):
        x = place(n, 10.0**y_low)[0]
        parts.append(f'<text x="{x}" y="{height - margin + 18}" font-size="12" text-anchor="middle">{n}</text>')
    for (name, curve), colour in zip(curves.items(), ("#c33", "#36c", "#393", "#a60"), strict=True):
        where = [place(n, t) for n, t in curve]
        line = " ".join(f"{x},{y}" for x, y in where)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>' for x, y in where]
        x, y = where[-1]
        parts.append(f'<text x="{x + 8}" y="{y + 4}" font-size="12" fill="{colour}">{name}</text>')
    middle = (width - margin) // 2
    parts.append(f'<text x="{middle}" y="{height - 14}" font-size="12" text-anchor="middle">support vectors</text>')
    parts.append(f'<text x="{margin}" y="30" font-size="14">CPU time per token</text></svg>')
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    main()
