"""Entity data with other parts of speech and chunks: those of our own tagger and chunker.

Kazama and Torisawa (2007), section 6.2, use the tags of TagChunk (Daumé III and Marcu 2005) in place of those that
come with the data. TagChunk is not available; a tagger and a chunker trained on CoNLL-2000 replace it.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Sequence
from pathlib import Path

from perceptag.corpus.digest import digest
from perceptag.reproduce.corpora import CORPORA, CorpusSplits, Folder
from perceptag.tagger import Tagger
from perceptag.text import Sentence, read_columns, write_columns

_PASSES = {"full": 10, "quick": 3}
_COLUMNS = ["form", "pos", "chunk", "ner"]


def retagged(parts: CorpusSplits, folder: Folder, out: Path, quick: bool) -> CorpusSplits:
    """Return the sentences with new columns pos and chunk; they are kept in a file, because several runs use them."""
    source = folder.load(CORPORA["np"], quick)
    names = [name for name in ("train", "dev", "test") if getattr(parts, name) is not None]
    epochs = _PASSES["quick" if quick else "full"]
    facts = [str(epochs), digest(source.train), *(digest(getattr(parts, name)) for name in names)]
    target = out / "retagged" / hashlib.sha256("".join(facts).encode()).hexdigest()[:16]
    if not all((target / f"{name}.txt").exists() for name in names):
        target.mkdir(parents=True, exist_ok=True)
        pos, chunk = _train(source.train, epochs)
        for name in names:
            write_columns(_tag(getattr(parts, name), pos, chunk), target / f"{name}.txt")
    made = {name: list(read_columns(target / f"{name}.txt", _COLUMNS)) for name in names}
    return CorpusSplits(made["train"], made["dev"], made.get("test"))


def _train(sentences: list[Sentence], epochs: int) -> tuple[Tagger, Tagger]:
    tagger = Tagger("collins-pos", labels_column="pos", epochs=epochs).fit(sentences)
    chunker = Tagger("collins-np", labels_column="chunk", epochs=epochs).fit(sentences)
    return tagger, chunker


def _tag(sentences: Sequence[Sentence], tagger: Tagger, chunker: Tagger) -> list[Sentence]:
    tagged = [_with(s, "pos", pos) for s, pos in zip(sentences, tagger.predict(sentences), strict=True)]
    return [_with(s, "chunk", chunks) for s, chunks in zip(tagged, chunker.predict(tagged), strict=True)]


def _with(sentence: Sentence, column: str, values: list[str]) -> Sentence:
    columns = {name: list(values) if name == column else old for name, old in sentence.columns.items()}
    return dataclasses.replace(sentence, columns=columns)
