"""Instruction counts of the core under callgrind, compared with recorded counts.

    python -m benchmarks.instructions build/check/core_instructions [--record]

Times differ from run to run, counts do not: the same program executes the same instructions on the same input. So a
kernel that has become slower is noticed even on a busy machine. Counts depend on the compiler, the C library and the
instruction set that valgrind offers; if these differ from the recorded ones, nothing is compared, and the output says
so. Status 1: a stage needs more instructions than recorded, by more than the tolerance.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.jobs import run

RECORD = Path(__file__).with_name("instructions.json")
STAGES = ("encode", "learn", "average", "tag", "learn_second", "tag_second")
TOLERANCE = 0.03


def measure(valgrind: str, binary: str) -> dict[str, Any]:
    """Return counts by stage, and what they depend on."""
    with tempfile.TemporaryDirectory() as folder:
        # Instructions between two stages count for the later one; generating the corpus counts for none.
        dumps = ["--dump-before=stage_encode", *(f"--dump-after=stage_{stage}" for stage in STAGES)]
        command = [valgrind, "--tool=callgrind", f"--callgrind-out-file={folder}/out", *dumps, binary]
        said = run(command)
        found = [count for path in Path(folder).iterdir() if (count := read_dump(path.read_text()))]
    counts: dict[str, int] = {}
    for stage, instructions in found:
        counts[stage] = counts.get(stage, 0) + instructions
    facts = dict(line.split(": ", 1) for line in said.splitlines() if not line.startswith("order"))
    machine = {"valgrind": run([valgrind, "--version"]).strip(), "machine": platform.machine(), **facts}
    return {"depends on": machine, "counts": {stage: counts[stage] for stage in STAGES}}


def read_dump(text: str) -> tuple[str, int] | None:
    """Return the stage after which a dump was written, and the instructions since the last dump."""
    trigger = re.search(r"^desc: Trigger: --dump-after=stage_(\w+)", text, re.MULTILINE)
    total = re.search(r"^(?:totals|summary): (\d+)", text, re.MULTILINE)
    return (trigger[1], int(total[1])) if trigger and total else None


def compare(now: dict[str, Any], record: dict[str, Any]) -> tuple[list[str], bool]:
    """Return lines to print, and whether a stage has become more expensive."""
    differing = [
        f"{key} {record['depends on'].get(key, 'unknown')} recorded, {value} here"
        for key, value in now["depends on"].items()
        if record["depends on"].get(key) != value
    ]
    if differing:
        return [f"NOTE: instruction counts are not compared: {'; '.join(differing)}"], False
    lines, is_worse = [], False
    for stage, count in now["counts"].items():
        change = count / record["counts"][stage] - 1
        worse = change > TOLERANCE
        verdict = "MORE" if worse else "less: record it again" if change < -TOLERANCE else "as recorded"
        lines.append(f"{stage:14}{count:>15,}{change:>+9.1%}  {verdict}")
        is_worse = is_worse or worse
    return lines, is_worse


def main() -> int:
    """Count, and compare or record."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--record", action="store_true", help="save the counts for later comparison")
    words = parser.parse_args()
    valgrind = shutil.which("valgrind")
    if not valgrind or not Path(words.binary).is_file():
        missing = f"{words.binary} has not been built" if valgrind else "valgrind is not installed"
        print(f"NOTE: instruction counts are not compared: {missing}")
        return 0
    now = measure(valgrind, str(Path(words.binary).resolve()))
    if words.record:
        RECORD.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
        print(f"recorded: {RECORD}")
        return 0
    lines, is_worse = compare(now, json.loads(RECORD.read_text(encoding="utf-8")))
    print("\n".join(lines))
    if is_worse:
        print("If this is intended: make instructions RECORD=--record", file=sys.stderr)
    return int(is_worse)


if __name__ == "__main__":
    sys.exit(main())
