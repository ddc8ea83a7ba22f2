"""Instructions per token at n, 2n, 4n and 8n tokens, for every kind of model and for what surrounds models.

    python -m benchmarks.text_growth [SUBJECT ...] [--uses tag,nbest,margins,...] [--tokens 128] [--time]

A subject is a recipe; the name of an installed pipeline, `en`, for which texts are counted in characters; or `text`:
tokens, documents, labels, scores and lists of names, for which texts are counted in characters or labels. Needs
valgrind with its headers, and a C compiler for four lines that mark the beginning and the end of a measurement. Counts
do not depend on what else the machine does. The last column is the count of 8n divided by that of n: 1 if cost is
linear, 8 if it is quadratic. With `--time`, nanoseconds of the processor instead of instructions: less exact, but texts
may be a hundred times as long.
"""

from __future__ import annotations

import argparse
import ctypes
import io
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from time import process_time_ns
from typing import Any, NamedTuple

import perceptag
from benchmarks.jobs import run
from perceptag import Pipeline, Sentence, Tagger, Tokenizer
from perceptag.evaluation import evaluate
from perceptag.features.document_columns import COLUMNS, numbered_columns
from perceptag.features.gazetteer import Gazetteer
from perceptag.labels import schemes
from perceptag.models.protocol import ABILITIES, ReadyModel
from perceptag.recipe.recipe import Recipe
from perceptag.text import read

RECIPES = {  # one of each kind, and the column that it learns
    "ner": "ner",
    "nonlocal-ner": "ner",
    "kazama-candidate-paper": "ner",
    "rerank-1": "ner",
    "basic-ner": "ner",
    "pos": "pos",
    "collins-pos": "pos",
    "crf": "pos",
    "maxent": "pos",
    "shen-pos": "pos",
    "carreras-ner": "ner",
}
TEXT = "text"
PIPELINE = "en"
TIMES = (1, 2, 4, 8)
UNKNOWN = [f"Unknown{i}" for i in range(100_000)]
TEXTS: dict[str, Callable[[int], list[list[str]]]] = {
    "one word": lambda n: [["0"] * n],
    "two words": lambda n: [["a", "Germany"] * (n // 2)],
    "unknown words repeated": lambda n: [list(islice(cycle(UNKNOWN[: min(5_000, n // 2)]), n))],
    "one sentence": lambda n: [UNKNOWN[:n]],
    "many sentences": lambda n: [["Germany", "met", "Clinton", "."]] * (n // 4),
    "one-word sentences": lambda n: [["Germany"]] * n,
}
USES: dict[str, Callable[[ReadyModel, list[Sentence]], object]] = {
    "tag": lambda model, text: model.tag(text),
    "nbest": lambda model, text: model.nbest(text, 5),
    "margins": lambda model, text: model.margins(text),
    "explain": lambda model, text: model.explain(text),
    "marginals": lambda model, text: model.marginals(text),
    "given": lambda model, text: model.tag_given(text, [[None] * len(sentence) for sentence in text]),
    "train": lambda model, text: train(model.model.recipe, model.model.label_set.column, text),
}
RUNNING: dict[str, Callable[[int], str]] = {
    "an address": lambda n: "http://a.example/" + "x/y?" * (n // 4),
    "one run": lambda n: "a" * n,
    "brackets": lambda n: "(" * n,
    "quotes": lambda n: "\"'" * (n // 2),
    "one word": lambda n: "0 " * (n // 2),
    "sentences": lambda n: "Angela met Bob. " * (n // 16),
    "paragraphs": lambda n: "a.\n\n" * (n // 4),
}
LABELS: dict[str, Callable[[int], list[str]]] = {
    "single tokens": lambda n: ["B-X"] * n,
    "one span": lambda n: ["B-X"] + ["I-X"] * (n - 1),
    "broken": lambda n: ["I-X", "I-Y"] * (n // 2),
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


def document_of(make: Callable[[int], list[list[str]]], n: int) -> list[Sentence]:
    """Return a document of a text of this size."""
    return document(make(n))


def train(recipe: Recipe, column: str, text: Sequence[Sentence]) -> Tagger:
    """Train on sentences that have labels of three kinds in turn."""
    gold = ["O", "B-A", "I-A"]
    sentences = [
        Sentence({**s.columns, column: [gold[t % 3] for t in range(len(s))]}, starts_document=s.starts_document)
        for s in text
    ]
    return Tagger(recipe, labels_column=column).fit(sentences)


class Measurement(NamedTuple):
    """Something whose cost is measured, for texts of any length."""

    use: str
    text: str
    make: Callable[[int], Any]
    work: Callable[[Any], object]


def of_model(ready: ReadyModel) -> Iterator[Measurement]:
    """Yield all that a model offers, with all texts."""
    for use, work in USES.items():
        if use in ABILITIES and use not in ready.offers:
            continue
        for text, make in TEXTS.items():
            yield Measurement(use, text, partial(document_of, make), partial(work, ready))


def of_pipeline(pipeline: Pipeline) -> Iterator[Measurement]:
    """Yield what is done with running text."""
    for text, make in RUNNING.items():
        yield Measurement("tag", text, make, pipeline)
        yield Measurement("tag, labels only", text, make, partial(pipeline, confidence=False))


def of_text(pipeline: Pipeline) -> Iterator[Measurement]:
    """Yield what is done before and after a model."""
    for text, make in RUNNING.items():
        yield Measurement("tokens", text, make, lambda t: list(pipeline.passages(io.StringIO(t))))
        yield Measurement("documents as JSON", text, make, lambda t: json.dumps(pipeline(t).to_dict()))
    for text, listed in LABELS.items():
        yield Measurement("label schemes", text, listed, lambda y: schemes.spans(schemes.convert(y, "IOBES"), "IOBES"))
        yield Measurement("scores of a sentence", text, listed, lambda y: evaluate([y], [y[::-1]]))
        yield Measurement("scores of sentences", text, listed, lambda y: evaluate([[v] for v in y], [[v] for v in y]))
    lists = Gazetteer({"long": {("a",) * 20}, "overlapping": {("a",) * k for k in range(1, 20)}})
    yield Measurement("lists of names", "one word", lambda n: ["a"] * n, lists.match)
    for text, words in TEXTS.items():
        columns = partial(numbered_columns, list(COLUMNS))
        yield Measurement("document columns", text, partial(document_of, words), columns)


def measurements(model: str) -> Iterator[Measurement]:
    """Yield what is measured of a subject, by the file of its model."""
    if Path(model).name == TEXT:
        return of_text(Pipeline.load(model))
    if Path(model).name == PIPELINE:
        return of_pipeline(perceptag.load(PIPELINE))
    return of_model(Tagger.load(model).ready_model)


def measured(model: str, marks: str, uses: Sequence[str], tokens: int) -> None:
    """Do the work, which runs under valgrind."""
    library = ctypes.CDLL(marks)
    for use, text, make, work in measurements(model):
        if uses and use not in uses:
            continue
        work(make(TIMES[-1] * tokens + 16))  # what is made once; of another length, since answers may be remembered
        for times in TIMES:
            given = make(times * tokens)
            library.begin()
            work(given)
            library.end(f"{use}|{text}|{times}".encode())


def times(subject: str, folder: Path, uses: Sequence[str], tokens: int) -> dict[tuple[str, str], dict[int, int]]:
    """Return nanoseconds of the processor by use, text and multiple of the length."""
    save_model(subject, folder)
    found: dict[tuple[str, str], dict[int, int]] = {}
    for use, text, make, work in measurements(str(folder / subject)):
        if uses and use not in uses:
            continue
        work(make(tokens + 16))
        for multiple in TIMES:
            given = make(multiple * tokens)
            begin = process_time_ns()
            work(given)
            found.setdefault((use, text), {})[multiple] = process_time_ns() - begin
    return found


def save_model(subject: str, folder: Path) -> None:
    """Train a model on a part of the shipped corpus, or a pipeline of a tokeniser and a tagger, unless installed."""
    if subject == PIPELINE:
        return
    data = Path(perceptag.__file__).parent / "data"
    sentences = list(read(data / "train.txt", columns=["form", "pos", "chunk", "ner"]))[:150]
    if subject == TEXT:
        templates = ("form[0]", "shape[0]", "bias * y-1 y0")
        tagger = Tagger("basic-ner", labels_column="ner", epochs=2, templates=templates).fit(sentences)
        Pipeline([Tokenizer().fit(data / "text-train.conllu"), tagger]).save(folder / subject)
        return
    settings: dict[str, Any] = {} if subject in ("maxent", "crf") else {"epochs": 2}
    Tagger(subject, labels_column=RECIPES[subject], **settings).fit(sentences).save(folder / subject)


def counts(subject: str, folder: Path, marks: Path, uses: str, tokens: int) -> dict[tuple[str, str], dict[int, int]]:
    """Return instructions by use, text and multiple of the length."""
    save_model(subject, folder)
    output = folder / f"{subject}.out"
    valgrind = ["valgrind", "-q", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={output}"]
    child = [sys.executable, "-m", "benchmarks.text_growth", "--child", str(folder / subject), str(marks)]
    run([*valgrind, *child, "--uses", uses, "--tokens", str(tokens)])
    found: dict[tuple[str, str], dict[int, int]] = {}
    for path in sorted(folder.glob(f"{subject}.out.*"), key=lambda p: int(p.suffix[1:])):
        dump = path.read_text(errors="replace")
        name = re.search(r"^desc: Trigger: Client Request: (.+)\|(.+)\|(\d+)$", dump, re.MULTILINE)
        total = re.search(r"^(?:totals|summary): (\d+)", dump, re.MULTILINE)
        if name and total:
            found.setdefault((name[1], name[2]), {})[int(name[3])] = int(total[1])
    return found


def main() -> None:
    """Print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("subjects", nargs="*", default=[*RECIPES, PIPELINE, TEXT])
    parser.add_argument("--uses", default="", help="all that a model offers, unless some are named")
    parser.add_argument("--tokens", type=int, default=128)
    parser.add_argument("--time", action="store_true", help="measure processor time instead of instructions")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    uses = [use for use in options.uses.split(",") if use]
    if options.child:
        model, marks = options.child
        measured(model, marks, uses, options.tokens)
        return
    if not options.time and (not shutil.which("valgrind") or not shutil.which("cc")):
        sys.exit("valgrind and a C compiler are needed, and at least one of them is not installed")
    os.environ["PYTHONHASHSEED"] = "0"
    print("| subject | use | text | n | 2n | 4n | 8n | 8n to n |\n|---|---|---|--:|--:|--:|--:|--:|", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "marks.c").write_text(MARKS)
        if not options.time:
            run(["cc", "-shared", "-fPIC", "-O1", str(folder / "marks.c"), "-o", str(folder / "marks.so")])
        for subject in options.subjects:
            if options.time:
                found = times(subject, folder, uses, options.tokens)
            else:
                found = counts(subject, folder, folder / "marks.so", options.uses, options.tokens)
            for (use, text), by_length in found.items():
                each = [by_length[multiple] / (multiple * options.tokens) for multiple in TIMES]
                cells = " | ".join(f"{value:,.0f}" for value in each)
                print(f"| {subject} | {use} | {text} | {cells} | {each[-1] / each[0]:.2f} |", flush=True)


if __name__ == "__main__":
    main()
