"""What the figures were measured with: the machine, Python, and versions of all systems."""

from __future__ import annotations

import datetime
import os
import platform
import subprocess
from pathlib import Path
from typing import Any

from benchmarks import systems

VECTOR_FLAGS = ("sse4_2", "avx", "avx2", "avx512f", "avx512bw", "avx512vl", "avx512_vnni", "asimd", "sve")


def describe() -> dict[str, Any]:
    """Return facts for the head of a report."""
    model, flags = _processor()
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "commit": _commit(),
        "processor": model or platform.processor() or platform.machine(),
        "vector instructions": [flag for flag in VECTOR_FLAGS if flag in flags],
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "memory": _memory(),
        "system": platform.system(),
        "python": platform.python_version(),
        "versions": {name: systems.version(name) or "not installed" for name in systems.MODULES},
        "load": os.getloadavg(),  # of the last 1, 5 and 15 minutes; wall times under high load mean little
    }


def _processor() -> tuple[str, set[str]]:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return "", set()
    facts = dict(line.split(":", 1) for line in lines if ":" in line)
    by_name = {key.strip(): value.strip() for key, value in facts.items()}
    return by_name.get("model name", ""), set((by_name.get("flags") or by_name.get("Features") or "").split())


def _memory() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return 0


def _commit() -> str:
    command = ["git", "describe", "--always", "--dirty"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parent)
    except OSError:
        return ""
    return done.stdout.strip()


def in_words(machine: dict[str, Any]) -> str:
    """Describe the machine in one line."""
    vectors = machine["vector instructions"]
    best = next((f for f in ("avx512f", "avx2", "avx", "asimd") if f in vectors), "no vector instructions known")
    load = machine["load"][0]
    busy = f", load {load:.1f} at the start: the machine was busy" if load > machine["cores"] / 2 else ""
    return (
        f"{machine['cores']} cores of {machine['processor']} ({best}), {machine['memory'] / 2**30:.0f} GiB, "
        f"{machine['system']}, Python {machine['python']}, {machine['date']}{busy}"
    )
