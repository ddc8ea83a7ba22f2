"""Learning by shards next to serial training: accuracy on dev data, and how much two threads save.

    python -m benchmarks.shards --data FOLDER --out FILE.jsonl [--only "EWT pos"] [--seeds 0,1,2] [--shards 2,8]
    python -m benchmarks.shards --data FOLDER --out FILE.jsonl --size 500     # on 500 sentences
    python -m benchmarks.shards --data FOLDER --out FILE.jsonl --shuffled     # training documents in random order
    python -m benchmarks.shards --data FOLDER --threads        # seconds of a pass with one and with two threads

Both sides run the same recipe with the same seed, shuffled, all passes, averaged weights; the score is that of the last
pass, so nothing is chosen on the data that gives it. Finished runs in FILE.jsonl are not done again. CoNLL-2000 has no
dev data: the last tenth of its training data takes its place.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from statistics import mean
from typing import Any

from perceptag import Sentence, Tagger
from perceptag.evaluation.comparison import compare
from perceptag.text.documents import split_documents
from perceptag.text.formats import read

PLAIN: dict[str, Any] = {"weights": "averaged", "shuffle": True, "recall": 0, "inner_folds": 0, "margins": 1}
PASSES = 12
PASSES_ON_PART = 16


@dataclass(frozen=True)
class Case:
    """A recipe and its data."""

    recipe: str
    train: str
    dev: str  # empty: the last tenth of the training data
    columns: tuple[str, ...] | None
    label: str


CASES = {
    "EWT pos": Case("pos", "ewt/en_ewt-ud-train.conllu", "ewt/en_ewt-ud-dev.conllu", None, "xpos"),
    "CoNLL-2003 margin-ner": Case(
        "margin-ner", "conll2003/eng.train", "conll2003/eng.testa", ("form", "pos", "chunk", "ner"), "ner"
    ),
    "CoNLL-2000 chunk": Case("chunk", "conll2000/train.txt", "", ("form", "pos", "chunk"), "chunk"),
    "CoNLL-2003 ner": Case("ner", "conll2003/eng.train", "conll2003/eng.testa", ("form", "pos", "chunk", "ner"), "ner"),
    "UNER ner": Case("ner", "uner/en_ewt.train", "uner/en_ewt.dev", ("form", "ner"), "ner"),
}


def data_of(case: Case, folder: Path) -> tuple[list[Sentence], list[Sentence]]:
    """Training and dev data."""
    train = list(read(str(folder / case.train), columns=case.columns))
    if case.dev:
        return train, list(read(str(folder / case.dev), columns=case.columns))
    cut = len(train) * 9 // 10
    return train[:cut], train[cut:]


def tagger_of(case: Case, seed: int, shards: int, threads: int = 1, passes: int = PASSES) -> Tagger:
    """A tagger that is not trained yet."""
    known = Tagger(case.recipe).resolved_recipe()
    settings: dict[str, Any] = {key: value for key, value in PLAIN.items() if getattr(known, key) != value}
    own: dict[str, Any] = {"epochs": passes, "threads": threads, "labels_column": case.label, "shards": shards}
    return Tagger(case.recipe, seed=seed, **own, **settings)


@cache
def labelled(
    case: Case, seed: int, shards: int, folder: Path, size: int, is_shuffled: bool
) -> tuple[list[list[str]], float]:
    """Train; the labels of the dev data, and the CPU seconds. `size`: on that number of sentences."""
    train, dev = data_of(case, folder)
    if is_shuffled:
        documents = split_documents(train)
        random.Random(7).shuffle(documents)
        train = [sentence for document in documents for sentence in document]
    if size:
        first = min(len(train) * (seed % 3) // 3, len(train) - size)
        train = train[first : first + size]
    started = time.process_time()
    tagger = tagger_of(case, seed, shards, passes=PASSES_ON_PART if size else PASSES).fit(train)
    seconds = time.process_time() - started
    return tagger.predict(dev), seconds


def run(case: Case, seed: int, shards: int, folder: Path, size: int = 0, is_shuffled: bool = False) -> dict[str, Any]:
    """Train serially and by shards, and compare both on the dev data."""
    gold = [s.columns[case.label] for s in data_of(case, folder)[1]]
    (serial, one), (mixed, other) = (labelled(case, seed, number, folder, size, is_shuffled) for number in (1, shards))
    found = compare(gold, serial, mixed, rounds=1)
    return {"serial": found.a, "mixed": found.b, "interval": found.interval, "seconds": [one, other]}


def table(results: Sequence[dict[str, Any]]) -> str:
    """One row for each recipe."""
    head = (
        "| recipe | shards | seeds | serial | shards, mixed | difference | 95 % intervals of the seeds | CPU seconds |"
    )
    rows = [head, "|---|---|---|---|---|---|---|---|"]
    for name, shards in dict.fromkeys((r["case"], r["shards"]) for r in results):
        mine = [r for r in results if (r["case"], r["shards"]) == (name, shards)]
        serial, mixed = mean(r["serial"] for r in mine), mean(r["mixed"] for r in mine)
        intervals = ", ".join("{:+.2f} to {:+.2f}".format(*r["interval"]) for r in mine)
        seconds = " / ".join(f"{mean(r['seconds'][i] for r in mine):.0f}" for i in (0, 1))
        cells = [name, str(shards), str(len(mine)), f"{serial:.2f}", f"{mixed:.2f}", f"{mixed - serial:+.2f}"]
        rows.append(f"| {' | '.join([*cells, intervals, seconds])} |")
    return "\n".join(rows)


def passes_by_threads(folder: Path, shards: int) -> str:
    """The best of several passes with one and with two threads, in turn."""
    from perceptag.recipe.recipe import load
    from perceptag.training.train import Training

    rows = ["| recipe | shards | 1 thread, s a pass | 2 threads | ratio |", "|---|---|---|---|---|"]
    for name, case in CASES.items():
        train, _ = data_of(case, folder)
        own: dict[str, Any] = {"labels.column": case.label, "shards": shards, "epochs": 6, "shuffle": True}
        recipe = load(case.recipe).replace(own)
        runs = {n: Training(recipe, train, threads=n).trainer for n in (1, 2)}
        best = dict.fromkeys(runs, float("inf"))
        for epoch in range(1, 7):
            for n, trainer in runs.items():
                started = time.perf_counter()
                trainer.learn_epoch(epoch)
                best[n] = min(best[n], time.perf_counter() - started)
        rows.append(f"| {name} | {shards} | {best[1]:.2f} | {best[2]:.2f} | {best[1] / best[2]:.2f} |")
    return "\n".join(rows)


def main() -> None:
    """Run what is missing, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--seeds", default="0,1,2")
    parser.add_argument("--shards", default="8")
    parser.add_argument("--size", type=int, default=0)
    parser.add_argument("--shuffled", action="store_true")
    parser.add_argument("--threads", action="store_true")
    given = parser.parse_args()
    if given.threads:
        print(passes_by_threads(given.data, int(given.shards)))
        return
    results = [json.loads(line) for line in given.out.read_text().splitlines()] if given.out.exists() else []
    done = {(r["case"], r["shards"], r["seed"]) for r in results}
    numbers = given.seeds, ",".join(CASES), given.shards
    for seed, name, shards in product(*(some.split(",") for some in numbers)):
        run_is = {"case": name, "shards": int(shards), "seed": int(seed)}
        if tuple(run_is.values()) not in done and given.only in ("", name):
            found = run(CASES[name], int(seed), int(shards), given.data, given.size, given.shuffled)
            results.append({**run_is, **found})
            with given.out.open("a") as stream:
                stream.write(json.dumps(results[-1]) + "\n")
    print(table(results))


if __name__ == "__main__":
    main()
