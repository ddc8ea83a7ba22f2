"""Speed, accuracy, memory and size of perceptag next to other trainable taggers, in one run on the same data.

Systems take turns, each measurement in a process of its own, and the best of several rounds counts. Ratios are of CPU
time, to python-crfsuite, with their range over the rounds; the same piece of work before and after the run says how
steady the machine was. Features are the same wherever a system lets them be chosen.

file → model   from a column file to a saved model; attribute strings for other systems are made in Python
passes alone   the passes over the data, after everything is set up
tagging        from lists of tokens in Python to lists of labels, with a tagger that has not seen the words before

Results go to a folder: results.json, results.md, drawings.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks import counters, default_rivals, machine, startup, systems
from benchmarks.corpora import prepare
from benchmarks.growth import Growth
from benchmarks.jobs import ROOT, ChildError, Jobs
from benchmarks.measure import calibrate, certainty
from benchmarks.report import Report, into_page
from benchmarks.rounds import Rounds, say
from benchmarks.task import Task

PARTS = ("rounds", "more", "growth", "counters", "defaults")
PAGE = "docs/measurements/benchmarks.md"


def options() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", default=os.environ.get("PERCEPTAG_DATA"), help="folder of the corpora")
    parser.add_argument("--out", default="build/bench", help="where results and drawings go")
    parser.add_argument("--systems", default=",".join(systems.PASS_BY_PASS), help="which systems, by name")
    parser.add_argument("--tasks", default="ewt,np", help="ewt, np or both")
    parser.add_argument("--parts", default=",".join(PARTS), help="what to measure in addition to the rounds")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--passes", type=int, default=10)
    parser.add_argument(
        "--quick", action="store_true", help="perceptag and python-crfsuite, 1 round, 3 passes, no growth"
    )
    parser.add_argument("--docs", action="store_true", help=f"put the tables into {PAGE}")
    words = parser.parse_args()
    if words.quick:
        words.rounds, words.passes = 1, 3
        words.systems, words.parts = "perceptag,crfsuite", "rounds,more"
    unknown = set(words.systems.split(",")) - set(systems.MODULES) or set(words.parts.split(",")) - set(PARTS)
    if unknown:
        parser.error(
            f"{unknown.pop()!r}: expected systems of {', '.join(systems.MODULES)}; parts of {', '.join(PARTS)}"
        )
    return words


def measure(words: argparse.Namespace, folder: Path) -> Report:
    """Measure everything that was asked for."""
    about, before = machine.describe(), calibrate()
    tasks = [t for t in prepare(words.data, folder) if t.name in words.tasks.split(",")]
    rounds = Rounds(tasks, words.systems.split(","), words.rounds, words.passes, folder)
    report = Report(about, tasks, words.passes, words.rounds, rounds.run())
    parts = words.parts.split(",")
    for task in tasks[:1]:
        model = rounds.model(task, "perceptag")
        if "more" in parts and model.is_file():
            more(report, rounds, task, model)
        if "counters" in parts and model.is_file():
            say("counters")
            command = [sys.executable, "-m", "perceptag", "tag", "--quiet", "--model", str(model)]
            output = str(folder / "counted.txt")
            report.counters, report.no_counters = counters.count([*command, task.text, "-o", output], folder)
    if "growth" in parts:
        grown = Growth(folder)
        report.by_data, report.by_labels = grown.by_data(), grown.by_labels()
        report.failures += grown.failures
    report.certainty = certainty(before, calibrate())
    return report


def more(report: Report, rounds: Rounds, task: Task, model: Path) -> None:
    """Measure the command line, threads and start-up; each may fail without the others."""
    folder, jobs = rounds.folder, Jobs(rounds.folder)
    job = {"task": str(folder / f"{task.name}.json"), "model": str(model), "system": "perceptag", "do": "threads"}
    rival = rounds.model(task, "crfsuite")
    by_script = job | {"do": "file", "system": "crfsuite", "model": str(rival), "output": str(folder / "script.txt")}
    imports = [
        ("perceptag", "import perceptag"),
        ("perceptag", "from perceptag import Tagger"),
        ("crfsuite", "from pycrfsuite import Tagger"),
        ("nltk", "from nltk.tag.perceptron import PerceptronTagger"),
    ]
    possible = [words for name, words in imports if name in rounds.names and systems.version(name)]
    work: dict[str, Callable[[], Any]] = {
        "command line": lambda: startup.command_line(task, model, folder),
        "threads": lambda: jobs.run(job),
        "load": lambda: startup.large_model(task, folder, jobs),
        "import": lambda: {words: startup.import_seconds(words) for words in possible},
    }
    if rival.is_file():
        work["crfsuite file"] = lambda: jobs.run(by_script)
    for name, part in work.items():
        say(name)
        try:
            report.more[name] = part()
        except ChildError as error:
            report.failures.append(f"{name}: {error}")


def main() -> int:
    """Measure, print, write. Return status 1 if perceptag itself could not be measured."""
    words = options()
    with tempfile.TemporaryDirectory() as name:
        report = measure(words, Path(name))
    out = Path(words.out)
    report.write(out)
    print(report.markdown())
    if words.docs:
        into_page(report.summary(), ROOT / PAGE)
    if words.data and "defaults" in words.parts.split(","):
        folder = (out / "defaults").resolve()
        default_rivals.compare(Path(words.data), folder, words.rounds)
        print(default_rivals.show(folder, words.docs))
    say(f"written: {out / 'results.json'}, results.md and drawings")
    return int(any(r.failure for r in report.results if r.system.startswith("perceptag")))


if __name__ == "__main__":
    sys.exit(main())
