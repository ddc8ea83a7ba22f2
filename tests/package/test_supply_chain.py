"""What a server needs is installed by version and hash."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
HASHED = (ROOT / "constraints-hashed.txt").read_text("utf-8")


def pins(text: str) -> set[tuple[str, str]]:
    """Names and versions of the lines of a file; a name may be spelt in several ways."""
    found = re.findall(r"^([\w.-]+)==([\w.]+)", text, re.MULTILINE)
    return {(re.sub(r"[-_.]+", "-", name).lower(), version) for name, version in found}


def test_hashed_versions_are_those_of_the_constraints() -> None:
    assert len(pins(HASHED)) > 15
    assert pins(HASHED) <= pins((ROOT / "constraints.txt").read_text("utf-8"))
    assert "://" not in HASHED


def test_every_version_has_hashes() -> None:
    for part in re.split(r"\n(?=[\w])", HASHED[HASHED.index("\nanyio==") + 1 :]):
        assert re.search(r"--hash=sha256:[0-9a-f]{64}\b", part), part.partition(" ")[0]


def test_what_a_server_is_built_with_has_hashes() -> None:
    names = (ROOT / "deploy" / "build.in").read_text("utf-8").split()
    assert {"starlette", "uvicorn", "httptools", "numpy", *names} <= {name for name, _ in pins(HASHED)}
