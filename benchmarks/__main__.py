"""Speed, accuracy, memory and size of perceptag beside other trainable taggers, in one run on the same data.

Systems take turns, each measurement in a process of its own, and the best of several rounds counts. Seconds are CPU
time of one thread, with wall time in brackets; ratios are of CPU time, to python-crfsuite.

file → model   from a column file to a saved model; attribute strings for other systems are made in Python
passes alone   the passes over the data, everything being in place
tagging        from lists of tokens in Python to lists of labels, with a tagger that has not seen the words
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from dataclasses import asdict
from pathlib import Path

from benchmarks import systems
from benchmarks.corpora import prepare
from benchmarks.rounds import Rounds
from benchmarks.tables import remarks, task_table


def options() -> argparse.Namespace:
    """The words of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", default=os.environ.get("PERCEPTAG_DATA"), help="folder of the corpora")
    parser.add_argument("--out", default="build/bench", help="where results and plots go")
    parser.add_argument("--systems", default=",".join(systems.MODULES), help="which systems, by name")
    parser.add_argument("--tasks", default="ewt,np")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--passes", type=int, default=10)
    return parser.parse_args()


def main() -> None:
    """Measure, print, write."""
    words = options()
    out = Path(words.out)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        tasks = [t for t in prepare(words.data, Path(name)) if t.name in words.tasks.split(",")]
        rounds = Rounds(tasks, words.systems.split(","), words.rounds, words.passes, Path(name))
        results = rounds.run()
    for task in tasks:
        mine = [r for r in results if r.task == task.name]
        print(f"\n{task.title}; {words.passes} passes, best of {words.rounds} rounds\n")
        print(task_table(mine, task.metric))
    print("\n" + remarks(results))
    (out / "results.json").write_text(json.dumps([asdict(r) for r in results], indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
