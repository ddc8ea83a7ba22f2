"""Build the models that ship, from the corpora in the folder that PERCEPTAG_DATA names: `make models`.

`python -m models.build xx` builds those of another language (`models/distribution.py`). What follows is English.

The same data and the same version of perceptag give the same bytes. The steps: word
classes of plain text, and lists of names that it confirms; a tokeniser, and three layers that use classes and lists;
figures and the model card, from dev data.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from models import card, distribution, name_corpora, name_lists, open_text, tag_corpora, token_corpora
from models.figures import measure
from perceptag.recipe.recipe_files import flat
from perceptag.system.toml import read_toml

HERE = Path(__file__).resolve().parent
TARGET = HERE / "perceptag-en" / "src" / "perceptag_en"
CLASSES = ("--sizes", "64,256,1000", "--min-count", "5", "--fold", "case", "--passes", "12")
THREADS = {"classes": ("--threads", "2"), "train": ("--threads", "1")}
SUMMARY = {
    "task": "English text: sentences, tokens, parts of speech (upos, xpos), names (PER, ORG, LOC), dates, amounts and "
    "addresses (values)",
    "data": "UD_English-EWT, GUM, UNER_English-EWT, Broad Twitter Corpus, Wikigold, Re-DocRED, CrossNER, Tweebank; "
    "classes and lists: see CARD.md",
    "licence": "CC BY-SA 4.0",
}


def main() -> None:
    """Train every layer, put them together, measure, and write all files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", nargs="?", default="en", help="en, or a language of languages/*.toml")
    parser.add_argument("--parts", type=Path, help="keep the parts in this folder, and use those that are there")
    given = parser.parse_args()
    data = os.environ.get("PERCEPTAG_DATA", "")
    if not data:
        sys.exit("PERCEPTAG_DATA: expected the folder with the corpora, found nothing; see CONTRIBUTING.md")
    if given.language == "en":
        build(Path(data), TARGET, given.parts)
    else:
        print(distribution.build(Path(data), given.language, given.parts))


def build(data: Path, target: Path, parts: Path | None = None) -> None:
    """Write en.model, en.json and CARD.md into a folder."""
    corpora = name_corpora.read_corpora(data)
    with TemporaryDirectory() as temporary:
        folder = parts or Path(temporary)
        write_knowledge(data, folder)
        tag_corpora.write_training(data, folder / "tags.train", folder / "tags.dev")
        name_corpora.write_training(corpora, folder / "names.train", folder / "names.dev")
        token_corpora.write_training(data, folder, folder / "tokens.train", folder / "abbreviations.txt")
        train_layers(data, folder)
        layers = [f"{name}={name}.model" for name in ("upos", "xpos", "ner")]
        to = ["--output", target.resolve() / "en.model", "--compress"]
        run(folder, "pipeline", "tok.model", *layers, "--rules", "en", *to)
    figures = measure(target / "en.model", data, corpora)
    about = SUMMARY | {"accuracy": card.summary(figures), "figures": figures}
    (target / "en.json").write_text(json.dumps(about, indent=2) + "\n", "utf-8")
    (target / "CARD.md").write_text(card.text(figures, target / "en.model"), "utf-8")


def write_knowledge(data: Path, folder: Path) -> None:
    """Write what plain text teaches: its tokens, word classes, and the lists of names that it confirms."""
    tokens, classes = folder / "text.txt", folder / "text.classes"
    if not tokens.exists():
        open_text.tokenize(data, tokens)
    if not classes.exists():
        run(folder, "classes", tokens.name, "--output", classes.name, *CLASSES)
    if not all((folder / f"{name}.txt").exists() for name in name_lists.NAMES):
        name_lists.write_lists(data, open_text.capitals(tokens), tokens, folder)


def train_layers(data: Path, folder: Path) -> None:
    """Train the layers that are not there, two at a time."""
    if not (folder / "data").exists():
        (folder / "data").symlink_to(data.resolve())
    tokens = ["tokens.train", f"data/{tag_corpora.EWT.format('dev')}"]
    names, tags = ([f"{what}.{part}" for part in ("train", "dev")] for what in ("names", "tags"))
    layers: dict[str, tuple[list[str], list[str]]] = {
        "ner": (names, ["-r", "ner", "--columns", "form,ner", "--label", "ner"]),
        "xpos": (tags, ["-r", "pos", "--format", "conllu", "--label", "xpos"]),
        "upos": (tags, ["-r", "pos", "--format", "conllu", "--label", "upos"]),
        "tok": (tokens, ["-r", "tokenize", "--format", "conllu"]),
    }
    given = settings()
    with ThreadPoolExecutor(2) as pool:
        jobs = [
            pool.submit(
                run, folder, "train", *how, *given[name], "--train", train, "--dev", dev, "--model", f"{name}.model"
            )
            for name, ([train, dev], how) in layers.items()
            if not (folder / f"{name}.model").exists()
        ]
        for job in jobs:
            job.result()


def settings() -> dict[str, list[str]]:
    """Return the settings of the layers as options: what en.toml says."""
    told = read_toml((HERE / "en.toml").read_text("utf-8"))
    told["tok"] = told["tokens"] | {"tokens": {"text": told["text"], "abbreviations": told["abbreviations"]}}
    told["ner"]["add_gazetteer"] = told["lists"]
    return {
        name: [f"--set={key}={','.join(v) if isinstance(v, list) else v}" for key, v in flat(told[name]).items()]
        for name in ("tok", "upos", "xpos", "ner")
    }


def run(folder: Path, *words: Any) -> None:
    """Run a command of perceptag in a folder: models remember the names of classes and lists as they are given."""
    command = [sys.executable, "-m", "perceptag", *map(str, words), *THREADS.get(words[0], ())]
    subprocess.run(command, check=True, cwd=folder)


if __name__ == "__main__":
    main()
