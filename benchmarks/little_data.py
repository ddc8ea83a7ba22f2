"""How much labelled data is worth, with and without word classes: learning curves.

    python -m benchmarks.little_data --data FOLDER --classes FILE --out FILE.jsonl [--seeds 0,1] [--sizes 250,500]
        [--plot FOLDER]

Names (UNER) and parts of speech (EWT) by the recipe `auto`, trained on some sentences of the training data without any
dev data, as one who has little data would, and measured on all of the dev data. Which documents are taken is drawn by
the seed. Finished runs in FILE.jsonl are not done again.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from perceptag import Sentence, Tagger, evaluate
from perceptag.system.plot import Series, lines
from perceptag.text.documents import split_documents
from perceptag.text.formats import read

SIZES = "250,500,1000,2000,4000,0"  # sentences; 0: all
WITHOUT, WITH = "without classes", "with classes"


@dataclass(frozen=True)
class Corpus:
    """Files and what they hold."""

    title: str
    train: str
    dev: str
    columns: tuple[str, ...] | None
    label: str
    score: str


CORPORA = {
    "names": Corpus("Names (UNER)", "uner/en_ewt.train", "uner/en_ewt.dev", ("form", "ner"), "ner", "F1"),
    "tags": Corpus(
        "Parts of speech (EWT)", "ewt/en_ewt-ud-train.conllu", "ewt/en_ewt-ud-dev.conllu", None, "xpos", "accuracy"
    ),
}


def drawn(sentences: list[Sentence], size: int, seed: int) -> list[Sentence]:
    """The first `size` sentences of the documents in an order drawn by the seed."""
    if not size:
        return sentences
    documents = split_documents(sentences)
    random.Random(seed).shuffle(documents)
    return [sentence for document in documents for sentence in document][:size]


def run(corpus: Corpus, size: int, seed: int, classes: str, folder: Path) -> dict[str, Any]:
    """Train on some sentences and measure on the dev data."""
    train, dev = (list(read(str(folder / name), columns=corpus.columns)) for name in (corpus.train, corpus.dev))
    settings: dict[str, Any] = {"labels.column": corpus.label, "seed": seed} | ({"classes": classes} if classes else {})
    some = drawn(train, size, seed)
    started = time.process_time()
    tagger = Tagger(**settings).fit(some)
    seconds = time.process_time() - started
    report = evaluate([s.columns[corpus.label] for s in dev], tagger.predict(dev))
    return {"sentences": len(some), "score": report.main_score[1], "seconds": seconds}


def curves(results: list[dict[str, Any]], name: str) -> dict[str, list[tuple[float, float]]]:
    """The mean scores by number of sentences, with and without classes."""
    found: dict[str, list[tuple[float, float]]] = {}
    for system in (WITHOUT, WITH):
        mine = [r for r in results if (r["corpus"], r["system"]) == (name, system)]
        sizes = sorted({r["sentences"] for r in mine})
        found[system] = [(n, mean(r["score"] for r in mine if r["sentences"] == n)) for n in sizes]
    return found


def table(results: list[dict[str, Any]]) -> str:
    """One row for each corpus and number of sentences."""
    rows = ["| corpus | sentences | without classes | with classes | seeds |", "|---|---|---|---|---|"]
    for name, corpus in CORPORA.items():
        found = curves(results, name)
        after = dict(found[WITH])
        for n, score in found[WITHOUT]:
            seeds = sum((r["corpus"], r["system"], r["sentences"]) == (name, WITH, n) for r in results)
            rows.append(f"| {corpus.title} | {n:.0f} | {score:.2f} | {after.get(n, float('nan')):.2f} | {seeds} |")
    return "\n".join(rows)


def plot(results: list[dict[str, Any]], folder: Path) -> None:
    """Write one plot for each corpus."""
    for name, corpus in CORPORA.items():
        series = [Series(system, points) for system, points in curves(results, name).items() if points]
        svg = lines(series, title=corpus.title, x="labelled sentences", y=corpus.score, log_x=True)
        (folder / f"little-data-{name}.svg").write_text(svg)


def main() -> None:
    """Run what is missing, print the table, write the plots."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--classes", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seeds", default="0,1")
    parser.add_argument("--sizes", default=SIZES)
    parser.add_argument("--plot", type=Path)
    given = parser.parse_args()
    results = [json.loads(line) for line in given.out.read_text().splitlines()] if given.out.exists() else []
    done = {(r["corpus"], r["system"], r["size"], r["seed"]) for r in results}
    for seed in map(int, given.seeds.split(",")):
        for size in map(int, given.sizes.split(",")):
            for name, corpus in CORPORA.items():
                for system, classes in ((WITHOUT, ""), (WITH, given.classes)):
                    if (name, system, size, seed) in done:
                        continue
                    found = run(corpus, size, seed, classes, given.data)
                    results.append({"corpus": name, "system": system, "size": size, "seed": seed, **found})
                    with given.out.open("a") as stream:
                        stream.write(json.dumps(results[-1]) + "\n")
    print(table(results))
    if given.plot:
        plot(results, given.plot)


if __name__ == "__main__":
    main()
