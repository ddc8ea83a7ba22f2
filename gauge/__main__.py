"""Check what must stay as it is: digests of results, and abilities.

    python -m gauge [NAME ...] [--record]

NAME: entries of digests.json, such as `recipes/pos` or `writers/*`; without any, all of them, and the abilities.
`--record` writes the digests anew. Entries whose names begin with `real/` need PERCEPTAG_DATA, the folder of corpora.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from fnmatch import fnmatch
from multiprocessing import get_context

from gauge.digests import Digests, differences, digest, on_record, record
from gauge.entries import entries, run
from gauge.lines import Parts


def main() -> int:
    """Run what the command line asks for; return 1 if anything differs."""
    parser = argparse.ArgumentParser(prog="python -m gauge", description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="entries; default: all, and the abilities")
    parser.add_argument("--record", action="store_true", help="write the digests anew")
    parser.add_argument("--threads", type=int, default=1, help="of each training and tagging; the digests are the same")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    words = parser.parse_args()
    begun = time.perf_counter()
    expected, found = on_record(), dict(observed(words.names, words.threads, words.processes))
    if words.record:
        new: Digests = {name: {part: digest(lines) for part, lines in parts.items()} for name, parts in found.items()}
        record(new | {name: old for name, old in expected.items() if name not in found and not _gone(name)})
        print(f"digests: {len(found)} entries on record, {time.perf_counter() - begun:.0f} s")
        return 0
    wrong = [line for name in sorted(found) for line in differences(name, found[name], expected.get(name, {}))]
    if not words.names:
        wrong += [f"{name}: on record, but no longer there" for name in sorted(expected) if _gone(name)]
    summary("digests", len(found), "entries", wrong, begun)
    return int(any([wrong, not words.names and abilities()]))


def observed(patterns: list[str], threads: int, processes: int) -> Iterator[tuple[str, Parts]]:
    """Run the entries that patterns name, or all, the longest first; yield what comes out."""
    names = [name for name in entries(threads) if not patterns or any(fnmatch(name, each) for each in patterns)]
    if not names:
        sys.exit(f"gauge: NAME: expected one of {', '.join(entries(threads))}; found {', '.join(patterns)}")
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        tasks = {pool.submit(run, name, threads): name for name in sorted(names, key=_short)}
        for task in as_completed(tasks):
            yield tasks[task], task.result()


def _short(name: str) -> bool:
    return not name.startswith(("writers/", "real/dev-"))


def _gone(name: str) -> bool:
    """Say whether an entry on record is none of those that could be run with all data."""
    return not name.startswith("real/") and name not in entries(1)


def abilities() -> bool:
    """Run the list of abilities, if it is there; return whether any of them fails."""
    if importlib.util.find_spec("gauge.abilities") is None:
        return False
    begun = time.perf_counter()
    wrong: list[str] = importlib.import_module("gauge.abilities").check()
    summary("abilities", None, "", wrong, begun)
    return bool(wrong)


def summary(what: str, number: int | None, unit: str, wrong: list[str], begun: float) -> None:
    """Print what is wrong, and one line about all."""
    for line in wrong:
        print(f"{what}: {line}")
    count = "" if number is None else f"{number} {unit}, "
    result = f"{len(wrong)} differ" if number is not None else f"{len(wrong)} fail"
    print(f"{what}: {count}{result if wrong else 'all as they were'}, {time.perf_counter() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    sys.exit(main())
