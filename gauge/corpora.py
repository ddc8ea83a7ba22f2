"""The data of the gauge: the corpus in the package, and real corpora if PERCEPTAG_DATA names their folder."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

from gauge.taggers import Data
from perceptag import Sentence
from perceptag.text import read

NEWS = ("form", "pos", "chunk", "ner")


@cache
def shipped() -> Path:
    """Return the folder of the corpus in the package."""
    command = [sys.executable, "-m", "perceptag", "demo", "--data"]
    return Path(subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip())


def real_folder() -> Path | None:
    """Return the folder of real corpora; None if there is none."""
    name = os.environ.get("PERCEPTAG_DATA")
    return Path(name) if name else None


def news(part: str) -> list[Sentence]:
    """Read a part of the shipped corpus."""
    return list(read(shipped() / f"{part}.txt", columns=NEWS))


# Lemmas by rule: the corpus has none.
IRREGULAR = {"is": "be", "was": "be", "were": "be", "are": "be", "said": "say", "had": "have", "has": "have"}
ENDINGS = {
    "NNS": ("ies>y", "s>"),
    "VBZ": ("ies>y", "es>e", "s>"),
    "VBD": ("ied>y", "ed>"),
    "VBN": ("ied>y", "ed>"),
    "VBG": ("ing>",),
}


def lemma(word: str, tag: str) -> str:
    """Return something like a lemma."""
    if tag.startswith("NNP"):
        return word
    small = word.lower()
    for ending in ENDINGS.get(tag, ()):
        old, new = ending.split(">")
        if small.endswith(old) and len(small) > len(old) + 1 and small not in IRREGULAR:
            return small[: -len(old)] + new
    return IRREGULAR.get(small, small)


def shipped_data(label: str, *, dev: bool) -> Data:
    """Return the parts of the shipped corpus, with a column for `label`; its dev part is tagged."""
    train, held, new = (with_column(news(part), label) for part in ("train", "test", "dev"))
    return Data(train, held if dev else None, new, label)


def with_column(sentences: list[Sentence], label: str) -> list[Sentence]:
    """Add a column of labels that the corpus does not have, made from those that it has; `ner` reads the others."""
    return [Sentence(_columns(dict(each.columns), label), starts_document=each.starts_document) for each in sentences]


def _columns(columns: dict[str, list[str]], label: str) -> dict[str, list[str]]:
    form, pos, chunk = columns["form"], columns["pos"], columns["chunk"]
    if label == "lemma":
        return {"form": form, "upos": pos, label: [lemma(word, tag) for word, tag in zip(form, pos, strict=True)]}
    if label == "parts":
        return {"form": form, label: [f"{tag}|{span[:1]}" for tag, span in zip(pos, chunk, strict=True)]}
    if label == "missing":
        return {"form": form, label: ["_" if t % 4 == 2 else tag for t, tag in enumerate(pos)]}
    return columns
