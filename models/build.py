"""Build the models that ship, from the corpora in the folder that PERCEPTAG_DATA names: `make models`.

The same data and the same version of perceptag give the same bytes. The accuracy in en.json is measured here, on the
dev data that the best pass was chosen by.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from perceptag import Sentence
from perceptag.labels.schemes import convert, keep_types
from perceptag.text import read_columns, write_columns

HERE = Path(__file__).resolve().parent
TARGET = HERE / "perceptag-en" / "src" / "perceptag_en"
EWT, UNER = "ewt/en_ewt-ud-{}.conllu", "uner/en_ewt.{}"
MORE_NAMES = ("wikigold/train.txt", "btc/train.txt")  # their sentences are documents of their own
COLUMNS, TYPES = ("form", "ner"), ("PER", "ORG", "LOC")
# What the tokeniser learns of words: plain text, and a list of abbreviations.
PLAIN_TEXT = ("wikinews", "tatoeba", "wikipedia_featured_bios", "elife_digests", "us_gov_blogs", "scotus", "masc")
ABBREVIATIONS = "open/abbreviations/cldr_en.txt"
# The layers in their order: the recipe and the settings of each, and its corpus.
LAYERS: dict[str, tuple[str, list[str]]] = {
    "tok": (EWT, ["-r", "tokenize", "--set", "augment.strings=0.05"]),
    "upos": (EWT, ["-r", "pos", "--set", "shards=1", "--label", "upos"]),
    "xpos": (EWT, ["-r", "pos", "--set", "shards=1", "--label", "xpos"]),
    "ner": (UNER, ["-r", "ner", "--columns", "form,ner", "--label", "ner"]),
}


def main() -> None:
    """Train every layer, put them together, measure, and write both files."""
    data = os.environ.get("PERCEPTAG_DATA", "")
    if not data:
        sys.exit("PERCEPTAG_DATA: expected the folder with the corpora, found nothing; see CONTRIBUTING.md")
    build(Path(data), TARGET)


def build(data: Path, target: Path) -> None:
    """Write en.model and en.json into a folder."""
    with TemporaryDirectory() as folder:
        parts = []
        for name, (corpus, options) in LAYERS.items():
            part = Path(folder, f"{name}.model")
            train, dev = (data / corpus.format(split) for split in ("train", "dev"))
            if corpus == UNER:
                train = join_names(data, Path(folder, "names.txt"))
            known = words_for_tokens(data) if name == "tok" else []
            run("train", *options, *known, "--train", train, "--dev", dev, "--model", part, "--threads", 1)
            parts.append(part if name == "tok" else f"{name}={part}")
        model = target / "en.model"
        run("pipeline", *parts, "--output", model, "--compress")
    about = {
        "task": "English text: sentences, tokens, parts of speech (upos, xpos), names (PER, ORG, LOC)",
        "data": "UD_English-EWT, UNER_English-EWT, Broad Twitter Corpus, Wikigold",
        "licence": "CC BY-SA 4.0",
        "accuracy": accuracy(model, data),
    }
    (target / "en.json").write_text(json.dumps(about, indent=2) + "\n")


def words_for_tokens(data: Path) -> list[str]:
    """Return the settings that tell the tokeniser of words."""
    texts = ",".join(str(data / f"open/text_en/{name}_en.txt.gz") for name in PLAIN_TEXT)
    return ["--set", f"tokens.text={texts}", "--set", f"tokens.abbreviations={data / ABBREVIATIONS}"]


def join_names(data: Path, target: Path) -> Path:
    """Write all training data with names into one file, in IOB2, with the types PER, ORG and LOC."""
    sentences = list(read_columns(data / UNER.format("train"), COLUMNS))
    for name in MORE_NAMES:
        for sentence in read_columns(data / name, COLUMNS):
            kept = keep_types(sentence.columns["ner"], TYPES)
            labels = convert(kept, "IOB2", "IOB1" if "wikigold" in name else "IOB2")
            sentences.append(Sentence({**sentence.columns, "ner": labels}, starts_document=True))
    write_columns(sentences, str(target))
    return target


def accuracy(model: Path, data: Path) -> str:
    """What the pipeline makes of the running text of the dev data, in one line."""
    raw = json.loads(run("eval", "--model", model, "--raw", data / EWT.format("dev"), "--json"))
    scores = ", ".join(f"{name} {raw[name]['f1']:.2f}" for name in ("tokens", "sentences", "words", "upos", "xpos"))
    return f"EWT dev from raw text, F1: {scores}"


def run(*words: Any) -> str:
    """Run a command of perceptag, and return what it prints."""
    command = [sys.executable, "-m", "perceptag", *map(str, words)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


if __name__ == "__main__":
    main()
