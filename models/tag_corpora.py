"""The treebanks behind the parts of speech of `en`: the English Web Treebank, and nine genres of GUM."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

EWT, GUM = "ewt/en_ewt-ud-{}.conllu", "open/pos_en/gum_open_genres_gold.conllu.gz"
TENTH = 10


def write_training(data: Path, train: Path, dev: Path) -> None:
    """Write the data of a training: that of EWT, with nine tenths of the documents of GUM to learn from."""
    learned, held_out = gum(data)
    train.write_text((data / EWT.format("train")).read_text("utf-8") + learned, "utf-8")
    dev.write_text((data / EWT.format("dev")).read_text("utf-8") + held_out, "utf-8")


def gum(data: Path) -> tuple[str, str]:
    """Return nine tenths of the documents of GUM, and every tenth."""
    text = gzip.decompress((data / GUM).read_bytes()).decode()
    documents = re.split(r"^(?=# newdoc id)", text, flags=re.MULTILINE)[1:]
    parts: tuple[list[str], list[str]] = ([], [])
    for number, document in enumerate(documents):
        parts[number % TENTH == TENTH - 1].append(document)
    return "".join(parts[0]), "".join(parts[1])
