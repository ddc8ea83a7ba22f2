"""Do the defaults hold on data that they were not tuned on? `auto` next to other recipes and settings.

    python -m benchmarks.defaults --data FOLDER --out FILE.jsonl [--only "wikigold; BTC"] [--seeds 0,1,2]
    python -m benchmarks.defaults --data FOLDER --rivals build/defaults [--rounds 5] [--docs]

Everything that is chosen is chosen on every other document of the dev data; scores are of the rest. Finished runs in
FILE.jsonl are not done again. The table is printed at the end, and `--table` prints it without running anything.

With `--rivals` the recipes `pos`, `chunk` and `ner` are compared with other taggers (see default_rivals.py).
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks import default_rivals
from perceptag import Sentence, Tagger, evaluate
from perceptag.models.confident import halves_of
from perceptag.text.formats import read

LAST = {"weights": "last", "margin": 1, "margin_local": 1, "recall": 0}
FORMER = {"weights": "averaged", "margins": 1, "recall": 0}
Systems = dict[str, tuple[str, dict[str, Any]]]  # recipe and settings, by name

NAMES: Systems = {
    "auto": ("auto", {}),
    "ner, averaged": ("ner", FORMER),
    "ner, last, margin 1": ("ner", LAST),
    "basic-ner, averaged": ("basic-ner", {"weights": "averaged", "recall": 0}),
    "crf, features of ner": ("crf", {"features": "ner", "gazetteer": "train", "labels.scheme": "IOBES"}),
}
PHRASES: Systems = {
    "auto": ("auto", {}),
    "chunk, averaged": ("chunk", FORMER),
    "chunk, last": ("chunk", {"weights": "last", "recall": 0}),
    "crf, features of chunk": ("crf", {"features": "chunk"}),
}
TAGS: Systems = {
    "auto": ("auto", {}),
    "pos, averaged": ("pos", {"weights": "averaged"}),
    "pos, last": ("pos", {"weights": "last"}),
    "shen-pos": ("shen-pos", {}),
}


@dataclass(frozen=True)
class Corpus:
    """Files, their columns, and what is compared on them."""

    train: str
    dev: str
    columns: tuple[str, ...] | None
    systems: Systems = field(default_factory=lambda: NAMES)
    label: str = ""
    first: int = 0  # only this many sentences of the training data


CONLL2003 = ("conll2003/eng.train", "conll2003/eng.testa", ("form", "pos", "chunk", "ner"))
CORPORA = {
    "wikigold": Corpus("wikigold/train.txt", "wikigold/dev.txt", ("form", "ner")),
    "UNER": Corpus("uner/en_ewt.train", "uner/en_ewt.dev", ("form", "ner")),
    "BTC": Corpus("btc/train.txt", "btc/dev.txt", ("form", "ner")),
    "CoNLL-2003, first 300": Corpus(*CONLL2003, first=300),
    "CoNLL-2003, first 1000": Corpus(*CONLL2003, first=1000),
    "CoNLL-2003": Corpus(*CONLL2003),
    "CoNLL-2002 es": Corpus("conll2002/esp.train", "conll2002/esp.testa", ("form", "pos", "ner")),
    "CoNLL-2002 nl": Corpus("conll2002/ned.train", "conll2002/ned.testa", ("form", "pos", "ner")),
    "CoNLL-2000": Corpus("conll2000/train.txt", "conll2000/test.txt", ("form", "pos", "chunk"), PHRASES),
    "EWT XPOS": Corpus("ewt/en_ewt-ud-train.conllu", "ewt/en_ewt-ud-dev.conllu", None, TAGS, "xpos"),
}


def run(corpus: Corpus, system: str, seed: int, folder: Path) -> dict[str, Any]:
    """Train and score one system on one corpus."""
    recipe, settings = corpus.systems[system]
    train, dev = (_read(folder / name, corpus) for name in (corpus.train, corpus.dev))
    train = train[: corpus.first or None]
    chosen_on, measured_on = ([dev[i] for i in half] for half in halves_of(dev))
    label = corpus.label or (corpus.columns or ("",))[-1]
    started = time.process_time()
    tagger = Tagger(recipe, seed=seed, **{"labels.column": label, **settings}).fit(train, dev=chosen_on)
    seconds = time.process_time() - started
    gold = [s.columns[label] for s in measured_on]
    report = evaluate(gold, tagger.predict(measured_on))
    low, high = report.interval or (0.0, 0.0)
    return {"score": report.main_score[1], "error": (high - low) / 3.92, "seconds": seconds}


def _read(path: Path, corpus: Corpus) -> list[Sentence]:
    return list(read(str(path), columns=corpus.columns))


def wanted(only: Sequence[str], seeds: Sequence[int]) -> Iterator[tuple[str, str, int]]:
    """All runs, one seed after the other, small corpora first. A CRF has no seed."""
    for seed in seeds:
        for name, corpus in CORPORA.items():
            if only and name not in only:
                continue
            for system in corpus.systems:
                if seed == seeds[0] or not system.startswith("crf"):
                    yield name, system, seed


def table(results: Sequence[dict[str, Any]]) -> str:
    """One row for each system of each corpus."""
    rows = ["| corpus | system | score, mean | seeds | standard error | CPU seconds |", "|---|---|---|---|---|---|"]
    for name, corpus in CORPORA.items():
        for system in corpus.systems:
            mine = [r for r in results if (r["corpus"], r["system"]) == (name, system)]
            if mine:
                scores = [r["score"] for r in mine]
                error = math.sqrt(mean(r["error"] ** 2 for r in mine))
                seconds = mean(r["seconds"] for r in mine)
                rows.append(f"| {name} | {system} | {mean(scores):.2f} | {len(mine)} | {error:.2f} | {seconds:.0f} |")
    return "\n".join(rows)


def main() -> None:
    """Parse the command line and do what it asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    todo = parser.add_mutually_exclusive_group(required=True)
    todo.add_argument("--out", type=Path)
    todo.add_argument("--rivals", type=Path, metavar="FOLDER", help="compare with other taggers; models stay here")
    parser.add_argument("--only", default="")
    parser.add_argument("--seeds", default="0,1,2")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--rounds", type=int, default=5, help="of tagging, with --rivals")
    parser.add_argument("--trained", action="store_true", help="with --rivals: only systems that are trained already")
    parser.add_argument("--docs", action="store_true", help="with --rivals: write into docs/measurements")
    given = parser.parse_args()
    if given.rivals:
        folder = given.rivals.resolve()
        if not given.table:
            default_rivals.compare(given.data, folder, given.rounds, not given.trained)
        print(default_rivals.show(folder, given.docs))
    else:
        check(given)


def check(given: argparse.Namespace) -> None:
    """Run what is missing, and print the table."""
    results = [json.loads(line) for line in given.out.read_text().splitlines()] if given.out.exists() else []
    done = {(r["corpus"], r["system"], r["seed"]) for r in results}
    only = [name.strip() for name in given.only.split(";") if name.strip()]
    for name, system, seed in wanted(only, [int(seed) for seed in given.seeds.split(",")]):
        if given.table or (name, system, seed) in done:
            continue
        result = {"corpus": name, "system": system, "seed": seed, **run(CORPORA[name], system, seed, given.data)}
        results.append(result)
        with given.out.open("a") as stream:
            stream.write(json.dumps(result) + "\n")
    print(table(results))


if __name__ == "__main__":
    main()
