"""Stand-off annotation of brat: a file .txt, and a file .ann with a line for each span.

    T1	PER 0 4	Anna

A span in several pieces does not fit, unless only a space stands between them. Relations, events, attributes and notes
are left out, and that is noted.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from perceptag.errors import DataError, LostLabel, SettingError, brief
from perceptag.foreign.texts import AnnotatorSpans, CharacterSpan, ForeignText
from perceptag.system.given_file import GivenFile, facts_of
from perceptag.text.lines import OTHER_ENCODING, read_text
from perceptag.text.verbatim import read_bytes

NAME, TITLE, ENDING = "brat", "brat annotation", ".ann"
_SPAN = re.compile(r"T\d+\t(\S+) (\d+)((?: \d+;\d+)*) (\d+)(?:\t(.*))?")
DISCONTINUOUS = "discontinuous: it has several parts, and a span of labels has one"
_OTHERS = {"R": "relations", "*": "relations", "E": "events", "A": "attributes", "M": "attributes", "N": "links"}


def read_brat(path: str, folder: str) -> ForeignText:
    """Read a file .ann and the file .txt next to it. Its path in the `folder` is the name of the document."""
    if path == "-":
        raise SettingError(f"{NAME}: expected a file whose name ends in {ENDING}, found standard input")
    lines = read_text(path).split("\n")
    text = _text_of(path)
    spans: list[CharacterSpan] = []
    left_out: Counter[str] = Counter()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if found := _SPAN.fullmatch(line):
            start, end = int(found[2]), int(found[4])
            words = text[start:end]
            is_same = found[5] == " ".join(re.split(r"[\r\n]", words))  # brat writes line ends as spaces
            fault = DISCONTINUOUS if found[3] and not is_same else ""
            spans.append(CharacterSpan(start, end, found[1], words if is_same or fault else found[5] or "", fault))
        elif line[0] == "#":
            left_out["notes"] += 1
        elif line[0] in _OTHERS:
            left_out[_OTHERS[line[0]]] += 1
        else:
            expected = "a span, such as 'T1<tab>PER 0 4<tab>Anna'"
            raise DataError(f"expected {expected}, found {brief(line)}", f"{path}:{number}")
    notes: list[str] = [LostLabel(f"{path}: left out: {what} ({count})") for what, count in left_out.items()]
    name = Path(path).relative_to(folder).with_suffix("").as_posix()
    return ForeignText(path, text, AnnotatorSpans("", spans), notes=notes, name=name)


def text_file(path: str) -> Path:
    """Return the text file of a file .ann."""
    return Path(path).with_suffix(".txt")


def _text_of(path: str) -> str:
    """Return the text with its original line ends, as offsets count them."""
    plain = text_file(path)
    try:
        data = read_bytes(GivenFile(str(plain), facts_of(path))).getvalue()
        return data.decode("utf-8")
    except DataError as error:
        if plain.exists():
            raise
        missing = f"expected its text in the file {plain.name} next to it, found no such file"
        raise DataError(missing, path) from error
    except UnicodeDecodeError as error:
        found = f"byte 0x{error.object[error.start]:02X}"
        raise DataError(f"invalid UTF-8: {found}; {OTHER_ENCODING}", str(plain)) from None
