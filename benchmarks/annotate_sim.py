"""A simulated annotator: gold labels drive the HTTP API of the workbench.

    python -m benchmarks.annotate_sim --data FOLDER [--runs 20] [--sentences 400] [--quick]

Each run takes some sentences of the training data of CoNLL-2003 as the pool. One annotator lets the model choose
(`mixed`: one sentence in five at random), one takes all at random. Measured are F1 on the dev data against sentences,
tokens and edits (spans added to and removed from the proposal; a wrong type is two), and at the end the estimate of the
workbench against the F1 of the newest model on the rest of the pool, which is what the estimate is about.

Checked are two promises: chosen sentences beat random ones by 2 F1, and the interval of the estimate covers the truth
in 85 % of the runs. Printed beside them: bias and coverage of the estimate before and after its correction, and by how
much a version is worse than the one measured before it, about which nothing is promised.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
from dataclasses import asdict, dataclass, field
from importlib import resources
from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.annotate_client import Workbench, workbench, write_pool
from perceptag import Sentence, evaluate
from perceptag.labels.schemes import convert, spans
from perceptag.system.table import Table, render
from perceptag.text import read_columns

COLUMNS = ("form", "pos", "chunk", "ner")
TYPES = "PER,ORG,LOC,MISC"
GAIN, COVERED = 2.0, 0.85


@dataclass(frozen=True)
class Point:
    """The model after some sentences, and what they cost."""

    sentences: int
    tokens: int
    edits: int
    f1: float


@dataclass
class Run:
    """One annotator."""

    strategy: str
    seed: int
    points: list[Point] = field(default_factory=list)
    estimate: dict[str, Any] | None = None
    truth: float = 0.0

    @property
    def score(self) -> float:
        """The estimate."""
        return float(self.estimate["score"]) if self.estimate else 0.0

    @property
    def raw_score(self) -> float:
        """The estimate before its correction."""
        return float(self.estimate["raw"]["score"]) if self.estimate else 0.0

    @property
    def is_covered(self) -> bool:
        """Whether the interval of the estimate has the truth in it."""
        return self.estimate is not None and self.estimate["low"] <= self.truth <= self.estimate["high"]

    @property
    def is_covered_raw(self) -> bool:
        """Whether the interval before the correction has the truth in it."""
        return self.estimate is not None and self.estimate["raw"]["low"] <= self.truth <= self.estimate["raw"]["high"]

    @property
    def largest_drop(self) -> float:
        """By how much a measured version is worse than the one before it, at most."""
        scores = [point.f1 for point in self.points]
        return max([0.0, *(a - b for a, b in pairwise(scores))])


def main() -> int:
    """Simulate, print tables, and check the promises."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.annotate_sim")
    parser.add_argument("--data", default=os.environ.get("PERCEPTAG_DATA", ""), help="a folder with conll2003/")
    parser.add_argument("--runs", type=int, default=20, help="of the annotator whose sentences the model chooses")
    parser.add_argument("--random-runs", type=int, default=5, help="of the one who takes sentences at random")
    parser.add_argument("--sentences", type=int, default=400)
    parser.add_argument("--pool", type=int, default=4_000, help="sentences to choose from")
    parser.add_argument(
        "--batch", type=int, default=20, help="sentences that are labelled before a new model is awaited"
    )
    parser.add_argument("--every", type=int, default=20, help="sentences between two measurements on the dev data")
    parser.add_argument("--out", default="", help="a file of JSON lines to which finished runs are added")
    parser.add_argument("--quick", action="store_true", help="one run of each with few sentences; checks no figures")
    given = parser.parse_args()
    if given.quick:
        given.runs, given.random_runs, given.sentences, given.pool, given.every = 1, 1, 60, 500, 20
    files = corpus(given.data, given.quick)
    if files is None:
        print("annotate-sim: expected PERCEPTAG_DATA, a folder with conll2003/; found none", file=sys.stderr)
        return 2
    train, dev = map(load, files)
    runs = [
        report(simulate(strategy, seed, train, dev, given), given.out)
        for strategy, number in (("mixed", given.runs), ("random", given.random_runs))
        for seed in range(number)
    ]
    print(render(curve_table(runs)))
    return check(runs, quick=given.quick)


def corpus(data: str, quick: bool) -> tuple[Path, Path] | None:
    """Return the files with training and dev data; for the short form, those in the package will do."""
    folder, shipped = Path(data, "conll2003"), Path(str(resources.files("perceptag") / "data"))
    if data and folder.is_dir():
        return folder / "eng.train", folder / "eng.testa"
    return (shipped / "train.txt", shipped / "dev.txt") if quick else None


def load(path: Path) -> list[Sentence]:
    """Read a file of CoNLL-2003, with labels in IOB2."""
    found = [sentence for sentence in read_columns(str(path), COLUMNS) if len(sentence)]
    for sentence in found:
        sentence.columns["ner"] = convert(sentence.columns["ner"], "IOB2")
    return found


def simulate(strategy: str, seed: int, train: list[Sentence], dev: list[Sentence], given: argparse.Namespace) -> Run:
    """Label sentences as the gold labels say."""
    pool = random.Random(seed).sample(train, min(given.pool, len(train)))
    run = Run(strategy, seed)
    with tempfile.TemporaryDirectory() as name:
        write_pool(pool, Path(name, "pool.txt"))
        options = ("--import", f"{name}/pool.txt", "--columns", "form", "--labels", TYPES)
        with workbench(Path(name, "sim.ptag"), *options) as client:
            label(client, run, pool, dev, given)
            version = client.wait(given.sentences)
            estimate = client.wait_for_estimate(version["id"])
            run.estimate = {name: estimate[name] for name in ("score", "low", "high", "sentences", "raw", "unlabelled")}
            rest = client.ask("GET", "/v1/project/sentences?limit=500&status=labelled")["sentences"]
            done = {item["id"] for item in rest}
            left = [sentence for number, sentence in enumerate(pool, 1) if number not in done]
            run.truth = f1(client, left)
    return run


def label(client: Workbench, run: Run, pool: list[Sentence], dev: list[Sentence], given: argparse.Namespace) -> None:
    """Label, and measure every so often."""
    gold = {}
    tokens = edits = labelled = 0
    while labelled < given.sentences:
        for item in client.next(min(given.batch, given.sentences - labelled), run.strategy):
            right = pool[item["id"] - 1].columns["ner"]
            gold[item["id"]] = right
            wrong = cost(item["proposal"], right)
            client.label(item, right, wrong)
            tokens, edits, labelled = tokens + len(right), edits + wrong, labelled + 1
        if labelled >= 10:
            client.wait(labelled, pool=run.strategy != "random")
        if labelled % given.every == 0:
            run.points.append(Point(labelled, tokens, edits, f1(client, dev)))


def cost(proposal: Any, gold: list[str]) -> int:
    """Return how many spans are added to a proposal, or removed from it."""
    proposed = set(spans(proposal["labels"], "IOB2")) if proposal else set()
    return len(proposed ^ set(spans(gold, "IOB2")))


def f1(client: Workbench, sentences: list[Sentence]) -> float:
    """Return the F1 of the model in use."""
    report = evaluate([s.columns["ner"] for s in sentences], client.tag(sentences), scheme="IOB2")
    return report.f1 or 0.0


# --- what is found ---


def report(run: Run, out: str) -> Run:
    """Print a line about a run, and keep it."""
    told = run.estimate or {}
    between = f"{told.get('score', 0):.1f} [{told.get('low', 0):.1f}, {told.get('high', 0):.1f}]"
    if told:
        between += f" (uncorrected {told['raw']['score']:.1f})"
    print(
        f"{run.strategy} {run.seed}: F1 {run.points[-1].f1:.1f}, estimate {between}, truth {run.truth:.1f}", flush=True
    )
    if out:
        with Path(out).open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(asdict(run)) + "\n")
    return run


def curve_table(runs: list[Run]) -> Table:
    """Return the means of all runs by the number of sentences."""
    table = Table(["strategy", "sentences", "tokens", "edits", "F1 on dev"])
    for strategy in ("random", "mixed"):
        own = [run for run in runs if run.strategy == strategy]
        for points in zip(*(run.points for run in own), strict=True):
            figures = [mean(getattr(p, name) for p in points) for name in ("tokens", "edits", "f1")]
            table.add(strategy, str(points[0].sentences), f"{figures[0]:.0f}", f"{figures[1]:.0f}", f"{figures[2]:.1f}")
    return table


def fit_of(found: list[tuple[float, float, bool]]) -> str:
    """Say how estimates, given with the truth and whether their interval has it, fit."""
    bias = mean(score - truth for score, truth, _ in found)
    return f"bias {bias:+.1f} F1, truth in the interval in {sum(held for *_, held in found)} of {len(found)} runs"


def check(runs: list[Run], quick: bool) -> int:
    """Say whether the promises hold."""
    last = {s: mean(run.points[-1].f1 for run in runs if run.strategy == s) for s in ("random", "mixed")}
    mixed = [run for run in runs if run.strategy == "mixed"]
    covered = mean(run.is_covered for run in mixed)
    drop = max(run.largest_drop for run in runs)
    found = {
        f"chosen − random = {last['mixed'] - last['random']:.1f} F1, expected ≥ {GAIN}": last["mixed"]
        >= last["random"] + GAIN,
        f"the estimate covers the truth in {covered:.0%} of {len(mixed)} runs, expected ≥ {COVERED:.0%}": covered
        >= COVERED,
    }
    for text, holds in found.items():
        print(f"{'yes' if holds else 'NO '}  {text}")
    print(f"     uncorrected: {fit_of([(run.raw_score, run.truth, run.is_covered_raw) for run in runs])}")
    print(f"     corrected: {fit_of([(run.score, run.truth, run.is_covered) for run in runs])}")
    print(f"     the largest drop between two measured versions is {drop:.1f} F1; versions have no promised order")
    return 0 if quick or all(found.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
