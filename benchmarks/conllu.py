"""CoNLL-U next to column files: CPU time of reading and of tagging the same text, the best of some rounds.

    PERCEPTAG_DATA=… python -m benchmarks.conllu [--rounds 5]

The text is the training part of UD English EWT with all its columns. The models have the templates of `collins-pos` and
one pass, without label trigrams (first order) and with them (second order, where the search takes most of the time).
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from perceptag import Pipeline, Sentence, Tagger
from perceptag.recipe.recipe import load
from perceptag.tagging.job import TagFileOptions
from perceptag.tagging.tag_file import tag_file
from perceptag.text import read, write_columns
from perceptag.text.columns import ColumnLayout

TREEBANK = "ewt/en_ewt-ud-train.conllu"


def best(rounds: int, work: Callable[[], object]) -> float:
    """Return the CPU seconds of the fastest round."""
    seconds = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return min(seconds)


def count(path: Path) -> int:
    """Read a file and forget it; return the number of its tokens."""
    return sum(map(len, read(path)))


def train(sentences: list[Sentence], order: int, path: Path) -> Pipeline:
    """Train a model of part-of-speech tags for one pass."""
    templates = [t for t in load("collins-pos").templates if order == 2 or "y-2" not in t]
    Tagger("collins-pos", epochs=1, labels_column="xpos", templates=templates).fit(sentences).save(path)
    return Pipeline.load(path)


def measure(treebank: Path, folder: Path, rounds: int) -> Iterator[tuple[str, float]]:
    """Yield what is done, and how many tokens a second of CPU time it takes on."""
    columns = folder / "text.txt"
    sentences = list(read(treebank))
    write_columns([replace(s, layout=ColumnLayout("\t"), starts_document=False) for s in sentences], columns)
    opened = {order: train(sentences, order, folder / "model") for order in (1, 2)}
    tokens = sum(map(len, sentences))
    del sentences
    for format_, path in (("conllu", treebank), ("columns", columns)):
        yield f"read, {format_}", tokens / best(rounds, partial(count, path))
        for order, model in opened.items():
            work = partial(tag_file, model, path, folder / f"out{path.suffix}", TagFileOptions(format=format_))
            yield f"tag, {format_}, order {order}", tokens / best(rounds, work)


def main() -> None:
    """Print the speed of everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--data", default=os.environ.get("PERCEPTAG_DATA"), help="folder of the corpora")
    options = parser.parse_args()
    if not options.data:
        parser.error("name the folder of the corpora: --data, or PERCEPTAG_DATA")
    with tempfile.TemporaryDirectory() as folder:
        for name, speed in measure(Path(options.data, TREEBANK), Path(folder), options.rounds):
            print(f"{name:25}{speed:12,.0f} tokens/s", flush=True)


if __name__ == "__main__":
    main()
