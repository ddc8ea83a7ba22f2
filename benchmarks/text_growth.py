"""Instructions per token at n, 2n, 4n and 8n tokens, for every kind of model and texts that repeat themselves.

    python -m benchmarks.text_growth [RECIPE ...] [--uses tag,nbest,margins] [--tokens 250]

Needs valgrind with its headers, and a C compiler for four lines that mark the beginning and the end of a measurement.
Counts do not depend on what else the machine does. The last column is the count of 8n divided by that of n: 1 if cost
is linear, 8 if it is quadratic. Sequences of up to 1,000 tokens are explained with rivals, so `explain` is quadratic
up to there.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import perceptag
from benchmarks.jobs import run
from perceptag import Sentence, Tagger
from perceptag.models.protocol import ReadyModel
from perceptag.text import read

RECIPES = {  # one of each kind, and the column that it learns
    "ner": "ner",
    "kazama-nonlocal": "ner",
    "rerank-1": "ner",
    "basic-ner": "ner",
    "pos": "pos",
    "crf": "pos",
    "maxent": "pos",
    "shen-pos": "pos",
    "carreras-ner": "ner",
}
TIMES = (1, 2, 4, 8)
UNKNOWN = [f"Unknown{i}" for i in range(100_000)]
TEXTS: dict[str, Callable[[int], list[list[str]]]] = {
    "one word": lambda n: [["0"] * n],
    "two words": lambda n: [["a", "Germany"] * (n // 2)],
    "unknown words twice": lambda n: [UNKNOWN[: n // 2] * 2],
    "one sentence": lambda n: [UNKNOWN[:n]],
    "many sentences": lambda n: [["Germany", "met", "Clinton", "."]] * (n // 4),
}
USES: dict[str, Callable[[ReadyModel, list[Sentence]], object]] = {
    "tag": lambda model, text: model.tag(text),
    "nbest": lambda model, text: model.nbest(text, 5),
    "margins": lambda model, text: model.margins_of_batch(text),
    "explain": lambda model, text: model.explain(text),
}
MARKS = """#include <valgrind/callgrind.h>
void begin(void) { CALLGRIND_START_INSTRUMENTATION; CALLGRIND_ZERO_STATS; }
void end(const char* name) { CALLGRIND_DUMP_STATS_AT(name); CALLGRIND_STOP_INSTRUMENTATION; }
"""


def document(words: Sequence[list[str]]) -> list[Sentence]:
    """Return sentences of one document, with parts of speech and chunks that fit anything."""
    return [
        Sentence({"form": w, "pos": ["NNP"] * len(w), "chunk": ["I-NP"] * len(w)}, starts_document=i == 0)
        for i, w in enumerate(words)
    ]


def measured(model: str, marks: str, uses: Sequence[str], tokens: int) -> None:
    """Do the work, which runs under valgrind."""
    library = ctypes.CDLL(marks)
    ready = Tagger.load(model).ready_model
    for use in uses:
        for text, make in TEXTS.items():
            USES[use](ready, document(make(tokens)))  # what is made once
            for times in TIMES:
                sentences = document(make(times * tokens))
                library.begin()
                USES[use](ready, sentences)
                library.end(f"{use}|{text}|{times}".encode())


def counts(recipe: str, folder: Path, marks: Path, uses: str, tokens: int) -> dict[tuple[str, str, int], int]:
    """Return instructions by use, text and multiple of the length."""
    data = Path(perceptag.__file__).parent / "data" / "train.txt"
    sentences = list(read(data, columns=["form", "pos", "chunk", "ner"]))[:150]
    settings: dict[str, Any] = {"labels_column": RECIPES[recipe]}
    if recipe not in ("maxent", "crf"):
        settings["epochs"] = 2
    Tagger(recipe, **settings).fit(sentences).save(folder / recipe)
    output = folder / f"{recipe}.out"
    valgrind = ["valgrind", "-q", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={output}"]
    child = [sys.executable, "-m", "benchmarks.text_growth", "--child", str(folder / recipe), str(marks)]
    run([*valgrind, *child, "--uses", uses, "--tokens", str(tokens)])
    found = {}
    for path in folder.glob(f"{recipe}.out.*"):
        dump = path.read_text(errors="replace")
        name = re.search(r"^desc: Trigger: Client Request: (.+)\|(.+)\|(\d+)$", dump, re.MULTILINE)
        total = re.search(r"^(?:totals|summary): (\d+)", dump, re.MULTILINE)
        if name and total:
            found[name[1], name[2], int(name[3])] = int(total[1])
    return found


def main() -> None:
    """Print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recipes", nargs="*", default=list(RECIPES))
    parser.add_argument("--uses", default="tag,nbest,margins")
    parser.add_argument("--tokens", type=int, default=250)
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        model, marks = options.child
        measured(model, marks, options.uses.split(","), options.tokens)
        return
    if not shutil.which("valgrind") or not shutil.which("cc"):
        sys.exit("valgrind and a C compiler are needed, and at least one of them is not installed")
    os.environ["PYTHONHASHSEED"] = "0"
    print("| recipe | use | text | n | 2n | 4n | 8n | 8n to n |\n|---|---|---|--:|--:|--:|--:|--:|", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "marks.c").write_text(MARKS)
        run(["cc", "-shared", "-fPIC", "-O1", str(folder / "marks.c"), "-o", str(folder / "marks.so")])
        for recipe in options.recipes:
            found = counts(recipe, folder, folder / "marks.so", options.uses, options.tokens)
            for use in options.uses.split(","):
                for text in TEXTS:
                    each = [found[use, text, times] / (times * options.tokens) for times in TIMES]
                    cells = " | ".join(f"{value:,.0f}" for value in each)
                    print(f"| {recipe} | {use} | {text} | {cells} | {each[-1] / each[0]:.2f} |", flush=True)


if __name__ == "__main__":
    main()
