"""Pipelines built from treebanks, next to UDPipe 1 and spaCy trained on the same files in the same run.

    PERCEPTAG_DATA=… python -m benchmarks.languages [af fr vi en] [--systems perceptag,spaCy] [--models DIR] [--docs]

All get the training data, and the first half of the dev data for their choices. The second half is measured with the
scores of the CoNLL 2018 shared task: F1 from running text, accuracy on gold tokens. Times are CPU seconds on one
thread; tagging is from running text to CoNLL-U, without loading (spaCy, whose tokeniser does not learn: from tokens).

UDPipe (`pip install ufal.udpipe`) trains tokeniser and tagger, no parser; spaCy tagger, morphologizer and edit-tree
lemmatizer. Their trainings take long: `--models` keeps them, and `--udpipe-tokenizer epochs=10`, `--udpipe-tagger
iterations=10` and `--spacy-epochs 10` shorten them. The table says so.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from io import StringIO
from itertools import chain
from pathlib import Path

from benchmarks import machine
from benchmarks.language_systems import SYSTEMS, Limits, System, timed
from benchmarks.report import into_page
from perceptag import Sentence
from perceptag.building.card import METRICS
from perceptag.building.treebank_folder import TAGS, TreebankData
from perceptag.evaluation.shared_task import compared, is_right
from perceptag.evaluation.tokens import evaluate_tokens
from perceptag.system.plot import bars
from perceptag.text.conllu import read_conllu
from perceptag.text.treebank import read_treebank

TREEBANKS = {
    "af": ("Afrikaans AfriBooms", "open/languages/af_afribooms-ud-{}.conllu.gz"),
    "fr": ("French Sequoia", "open/languages/fr_sequoia-ud-{}.conllu.gz"),
    "vi": ("Vietnamese VTB", "open/languages/vi_vtb-ud-{}.conllu.gz"),
    "en": ("English EWT", "ewt/en_ewt-ud-{}.conllu"),
}
DOCS = Path(__file__).resolve().parents[1] / "docs/measurements"
PAGE, PICTURE, RESULTS = (DOCS / name for name in ("pipelines.md", "languages.svg", "languages.json"))
BEGIN, END = "<!-- languages: begin (python -m benchmarks.languages --docs) -->", "<!-- languages: end -->"
WARM = "Perceptag 1."  # imports what is imported at the first sentence


@dataclass(frozen=True)
class Row:
    """A system on a treebank."""

    treebank: str
    system: str
    limits: str  # settings that are not the defaults
    training: float  # CPU seconds
    words_per_second: float
    text: dict[str, float]  # scores from running text; none without a tokeniser that learns
    tokens: dict[str, float]  # on gold tokens


def main() -> None:
    """Train, measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("languages", nargs="*", default=list(TREEBANKS), metavar="LANGUAGE", help=", ".join(TREEBANKS))
    parser.add_argument("--systems", default=",".join(SYSTEMS), help="some of them, with commas between")
    parser.add_argument("--alone", action="store_true", help="perceptag alone")
    parser.add_argument("--models", type=Path, help="keep rivals that were trained here, and use those that are there")
    parser.add_argument("--udpipe-tokenizer", default="", metavar="OPTIONS", help="such as epochs=10")
    parser.add_argument("--udpipe-tagger", default="", metavar="OPTIONS", help="such as iterations=10")
    parser.add_argument("--spacy-epochs", type=int, default=0)
    parser.add_argument("--results", type=Path, default=RESULTS, help="the file of what was measured")
    parser.add_argument("--docs", action="store_true", help="write table and picture into the documentation")
    options = parser.parse_args()
    systems = ["perceptag"] if options.alone else options.systems.split(",")
    for given, known in ((options.languages, TREEBANKS), (systems, SYSTEMS)):
        if unknown := set(given) - set(known):
            sys.exit(f"expected some of {', '.join(known)}, found {', '.join(sorted(unknown))}")
    limits = Limits(options.udpipe_tokenizer, options.udpipe_tagger, options.spacy_epochs)
    rows = read_rows(options.results) if options.docs else []
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.models or Path(temporary)
        for name in options.languages:
            for system in systems:
                row = measured(name, system, limits, folder)
                rows = [*(r for r in rows if (r.treebank, r.system) != (row.treebank, row.system)), row]
                print(table([row]), flush=True)
    if options.docs:
        write_docs(rows, options.results)


def measured(name: str, system: str, limits: Limits, folder: Path) -> Row:
    """Train a system on a treebank, and measure it."""
    title, path = TREEBANKS[name]
    train, dev = (
        list(read_conllu(Path(os.environ["PERCEPTAG_DATA"]) / path.format(part))) for part in ("train", "dev")
    )
    half = len(dev) // 2
    data = TreebankData(train, dev[:half], (title,), is_cut=False)
    trained = SYSTEMS[system](data, folder / name, limits)
    text, speed = _text_scores(trained, dev[half:])
    tokens, token_speed = _token_scores(trained, dev[half:])
    return Row(title, system, limits.of(system), trained.seconds, speed or token_speed, text, tokens)


def _text_scores(system: System, gold: Sequence[Sentence]) -> tuple[dict[str, float], float]:
    if system.read is None:
        return {}, 0
    bank = read_treebank(gold)
    wanted = bank.passage()
    read = system.read
    read(WARM)
    found, seconds = timed(lambda: read(wanted.text))
    given = read_treebank(read_conllu(StringIO(found)))
    ours, theirs = _compared(gold, gold), _compared([s.sentence for s in given.sentences], gold)
    layers = {metric: (ours[metric], theirs[metric]) for metric in ours}
    counts = evaluate_tokens(wanted, given.passage(), layers).counts
    named = {metric if metric in METRICS else metric.capitalize(): c.f1 for metric, c in counts.items()}
    return named, sum(map(len, gold)) / seconds


def _token_scores(system: System, gold: Sequence[Sentence]) -> tuple[dict[str, float], float]:
    bare = [replace(s, columns={**s.columns, **{name: ["_"] * len(s) for name in TAGS}}) for s in gold]
    found, seconds = timed(lambda: system.tag(bare))
    ours, theirs = _compared(gold, gold), _compared(found, gold)
    scores = {
        metric: 100 * sum(is_right(metric, a, b) for a, b in zip(values, theirs[metric], strict=True)) / len(values)
        for metric, values in ours.items()
    }
    return scores, sum(map(len, gold)) / seconds


def _compared(sentences: Sequence[Sentence], gold: Sequence[Sentence]) -> dict[str, list[str]]:
    """What is compared of sentences, in the columns that the gold ones have."""
    filled = [name for name in TAGS if any(value != "_" for s in gold for value in s.columns[name])]
    return compared({name: list(chain.from_iterable(s.columns[name] for s in sentences)) for name in filled})


# --- what was measured ---


def table(rows: Sequence[Row]) -> str:
    """Return a table in Markdown, with two lines for each system: running text and gold tokens."""
    metrics = [metric for metric in METRICS if any(metric in {**row.text, **row.tokens} for row in rows)]
    head = ["treebank", "system", "from", *metrics, "training, s", "words/s"]
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for row in rows:
        name = f"{row.system} ({row.limits})" if row.limits else row.system
        for source, scores in (("text", row.text), ("tokens", row.tokens)):
            found = [f"{scores[metric]:.2f}" if metric in scores else "–" for metric in metrics]
            times = [f"{row.training:.0f}", f"{row.words_per_second:,.0f}"] if source == "tokens" else ["", ""]
            if scores:
                lines.append(f"| {' | '.join([row.treebank, name, source, *found, *times])} |")
    return "\n".join(lines)


def read_rows(path: Path) -> list[Row]:
    """Return what was measured before."""
    return [Row(**row) for row in json.loads(path.read_text(encoding="utf-8"))["rows"]] if path.exists() else []


def write_docs(rows: Sequence[Row], path: Path) -> None:
    """Write what was measured, as a table and a picture, into the documentation."""
    order = [(title, system) for title, _ in TREEBANKS.values() for system in SYSTEMS]
    rows = sorted(rows, key=lambda row: order.index((row.treebank, row.system)))
    here = machine.describe()
    facts = {"machine": here, "rows": [asdict(row) for row in rows]}
    path.write_text(json.dumps(facts, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PICTURE.write_text(picture(rows) + "\n", encoding="utf-8")
    into_page(f"{machine.in_words(here)}.\n\n{table(rows)}\n", PAGE, BEGIN, END)


def picture(rows: Sequence[Row]) -> str:
    """Draw the words with a wrong part of speech: the tags that all treebanks have in training and dev data."""
    names = [f"{row.treebank}, {row.system}" for row in rows]
    wrong = [round(100 - row.tokens["UPOS"], 2) for row in rows]
    return bars(
        names, wrong, title="Words with a wrong part of speech (UPOS), on gold tokens", x="per cent of the words"
    )


if __name__ == "__main__":
    main()
