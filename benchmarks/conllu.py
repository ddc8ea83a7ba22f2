"""CoNLL-U next to column files: CPU time of reading and of tagging the same text, the best of some rounds.

    PERCEPTAG_DATA=… python -m benchmarks.conllu [--rounds 5]

The text is the training part of UD English EWT; the model has the recipe `collins-pos` and one pass.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from perceptag import Pipeline, Tagger
from perceptag.tagging.file import tag_file
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


def main() -> None:
    """Print a table: what is done, tokens per second of CPU time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--data", default=os.environ.get("PERCEPTAG_DATA"), help="folder of the corpora")
    options = parser.parse_args()
    if not options.data:
        parser.error("name the folder of the corpora: --data, or PERCEPTAG_DATA")
    treebank = Path(options.data, TREEBANK)
    with tempfile.TemporaryDirectory() as folder:
        columns, model = Path(folder, "text.txt"), Path(folder, "model")
        sentences = list(read(treebank))
        write_columns([replace(s, layout=ColumnLayout("\t"), starts_document=False) for s in sentences], columns)
        Tagger("collins-pos", epochs=1, labels_column="xpos").fit(sentences).save(model)
        opened = Pipeline.load(model)
        tokens = sum(map(len, sentences))
        del sentences
        out = {path: Path(folder, f"out{path.suffix}") for path in (treebank, columns)}
        print(f"{tokens} tokens")
        for name, path in (("conllu", treebank), ("columns", columns)):
            print(f"read {name}: {tokens / best(options.rounds, lambda p=path: count(p)):,.0f} tokens/s")
            seconds = best(options.rounds, lambda p=path, f=name: tag_file(opened, p, out[p], format=f))
            print(f"tag {name}: {tokens / seconds:,.0f} tokens/s")


if __name__ == "__main__":
    main()
