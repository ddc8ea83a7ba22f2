"""Speed and memory of this tree beside those of an earlier commit, as ratios, in one run.

    make speed BASE=COMMIT [ARGUMENTS="--quick --only lists --only start"]

The commit is built once, in build/speed, as a user would install it, and this tree likewise. Each trains its own
models. Then processes of both take turns, by public interfaces alone: the command line, `perceptag.Tagger`,
`perceptag.load` and HTTP. A row has the CPU seconds (or the peak of memory) of the best round of each version, their
ratio, and the lowest and the highest ratio of a round, which say how much noise there was. Rows that are more than 5 %
slower are marked.

The text is the shipped one, again and again with new words, or that of the corpora in the folder PERCEPTAG_DATA.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.jobs import ChildError
from benchmarks.speed_data import COLUMNS

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "build" / "speed"
SLOWER = 1.05
Figures = dict[str, float]  # seconds, or megabytes where the name ends with "memory"


@dataclass
class Version:
    """An installed version, the folder of its models, and what each round measured."""

    packages: Path
    folder: Path
    rounds: dict[str, list[float]] = field(default_factory=dict)

    def run(self, words: Sequence[str | Path], cwd: Path) -> tuple[str, float, float]:
        """Run Python; return its output, CPU seconds, and megabytes, which are at least those of this process."""
        command = [getattr(sys, "_base_executable", sys.executable), *words]
        paths = [self.packages, sysconfig.get_path("purelib")]  # of libraries; .pth files are not read there
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment |= {"PYTHONPATH": os.pathsep.join(map(str, paths)), "PYTHONPYCACHEPREFIX": str(KEPT / "pycache")}
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(command, stdout=output, stderr=errors, cwd=cwd, env=environment)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            texts = [(stream.seek(0), stream.read().decode())[1] for stream in (output, errors)]
        if process.returncode:
            raise ChildError(f"{' '.join(map(str, words))}: exit status {process.returncode}\n{texts[1]}")
        return texts[0], used.ru_utime + used.ru_stime, used.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1024)

    def add(self, figures: Figures) -> None:
        """Take note of what a process measured."""
        for name, figure in figures.items():
            self.rounds.setdefault(name, []).append(figure)


Measure = Callable[[Version], Figures]


def of_command(name: str, options: Sequence[str], memory: bool = False) -> Measure:
    """Measure a command as a whole process, which reads and writes in the folder of the version."""

    def measure(version: Version) -> Figures:
        _, seconds, megabytes = version.run(["-m", "perceptag", *options], version.folder)
        return {name: seconds} | ({f"{name}, memory": megabytes} if memory else {})

    return measure


def of_child(name: str) -> Measure:
    """Measure what `benchmarks/speed_child.py` does under that name."""

    def measure(version: Version) -> Figures:
        figures: Figures = json.loads(version.run(["-m", "benchmarks.speed_child", name, version.folder], ROOT)[0])
        return figures

    return measure


def tag(source: str, *options: str, model: str = "pos.model") -> list[str]:
    """Return the words of a command that tags a file on one thread."""
    return ["tag", "--quiet", "--threads", "1", "-m", model, source, "-o", f"out-{source}", *options]


def train(recipe: str, epochs: int) -> list[str]:
    """Return the words of a command that trains a model on one thread."""
    files = ["--train", f"{recipe}.txt", "--columns", COLUMNS[recipe], "-m", f"{recipe}.model"]
    return ["train", "--quiet", "-r", recipe, *files, "--epochs", str(epochs), "--threads", "1"]


MEASURES: dict[str, Measure] = {
    "lists": of_child("lists"),
    "files": of_command("columns, file to file", tag("text.txt")),
    "conllu": of_command("CoNLL-U, file to file", tag("text.conllu")),
    "lines": of_command("JSON lines, one at a time", tag("text.jsonl", "--batch", "1")),
    "sentence": of_child("sentence"),
    "json": of_child("json"),
    "dictionaries": of_child("dictionaries"),
    "en": of_command("en, running text by the command", tag("raw.txt", model="en")),
    "objects": of_child("objects"),
    "server": of_child("server"),
    "train-pos": of_command("training, pos", train("pos", 5), memory=True),
    "train-chunk": of_command("training, chunk", train("chunk", 5)),
    "train-ner": of_command("training, ner", train("ner", 3)),
    "start": of_command("start, pos", tag("line.txt"), memory=True),
    "start-en": of_command("start, en", tag("raw-line.txt", model="en"), memory=True),
}


def install(source: Path, packages: Path) -> None:
    """Install the package and its English models from their sources, without what they depend on."""
    shutil.rmtree(packages, ignore_errors=True)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # cmake and ninja are there
    new = packages.with_suffix(".new")
    shutil.rmtree(new, ignore_errors=True)
    sources = [source, source / "models" / "perceptag-en"]
    subprocess.run(
        [*pip, "--no-build-isolation", "--target", new, *sources], check=True, env=os.environ | {"PATH": path}
    )
    new.rename(packages)


def install_commit(name: str) -> Path:
    """Return the folder of a commit that is installed; it is kept for the next time."""
    verify = ["git", "rev-parse", "--verify", f"{name}^{{commit}}"]
    commit = subprocess.run(verify, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    packages, source = KEPT / commit / "packages", KEPT / commit / "source"
    if not packages.is_dir():
        print(f"building {commit[:12]}, once", file=sys.stderr)
        source.mkdir(parents=True, exist_ok=True)
        archive = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, stdout=subprocess.PIPE)
        subprocess.run(["tar", "-x", "-C", source], input=archive.stdout, check=True)
        install(source, packages)
        shutil.rmtree(source)
    return packages


def row(name: str, base: Sequence[float], now: Sequence[float]) -> str:
    """Return a row of the table."""
    unit = "MB" if name.endswith("memory") else "s"
    digits = 1 if unit == "MB" else 3
    ratio, rounds = min(now) / min(base), [b / a for a, b in zip(base, now, strict=True)]
    mark = "  SLOWER" if ratio > SLOWER and unit == "s" else "  LARGER" if ratio > SLOWER else ""
    figures = f"{min(base):10.{digits}f} {min(now):10.{digits}f} {unit:2}"
    return f"{name:36} {figures} {ratio:6.2f}  {min(rounds):.2f} to {max(rounds):.2f}{mark}"


def rows(name: str, versions: Sequence[Version], rounds: int) -> list[str]:
    """Measure both versions in turn; return the rows, or why there are none."""
    measure = MEASURES[name]
    try:
        for version in versions:
            version.rounds = {}
            measure(version)  # Python keeps the byte code
        for number in range(rounds):
            for version in versions[:: -1 if number % 2 else 1]:
                version.add(measure(version))
    except ChildError as problem:
        return [f"{name}: not measured: {problem}"]
    return [row(title, figures, versions[1].rounds[title]) for title, figures in versions[0].rounds.items()]


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", help="the commit to compare with")
    parser.add_argument("--quick", action="store_true", help="three rounds instead of eight")
    parser.add_argument("--only", action="append", choices=list(MEASURES), help="one measurement; repeatable")
    given = parser.parse_args()
    base = install_commit(given.base)
    install(ROOT, KEPT / "now" / "packages")
    with tempfile.TemporaryDirectory() as folder:
        versions = [Version(base, Path(folder, "base")), Version(KEPT / "now" / "packages", Path(folder, "now"))]
        for version in versions:
            version.run(["-m", "benchmarks.speed_data", version.folder], ROOT)  # so that this process remains small
            MEASURES["train-pos"](version)  # the model that most others use
        print(f"{'':36} {'base':>10} {'now':>10}     ratio  of the rounds", flush=True)
        for name in given.only or MEASURES:
            print(*rows(name, versions, 3 if given.quick else 8), sep="\n", flush=True)


if __name__ == "__main__":
    main()
