"""Refuse a model that does not fit into the memory of each worker, before the first pass."""

from __future__ import annotations

import os
from dataclasses import dataclass

from perceptag.engines.calls import Call, Crew
from perceptag.errors import SettingError
from perceptag.system import memory

# Bytes of a weight in a worker: the weight, its sum, its count and a flag, once as the last mixing left them and once
# for the shards to move.
OF_A_WEIGHT = 2 * (4 + 8 + 4 + 1)
OF_A_FEATURE = 50  # bytes in the index


@dataclass(frozen=True, slots=True)
class WorkerMemory:
    """The machine and the process of a worker, and the memory that is available there."""

    host: str
    process: int
    available: int


def require_share(crew: Crew, features: int, weights: int) -> None:
    """Refuse a model if a worker would have less memory than it takes, all workers of a machine counted."""
    whole = OF_A_WEIGHT * weights + OF_A_FEATURE * features
    if whole <= memory.SMALL:
        return
    workers = crew.size
    found = [one for _, one in crew.run([Call(i, "memory", (), prefers=i) for i in range(workers)])]
    together = -(-workers // len({one.host for one in found}))  # workers of a machine
    least = min(found, key=lambda one: one.available)
    is_here = least.process == os.getpid()  # then the index is that of the driver
    needed = OF_A_WEIGHT * weights if is_here else whole
    share = least.available // together
    if needed > share:
        raise SettingError(
            f"--on: a model of {features:,} features and {weights:,} weights takes about {memory.describe(needed)} in "
            f"each worker, and {memory.describe(share)} are available to each of {together} on {least.host}; "
            "--set support=gold and a larger --set cutoff make the model smaller, and --threads starts fewer workers"
        )
