"""The output folder of `perceptag tag --out-dir`: its layout, its journal and its finished parts.

DIR/_parts.jsonl                 the journal: which work this is, then a line for each part and each file
DIR/_parts/big.conllu/part-00000.conllu …     parts of files that are not complete
DIR/big.conllu                   a file, put together from its parts
DIR/big.conllu/part-00000.conllu …            the same as parts, if parts are wanted
DIR/_SUCCESS.json                when all is done
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from perceptag.cluster.parts import FilePart
from perceptag.cluster.tag_worker import Tagged
from perceptag.errors import SettingError, brief, reason
from perceptag.system.compression import without_ending
from perceptag.system.journal import Journal, as_json
from perceptag.system.output_files import open_output, text_writer
from perceptag.system.platform.open_files import try_lock
from perceptag.system.replacing import file_identity, refuse_file_for_folder
from perceptag.text.format import Format
from perceptag.text.formats import by_ending
from perceptag.text.jsonl import FORMAT as JSONL

JOURNAL, PARTS, SUCCESS = "_parts.jsonl", "_parts", "_SUCCESS.json"
_OWN = {JOURNAL, PARTS, SUCCESS}
_TEMPORARY = ".perceptag-*.tmp"


@dataclass(frozen=True, slots=True)
class TaggedPart:
    """A part of a file, and where it is tagged into."""

    part: FilePart
    target: Path


class TaggedFolder:
    """The folder that `perceptag tag --out-dir` fills."""

    def __init__(
        self,
        path: str,
        inputs: Sequence[str],
        as_parts: bool,
        model: str = "",
        to: Format | None = None,
        lists: Collection[str] = (),
    ) -> None:
        self.path = Path(path)
        self.as_parts = as_parts
        names = _names(inputs, to, lists)
        self.outputs = {source: self.path / name for source, name in zip(inputs, names, strict=True)}
        self._refuse_inputs(model)

    def _refuse_inputs(self, model: str) -> None:
        """Refuse to write over a file that is read."""
        inputs = {file_identity(path) for path in (*self.outputs, model) if path} - {None}
        for target in map(str, self.outputs.values()):
            if file_identity(target) in inputs:
                raise SettingError(f"--out-dir: {target} is also an input; name another folder")

    @contextmanager
    def opened(self, work: Mapping[str, Any]) -> Iterator[tuple[Journal, list[dict[str, Any]]]]:
        """Make the folder, and open its journal, which must be that of the same work."""
        refuse_file_for_folder("--out-dir", self.path)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SettingError(f"--out-dir: cannot make the folder {self.path}: {reason(error)}") from None
        with self._locked():
            journal = Journal(str(self.path / JOURNAL), work, "name another folder, or remove this one")
            entries = journal.open(_fault)
            self._refuse_folders()
            (self.path / SUCCESS).unlink(missing_ok=True)
            yield journal, entries

    def _refuse_folders(self) -> None:
        """Refuse folders where files will stand, before anything is tagged."""
        for target in self.outputs.values() if not self.as_parts else ():
            if target.is_dir():
                raise SettingError(f"--out-dir: {target}: expected a file or nothing, found a folder")

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Keep other runs out of the folder. A lock ends with its process, however that ends."""
        with (self.path / JOURNAL).open("ab") as file:
            is_ours = True
            with suppress(OSError):  # a file system without locks
                is_ours = try_lock(file.fileno())
            if not is_ours:
                raise SettingError(f"--out-dir: another run is writing into {self.path}")
            yield

    def pieces(self, source: str, parts: Iterable[FilePart]) -> list[TaggedPart]:
        """The parts of a file with their targets."""
        target = self.outputs[source]
        folder = target if self.as_parts else self.path / PARTS / target.name
        ending = target.name.partition(".")[2]
        return [
            TaggedPart(part, folder / f"part-{i:05}{'.' if ending else ''}{ending}") for i, part in enumerate(parts)
        ]

    def drop_old_parts(self, source: str, pieces: Sequence[TaggedPart]) -> None:
        """Remove parts of a file that was longer, and what killed workers have left; other files are the user's."""
        folder = self.outputs[source]
        for old in {*folder.glob("part-*"), *folder.glob(_TEMPORARY)} - {piece.target for piece in pieces}:
            with suppress(OSError):
                old.unlink()

    def tidy(self) -> None:
        """Remove parts of files that have been put together, and what killed workers have left."""
        shutil.rmtree(self.path / PARTS, ignore_errors=True)
        for left in self.path.glob(_TEMPORARY):
            with suppress(OSError):
                left.unlink()

    def succeed(self, told: Mapping[str, Any]) -> None:
        """Say that all is done."""
        with open_output(str(self.path / SUCCESS)) as stream:
            text_writer(stream)(as_json(told, indent=2) + "\n")


def _names(inputs: Sequence[str], to: Format | None, lists: Collection[str]) -> list[str]:
    """The names of the outputs, which are those of the inputs, with the ending of another format if one is wanted."""
    names = [_named_as(os.path.basename(path), to, path in lists) for path in inputs]  # noqa: PTH119
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        both = " and ".join([path for path, name in zip(inputs, names, strict=True) if name == twice[0]][:2])
        raise SettingError(f"--out-dir: expected input files with different names, found {both}")
    for name in names:
        if name in _OWN:
            raise SettingError(f"--out-dir: a file cannot be called {name}, which has a meaning there")
    return names


def _named_as(name: str, to: Format | None, is_list: bool) -> str:
    """Return a name with the ending of a format, unless its own says the same; that of compression stays.

    A list of texts becomes JSON lines, and what is made of a table is none.
    """
    is_told = by_ending(name)
    to = to or (JSONL if is_list else None)
    if to is None or is_told is to or not (to.endings or is_told or is_list):
        return name
    bare, ending = without_ending(name), to.endings[0] if to.endings else ".txt"
    return f"{PurePath(bare).stem}{ending}{name[len(bare) :]}"


def _fault(entry: dict[str, Any]) -> str:
    """What is wrong with a line of the journal."""
    kinds: dict[str, type] = {"file": str, "bytes": int, "stamp": list}
    if "part" in entry:
        kinds |= {"part": int, "tagged": dict}
    for key, kind in kinds.items():
        if type(entry.get(key)) is not kind:
            return f"{key}: expected {kind.__name__}, found {brief(entry.get(key))}"
    try:
        Tagged(**entry.get("tagged", {"tokens": 0, "bytes": 0, "seconds": 0}))
    except TypeError:
        return f"tagged: expected what became of a part, found {brief(entry['tagged'])}"
    return ""


def has_size(path: Path, size: int) -> bool:
    """Whether a file is there with so many bytes."""
    try:
        return path.is_file() and path.stat().st_size == size
    except OSError:
        return False
