"""Small changes of the recipes `ner` and `chunk`, next to the recipes as they are: gains of F1 over several seeds.

    python -m benchmarks.tries --data FOLDER --out FILE.jsonl --only "wikigold; BTC" --tries "base; orders 3"
    python -m benchmarks.tries --data FOLDER --out FILE.jsonl --table

Each run trains for ten passes with one margin, keeps the averaged weights and chooses nothing, so dev data are only
measured: as a whole, or for CoNLL-2000, which has none, the last fifth of the training data. With `--choose outside`
there is also F1 with the score of O that one half of the dev data chooses for the other. With `--choose all` the recipe
makes all its choices on one half of the dev data, and the other half is measured; with `--choose other` the other way
round. There are neither dropout nor features of whole spans unless a try names them: `ner` had none when these tries
were made.

Finished runs in FILE.jsonl are not done again. The table shows F1, and the gain over `base`, or over the try that
`--over` names, with the same seeds, and its standard error over the seeds. With `--only` it also has the mean of these
corpora.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from benchmarks.defaults import CONLL2003, CORPORA, PHRASES, Corpus
from perceptag import Sentence, Tagger, evaluate
from perceptag.models.confident import halves_of
from perceptag.models.kinds import make_ready
from perceptag.models.model_file import to_bytes
from perceptag.recipe.common_settings import SPAN_TEMPLATES
from perceptag.recipe.recipe import load
from perceptag.text.documents import split_documents
from perceptag.text.formats import read
from perceptag.training.outside import adjust

AS_IT_WAS: dict[str, Any] = {"dropout": 0, "spans.longest": 0, "spans.templates": ()}
PLAIN = {"epochs": 10, "margins": 1, "weights": "averaged", "recall": 0, "inner_folds": 0}
HELD_OUT = 5  # one part in five
FOLDS = 5
OUTSIDE, WHOLE, OTHER = "outside", "all", "other"  # what half of the dev data chooses, and which half

ALL = CORPORA | {
    "CoNLL-2003, first 3000": Corpus(*CONLL2003, first=3000),
    "CoNLL-2000": Corpus("conll2000/train.txt", "", ("form", "pos", "chunk"), PHRASES),
}
NO_WORD_INSIDE = [template for template in SPAN_TEMPLATES if "[any]" not in template]
FEW_SPANS = load("ner").spans_templates
TRIES: dict[str, dict[str, Any]] = {
    "base": {},
    "dropout 0.1": {"dropout": 0.1},
    "dropout 0.2": {"dropout": 0.2},
    "dropout 0.3": {"dropout": 0.3},
    "dropout 0.5": {"dropout": 0.5},
    "dropout 0.7": {"dropout": 0.7},
    "orders 3": {"orders": 3},
    "orders 3, dropout 0.2": {"orders": 3, "dropout": 0.2},
    "spans 8": {"spans.longest": 8},
    "spans 6": {"spans.longest": 6},
    "spans 8, dropout 0.1": {"spans.longest": 8, "dropout": 0.1},
    "spans 8 without any, dropout 0.1": {"spans.longest": 8, "spans.templates": NO_WORD_INSIDE, "dropout": 0.1},
    "few spans 8, dropout 0.1": {"spans.longest": 8, "spans.templates": FEW_SPANS, "dropout": 0.1},
    "history": {
        "history": True,
        "add": ["history[-1..1]", "history[0] shortshape[0]", "history[-1] history[0]", "history[0] history[1]"],
    },
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


def run(corpus: Corpus, settings: dict[str, Any], seed: int, folder: Path, how: str) -> dict[str, Any]:
    """Train and score one try on one corpus."""
    train, dev = data_of(corpus, folder)
    chosen_on = None
    if how in (WHOLE, OTHER):
        halves = [[dev[i] for i in half] for half in halves_of(dev)]
        chosen_on, dev = halves if how == WHOLE else halves[::-1]
    assert corpus.columns
    label, recipe = corpus.columns[-1], "chunk" if corpus.systems is PHRASES else "ner"
    fixed: dict[str, Any] = {"labels.column": label, "seed": seed, **AS_IT_WAS, **({} if chosen_on else PLAIN)}
    own = dict(settings)
    if own.pop("history", False):
        train, dev = with_history(train, dev, label, fixed)
    started = time.process_time()
    tagger = Tagger(recipe, **(fixed | own)).fit(train, dev=chosen_on)
    seconds = time.process_time() - started
    started = time.process_time()
    labels = tagger.predict(dev)
    tagging = time.process_time() - started
    report = evaluate([s.columns[label] for s in dev], labels)
    cost = {
        "seconds": seconds,
        "speed": sum(len(s.tokens) for s in dev) / tagging,
        "megabytes": len(to_bytes(tagger.model_)[0]) / 1e6,
    }
    chosen = {"chosen": chosen_score(tagger, dev, label)} if how == OUTSIDE else {}
    return {"score": report.main_score[1], **chosen, **cost}


def with_history(
    train: list[Sentence], dev: list[Sentence], label: str, settings: dict[str, Any]
) -> tuple[list[Sentence], list[Sentence]]:
    """Add a column with what a first model says of the other mentions of a word in its document.

    After Ratinov and Roth (2009) and Krishnan and Manning (2006). The training data is labelled by models of the other
    four fifths of its documents.
    """
    fold_of = {id(s): number % FOLDS for number, document in enumerate(split_documents(train)) for s in document}
    labels: dict[int, list[str]] = {}
    for fold in range(FOLDS):
        first = Tagger("ner", **settings).fit([s for s in train if fold_of[id(s)] != fold])
        held = [s for s in train if fold_of[id(s)] == fold]
        labels |= zip(map(id, held), first.predict(held), strict=True)
    labels |= zip(map(id, dev), Tagger("ner", **settings).fit(train).predict(dev), strict=True)
    both = []
    for part in (train, dev):
        found: list[Sentence] = []
        for document in split_documents(part):
            said: dict[str, Counter[str]] = defaultdict(Counter)
            for s in document:
                for word, y in zip(s.tokens, labels[id(s)], strict=True):
                    said[word.lower()][y[2:] or "O"] += 1
            for s in document:
                values = [_of_others(said[w.lower()], y, w) for w, y in zip(s.tokens, labels[id(s)], strict=True)]
                columns = {name: s.columns[name] for name in s.columns if name != label}
                columns |= {"history": values, label: s.columns[label]}
                found.append(Sentence(columns, starts_document=s.starts_document))
        both.append(found)
    return both[0], both[1]


def _of_others(said: Counter[str], own: str, word: str) -> str:
    """Return the most frequent class of the other mentions of a capitalised word, and whether all have it."""
    others = said - Counter([own[2:] or "O"])
    if not word[:1].isupper() or not others:
        return "none"
    most = min(others, key=lambda y: (-others[y], y))
    return most if len(others) == 1 else f"{most}?"


def chosen_score(tagger: Tagger, dev: list[Sentence], label: str) -> float:
    """Return F1 with the score of O that one half of the dev data chooses for the other; the mean of both ways."""
    halves = [[dev[i] for i in half] for half in halves_of(dev)]
    found = []
    for here, there in (halves, halves[::-1]):
        ready = make_ready(tagger.model_)
        adjust(ready, here, [s.columns[label] for s in here], 1)
        found.append(evaluate([s.columns[label] for s in there], ready.tag(there)).main_score[1])
    return mean(found)


def means(results: list[dict[str, Any]], corpora: list[str]) -> list[dict[str, Any]]:
    """Return the mean over corpora of each try and seed that all of them have."""
    found: dict[tuple[str, int], list[dict[str, Any]]] = defaultdict(list)
    for result in results:
        if result["corpus"] in corpora:
            found[result["try"], result["seed"]].append(result)
    return [
        {"corpus": f"mean of {len(some)}", "try": name, "seed": seed}
        | {key: mean(r[key] for r in some) for key in ("score", "seconds")}
        for (name, seed), some in found.items()
        if len(some) == len(corpora)
    ]


def table(results: list[dict[str, Any]], over: str = "base") -> str:
    """Return a row for each try of each corpus, with its gain over one of the tries."""
    scores = {(r["corpus"], r["try"], r["seed"]): r for r in results}
    head = "corpus | try | seeds | F1 | gain | with the score of O chosen | gain | CPU seconds | words/s | MB"
    rows = [f"| {head} |", "|---" * 10 + "|"]
    for corpus, name in dict.fromkeys((r["corpus"], r["try"]) for r in results):
        mine = {s: r for (c, t, s), r in scores.items() if (c, t) == (corpus, name)}
        base = {s: scores[corpus, over, s] for s in mine if name != over and (corpus, over, s) in scores}
        cells = [corpus, name, " ".join(map(str, sorted(mine)))]
        for key in ("score", "chosen"):
            known = {s: r[key] for s, r in mine.items() if key in r}
            cells += [
                f"{mean(known.values()):.2f}" if known else "",
                gain({s: known[s] - base[s][key] for s in known if s in base}),
            ]
        cells.append(f"{mean(r['seconds'] for r in mine.values()):.1f}")
        cells += [_highest(mine.values(), "speed", ",.0f"), _highest(mine.values(), "megabytes", ".2f")]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def _highest(results: Iterable[dict[str, Any]], key: str, form: str) -> str:
    """Return the highest figure of several runs: what disturbs a measurement makes it slower."""
    known = [result[key] for result in results if key in result]
    return format(max(known), form) if known else ""


def gain(of: dict[int, float]) -> str:
    """Return a mean gain, with its standard error over the seeds."""
    error = f" ({stdev(of.values()) / len(of) ** 0.5:.2f})" if len(of) > 1 else ""
    return f"{mean(of.values()):+.2f}{error}" if of else ""


Settings = Callable[[str, Corpus, Path], dict[str, Any]]  # of a try, by its name, on a corpus of a folder


def main() -> None:
    """Run what is missing, and print the table."""
    run_all(options(__doc__).parse_args(), lambda name, *_: TRIES[name])


def options(description: str | None) -> argparse.ArgumentParser:
    """Return the options of a series of tries."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--tries", default="base")
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--choose", default="", choices=("", OUTSIDE, WHOLE, OTHER))
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--over", default="base", help="the try that gains are over")
    return parser


def run_all(given: argparse.Namespace, settings: Settings) -> None:
    """Run the tries that are missing, and print the table."""
    results = [json.loads(line) for line in given.out.read_text().splitlines()] if given.out.exists() else []
    done = {(r["corpus"], r["try"], r["seed"]) for r in results}
    corpora = [name.strip() for name in given.only.split(";") if name.strip()]
    for seed in map(int, () if given.table else given.seeds.split(",")):
        for corpus in corpora:
            for name in map(str.strip, given.tries.split(";")):
                if (corpus, name, seed) in done:
                    continue
                own = settings(name, ALL[corpus], given.data)
                found = run(ALL[corpus], own, seed, given.data, given.choose)
                results.append({"corpus": corpus, "try": name, "seed": seed, **found})
                with given.out.open("a") as stream:
                    stream.write(json.dumps(results[-1]) + "\n")
    print(table(results + means(results, corpora), given.over))


if __name__ == "__main__":
    main()
