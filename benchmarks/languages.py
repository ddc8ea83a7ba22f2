"""Pipelines built from treebanks, next to UDPipe 1 trained on the same files in the same run.

    PERCEPTAG_DATA=… python -m benchmarks.languages [af fr vi en] [--alone]

UDPipe (`pip install ufal.udpipe`) is trained with its default options: tokeniser and tagger, no parser. Both get all
training data and the first half of the dev data for their choices. The second half is measured, from raw text, with the
scores of the CoNLL 2018 shared task. Times are CPU seconds on one thread; tagging includes tokenisation, not loading.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import TypeVar

from perceptag import Pipeline, Sentence
from perceptag.building.builder import Builder
from perceptag.building.figures import METRICS
from perceptag.building.language_file import Language
from perceptag.building.treebank_folder import TreebankData
from perceptag.evaluation.shared_task import compared
from perceptag.evaluation.tokens import evaluate_tokens
from perceptag.text.conllu import read_conllu, write_conllu
from perceptag.text.treebank import Treebank, read_treebank

TREEBANKS = {
    "af": ("Afrikaans AfriBooms", "open/languages/af_afribooms-ud-{}.conllu.gz"),
    "fr": ("French Sequoia", "open/languages/fr_sequoia-ud-{}.conllu.gz"),
    "vi": ("Vietnamese VTB", "open/languages/vi_vtb-ud-{}.conllu.gz"),
    "en": ("English EWT", "ewt/en_ewt-ud-{}.conllu"),
}
Result = TypeVar("Result")
TAGS = ("upos", "xpos", "feats", "lemma")


@dataclass(frozen=True)
class Measured:
    """A system on a treebank."""

    training: float  # CPU seconds
    words_per_second: float
    scores: dict[str, float]


def main() -> None:
    """Train, measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("languages", nargs="*", default=list(TREEBANKS), metavar="LANGUAGE", help=", ".join(TREEBANKS))
    parser.add_argument("--alone", action="store_true", help="without UDPipe")
    options = parser.parse_args()
    if unknown := set(options.languages) - set(TREEBANKS):
        sys.exit(f"expected some of {', '.join(TREEBANKS)}, found {', '.join(sorted(unknown))}")
    folder = Path(os.environ["PERCEPTAG_DATA"])
    metrics = " | ".join(METRICS)
    print(f"| treebank | system | {metrics} | training, s | words/s |\n{'|---' * (len(METRICS) + 4)}|")
    for name in options.languages:
        title, path = TREEBANKS[name]
        train, dev = (list(read_conllu(folder / path.format(part))) for part in ("train", "dev"))
        half = len(dev) // 2
        data = TreebankData(train, dev[:half], (title,), is_cut=False)
        systems = {"perceptag": ours} if options.alone else {"perceptag": ours, "UDPipe 1": udpipe}
        for system, run in systems.items():
            print(row(title, system, run(data, read_treebank(dev[half:]))), flush=True)


def row(title: str, system: str, found: Measured) -> str:
    """Return a row of the table."""
    scores = " | ".join(f"{found.scores[metric]:.2f}" if metric in found.scores else "–" for metric in METRICS)
    return f"| {title} | {system} | {scores} | {found.training:.0f} | {found.words_per_second:,.0f} |"


def ours(data: TreebankData, gold: Treebank) -> Measured:
    """Build a pipeline, as `perceptag build` does."""
    with tempfile.TemporaryDirectory() as folder:
        builder = Builder(Language("", ""), data, Path(folder))
        steps: list[int] = []
        pipeline, training = timed(lambda: builder.build(steps.append))
        path = Path(folder) / "built.pipeline"
        pipeline.save(path)
        loaded = Pipeline.load(path)
    text = gold.passage().text
    _, tagging = timed(lambda: loaded(text, confidence=False).to_dict())
    scores = loaded.evaluate([g.sentence for g in gold.sentences], shared_task=True).counts
    named = {name if name in METRICS else name.capitalize(): counts.f1 for name, counts in scores.items()}
    return Measured(training, number_of_words(gold) / tagging, named)


def udpipe(data: TreebankData, gold: Treebank) -> Measured:
    """Train UDPipe with its default options."""
    from ufal.udpipe import InputFormat, Model, ProcessingError, Sentence as Read, Sentences, Trainer  # noqa: I001
    from ufal.udpipe import Pipeline as Process

    def given(sentences: Sequence[Sentence]) -> Sentences:
        stream = StringIO()
        write_conllu(sentences, stream)
        reader, found, one, error = InputFormat.newConlluInputFormat(), Sentences(), Read(), ProcessingError()
        reader.setText(stream.getvalue())
        while reader.nextSentence(one, error):
            found.append(one)
            one = Read()
        assert not error.occurred(), error.message
        return found

    error = ProcessingError()
    train, dev = given(data.train), given(data.dev)
    trained, training = timed(lambda: Trainer.train("morphodita_parsito", train, dev, "", "", Trainer.NONE, error))
    assert not error.occurred(), error.message
    with tempfile.NamedTemporaryFile() as file:
        file.write(trained)
        file.flush()
        model = Model.load(file.name)
    process = Process(model, "tokenize", Process.DEFAULT, Process.NONE, "conllu")
    wanted = gold.passage()
    text, tagging = timed(lambda: process.process(wanted.text, error))
    found = read_treebank(read_conllu(StringIO(text)))
    filled = [name for name in TAGS if any(value != "_" for value in column(gold, name))]
    expected, given_tags = (compared({name: column(bank, name) for name in filled}) for bank in (gold, found))
    layers = {name: (expected[name], given_tags[name]) for name in expected}
    scores = evaluate_tokens(wanted, found.passage(), layers).counts
    named = {name if name in METRICS else name.capitalize(): counts.f1 for name, counts in scores.items()}
    return Measured(training, number_of_words(gold) / tagging, named)


def column(bank: Treebank, name: str) -> list[str]:
    """Return a column of all words."""
    return list(chain.from_iterable(gold.sentence.columns[name] for gold in bank.sentences))


def number_of_words(bank: Treebank) -> int:
    """Return the number of words."""
    return len(column(bank, "form"))


def timed(work: Callable[[], Result]) -> tuple[Result, float]:
    """Return what some work gives, and its CPU seconds."""
    start = time.process_time()
    found = work()
    return found, time.process_time() - start


if __name__ == "__main__":
    main()
