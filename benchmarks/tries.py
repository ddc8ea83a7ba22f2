"""Small changes of the recipes `ner` and `chunk`, next to the recipes as they are: gains of F1 over several seeds.

    python -m benchmarks.tries --data FOLDER --out FILE.jsonl --only "wikigold; BTC" --tries "base; orders 3" [--seeds 1,2,3]
    python -m benchmarks.tries --data FOLDER --out FILE.jsonl --table

Each run trains for ten passes with one margin, keeps the averaged weights and chooses nothing, so the dev data is only
measured: as a whole, or for CoNLL-2000, which has none, the last fifth of the training data. Finished runs in FILE.jsonl
are not done again. With `--whole` the recipe makes all its choices, on every other document of the dev data, and the rest
is measured. The table shows the F1 of `base`, the gain of the others, and its standard error over the seeds.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from benchmarks.defaults import CONLL2003, CORPORA, PHRASES, Corpus
from perceptag import Sentence, Tagger, evaluate
from perceptag.models.confident import halves_of
from perceptag.recipe.recipe import load
from perceptag.text.formats import read

PLAIN = {"epochs": 10, "margins": 1, "weights": "averaged", "recall": 0, "inner_folds": 0}
HELD_OUT = 5  # one part in five

ALL = CORPORA | {
    "CoNLL-2003, first 3000": Corpus(*CONLL2003, first=3000),
    "CoNLL-2000": Corpus("conll2000/train.txt", "", ("form", "pos", "chunk"), PHRASES),
}
TRIES: dict[str, dict[str, Any]] = {
    "base": {},
    "dropout 0.1": {"dropout": 0.1},
    "dropout 0.2": {"dropout": 0.2},
    "dropout 0.3": {"dropout": 0.3},
    "dropout 0.5": {"dropout": 0.5},
    "dropout 0.7": {"dropout": 0.7},
    "orders 3": {"orders": 3},
    "orders 3, dropout 0.2": {"orders": 3, "dropout": 0.2},
    "margin30": {"margin": 30},
    "margin120": {"margin": 120},
    "trigrams": {"add": ["form[-2] form[-1] form[0]", "form[-1] form[0] form[1]", "form[0] form[1] form[2]"]},
    "pos4": {"add": ["pos[-3]", "pos[3]", "pos[-2] pos[-1] pos[0] pos[1]", "pos[-1] pos[0] pos[1] pos[2]"]},
    "second": {"add": ["bias * y-2 y-1 y0"]},
    "oneshard": {"shards": 1},
    "lower": {"add": ["lower[-1..1]", "lower.suffix2..4[-1]", "lower.suffix2..4[1]"]},
    "edges": {"add": ["pos[0] * y-1 y0", "pos[-1] pos[0] * y-1 y0"]},
}


def data_of(corpus: Corpus, folder: Path) -> tuple[list[Sentence], list[Sentence]]:
    """Return what is trained on and what is measured on."""
    train = list(read(str(folder / corpus.train), columns=corpus.columns))
    if not corpus.dev:
        cut = len(train) - len(train) // HELD_OUT
        return train[:cut], train[cut:]
    return train[: corpus.first or None], list(read(str(folder / corpus.dev), columns=corpus.columns))


def run(corpus: Corpus, settings: dict[str, Any], seed: int, folder: Path, is_whole: bool) -> dict[str, Any]:
    """Train and score one try on one corpus. `is_whole`: choose what the recipe chooses, on half of the dev data."""
    train, dev = data_of(corpus, folder)
    chosen_on, dev = ([dev[i] for i in half] for half in halves_of(dev)) if is_whole else (None, dev)
    assert corpus.columns
    label, recipe = corpus.columns[-1], "chunk" if corpus.systems is PHRASES else "ner"
    fixed: dict[str, Any] = {"labels.column": label, "seed": seed, **({} if is_whole else PLAIN)}
    own = dict(settings)
    if add := own.pop("add", None):
        own["templates"] = [*load(recipe).templates, *add]
    started = time.process_time()
    tagger = Tagger(recipe, **(fixed | own)).fit(train, dev=chosen_on)
    seconds = time.process_time() - started
    report = evaluate([s.columns[label] for s in dev], tagger.predict(dev))
    return {"score": report.main_score[1], "seconds": seconds}


def table(results: list[dict[str, Any]]) -> str:
    """Return a row for each try of each corpus."""
    scores = {(r["corpus"], r["try"], r["seed"]): r for r in results}
    rows = ["| corpus | try | seeds | F1 | gain | standard error | CPU seconds |", "|---|---|---|---|---|---|---|"]
    for corpus in dict.fromkeys(r["corpus"] for r in results):
        for name in dict.fromkeys(r["try"] for r in results if r["corpus"] == corpus):
            mine = {s: r for (c, t, s), r in scores.items() if (c, t) == (corpus, name)}
            both = [r["score"] - scores[corpus, "base", s]["score"] for s, r in mine.items() if (corpus, "base", s) in scores]
            gain = f"{mean(both):+.2f}" if both and name != "base" else ""
            error = f"{stdev(both) / len(both) ** 0.5:.2f}" if gain and len(both) > 1 else ""
            seeds, f1, seconds = sorted(mine), *(mean(r[k] for r in mine.values()) for k in ("score", "seconds"))
            rows.append(f"| {corpus} | {name} | {seeds} | {f1:.2f} | {gain} | {error} | {seconds:.0f} |")
    return "\n".join(rows)


def main() -> None:
    """Run what is missing, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--tries", default="base")
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--whole", action="store_true", help="with all choices of the recipe, on half of the dev data")
    parser.add_argument("--table", action="store_true")
    given = parser.parse_args()
    results = [json.loads(line) for line in given.out.read_text().splitlines()] if given.out.exists() else []
    done = {(r["corpus"], r["try"], r["seed"]) for r in results}
    for seed in map(int, () if given.table else given.seeds.split(",")):
        for corpus in filter(None, map(str.strip, given.only.split(";"))):
            for name in map(str.strip, given.tries.split(";")):
                if (corpus, name, seed) in done:
                    continue
                found = run(ALL[corpus], TRIES[name], seed, given.data, given.whole)
                results.append({"corpus": corpus, "try": name, "seed": seed, **found})
                with given.out.open("a") as stream:
                    stream.write(json.dumps(results[-1]) + "\n")
    print(table(results))


if __name__ == "__main__":
    main()
