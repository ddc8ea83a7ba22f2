"""Entity data with other parts of speech and chunks than those that come with it.

Kazama and Torisawa (2007), section 6.2, use the tags of TagChunk (Daumé III and Marcu 2005). Who has its output puts it
into files ``tagchunk/eng.train``, ``eng.testa`` and ``eng.testb``, a token on each line: word, part of speech, chunk.
Without them a tagger and a chunker trained on CoNLL-2000 imitate it. They learn the tags of Brill's tagger, so nothing
makes theirs more accurate than those that come with the data, which the paper hoped for.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Sequence
from pathlib import Path

from perceptag.errors import DataError
from perceptag.reproduce.corpora import CORPORA, CorpusSplits, Folder
from perceptag.tagger import Tagger
from perceptag.text import Sentence, read_columns, write_columns
from perceptag.text.documents import digest

_PASSES = {"full": 10, "quick": 3}
_COLUMNS = ["form", "pos", "chunk", "ner"]
_TAGCHUNK = {"train": "tagchunk/eng.train", "dev": "tagchunk/eng.testa", "test": "tagchunk/eng.testb"}


def missing_tagchunk(folder: Folder) -> str:
    """Return which output of TagChunk is missing, or ""."""
    lacking = [name for part, name in _TAGCHUNK.items() if part != "test" and folder.find(name) is None]
    return f"TagChunk's tags: no {' and no '.join(lacking)} under {folder.name}" if lacking else ""


def retagged(parts: CorpusSplits, folder: Folder, out: Path, quick: bool) -> CorpusSplits:
    """Return the sentences with other columns pos and chunk: TagChunk's if they are there, otherwise our own."""
    if not missing_tagchunk(folder):
        return _given(parts, folder)
    source = folder.load(CORPORA["np"], quick)
    epochs = _PASSES["quick" if quick else "full"]
    facts = [str(epochs), digest(source.train), *map(digest, parts.named().values())]
    target = out / "retagged" / hashlib.sha256("".join(facts).encode()).hexdigest()[:16]
    if not all((target / f"{name}.txt").exists() for name in parts.named()):
        target.mkdir(parents=True, exist_ok=True)
        pos, chunk = _train(source.train, epochs)
        for name, sentences in parts.named().items():
            write_columns(_tag(sentences, pos, chunk), target / f"{name}.txt")
    made = {name: list(read_columns(target / f"{name}.txt", _COLUMNS)) for name in parts.named()}
    return dataclasses.replace(parts, train=made["train"], dev=made["dev"], test=made.get("test"))


def _given(parts: CorpusSplits, folder: Folder) -> CorpusSplits:
    """Put TagChunk's columns into the sentences. In a quick run there are fewer sentences than in its file."""
    made: dict[str, list[Sentence]] = {}
    for name, sentences in parts.named().items():
        path = folder.find(_TAGCHUNK[name])
        if path is None:  # a test set without tags
            continue
        tagged = folder.read(path, ["form", "pos", "chunk"])
        if len(tagged) < len(sentences):
            raise DataError(f"expected {len(sentences)} sentences, as in the data, found {len(tagged)}", str(path))
        made[name] = [_merged(s, t, n, path) for n, (s, t) in enumerate(zip(sentences, tagged, strict=False), 1)]
    return dataclasses.replace(parts, train=made["train"], dev=made["dev"], test=made.get("test"))


def _merged(sentence: Sentence, tagged: Sentence, number: int, path: Path) -> Sentence:
    if list(sentence.tokens) != list(tagged.tokens):
        told = f"expected the words of the data, {' '.join(sentence.tokens)!r}, found {' '.join(tagged.tokens)!r}"
        raise DataError(f"sentence {number}: {told}", str(path))
    return _with(_with(sentence, "pos", list(tagged.columns["pos"])), "chunk", list(tagged.columns["chunk"]))


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
