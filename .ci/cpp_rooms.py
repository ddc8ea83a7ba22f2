"""Check the order of the C++ rooms: a file includes its own room and rooms of lower layers, nothing else.

``make check`` runs this. The rooms are the folders of ``cpp/include/perceptag``, ``cpp/src`` and ``cpp/bind``; tests
and benchmarks stand above all of them. Outside ``cpp/bind`` nothing includes bindings or Python.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

LAYERS = (  # from the top; rooms of one layer do not see each other
    ("document",),
    ("linear", "guided", "chunker", "maxent", "tokenizer", "classes", "rules"),
    ("search", "text"),
    ("core",),
)
LEVEL = {room: -number for number, rooms in enumerate(LAYERS) for room in rooms}
SIDES = ("include/perceptag", "src", "bind")
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"(?P<own>[^"]+)"|<(?P<library>[^>]+)>)', re.MULTILINE)
PYTHON = ("nanobind/", "Python.h")


def main() -> int:
    """Print what breaks the order; the exit status says whether anything does."""
    found = list(violations(Path(__file__).parents[1] / "cpp"))
    print("\n".join(found) or "the order of the C++ rooms is kept")
    return bool(found)


def violations(cpp: Path) -> Iterator[str]:
    """Each include that breaks the order, with file, line and what the file may include."""
    for side in SIDES:
        for path in sorted((cpp / side).rglob("*.?pp")):
            room = path.relative_to(cpp / side).parts[0]
            text = path.read_text("utf-8")
            for include in INCLUDE.finditer(text):
                if wrong := _what_is_wrong(side, room, include):
                    line = text.count("\n", 0, include.start(include.lastgroup or 0)) + 1
                    yield f"{path.relative_to(cpp.parent).as_posix()}:{line}: {wrong}"


def _what_is_wrong(side: str, room: str, include: re.Match[str]) -> str:
    if library := include["library"]:
        is_python = side != "bind" and library.startswith(PYTHON)
        return f"<{library}>: only cpp/bind may include it" if is_python else ""
    if room == "module.cpp":
        return ""
    own = include["own"]
    if side != "bind" and not own.startswith("perceptag/"):
        return f'"{own}": expected a header below perceptag/'
    other = own.removeprefix("perceptag/").split("/")[0]
    for name in (room, other):
        if name not in LEVEL:
            return f'"{own}": {name} is not in the table of rooms (.ci/cpp_rooms.py)'
    if room == other or LEVEL[other] < LEVEL[room]:
        return ""
    lower = ", ".join(name for name in LEVEL if LEVEL[name] < LEVEL[room]) or "no other room"
    return f'"{own}": {room} may include {lower}'


if __name__ == "__main__":
    sys.exit(main())
