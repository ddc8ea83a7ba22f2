"""Time and memory of n-best search on random lattices the size of CoNLL-2003 documents.

    python benchmarks/nbest.py [--order 1]

Every line is a process of its own, so that its memory is only that of the search and of the list that it returns
(4 bytes for each label). "ties" draws scores from -5 .. 5, so that thousands of labellings are equally good and the
search keeps the most; "spread" draws them from -1000 .. 1000.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import time

import numpy as np

from perceptag import _core

LENGTHS = (30, 250, 1300)
SIZES = (1, 20, 100, 400, 1600, 6400)
RANGES = {"spread": 1000, "ties": 5}


def random_lattice(T: int, L: int, order: int, largest: int) -> _core.Lattice:
    rng = np.random.default_rng(0)
    shapes = [(T, L), (L + 1, L) if order > 0 else (0,), (L + 1, L + 1, L) if order > 1 else (0,)]
    node, edge, trigram = (rng.integers(-largest, largest + 1, shape).astype(np.float32).ravel() for shape in shapes)
    return _core.Lattice(T, L, order, node, edge, trigram)


def measure(T: int, L: int, order: int, largest: int, n: int) -> tuple[float, float]:
    """Return seconds and megabytes of the first search in this process."""
    lattice = random_lattice(T, L, order, largest)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    found = lattice.nbest(n)
    seconds = time.perf_counter() - start
    assert len(found) == n
    return seconds, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--order", type=int, choices=(0, 1, 2), default=1)
    order = parser.parse_args().order
    print(f"order {order}: milliseconds / megabytes")
    print(f"{'scores':8} {'L':>3} {'T':>5}" + "".join(f"{f'n={n}':>16}" for n in SIZES))
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for kind, largest in RANGES.items():
            for L in (9, 17):
                for T in LENGTHS:
                    cells = [pool.apply(measure, (T, L, order, largest, n)) for n in SIZES]
                    row = "".join(f"{f'{1000 * seconds:.1f} / {mb:.0f}':>16}" for seconds, mb in cells)
                    print(f"{kind:8} {L:3} {T:5}{row}", flush=True)


if __name__ == "__main__":
    main()
