"""Names in more than a million tokens: what features of whole documents give there, and what they cost.

    python -m benchmarks.large_names --data FOLDER [--only "CoNLL-2003"] [--seeds 0,1,2]

Both sides have the settings that `auto` chooses for such data (`support = "gold"`, `cutoff = 2`, 8 passes, 8 shards):
the learner `margin`, and `ascent` with the non-local features of `ner`. Averaged weights of the last pass, so nothing
is chosen on the data that gives the score. "all" is twelve English corpora one after the other, persons, organisations
and places alone, with the dev data of four of them; the other two have fewer than a million tokens. Memory is the peak
of a process of its own for each training.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.measure import peak_memory
from benchmarks.shards import CASES, PLAIN, data_of
from perceptag import Sentence, Tagger
from perceptag.evaluation.comparison import compare
from perceptag.labels.schemes import convert, keep_types
from perceptag.recipe.recipe import load
from perceptag.text.formats import read

LARGE: dict[str, Any] = {"support": "gold", "cutoff": 2, "epochs": 8, "shards": 8}
SIDES: dict[str, dict[str, Any]] = {"margin": {"learner": "margin", "nonlocal_features": ()}, "ascent": {}}
KINDS = ("PER", "ORG", "LOC")
TRAIN = (
    *("conll2003/eng.train", "uner/en_ewt.train", "btc/train.txt", "wikigold/train.txt"),
    *(f"open/ner_en/crossner_{name}.tsv.gz" for name in ("politics", "science", "music", "literature", "ai")),
    *(f"open/ner_en/{name}.tsv.gz" for name in ("redocred_wikipedia", "tweebank_ner", "re3d_open_parts")),
)
DEV = ("conll2003/eng.testa", "uner/en_ewt.dev", "btc/dev.txt", "wikigold/dev.txt")


@dataclass(frozen=True)
class Run:
    """The labels of the dev data, CPU seconds of the training, and the peak of memory."""

    labels: list[list[str]]
    seconds: float
    memory: int


def names_in(path: Path) -> Iterator[Sentence]:
    """The words and the persons, organisations and places of a file, in IOB2."""
    for sentence in read(str(path)):
        *_, last = sentence.columns.values()
        labels = keep_types(convert(last, "IOB2", "IOB1"), KINDS)  # IOB2 read as IOB1 gives the same spans
        yield Sentence({"form": sentence.tokens, "ner": labels}, starts_document=sentence.starts_document)


def corpus(name: str, folder: Path) -> tuple[list[Sentence], list[Sentence]]:
    """Training and dev data. Each file of "all" begins with a document."""
    if name != "all":
        return data_of(CASES[f"{name} ner"], folder)
    return (
        [sentence for file in TRAIN for sentence in names_in(folder / file)],
        [sentence for file in DEV for sentence in names_in(folder / file)],
    )


def train(name: str, folder: Path, side: str, seed: int) -> Run:
    """Train, and label the dev data."""
    data, dev = corpus(name, folder)
    known = load("ner")
    plain = {key: value for key, value in PLAIN.items() if getattr(known, key) != value}
    started = time.process_time()
    tagger = Tagger("ner", labels_column="ner", seed=seed, **plain, **LARGE, **SIDES[side]).fit(data)
    seconds = time.process_time() - started
    return Run(tagger.predict(dev), seconds, peak_memory())


def alone(*given: Any) -> Run:
    """Train in a process of its own."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(train, *given).result()


def row(name: str, folder: Path, seeds: list[int]) -> str:
    """Compare both sides."""
    data, dev = corpus(name, folder)
    gold, tokens = [s.columns["ner"] for s in dev], sum(map(len, data))
    runs = [[alone(name, folder, side, seed) for side in SIDES] for seed in seeds]
    found = [compare(gold, one.labels, other.labels, rounds=1) for one, other in runs]
    a, b = mean(one.a for one in found), mean(one.b for one in found)
    intervals = ", ".join("{:+.2f} to {:+.2f}".format(*one.interval) for one in found)
    seconds = " / ".join(f"{mean(pair[k].seconds for pair in runs):.0f}" for k in (0, 1))
    memory = " / ".join(f"{max(pair[k].memory for pair in runs) / 1e9:.2f}" for k in (0, 1))
    cells = [name, f"{tokens:,}", str(len(seeds)), f"{a:.2f}", f"{b:.2f}", f"{b - a:+.2f}", intervals, seconds, memory]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", default="CoNLL-2003,UNER,all")
    parser.add_argument("--seeds", default="0,1,2")
    given = parser.parse_args()
    print("| data | tokens | seeds | margin | ascent | difference | 95 % intervals | CPU seconds | memory, GB |")
    print("|---|---:|---|---|---|---|---|---|---|")
    for name in given.only.split(","):
        print(row(name, given.data, [int(seed) for seed in given.seeds.split(",")]), flush=True)


if __name__ == "__main__":
    main()
