"""The same data, recipe and seed give the same file: at any number of threads, under any hash seed, in a forked or a
fresh process, with vector instructions or without, compiled with any optimisation."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from perceptag.models.model_file import to_bytes
from perceptag.training.train import Training
from trust import native_code as native
from trust import samples
from trust.counts import Tallies, Tally, not_run

# Threads take sixteen sentences at a time (corpus.hpp): eight threads have work only with 113 or more.
SENTENCES = 130
HASH_SEEDS = ("0", "1", "2", "31337", "random")


def check(quick: bool) -> Tallies:
    """Compare the digests of all learners in many conditions."""
    expected = digests(1)
    yield over_threads(expected, (2, 3, 8) if quick else range(1, 9))
    yield over_hash_seeds(expected, HASH_SEEDS[:2] if quick else HASH_SEEDS)
    yield over_start_methods(expected)
    if hasattr(os, "sched_setaffinity"):
        yield over_cores(expected)
    else:
        yield not_run("one digest on one core and on all", "cores cannot be chosen here")
    for name in [] if quick else ["O0", "scalar"]:
        yield over_builds(expected, name)
    if quick:
        yield not_run("other builds of the core (-O0, scalar)", "only in the full form")


def digests(threads: int) -> dict[str, str]:
    """Return the SHA-256 of a small model of each way of learning, and of what it tags."""
    found = {}
    for name, settings in samples.learner_settings.EVERY.items():
        recipe = samples.recipe_of(settings).replace({"labels.column": "label", "epochs": 2})
        whole, rest = samples.sentences(16), samples.sentences(2 * SENTENCES)[16:]
        train = [*whole, *samples.short(rest[: SENTENCES - 16], 2)]
        dev = samples.short(rest[-SENTENCES:], 3)
        training = Training(recipe, train, dev, threads=threads)
        for _ in training.run():
            pass
        bytes_, sha = to_bytes(training.model())
        tagger = samples.load(bytes_).set_params(threads=threads)
        found[name] = sha
        found[f"tags of {name}"] = json.dumps(tagger.predict(samples.unlabelled([*whole, *dev])))
    return found


def compare(tally: Tally, expected: dict[str, str], found: dict[str, str], where: str) -> None:
    """Count one case for each digest."""
    for name, digest in expected.items():
        tally.check(digest == found.get(name), f"{where}: {name} differs{found.get('error', '')}")


def over_threads(expected: dict[str, str], numbers: Iterable[int]) -> Tally:
    """Vary the number of threads of tagging, and of scoring dev data in training."""
    tally = Tally("one digest for each learner at any number of threads")
    for threads in numbers:
        compare(tally, expected, digests(threads), f"{threads} threads")
    return tally


def in_a_process(**others: Any) -> dict[str, str]:
    """Return the digests that a new process finds."""
    env = {**os.environ, "PYTHONPATH": str(samples.ROOT), **others}
    done = subprocess.run(
        [sys.executable, "-m", "trust.repeating"],
        env=env,
        cwd=samples.ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        return {"error": done.stderr[-2000:]}
    result: dict[str, str] = json.loads(done.stdout)
    return result


def over_hash_seeds(expected: dict[str, str], seeds: tuple[str, ...]) -> Tally:
    """Vary the hash seed: the order of sets and dictionaries must not matter."""
    tally = Tally("one digest under any PYTHONHASHSEED")
    for seed in seeds:
        compare(tally, expected, in_a_process(PYTHONHASHSEED=seed), f"hash seed {seed}")
    return tally


def over_start_methods(expected: dict[str, str]) -> Tally:
    """Compare a forked process, which inherits the memory of its parent, with a spawned one."""
    tally = Tally("one digest in forked and in spawned processes")
    for method in ("fork", "spawn", "forkserver"):
        with multiprocessing.get_context(method).Pool(1) as pool:
            compare(tally, expected, pool.apply(digests, (2,)), method)
    return tally


def over_cores(expected: dict[str, str]) -> Tally:
    """Vary the number of cores that the threads share."""
    tally = Tally("one digest on one core and on all")
    allowed = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(allowed)})
        compare(tally, expected, digests(4), "one core")
    finally:
        os.sched_setaffinity(0, allowed)
    compare(tally, expected, digests(4), "all cores")
    return tally


def over_builds(expected: dict[str, str], name: str) -> Tally:
    """Compile the same sources in another way."""
    options = " ".join(native.VARIANTS[name]).replace("-DCMAKE_CXX_FLAGS=", "").replace("-DCMAKE_BUILD_TYPE=", "")
    tally = Tally(f"one digest when built with {options}")
    folder = native.variant(name)
    where = subprocess.run(
        [sys.executable, "-c", "from perceptag import _core; print(_core.__file__)"],
        env=native.environment(folder),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    tally.check(Path(where.strip()).is_relative_to(folder), f"another module was loaded: {where}")
    compare(tally, expected, in_a_process(PYTHONPATH=native.environment(folder)["PYTHONPATH"]), name)
    return tally


if __name__ == "__main__":
    print(json.dumps(digests(2)))
