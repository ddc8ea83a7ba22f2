"""Tagging a column of Arrow, next to `predict` on lists: tokens in a CPU second, best of several, the same labels.

python -m benchmarks.arrow --data FOLDER
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa

import perceptag.arrow
from benchmarks.corpora import POS_TEMPLATES
from perceptag import Tagger
from perceptag.text.formats import read

ROUNDS, COPIES = 5, 5


def best(work: Callable[[], object]) -> float:
    """The shortest CPU time of several rounds."""
    seconds = []
    for _ in range(ROUNDS):
        started = time.process_time()
        work()
        seconds.append(time.process_time() - started)
    return min(seconds)


def main() -> None:
    """Train two models, and print what they tag in a second."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    folder = parser.parse_args().data / "ewt"
    train = list(read(str(folder / "en_ewt-ud-train.conllu")))
    text = [s.tokens for s in train] * COPIES
    tokens = sum(map(len, text))
    column = pa.array(text)
    print("| model | Arrow, tokens/s | lists, predict | Arrow to lists, predict, to Arrow | ratio to the last |")
    print("|---|---|---|---|---|")
    for recipe, templates in (("collins-pos", POS_TEMPLATES), ("pos", None)):
        more: dict[str, Any] = {"templates": templates} if templates else {"weights": "averaged"}
        tagger = Tagger(recipe, epochs=2, labels_column="xpos", **more).fit(train)
        assert perceptag.arrow.tag(tagger, column).to_pylist() == tagger.predict(text)
        arrow = tokens / best(lambda t=tagger: perceptag.arrow.tag(t, column))  # type: ignore[misc]
        lists = tokens / best(lambda t=tagger: t.predict(text))  # type: ignore[misc]
        there = tokens / best(lambda t=tagger: pa.array(t.predict(column.to_pylist())))  # type: ignore[misc]
        print(f"| {recipe} | {arrow:,.0f} | {lists:,.0f} | {there:,.0f} | {arrow / there:.1f} |", flush=True)


if __name__ == "__main__":
    main()
