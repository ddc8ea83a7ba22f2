"""Systems that learn a language from a treebank: perceptag, UDPipe 1 and spaCy, on the same files.

Each is trained in one process on one thread. What was trained is kept in a folder, with its CPU seconds and settings,
so that a comparison that was interrupted continues.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any, TypeVar

from perceptag import Pipeline, Sentence
from perceptag.building.builder import Builder
from perceptag.building.language_file import Language
from perceptag.building.treebank_folder import TreebankData
from perceptag.tagging.job import TagFileOptions
from perceptag.tagging.tag_file import tag_file
from perceptag.text.conllu import read_conllu, write_conllu

Result = TypeVar("Result")
NOT = "¬"  # spaCy takes a tag with this in front of it as a wrong one; by default "!", which is a tag of VTB


@dataclass(frozen=True)
class System:
    """A system that was trained, and how long that took."""

    seconds: float  # of CPU time
    tag: Callable[[Sequence[Sentence]], Sequence[Sentence]]  # gold tokens
    read: Callable[[str], str] | None  # running text to CoNLL-U; None: it has no tokeniser that learns


@dataclass(frozen=True)
class Limits:
    """Settings of the rivals; empty ones, and 0, are their defaults."""

    tokenizer: str = ""  # options of UDPipe, as in "epochs=20"
    tagger: str = ""
    epochs: int = 0  # of spaCy

    def of(self, system: str) -> str:
        """Return the settings of a system in words."""
        named = {"UDPipe 1": [self.tokenizer, self.tagger], "spaCy": [f"epochs={self.epochs}" if self.epochs else ""]}
        return ", ".join(filter(None, named.get(system, [])))


def perceptag(data: TreebankData, path: Path, limits: Limits) -> System:  # noqa: ARG001 - it has no rival settings
    """Build a pipeline, as `perceptag build` does; never kept, since it is what changes."""
    parts = path.with_suffix(".parts")
    builder = Builder(Language("", ""), data, parts, say=partial(print, file=sys.stderr, flush=True))
    pipeline, seconds = timed(lambda: builder.build(lambda _: None))
    builder.forget()
    pipeline.save(path)
    loaded = Pipeline.load(path)

    def read(text: str) -> str:
        out = StringIO()
        tag_file(loaded, StringIO(text), out, TagFileOptions(format="text", to="conllu"))
        return out.getvalue()

    return System(seconds, loaded.tag, read)


def udpipe(data: TreebankData, path: Path, limits: Limits) -> System:
    """Train the tokeniser and the tagger of UDPipe 1, which also lemmatises; no parser."""
    from ufal.udpipe import Model, OutputFormat, Pipeline as Process, ProcessingError, Sentence as Read, Trainer  # noqa: I001

    none, error = Trainer.NONE, ProcessingError()

    def train(options: tuple[str, str]) -> bytes:
        train, dev = (_udpipe_sentences(sentences) for sentences in (data.train, data.dev))
        trained = Trainer.train("morphodita_parsito", train, dev, *options, none, error)
        assert not error.occurred(), error.message
        return bytes(trained)

    halves = {"tok": (limits.tokenizer, none), "tagger": (none, limits.tagger)}
    kept = {name: _kept(path.with_suffix(f".{name}.udpipe"), options, train) for name, options in halves.items()}
    cutter, tagger = (Model.load(str(file)) for file, _ in kept.values())
    process = Process(tagger, "conllu", Process.DEFAULT, Process.NONE, "conllu")

    def read(text: str) -> str:
        cut, out, rows = cutter.newTokenizer(Model.DEFAULT), OutputFormat.newConlluOutputFormat(), []
        cut.setText(text)
        while cut.nextSentence(one := Read(), error):
            tagger.tag(one, Model.DEFAULT, error)
            rows.append(out.writeSentence(one))
        return "".join(rows)

    def tag(sentences: Sequence[Sentence]) -> list[Sentence]:
        return list(read_conllu(StringIO(process.process(written(sentences), error))))

    return System(sum(seconds for _, seconds in kept.values()), tag, read)


def _udpipe_sentences(sentences: Sequence[Sentence]) -> Any:
    from ufal.udpipe import InputFormat, ProcessingError, Sentence as Read, Sentences  # noqa: I001

    reader, found, error = InputFormat.newConlluInputFormat(), Sentences(), ProcessingError()
    reader.setText(written(sentences))
    while reader.nextSentence(one := Read(), error):
        found.append(one)
    assert not error.occurred(), error.message
    return found


def spacy(data: TreebankData, path: Path, limits: Limits) -> System:
    """Train spaCy's tagger, morphologizer and edit-tree lemmatizer, with the settings that it recommends for CPUs."""
    import spacy as library
    from spacy.cli.init_config import init_config
    from spacy.cli.train import train as run
    from spacy.tokens import Doc

    columns = data.columns()
    names = {"tagger": "xpos" in columns, "morphologizer": True, "trainable_lemmatizer": "lemma" in columns}
    pipes = [name for name, is_wanted in names.items() if is_wanted]
    file = path.with_suffix(".spacy.json")
    folder = path.with_suffix(".spacy")

    def train(epochs: int) -> bytes:
        vocabulary = library.blank("xx").vocab
        for part, sentences in (("train", data.train), ("dev", data.dev)):
            docs = [_spacy_doc(Doc, vocabulary, sentence) for sentence in sentences]
            library.tokens.DocBin(docs=docs, store_user_data=True).to_disk(f"{folder}-{part}.spacy")
        config = init_config(lang="xx", pipeline=pipes, optimize="efficiency", gpu=False)
        config.to_disk(f"{folder}.cfg")
        given: dict[str, Any] = {"paths.train": f"{folder}-train.spacy", "paths.dev": f"{folder}-dev.spacy"}
        given |= {"training.max_epochs": epochs} if epochs else {}
        given |= {"components.tagger.neg_prefix": NOT} if "tagger" in pipes else {}
        run(f"{folder}.cfg", folder, overrides=given)
        return b"{}"

    _, seconds = _kept(file, limits.epochs, train)
    loaded = library.load(folder / "model-best")

    def tag(sentences: Sequence[Sentence]) -> list[Sentence]:
        docs = loaded.pipe(Doc(loaded.vocab, words=list(s.columns["form"])) for s in sentences)
        return [_with_tags(s, doc) for s, doc in zip(sentences, docs, strict=True)]

    return System(seconds, tag, None)


def _spacy_doc(doc: Any, vocabulary: Any, sentence: Sentence) -> Any:
    values = {name: list(sentence.columns[name]) for name in ("form", "upos", "xpos", "feats", "lemma")}
    return doc(
        vocabulary,
        words=values["form"],
        pos=values["upos"],
        tags=values["xpos"],
        morphs=["" if value == "_" else value for value in values["feats"]],
        lemmas=values["lemma"],
    )


def _with_tags(sentence: Sentence, doc: Any) -> Sentence:
    found = {
        "upos": [token.pos_ or "_" for token in doc],
        "xpos": [token.tag_ or "_" for token in doc],
        "feats": [str(token.morph) or "_" for token in doc],
        "lemma": [token.lemma_ or "_" for token in doc],
    }
    return replace(sentence, columns={**sentence.columns, **found})


def written(sentences: Sequence[Sentence]) -> str:
    """Return sentences as CoNLL-U."""
    stream = StringIO()
    write_conllu(sentences, stream)
    return stream.getvalue()


def _kept(path: Path, options: Any, train: Callable[[Any], bytes]) -> tuple[Path, float]:
    """The file of what was trained, and the CPU seconds; trained now if it is not there with these options."""
    facts = path.with_suffix(".json") if path.suffix != ".json" else path.with_suffix(".facts")
    wanted = json.loads(json.dumps(options))
    if path.exists() and facts.exists() and (found := json.loads(facts.read_text()))["options"] == wanted:
        return path, found["seconds"]
    trained, seconds = timed(lambda: train(options))
    path.write_bytes(trained)
    facts.write_text(json.dumps({"options": wanted, "seconds": seconds, "cores": os.cpu_count()}))
    return path, seconds


def timed(work: Callable[[], Result]) -> tuple[Result, float]:
    """Return what some work gives, and its CPU seconds."""
    start = time.process_time()
    found = work()
    return found, time.process_time() - start


SYSTEMS = {"perceptag": perceptag, "UDPipe 1": udpipe, "spaCy": spacy}
