"""Split files into byte ranges that workers open and read on their own.

A part is a range of bytes. Where it begins and ends exactly, its reader finds by `perceptag.text.borders`: a sentence
belongs to the part in which its border is found, and no sentence to two. A compressed file is one part, unless it has
been unpacked. A Parquet file is one part.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from perceptag.errors import DataError, PerceptagError, SettingError, reason
from perceptag.system.given_file import GivenFile, facts_of
from perceptag.text.borders import border, lines_before
from perceptag.text.format import Format, FormatLike, Names
from perceptag.text.formats import choose
from perceptag.text.lines import PartStream, Source, byte_chunks, open_binary, open_input, open_part
from perceptag.text.sentence import Sentence

CUTTABLE = ("columns", "conllu", "jsonl")  # formats whose files can be cut
_COMPRESSED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"PAR1")  # the first bytes: gz, bz2, xz, zst
_ENDINGS = (".gz", ".bz2", ".xz", ".zst")

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class FilePart:
    """Bytes of a file. Without `end` it is the whole file, which may be compressed."""

    path: str
    begin: int = 0
    end: int | None = None
    text: str = ""  # where the text of a compressed file is, once it is unpacked
    is_list: bool = False  # of texts, which get their sentences when the part is tagged


def expand(patterns: Sequence[str]) -> list[str]:
    """Return the files that names and patterns mean, those of each pattern sorted. One without a file is an error."""
    found: dict[str, None] = {}
    for pattern in patterns:
        paths = [pattern] if Path(pattern).exists() else sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207
        files = [GivenFile(path, facts_of(pattern)) for path in paths if not Path(path).is_dir()]
        if not files:
            is_folder = bool(paths)
            raise DataError(
                f"expected a file or a pattern such as '{Path(pattern) / '*.txt'}', found a folder"
                if is_folder
                else "there is no such file",
                where=pattern,
            )
        found |= dict.fromkeys(files)
    return list(found)


def cut(paths: Sequence[str], size: int) -> list[FilePart]:
    """Cut files into parts of about `size` bytes, in the order of the files. An empty file is one part."""
    if size < 1:
        raise SettingError(f"part size: expected at least 1 byte, found {size}")
    parts: list[FilePart] = []
    for path in paths:
        length = _length(path)
        if length is None or length <= size:
            parts.append(FilePart(path))
        else:
            parts += [FilePart(path, begin, min(begin + size, length)) for begin in range(0, length, size)]
    return parts


def _length(path: str) -> int | None:
    """The bytes of a file that can be cut; of another, such as a compressed one, None."""
    try:
        status = Path(path).stat()
    except OSError as error:
        raise DataError(f"cannot read: {reason(error)}", where=path) from None
    if not os.path.isfile(path):  # noqa: PTH113 - a pipe cannot be read twice
        raise DataError("expected a regular file, which can be read in parts", where=path)
    if path.lower().endswith(_ENDINGS):  # what is written is compressed, too
        return None
    with open_binary(path) as file:
        return None if file.read(6).startswith(_COMPRESSED) else status.st_size


def unpack(part: FilePart, text: Path, size: int) -> list[FilePart]:
    """Unpack a compressed file to `text`, and cut that; a part of another file stays as it is."""
    if part.end is not None or _length(part.path) is not None:
        return [part]
    length = Path(text_of(FilePart(part.path, text=str(text)))).stat().st_size
    ends = range(size, length + size, size)
    return [FilePart(part.path, end - size, min(end, length), text=str(text)) for end in ends] or [part]


def text_of(part: FilePart) -> str:
    """The file with the text of a part. That of a compressed one is made if this machine does not have it yet."""
    if not part.text or Path(part.text).exists():
        return part.text or part.path
    from perceptag.cluster.shared import write_whole  # it imports numpy, which tagging does not need

    with open_input(part.path) as (stream, name):
        write_whole(Path(part.text), byte_chunks(stream, name))
    return part.text


@contextmanager
def opened(part: FilePart, format_: Format, whole_documents: bool, line: int = 0) -> Iterator[Source]:
    """Open a part; `line` is the true number of its first line, if known."""
    if part.end is None:
        yield part.path
        return
    path = text_of(part)
    first, last = (
        border(path, format_.name, place, format_.comment, whole_documents) for place in (part.begin, part.end)
    )
    with open_part(path, first.place, last.place) as stream:
        stream.name = part.path
        stream.document = first.document
        stream.line = line or stream.line
        yield stream


def with_lines(
    part: FilePart, format_: Format, work: Callable[[Source], Result], whole_documents: bool = False
) -> Result:
    """Do some work on an open part. If it is refused, it is done again with true numbers of lines, for the message."""
    try:
        with opened(part, format_, whole_documents) as source:
            return work(source)
    except PerceptagError:
        if not part.begin:
            raise
    with opened(part, format_, whole_documents) as source:
        before = lines_before(text_of(part), source.begin) if isinstance(source, PartStream) else 0
    with opened(part, format_, whole_documents, line=1 + before) as source:
        return work(source)


def read_part(
    part: FilePart,
    format: FormatLike = None,  # noqa: A002
    columns: Names | None = None,
    *,
    whole_documents: bool = False,
) -> list[Sentence]:
    """Read the sentences of a part; all parts of a file together give what reading the file gives."""
    chosen = choose(format, part.path)
    return with_lines(part, chosen, lambda source: list(chosen.read(source, columns)), whole_documents)
