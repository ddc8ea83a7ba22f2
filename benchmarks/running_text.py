"""Running text through all layers of `en`: words per second of CPU, on one core, next to spaCy if it is installed.

    python -m benchmarks.running_text [--model en] [--text FILE] [--times 5]

The text is the shipped one, again and again, with new words in it, or a file. Both systems take turns in this process,
the best of several times counts, and the ratio is of CPU time. spaCy's blank English pipeline only finds tokens: what
it takes is a floor for anything that builds objects for tokens. *up to LAYER* is the time of that layer and all before
it. `make speed` measures the first sentence of a command, and its memory.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from importlib import resources
from pathlib import Path

import perceptag
from benchmarks.tokenizer import long_text
from perceptag.pipeline.installed import path_of
from perceptag.text import read_conllu
from perceptag.text.treebank import read_treebank

CHARACTERS = 500_000


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.running_text", description=__doc__)
    parser.add_argument("--model", default="en")
    parser.add_argument("--text", type=Path)
    parser.add_argument("--times", type=int, default=5)
    words = parser.parse_args()
    text = words.text.read_text() if words.text else shipped_text()
    nlp = perceptag.load(words.model)
    number = len(nlp(text, confidence=False).words)
    uses: dict[str, Callable[[], object]] = {
        "labels": lambda: nlp(text),
        "labels, and all objects": lambda: nlp(text, confidence=False).words,
        "labels, and confidence": lambda: [span.confidence for span in nlp(text).spans],
        "tokens alone": lambda: nlp.tokenizer.tokenize(text),  # type: ignore[union-attr]
    }
    for layer in list(nlp.models)[1:-1]:
        uses[f"up to {layer}"] = partial(nlp.upto(layer), text)
    if rival := blank_spacy():
        uses["spaCy, tokens alone"] = lambda: [rival(line) for line in text.split("\n\n")]
    best = dict.fromkeys(uses, float("inf"))
    for _ in range(words.times):
        for name, use in uses.items():
            before = time.process_time()
            use()
            best[name] = min(best[name], time.process_time() - before)
    for name, spent in best.items():
        print(f"{name:26} {number / spent:10,.0f} words/s {spent / best['labels']:6.2f} times the time of labels")
    on_disk = Path(path_of(words.model)).stat().st_size / 1e6
    print(f"file {on_disk:.1f} MB")


def shipped_text() -> str:
    """The shipped text, repeated, with new words."""
    bank = read_treebank(read_conllu(str(resources.files("perceptag") / "data" / "text-dev.conllu")))
    return long_text(bank.passage().text, CHARACTERS)


def blank_spacy() -> Callable[[str], object] | None:
    """SpaCy's tokeniser of English, if it is installed."""
    try:
        import spacy
    except ImportError:
        return None
    return spacy.blank("en")  # type: ignore[no-any-return]


if __name__ == "__main__":
    main()
