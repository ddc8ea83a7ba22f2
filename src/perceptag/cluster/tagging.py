"""Tag many files, or very large ones, in parts on the workers of an engine.

A part is written whole or not at all, and tagging it twice gives the same bytes. So a part may be tagged any number of
times, by workers that die or are slow, and the output is that of `perceptag tag` for each file, byte for byte.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from perceptag._version import __version__
from perceptag.cluster.parts import CUTTABLE, FilePart, cut, expand
from perceptag.cluster.tag_worker import ModelOnDisk, ReadList, Tagged, TagWorker, digest_of
from perceptag.cluster.tagged_folder import TaggedFolder, TaggedPart, has_size
from perceptag.engines.calls import Call, Crew, Engine
from perceptag.engines.engine_names import engine
from perceptag.errors import DataError, LostLabel, SettingError, reason
from perceptag.pipeline.installed import path_of
from perceptag.pipeline.pipeline import Pipeline
from perceptag.system.given_file import facts_of
from perceptag.system.journal import Journal
from perceptag.system.plural import plural
from perceptag.system.replacing import refuse_other_kind
from perceptag.tagging.job import TagFileOptions, written_format
from perceptag.tagging.running_text import Note, input_format
from perceptag.tagging.tag_file import open_pipeline, tag_file, written_layer
from perceptag.text.columns import FORMAT as COLUMNS
from perceptag.text.format import Format
from perceptag.text.formats import by_ending, choose
from perceptag.text.jsonl import FORMAT as JSONL
from perceptag.text.parquet import FORMAT as PARQUET

PART = 4_000_000  # bytes of a part
_SECONDS = 10.0  # between two lines that say how far it is

Progress = Callable[[int, int], object]  # how many parts are done, and of how many


@dataclass(slots=True)
class _File:
    """A file, its parts, and what is done of it."""

    source: str
    output: Path
    pieces: list[TaggedPart]
    stamp: list[int]  # its size and time: another file of the same name is tagged again
    done: dict[int, Tagged] = field(default_factory=dict)
    is_whole: bool = False  # it was cut before, and then tagged again as one part
    is_joined: bool = False
    fault: str = ""  # why a part of it cannot be tagged

    @property
    def is_tagged(self) -> bool:
        """Whether all its parts are there."""
        return len(self.done) == len(self.pieces)

    @property
    def bytes(self) -> int:
        """The bytes of the parts that are done."""
        return sum(tagged.bytes for tagged in self.done.values())

    @property
    def tokens(self) -> int:
        """The tokens of the parts that are done."""
        return sum(tagged.tokens for tagged in self.done.values())


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run has done."""

    files: int
    tokens: int
    seconds: float
    parts_before: int  # parts that an earlier run had done

    def told(self) -> str:
        """In words.

        >>> Summary(1, 9, 0.1, 2).told()
        '9 tokens of 1 file (done before: 2 parts)'
        """
        before = f" (done before: {plural(self.parts_before, 'part')})" if self.parts_before else ""
        return f"{plural(self.tokens, 'token')} of {plural(self.files, 'file')}{before}"


def tag_files(
    model: str,
    files: Sequence[str],
    out_dir: str,
    *,
    on: str | Engine = "threads",
    workers: int = 0,
    part_bytes: int = PART,
    as_parts: bool = False,
    layer: str = "",
    allow_code: bool = False,
    note: Note = str,
    progress: Progress | None = None,
    overwrite: bool = False,
    lists: Collection[str] = (),
    read_list: ReadList | None = None,
    **options: Any,
) -> Summary:
    """Tag files into a folder: each into a file of its name, or into parts of it. Run again, it continues.

    `files`: names and patterns. `on`: an engine or its name. `progress` is called with the number of
    parts done and of all parts; without it, `note` gets a message now and then. `overwrite`: files of another format
    that are in the folder are replaced. `lists`: the files that are lists of texts, of which `read_list` makes
    sentences; each is one part. `options`: see `TagFileOptions`.
    """
    started = time.monotonic()
    paths = expand(files)
    if not paths:
        raise SettingError("files: expected names of files or patterns, found none")
    wanted = TagFileOptions(**options)
    opened = open_pipeline(model, allow_code=allow_code, layer=layer)
    if layer := written_layer(opened, layer, wanted.to):
        opened = opened.upto(layer)
    named = choose(wanted.to, "", "--to") if wanted.to else None
    lists = {*lists}
    folder = TaggedFolder(out_dir, paths, as_parts, path_of(model), named, lists)
    own = {path: replace(wanted, format=JSONL) if path in lists else wanted for path in paths}
    formats = {path: _checked(opened, path, own[path], note if path == paths[0] else str) for path in paths}
    for path, target in ((path, str(folder.outputs[path])) for path in paths):
        kind = written_format(opened, path, target, own[path]).kind
        refuse_other_kind("--out-dir", target, kind, overwrite=overwrite)
    to = wanted.to.name if isinstance(wanted.to, Format) else wanted.to
    is_one = to == PARQUET.name and not as_parts  # files of Parquet cannot be put one after the other
    parts = {
        path: [FilePart(path, is_list=path in lists)]
        if is_one or path in lists
        else _parts(opened, path, formats[path].name, to, part_bytes)
        for path in paths
    }
    found = ModelOnDisk(path_of(model), digest_of(path_of(model)), layer, allow_code, str(Path.cwd()))
    chosen = engine(on, workers) if isinstance(on, str) else on
    with folder.opened(_work(found, paths, part_bytes, as_parts, wanted)) as (journal, entries):
        by_file = _by_file(entries)
        known = [_known(folder, path, parts[path], by_file.get(folder.outputs[path].name, [])) for path in paths]
        before = sum(len(file.done) for file in known)
        run = _TaggingRun(folder, journal, known, note, progress)
        if not all(file.is_joined for file in known):
            if before:
                note(f"{journal.path}: done before: {plural(before, 'part')}")
            make = partial(TagWorker.load, found, wanted, read_list)
            with _crew(chosen, make, TagWorker(opened, wanted, read_list)) as crew:
                run.tag(crew)
                run.join(crew)
            run.refuse_faults()
        folder.tidy()
        for told in dict.fromkeys(told for file in known for one in file.done.values() for told in one.lost):
            note(LostLabel(told))
        summary = Summary(len(known), sum(file.tokens for file in known), time.monotonic() - started, before)
        folder.succeed(_told(found, known, summary))
    return summary


def _checked(opened: Pipeline, path: str, options: TagFileOptions, note: Note) -> Format:
    """The format of a file. Options that do not fit are refused now, not by workers: an empty file is tagged."""
    format_ = input_format(opened, path, options.format, options.columns)
    nothing = io.BytesIO()
    nothing.name = path
    tag_file(opened, nothing, io.BytesIO(), replace(options, format=format_), note=note)
    return format_


def _work(
    model: ModelOnDisk, paths: list[str], part_bytes: int, as_parts: bool, options: TagFileOptions
) -> dict[str, Any]:
    """What parts depend on: only those of the same work can be used again."""
    names = [field.name for field in fields(options) if field.name not in ("threads", "batch")]
    return {
        "perceptag": __version__,
        "model": model.sha256,
        "layer": model.layer,
        "files": paths,
        "part size": part_bytes,
        "parts": as_parts,
        **({"text": text} if (text := facts_of(paths[0]).text) else {}),
        **{name: _plain(getattr(options, name)) for name in names},
    }


def _plain(value: Any) -> Any:
    return [value.name, value.comment] if isinstance(value, Format) else value


def _parts(opened: Pipeline, path: str, format_: str, to: str | None, size: int) -> list[FilePart]:
    """The parts of a file. Running text is cut if neither its labels nor the output depend on where it began."""
    written = to or (by_ending(path) or COLUMNS).name
    has_no_places = format_ == "text" and written in ("columns", "text", "inline") and not opened.looks_at_documents()
    return cut([path], size) if format_ in CUTTABLE or has_no_places else [FilePart(path)]


def _stamp(path: str) -> list[int]:
    status = Path(path).stat()
    return [status.st_size, status.st_mtime_ns]


def _by_file(entries: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for entry in entries:
        found.setdefault(entry["file"], []).append(entry)
    return found


def _known(folder: TaggedFolder, path: str, parts: list[FilePart], entries: Sequence[dict[str, Any]]) -> _File:
    """A file with what an earlier run has done of it."""
    output = folder.outputs[path]
    file = _File(path, output, folder.pieces(path, parts), _stamp(path))
    own = [entry for entry in entries if entry["stamp"] == file.stamp]
    if any(entry.get("whole") for entry in own):
        _make_whole(folder, file)
        own = [entry for entry in own if entry.get("whole") or "part" not in entry]
    parts_done = [entry for entry in own if 0 <= entry.get("part", -1) < len(file.pieces)]
    tagged = {entry["part"]: Tagged(**entry["tagged"]) for entry in parts_done}
    joined = [entry["bytes"] for entry in own if "part" not in entry]
    if joined and has_size(output, joined[-1]):
        file.is_joined, file.done = True, tagged
    else:
        file.done = {i: one for i, one in tagged.items() if has_size(file.pieces[i].target, one.bytes)}
    if folder.as_parts and file.is_tagged:
        file.is_joined = True
    return file


def _make_whole(folder: TaggedFolder, file: _File) -> None:
    """Let a file be one part."""
    file.pieces, file.done, file.is_whole = folder.pieces(file.source, [FilePart(file.source)]), {}, True


@contextmanager
def _crew(chosen: Engine, make: Callable[[], object], here: TagWorker) -> Iterator[Crew]:
    """Workers; threads share the model that is already there."""
    crew = chosen.crew((lambda: here) if chosen.name == "threads" else make)
    try:
        yield crew
    finally:
        crew.close()


@dataclass(slots=True)
class _TaggingRun:
    """One run: what is left is tagged, and files are put together."""

    folder: TaggedFolder
    journal: Journal
    files: list[_File]
    note: Note
    progress: Progress | None = None

    def tag(self, crew: Crew) -> None:
        """Tag all parts that are not done; then those files as a whole whose parts do not fit together."""
        self._tag(crew)
        unfit = [file for file in self._open() if not self._fits(file)]
        for file in unfit:
            for piece in file.pieces[1:]:
                piece.target.unlink(missing_ok=True)
            _make_whole(self.folder, file)
        if unfit:
            self._tag(crew)

    def _open(self) -> list[_File]:
        """Return the files without a fault that are not put together yet."""
        return [file for file in self.files if not file.is_joined and not file.fault]

    def _tag(self, crew: Crew) -> None:
        waiting = [(file, i) for file in self._open() for i in range(len(file.pieces))]
        waiting = [(file, i) for file, i in waiting if i not in file.done]
        for folder in {file.pieces[i].target.parent for file, i in waiting}:
            _make(folder)
        waiting.sort(key=lambda one: -_size(one[0].pieces[one[1]].part, one[0].stamp))
        calls = [
            Call(key, "tag", (file.pieces[i].part, str(file.pieces[i].target))) for key, (file, i) in enumerate(waiting)
        ]
        progress = _Progress(len(calls), self.note, self.progress)
        for key, tagged in crew.run(calls):
            file, i = waiting[key]
            if tagged.fault:
                file.fault = file.fault or tagged.fault
                progress.count(0)
                continue
            file.done[i] = tagged
            entry = {"file": file.output.name, "part": i, "bytes": tagged.bytes, "stamp": file.stamp}
            self.journal.add(entry | {"tagged": asdict(tagged)} | ({"whole": True} if file.is_whole else {}))
            progress.count(tagged.tokens)

    def _fits(self, file: _File) -> bool:
        """Whether the parts of a file together are the file: columns are equal, and no document got a number."""
        if len(file.pieces) == 1:
            return True
        columns = {tuple(tagged.columns) for tagged in file.done.values() if tagged.columns}
        return len(columns) <= 1 and not any(tagged.numbered for tagged in file.done.values())

    def join(self, crew: Crew) -> None:
        """Put files together from their parts."""
        for file in self._open():
            if _stamp(file.source) != file.stamp:
                raise DataError("the file was changed while it was tagged; run the command again", file.source)
        if self.folder.as_parts:
            for file in self.files:
                if not file.fault:
                    self.folder.drop_old_parts(file.source, file.pieces)
            return
        left = self._open()
        calls = [
            Call(key, "join", ([str(piece.target) for piece in file.pieces], str(file.output), file.bytes))
            for key, file in enumerate(left)
        ]
        for key, size in crew.run(calls):
            file = left[key]
            self.journal.add({"file": file.output.name, "bytes": size, "stamp": file.stamp})
            file.is_joined = True

    def refuse_faults(self) -> None:
        """Name the files that cannot be tagged, after all others have been tagged."""
        faults = [file.fault for file in self.files if file.fault]
        if faults and len(self.files) > 1:
            count = f"{len(faults)} of {plural(len(self.files), 'file')} cannot be tagged"
            faults.append(f"{count}; the others are in {self.folder.path}; repair the input and run this again")
        if faults:
            raise DataError("\n".join(faults))


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"cannot make the folder: {reason(error)}", where=str(folder)) from None


def _size(part: FilePart, stamp: Sequence[int]) -> int:
    return stamp[0] if part.end is None else part.end - part.begin


class _Progress:
    """Says from time to time how far a run is."""

    def __init__(self, parts: int, note: Note, progress: Progress | None) -> None:
        self.parts, self.note, self.progress = parts, note, progress
        self.done = self.tokens = 0
        self.started = self.said = time.monotonic()

    def count(self, tokens: int) -> None:
        """Count one more part."""
        self.done += 1
        self.tokens += tokens
        if self.progress:
            self.progress(self.done, self.parts)
            return
        now = time.monotonic()
        if now - self.said < _SECONDS:
            return
        self.said, gone = now, now - self.started
        left = gone / self.done * (self.parts - self.done)
        self.note(f"{self.done} of {self.parts} parts, {self.tokens / gone:,.0f} tokens/s, about {left:.0f} s left")


def _told(model: ModelOnDisk, files: Sequence[_File], summary: Summary) -> dict[str, Any]:
    """What the file of success says."""
    return {
        "perceptag": __version__,
        "model": {"file": model.path, "sha256": model.sha256},
        "files": [
            {"input": f.source, "output": f.output.name, "parts": len(f.pieces), "tokens": f.tokens} for f in files
        ],
        "tokens": summary.tokens,
        "seconds": round(summary.seconds, 3),
    }
