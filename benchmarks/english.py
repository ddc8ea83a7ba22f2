"""How good are the English models that ship, on text of many kinds, in three cases?

    PERCEPTAG_DATA=DIR python -m benchmarks.english [--old FILE] [--udpipe]

All figures have a 95 % interval (bootstrap over documents or sentences). Dev data: passes and settings were chosen by
it. The last tables are of sentences and texts that were written for this benchmark (`english_sentences.txt`,
`english_texts.txt`; `python -m benchmarks.english_texts` lists every error). `--old` measures another model next to the
installed one, such as that of an earlier release: `git show COMMIT:models/perceptag-en/src/perceptag_en/en.model >
old.model`. Tokens and sentences: spaCy's rules, if spaCy is installed, and with `--udpipe` the tokeniser of UDPipe,
trained on the same treebank (some minutes).
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

import perceptag
from benchmarks import english_sentences, english_texts
from benchmarks.token_rivals import spacy_rules, udpipe
from models.figures import labels_of, name_counts, tagged
from models.name_corpora import CASES, in_case, read_corpora
from models.tag_corpora import EWT
from perceptag.evaluation.scoring import accuracy_score, bootstrap_interval, f1_score
from perceptag.evaluation.tokens import TokenReport, evaluate_tokens
from perceptag.text import Sentence, read_conllu
from perceptag.text.documents import split_documents
from perceptag.text.tokens import Passage
from perceptag.text.treebank import read_treebank

Rows = list[tuple[int, ...]]
Models = dict[str, perceptag.Pipeline]
ROUNDS = 1000


def main() -> None:
    """Measure all models on everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="en", help="the model to measure: a file or the name of an installed one")
    parser.add_argument("--old", help="a model to show beside it")
    parser.add_argument("--udpipe", action="store_true", help="train and measure the tokeniser of UDPipe")
    options = parser.parse_args()
    data = Path(os.environ["PERCEPTAG_DATA"])
    models = {"en": perceptag.load(options.model)} | ({"old": perceptag.load(options.old)} if options.old else {})
    show_running_text(models, data, options.udpipe)
    show_tags(models, data)
    show_names(models, data)
    english_sentences.show(models)
    english_texts.show(models)


def show_running_text(models: Models, data: Path, with_udpipe: bool) -> None:
    """Tokens, sentences, words and tags from raw text, one document after another."""
    documents = list(split_documents(list(read_conllu(data / EWT.format("dev")))))
    reports = {name: [model.evaluate(some) for some in documents] for name, model in models.items()}
    rivals: dict[str, Callable[[str], Passage] | None] = {"spaCy's rules": spacy_rules()}
    if with_udpipe:
        rivals["UDPipe"] = udpipe(data / EWT.format("train"), data / EWT.format("dev"))
    for name, tokenize in rivals.items():
        if tokenize is None:
            print(f"{name}: not installed")
        else:
            reports[name] = [_evaluated(some, tokenize) for some in documents]
    heading("EWT dev, from raw text: F1", reports)
    for what in reports["en"][0].counts:
        row(what, {name: _f1(mine, what) for name, mine in reports.items() if what in mine[0].counts}, reports)


def _evaluated(document: Sequence[Sentence], tokenize: Callable[[str], Passage]) -> TokenReport:
    gold = read_treebank(document).passage()
    return evaluate_tokens(gold, tokenize(gold.text))


def _f1(reports: Iterable[TokenReport], what: str) -> str:
    counts = (report.counts[what] for report in reports)
    return interval([(c.correct, c.predicted, c.gold) for c in counts], f1_score)


def show_tags(models: Models, data: Path) -> None:
    """Parts of speech of gold tokens."""
    heading("parts of speech of gold tokens: accuracy", models)
    for corpus, sentences in tagged(data).items():
        for case in CASES:
            changed = in_case(sentences, case)
            for layer in ("upos", "xpos"):
                gold = [s.columns[layer] for s in sentences]
                found = {name: labels_of(model, changed, layer) for name, model in models.items()}
                scores = {name: interval(_right(gold, mine), accuracy_score) for name, mine in found.items()}
                row(f"{corpus}, {layer}, {case}", scores, models)


def _right(gold: Sequence[Sequence[str]], found: Sequence[Sequence[str]]) -> Rows:
    pairs = zip(gold, found, strict=True)
    return [(sum(a == b for a, b in zip(one, other, strict=True)), len(one)) for one, other in pairs]


def show_names(models: Models, data: Path) -> None:
    """Names in gold tokens, and the mean of all corpora."""
    heading("names in gold tokens: F1", models)
    for case in CASES:
        means: dict[str, list[float]] = {name: [] for name in models}
        for corpus, parts in read_corpora(data).items():
            sentences = in_case(parts.dev, case)
            rows = {name: list(name_counts(sentences, labels_of(m, sentences, "ner"))) for name, m in models.items()}
            for name, mine in rows.items():
                means[name].append(float(f1_score(np.array(mine).sum(axis=0))))
            row(f"{corpus}, {case}", {name: interval(mine, f1_score) for name, mine in rows.items()}, models)
        row(f"mean, {case}", {name: f"{np.mean(some):.2f}" for name, some in means.items()}, models)


def interval(rows: Sequence[tuple[int, ...]], score: Callable[[np.ndarray], np.ndarray]) -> str:
    """Return a score with its interval."""
    table = np.array(rows, np.int64)
    low, high = bootstrap_interval(table, score, ROUNDS, 0)
    return f"{float(score(table.sum(axis=0))):.2f} ({low:.1f}-{high:.1f})"


def heading(text: str, columns: Iterable[str]) -> None:
    """Print the heading of a table."""
    print(f"\n{text}\n{'':34}" + "".join(f"{name:>22}" for name in columns))


def row(name: str, cells: dict[str, str], columns: Iterable[str]) -> None:
    """Print a row of a table."""
    print(f"{name:34}" + "".join(f"{cells.get(column, ''):>22}" for column in columns), flush=True)


if __name__ == "__main__":
    main()
