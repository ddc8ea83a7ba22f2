"""Counters of the processor for one training and tagging run, if `perf` is installed and may read them."""

from __future__ import annotations

import shutil
from pathlib import Path

from benchmarks.jobs import ChildError, run

EVENTS = ("cycles", "instructions", "branch-misses", "L1-dcache-load-misses", "LLC-load-misses", "dTLB-load-misses")


def count(command: list[str], folder: Path) -> tuple[dict[str, float], str]:
    """Return counts by event, and if there are none, why."""
    perf = shutil.which("perf")
    if not perf:
        return {}, "perf is not installed"
    report = folder / "perf.txt"
    try:
        run([perf, "stat", "-x", ";", "-o", str(report), "-e", ",".join(EVENTS), *command])
    except ChildError as error:
        return {}, str(error)
    counts: dict[str, float] = {}
    for line in report.read_text().splitlines():
        value, *rest = line.split(";")
        if len(rest) > 1 and value.replace(".", "", 1).isdigit():
            counts[rest[1].split(":")[0]] = float(value)
    return counts, "" if counts else "perf may not read the counters of this processor (usually on a virtual machine)"
