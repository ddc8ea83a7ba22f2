"""Digests of all that must not change, next to those on record: `digests.json` has a line for each part of an entry."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

from gauge.lines import Parts

RECORD = Path(__file__).with_name("digests.json")
KEPT = Path("build/gauge")  # the lines behind the digests, of the last time when they were right
BLOCKS = 8
Digests = dict[str, dict[str, str]]


def digest(lines: list[str]) -> str:
    """Return the number of lines, a digest of all, and short ones of eight blocks, which show where they differ.

    >>> digest(["a", "b"])
    '2 911169ddaaf1 8742 0263'
    """
    size = -(-len(lines) // BLOCKS) or 1
    blocks = [_sha(lines[begin : begin + size], 4) for begin in range(0, len(lines), size)]
    return " ".join([str(len(lines)), _sha(lines, 12), *blocks])


def _sha(lines: list[str], length: int) -> str:
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")).hexdigest()[:length]


def on_record() -> Digests:
    """Read the digests on record."""
    return json.loads(RECORD.read_text()) if RECORD.exists() else {}


def record(digests: Digests) -> None:
    """Write digests down."""
    RECORD.write_text(json.dumps(digests, indent=1, sort_keys=True) + "\n")


def differences(name: str, parts: Parts, expected: dict[str, str]) -> Iterator[str]:
    """Compare an entry with its record; the lines of parts that are right are kept for the next time."""
    for part in sorted(parts.keys() | expected.keys()):
        if part not in expected:
            yield f"{name}: {part}: not on record"
        elif part not in parts:
            yield f"{name}: {part}: on record, but no longer there"
        elif digest(parts[part]) == expected[part]:
            _keep(name, part, parts[part])
        else:
            now = _keep(name, f"{part}.now", parts[part])
            yield f"{name}: {part}: {_where(parts[part], expected[part], _kept(name, part))}; all lines: {now}"


def _path(name: str, part: str) -> Path:
    return KEPT / name / f"{part.replace('/', '-')}.txt"


def _keep(name: str, part: str, lines: list[str]) -> Path:
    path = _path(name, part)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8", "backslashreplace")
    return path


def _kept(name: str, part: str) -> list[str]:
    path = _path(name, part)
    return path.read_text("utf-8").split("\n")[:-1] if path.exists() else []


def _where(lines: list[str], expected: str, kept: list[str]) -> str:
    """Say which line is the first that differs, or in which block it is if the lines on record are not at hand."""
    if digest(kept) == expected:
        pairs = zip([*kept, "(nothing)"], [*lines, "(nothing)"], strict=False)
        number, (old, new) = next((i, pair) for i, pair in enumerate(pairs, 1) if pair[0] != pair[1])
        begin = max(0, next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), 0) - 40)
        return f"line {number}: expected {old[begin : begin + 120]!r}, found {new[begin : begin + 120]!r}"
    count, _, *blocks = expected.split()
    if int(count) != len(lines):
        return f"expected {count} lines, found {len(lines)}"
    size = -(-len(lines) // BLOCKS) or 1
    first = next(i for i, (a, b) in enumerate(zip(blocks, digest(lines).split()[2:], strict=True)) if a != b)
    return f"the first difference is in lines {first * size + 1} to {min(len(lines), (first + 1) * size)} of {count}"
