"""CPU time of `perceptag tag` as a whole process with two versions of the package, in turn.

    python -m benchmarks.two_versions OLD NEW --model MODEL [--text FILE] [--rounds 12] [-- OPTION...]

OLD and NEW are folders with a folder `perceptag` that has the compiled core; for a model by its name, also with that of
the model. Without --text one sentence is tagged, from standard input. The best of the rounds counts, and the ratio of
the best says what changed. Page faults are counted too: each is a page that the system has to clear. Both versions must
write the same.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.startup import SENTENCE


@dataclass
class Version:
    """A version of the package, and what its processes took."""

    folder: Path
    seconds: list[float] = field(default_factory=list)
    faults: list[int] = field(default_factory=list)
    output: bytes = b""

    def run(self, words: list[str], text: bytes) -> None:
        """Run a command of this version, and take note of what it took."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "perceptag", *words]
        environment = os.environ | {"PYTHONPATH": str(self.folder.resolve())}
        done = subprocess.run(command, input=text, capture_output=True, env=environment, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            sys.exit(done.stderr.decode())
        self.output = done.stdout
        self.seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        self.faults.append(after.ru_minflt - before.ru_minflt)


def main() -> None:
    """Print a line for each version, and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--model", required=True)
    parser.add_argument("--text", default="-")
    parser.add_argument("--sentence", default=SENTENCE, help="what is tagged without --text; \\n and \\t are read")
    parser.add_argument("--rounds", type=int, default=12)
    given, options = parser.parse_known_args()
    words = ["tag", "--quiet", "--model", given.model, given.text, "--threads", "1", *options]
    text = given.sentence.replace("\\n", "\n").replace("\\t", "\t").encode() if given.text == "-" else b""
    old, new = Version(given.old), Version(given.new)
    for _ in range(given.rounds):
        for version in (old, new):
            version.run(words, text)
    for version in (old, new):
        print(f"{version.folder}: {min(version.seconds):.3f} s, {min(version.faults)} page faults")
    print(f"ratio {min(new.seconds) / min(old.seconds):.2f}")
    if old.output != new.output:
        sys.exit("the two versions do not write the same")


if __name__ == "__main__":
    main()
