"""Worker for tagging: tags each part of a file into a file of its own."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import IO, Any

from perceptag.cluster.parts import FilePart, with_lines
from perceptag.errors import DataError, LostLabel
from perceptag.models.model_file import read_file
from perceptag.pipeline.pipeline import Pipeline
from perceptag.system.output_files import open_output
from perceptag.tagging.job import TagFileOptions
from perceptag.tagging.running_text import Note, input_format
from perceptag.tagging.tag_file import open_pipeline, tag_file
from perceptag.text.formats import by_ending, choose
from perceptag.text.jsonl import FORMAT as JSONL
from perceptag.text.jsonl import JsonLayout
from perceptag.text.sentence import Sentence

ReadList = Callable[[str, Pipeline, Note], IO[bytes]]  # the sentences of a list of texts as JSON lines


@dataclass(frozen=True, slots=True)
class ModelOnDisk:
    """A model as a worker finds it."""

    path: str
    sha256: str
    layer: str
    allow_code: bool
    folder: str  # in which the names of files have a meaning


@dataclass(slots=True)
class Tagged:
    """What became of a part."""

    tokens: int
    bytes: int
    seconds: float
    columns: list[str] = field(default_factory=list)  # of its first sentence, where all sentences must have the same
    numbered: bool = False  # a document got a number, which depends on the documents before it
    lost: list[str] = field(default_factory=list)  # notes on what the output has no place for
    fault: str = ""  # why the input cannot be tagged

    def note(self, text: str) -> None:
        """Keep a note on a loss; other notes are dropped."""
        if isinstance(text, LostLabel):
            self.lost.append(str(text))


def digest_of(path: str) -> str:
    """The SHA-256 of a model file."""
    return hashlib.sha256(read_file(path)).hexdigest()


@dataclass(slots=True)
class TagWorker:
    """Tags parts of files with one pipeline."""

    opened: Pipeline
    options: TagFileOptions
    read_list: ReadList | None = None

    @classmethod
    def load(cls, model: ModelOnDisk, options: TagFileOptions, read_list: ReadList | None = None) -> TagWorker:
        """Make a worker in a process of its own, perhaps on another machine."""
        try:
            if Path.cwd() != Path(model.folder):
                os.chdir(model.folder)
        except OSError as error:
            raise _not_shared(model.folder, str(error.strerror)) from None
        if not Path(model.path).exists():
            raise _not_shared(model.path, "there is no such file")
        if digest_of(model.path) != model.sha256:
            raise _not_shared(model.path, "it is another model")
        return cls(open_pipeline(model.path, allow_code=model.allow_code, layer=model.layer), options, read_list)

    def tag(self, part: FilePart, target: str) -> Tagged:
        """Tag a part into a file, which appears whole or not at all. A fault of the input is part of the result."""
        started = time.monotonic()
        found = Tagged(0, 0, 0.0)
        wanted = JSONL if part.is_list else self.options.format
        format_ = input_format(self.opened, part.path, wanted, self.options.columns)
        # Only the first part shows whether the column that is replaced holds labels.
        options = replace(self.options, format=format_, replace=self.options.replace or bool(part.begin))
        written = (choose(options.to, target) if options.to else by_ending(target) or format_).name
        see = partial(_see, found, written) if "jsonl" in (format_.name, written) else None

        def work(source: Any) -> int:
            if part.is_list:
                assert self.read_list is not None
                source = self.read_list(part.path, self.opened, found.note)
            return tag_file(self.opened, source, target, options, note=found.note, seen=see)

        try:
            found.tokens = with_lines(part, format_, work, self.opened.looks_at_documents())
        except DataError as error:
            if not error.where.startswith(part.path):
                raise  # of the output
            found.fault = str(error)
            return found
        found.bytes = Path(target).stat().st_size
        found.seconds = time.monotonic() - started
        return found

    def join(self, parts: Sequence[str], target: str, size: int) -> int:
        """Put the parts of a file together; return its bytes, which must be `size`."""
        if len(parts) == 1:
            if Path(parts[0]).exists():  # otherwise this call was carried out before
                Path(parts[0]).replace(target)
        else:
            with open_output(target) as stream:
                for part in parts:
                    with Path(part).open("rb") as file:
                        shutil.copyfileobj(file, stream, 1 << 20)
        found = Path(target).stat().st_size
        if found != size:
            raise DataError(f"expected {size} bytes, found {found}: something else has changed this file", target)
        return found


def _see(found: Tagged, written: str, sentence: Sentence) -> Sentence:
    """Take note of what a file that is written in one go would make of a sentence."""
    if written == "columns":
        found.columns = found.columns or list(sentence.columns)
    elif written == "jsonl":
        record = sentence.layout.record if isinstance(sentence.layout, JsonLayout) else None
        found.numbered |= sentence.starts_document and (record or {}).get("document") is None
    return sentence


def _not_shared(path: str, why: str) -> DataError:
    machine = platform.node()
    return DataError(f"on {machine}: {why}; model, input and output must be on storage that all workers share", path)
