"""many-workers.svg: what `python -m benchmarks.thousand_workers` simulates."""

from __future__ import annotations

from benchmarks.thousand_workers import picture


def draw() -> dict[str, str]:
    """The files, by their names."""
    return {"measurements/many-workers.svg": picture() + "\n"}
