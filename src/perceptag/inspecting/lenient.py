"""Read a file with errors: report each as a finding, and read the sentences around it.

A reader refuses a file at its first fault. Here the paragraph with the fault is made blank, which leaves the numbers of
all other lines as they are, and the file is read again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from perceptag.errors import DataError
from perceptag.inspecting.findings import Findings
from perceptag.text.format import Format, Names
from perceptag.text.formats import choose
from perceptag.text.lines import BYTE_ORDER_MARK, Source
from perceptag.text.sentence import Sentence
from perceptag.text.verbatim import NamedBytes, read_bytes

MOST_FAULTS = 20  # after these, the rest of a file is not read: its format is probably another
_MARK = b"-DOCSTART-"


def read_leniently(
    source: Source, format_: Format | str | None, columns: Names | None, findings: Findings
) -> list[Sentence]:
    """Return the sentences of a file that can be read, and add what is wrong with the others to `findings`."""
    told = choose(format_, source)
    if not told.unit:
        return list(told.read(source, columns))
    file = read_bytes(source)
    _look_at_bytes(file, findings)
    return _read_around_faults(file, told, columns, findings)


def _read_around_faults(file: NamedBytes, format_: Format, columns: Names | None, findings: Findings) -> list[Sentence]:
    lines = file.getvalue().splitlines(keepends=True)
    for fault in range(1, MOST_FAULTS + 1):
        sentences: list[Sentence] = []
        try:
            for sentence in format_.read(NamedBytes(b"".join(lines), file.name), columns):
                sentences.append(sentence)  # noqa: PERF402 - those before a fault are kept
            return sentences
        except DataError as error:
            line = _line_in(error.where, file.name)
            if not line:
                raise
            message = str(error).removeprefix(f"{error.where}: ")
            findings.add("unreadable", error.where, message, re.split(", found|: ", message)[0])
            if fault == MOST_FAULTS:
                findings.add("unreadable", error.where, "the rest of the file was not looked at", "rest")
            for number in _paragraph(lines, line - 1, format_):
                lines[number] = b"\n"
    return sentences


def _line_in(where: str, name: str) -> int:
    """Return the line that an error names, or 0 if it is about the whole file."""
    match = re.fullmatch(re.escape(name) + r":(\d+)", where)
    return int(match[1]) if match else 0


def _paragraph(lines: list[bytes], number: int, format_: Format) -> Iterator[int]:
    """Yield the numbers, from 0, of the lines of the sentence with this line. Marks of documents are left out."""
    if format_.unit == "line":
        yield number
        return
    first, end = number, number + 1
    while first > 0 and lines[first - 1].strip():
        first -= 1
    while end < len(lines) and lines[end].strip():
        end += 1
    yield from (n for n in range(first, end) if n == number or not lines[n].startswith(_MARK))


def _look_at_bytes(file: NamedBytes, findings: Findings) -> None:
    """Look for what readers accept without a word: a byte order mark, two kinds of line ends, a mark at the end."""
    data = file.getvalue()
    if data.startswith(BYTE_ORDER_MARK):
        findings.add("byte order mark", f"{file.name}:1", "the file begins with U+FEFF, which is not read")
    lines = data.removeprefix(BYTE_ORDER_MARK).splitlines(keepends=True)
    _look_at_ends(lines, file.name, findings)
    mark = 0  # the line of a mark that no sentence has followed yet
    for number, line in enumerate([*lines, _MARK], 1):
        if line.startswith(_MARK):
            if mark:
                findings.add("empty document", f"{file.name}:{mark}", "no sentence follows this mark of a document")
            mark = number
        elif line.strip():
            mark = 0


def _look_at_ends(lines: list[bytes], name: str, findings: Findings) -> None:
    ends = [_END_NAMES.get(line[len(line.rstrip(b"\r\n")) :][-2:], "LF") for line in lines]
    counts = Counter(ends[:-1])
    if len(counts) > 1:
        rarest = min(counts, key=counts.__getitem__)
        told = " and ".join(f"{end} ({times:,})" for end, times in counts.most_common())
        findings.add("mixed line ends", f"{name}:{ends.index(rarest) + 1}", told, times=counts[rarest])


_END_NAMES = {b"\r\n": "CRLF", b"\n": "LF", b"\r": "CR"}
