"""Exact n-best lists of every document of a corpus; each document is one sequence.

    python benchmarks/nbest_documents.py FOLDER [--n 6400] [--passes 2] [--threads 1]

FOLDER contains eng.train and eng.testa of CoNLL-2003. A margin perceptron is trained on the first by the recipe
`kazama-margin-paper` (a few passes, from zero). It lists the n best labellings of the documents of the second, one
document after the other. Training is a process of its own, so that the memory printed is that of the model and of
the lists; a list takes 4 bytes for each label.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import time
from pathlib import Path

import numpy as np

from perceptag import Sentence, _core
from perceptag.models import model_file as modelfile
from perceptag.models.linear.tagger import LinearTagger
from perceptag.recipe.recipe import load
from perceptag.text import read_columns
from perceptag.text.documents import split_documents
from perceptag.training.train import Training

COLUMNS = ["form", "pos", "chunk", "ner"]


def train(file: Path, passes: int) -> bytes:
    """Return the bytes of a model."""
    recipe = load("kazama-margin-paper").replace({"epochs": passes, "bpm": 0})
    training = Training(recipe, list(read_columns(file, COLUMNS)))
    for report in training.run():
        print(f"pass {report.epoch}: {report.mistakes} documents wrong, {report.seconds:.1f} s", flush=True)
    return modelfile.to_bytes(training.model())[0]


def search(tagger: LinearTagger, document: list[Sentence], n: int, threads: int) -> _core.NBest:
    data = tagger.reader.read(document)
    corpus = tagger.encoder.encode(data.columns, data.begin[[0, -1]])
    return _core.nbest_batch(tagger.vectors[0], corpus, n, tagger.encoder.dictionary, threads)[0]


def check(found: _core.NBest, n: int, labels: int) -> None:
    """Check that the list is ordered, without repetitions, and has `n` labellings, or all that there are."""
    assert (np.diff(found.scores) <= 0).all()
    assert len({hash(y.tobytes()) for y in found.labels}) == len(found)
    assert len(found) == n or len(found) == labels ** found.labels.shape[1]


def peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--n", type=int, default=6400)
    parser.add_argument("--passes", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        model = modelfile.load_bytes(pool.apply(train, (arguments.folder / "eng.train", arguments.passes)))
    tagger = LinearTagger(model)
    documents = split_documents(read_columns(arguments.folder / "eng.testa", COLUMNS))
    before = peak_megabytes()
    times = []
    for document in documents:
        start = time.perf_counter()
        found = search(tagger, document, arguments.n, arguments.threads)
        times.append((time.perf_counter() - start, sum(map(len, document))))
        check(found, arguments.n, len(model.label_set.names))
    slowest, tokens = max(times)
    longest = max(tokens for _, tokens in times)
    print(f"{arguments.n}-best of {len(documents)} documents of up to {longest} tokens, {arguments.threads} threads")
    print(f"{sum(seconds for seconds, _ in times):.1f} s in all; slowest document {slowest:.3f} s ({tokens} tokens)")
    print(f"peak memory {peak_megabytes():.0f} MB, of which {peak_megabytes() - before:.0f} MB came with the lists")


if __name__ == "__main__":
    main()
