"""``python -m trust``: check the promises, each in a process of its own, and print one table.

python -m trust                 everything
python -m trust --quick         the short form
python -m trust saving inputs   some of them
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from trust.counts import Tally
from trust.samples import ROOT

# The slowest first, so that two at a time end at about the same time.
PROMISES = {
    "sanitizers": "Core: no undefined behaviour, no race, no leak",
    "fuzzing": "Model file: guided fuzzing of loader and readers",
    "resuming": "Training: killed and resumed",
    "repeating": "Training: every run repeats",
    "damage": "Model file: damage is refused",
    "extremes": "Input: very large, done or refused",
    "allocation": "Core: memory runs out",
    "saving": "Saving: the old file or the new one",
    "loading": "Model file: no code, bounded memory",
    "inputs": "Input: errors are named",
    "reading": "Input: the same in every form, written back unchanged",
    "scoring": "Evaluation: as conlleval counts",
    "interrupting": "Command line: interrupts are quiet",
    "projects": "Project file: nothing lost, damage found",
    "annotating": "Workbench: roles, hostile clients, kills",
    "serving": "Server: hostile clients, limits, stop",
    "supply": "Supply chain: pinned, licensed, reproducible",
}
MARK = "tally: "


def main() -> int:
    """Run and print; return the exit status, 1 if anything failed."""
    parser = argparse.ArgumentParser(prog="python -m trust", description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", choices=[[], *PROMISES], metavar="promise", help=", ".join(PROMISES))
    parser.add_argument("--quick", action="store_true", help="fewer cases: minutes instead of half an hour")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), help="promises checked at a time")
    parser.add_argument("--json", metavar="FILE", help="also write the table to a file")
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.alone:
        return _alone(given.names[0], given.quick)
    started = time.monotonic()
    wanted = [name for name in PROMISES if not given.names or name in given.names]
    with ThreadPoolExecutor(max(1, given.jobs)) as pool:
        tallies = dict(zip(wanted, pool.map(lambda name: _in_a_process(name, given.quick), wanted), strict=True))
    print(table(tallies))
    failed = sum(t.failed for some in tallies.values() for t in some)
    skipped = sum(bool(t.not_run) for some in tallies.values() for t in some)
    tried = sum(t.tried for some in tallies.values() for t in some)
    minutes = (time.monotonic() - started) / 60
    print(f"\n{tried:,} cases, {failed} failures, {skipped} not run; {minutes:.1f} minutes")
    if given.json:
        rows = {name: [t.to_dict() for t in some] for name, some in tallies.items()}
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)
    return 1 if failed else 0


def _alone(name: str, quick: bool) -> int:
    """Check one promise in this process and print each tally when it is ready."""
    promise = importlib.import_module(f"trust.{name}")
    started = time.monotonic()
    for tally in promise.check(quick):
        now = time.monotonic()
        tally.seconds, started = now - started, now
        tally.settle()
        print(MARK + json.dumps(tally.to_dict()), flush=True)
    return 0


def _in_a_process(name: str, quick: bool) -> list[Tally]:
    command = [sys.executable, "-m", "trust", "--alone", name, *(["--quick"] if quick else [])]
    tallies = []
    other: list[str] = []
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith(MARK):
                tallies.append(Tally(**json.loads(line.removeprefix(MARK))))
                print(row(name, tallies[-1]), file=sys.stderr, flush=True)
            else:
                other = [*other, line][-40:]
    if process.returncode:
        tallies.append(Tally(f"the check itself ended with status {process.returncode}"))
        tallies[-1].add("".join(other))
    if not tallies:
        tallies.append(Tally("the check itself"))
        tallies[-1].settle()
    return tallies


def row(name: str, tally: Tally) -> str:
    """Return one line of progress."""
    return f"{name:<13} {tally.what:<58.58} {state(tally)}"


def state(tally: Tally) -> str:
    """Return cases, failures and seconds, or why there are none."""
    if tally.not_run:
        return f"not run: {tally.not_run}"
    note = f"  ({tally.note})" if tally.note else ""
    return f"{tally.tried:>11,} {tally.failed:>8,} {tally.seconds:>7.1f}{note}"


def table(tallies: dict[str, list[Tally]]) -> str:
    """Return the whole table, promise by promise, with the first failures below."""
    lines = ["", f"{'promise':<60} {'cases':>11} {'failures':>8} {'seconds':>7}"]
    for name, some in tallies.items():
        lines.append(f"\n{PROMISES[name]}")
        lines += [f"  {tally.what:<58.58} {state(tally)}" for tally in some]
    faults = [(name, t.what, e) for name, some in tallies.items() for t in some for e in t.examples]
    lines += [f"\nFAILED {name}: {what}\n  {example}" for name, what, example in faults]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
