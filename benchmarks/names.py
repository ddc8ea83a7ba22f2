"""Tagging with the recipe `ner` next to python-crfsuite on the same file: CPU time, the best of some rounds.

    PERCEPTAG_DATA=… python -m benchmarks.names [--rounds 5] [--folder build/names]
    PERCEPTAG_DATA=… python -m benchmarks.names --tries "base; spans 8; few spans 8, dropout 0.1"

The text is the development part of CoNLL-2003, in documents. perceptag has a model of `ner`, with all it has: document
columns, phrases of the training data, non-local features. python-crfsuite (`ap`, 10 passes) has the 24 templates over
words that it has in `make bench`, so its features are fewer. Both models are trained once and kept in the folder.

lists   from sentences in memory to lists of labels, with a tagger that has not seen the words before
again   the same with a tagger that has seen them
file    from column file to column file, with a tagger that has not seen the words; the time of loading is not counted

With `--tries` changes of `ner` are next to each other instead, by their names in tries.py, trained as there. Each round
measures all of them, so that other work on the machine slows down all alike.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.corpora import POS_TEMPLATES, patterns_of
from benchmarks.measure import Clock
from benchmarks.systems import find
from benchmarks.task import Task, read_plain
from benchmarks.tries import AS_IT_WAS, PLAIN, TRIES
from perceptag import Pipeline, Tagger
from perceptag.tagging.job import TagFileOptions
from perceptag.tagging.tag_file import tag_file
from perceptag.text import read_columns

COLUMNS = ["form", "pos", "chunk", "ner"]
WORDS = ("form", "ner")  # the columns that python-crfsuite has
PASSES = 10  # of python-crfsuite
KINDS = ("lists", "again", "file")
Work = Callable[[], object]


def best(rounds: int, prepare: Callable[[], Work]) -> float:
    """Return the CPU seconds of the fastest round; what prepares a round is not counted."""
    seconds = []
    for _ in range(rounds):
        work = prepare()
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return min(seconds)


def ours(data: Path, folder: Path, rounds: int) -> Iterator[tuple[str, float]]:
    """Yield what perceptag does, and its time."""
    model = folder / "ner.model"
    if not model.exists():
        train, dev = (list(read_columns(data / name, COLUMNS)) for name in ("eng.train", "eng.testa"))
        Tagger("ner", labels_column="ner").fit(train, dev=dev).save(model)
    yield from times_of(model, data / "eng.testa", folder, rounds)


def times_of(model: Path, text: Path, folder: Path, rounds: int) -> Iterator[tuple[str, float]]:
    """Yield what a model does with a text, and its time."""
    sentences = list(read_columns(text, COLUMNS))

    def lists(tagger: Tagger) -> Work:
        return lambda: tagger.predict(sentences)

    def file() -> Work:
        opened = Pipeline.load(model)
        return lambda: tag_file(opened, text, folder / "ours.txt", TagFileOptions(columns=COLUMNS, replace=True))

    yield "lists", best(rounds, lambda: lists(Tagger.load(model)))
    known = Tagger.load(model)
    known.predict(sentences)
    yield "again", best(rounds, lambda: lists(known))
    yield "file", best(rounds, file)


def speeds_of(tries: list[str], data: Path, folder: Path, rounds: int) -> dict[str, dict[str, float]]:
    """Return the CPU seconds of each try, of all kinds of tagging."""
    models = {name: folder / f"{name}.model" for name in tries}
    for name, model in models.items():
        if not model.exists():
            settings: dict[str, Any] = {"labels.column": "ner", "seed": 1, **AS_IT_WAS, **PLAIN, **TRIES[name]}
            Tagger("ner", **settings).fit(list(read_columns(data / "eng.train", COLUMNS))).save(model)
    found = {name: dict.fromkeys(KINDS, math.inf) for name in tries}
    for _ in range(rounds):
        for name, model in models.items():
            for kind, seconds in times_of(model, data / "eng.testa", folder, 1):
                found[name][kind] = min(found[name][kind], seconds)
    return found


def theirs(data: Path, folder: Path, rounds: int) -> Iterator[tuple[str, float]]:
    """Yield the same of python-crfsuite."""
    train, text = (_two_columns(data / name, folder / f"{name}.txt") for name in ("eng.train", "eng.testa"))
    patterns = patterns_of(POS_TEMPLATES, WORDS)
    task = Task("names", "names", WORDS, str(train), str(text), str(text), "F1", POS_TEMPLATES, patterns)
    system, model = find("crfsuite"), folder / "crfsuite.model"
    if not model.exists():
        system.train(task, PASSES, model, Clock())
    sentences = [columns for columns, _ in read_plain(str(text), WORDS)]
    known = system.load(task, model)
    known(sentences)

    def lists() -> Work:
        tag = system.load(task, model)
        return lambda: tag(sentences)

    def file() -> Work:
        tag = system.load(task, model)

        def work() -> None:
            with (folder / "theirs.txt").open("w", encoding="utf-8") as out:
                for columns, _ in read_plain(str(text), WORDS):
                    out.writelines(f"{w}\t{y}\n" for w, y in zip(columns["form"], tag([columns])[0], strict=True))
                    out.write("\n")

        return work

    yield "lists", best(rounds, lists)
    yield "again", best(rounds, lambda: lambda: known(sentences))
    yield "file", best(rounds, file)


def _two_columns(path: Path, to: Path) -> Path:
    """Write words and labels alone, without documents."""
    with to.open("w", encoding="utf-8") as out:
        for sentence in read_columns(path, COLUMNS):
            out.writelines(f"{w}\t{y}\n" for w, y in zip(sentence.tokens, sentence.columns["ner"], strict=True))
            out.write("\n")
    return to


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("PERCEPTAG_DATA", "data")))
    parser.add_argument("--folder", type=Path, default=Path("build/names"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tries", default="")
    words = parser.parse_args()
    words.folder.mkdir(parents=True, exist_ok=True)
    data = words.data / "conll2003"
    tokens = sum(map(len, read_columns(data / "eng.testa", COLUMNS)))
    if words.tries:
        tries = [name.strip() for name in words.tries.split(";")]
        print(f"{tokens} tokens, tokens/s of CPU time\n{'':40}" + "".join(f"{kind:>12}" for kind in KINDS))
        for name, seconds in speeds_of(tries, data, words.folder, words.rounds).items():
            print(f"{name:40}" + "".join(f"{tokens / seconds[kind]:12,.0f}" for kind in KINDS))
        return
    measured = zip(ours(data, words.folder, words.rounds), theirs(data, words.folder, words.rounds), strict=True)
    print(f"{tokens} tokens, tokens/s of CPU time\n{'':8}{'perceptag':>12}{'crfsuite':>12}{'ratio':>8}")
    for (what, own), (_, other) in measured:
        print(f"{what:8}{tokens / own:12,.0f}{tokens / other:12,.0f}{other / own:8.1f}", flush=True)


if __name__ == "__main__":
    main()
