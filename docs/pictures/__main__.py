"""Draws the pictures of the documentation: `make generate`, or `python docs/pictures film lattice`."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAMS = ("flow", "lattice", "film", "reliability", "curve", "speed")


def main(chosen: list[str]) -> None:
    """Run some programs, or all."""
    sys.path.append(str(ROOT))  # for the benchmarks
    for program in chosen or PROGRAMS:
        for name, svg in import_module(program).draw().items():
            (ROOT / "docs" / name).write_text(svg, encoding="utf-8")
            print(f"docs/{name}")


if __name__ == "__main__":
    main(sys.argv[1:])
