"""If memory runs out in native code, at any allocation, that is a MemoryError, and nothing is broken afterwards.

The n-th allocation fails, for n = 1, 2, 3 … until the work succeeds. Python's own allocations do not fail: what
CPython and numpy do without memory is their own affair.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

from perceptag.models import model_file as modelfile
from perceptag.training.train import Training
from trust import native_code as native
from trust import samples
from trust.children import fork
from trust.counts import Tallies, Tally

BATCH = 250
NOT_REACHED = "not reached"  # threads share the work differently each time, so there may be fewer allocations
Work = Callable[[], Any]  # returns something that can be compared


def check(quick: bool) -> Tallies:
    """Run the sweeps in a process that has the shim."""
    command = [sys.executable, "-m", "trust.allocation", *(["--quick"] if quick else [])]
    env = native.environment(preload=str(native.shim()), PYTHONPATH=str(samples.ROOT))
    with subprocess.Popen(command, cwd=samples.ROOT, env=env, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            yield Tally(**json.loads(line))
    if process.returncode:
        tally = Tally("the process with the shim")
        tally.add(f"ended with status {process.returncode}")
        yield tally


def sweeps(quick: bool) -> Iterator[Tally]:
    """Load, train and tag, for each learner."""
    tallies = {what: Tally(f"allocations that fail: {what}") for what in ("load", "train", "tag", "n best")}
    for learner, settings in samples.learners().items():
        for what, work in works(settings).items():
            name = f"{learner}, {what}"
            if (what, learner) == ("n best", "guided"):
                tallies[what].note = "guided models have no n-best lists"
                continue
            _sweep(tallies[what], work, name, 12 if quick else 100_000)
    yield from tallies.values()


def works(settings: dict[str, Any]) -> dict[str, Work]:
    """Return the work that is tried for one learner."""
    data = samples.short(list(samples.sentences(2)), 6)
    recipe = samples.recipe_of(settings).replace({"labels.column": "label", "epochs": 1})

    def train() -> str:
        training = Training(recipe, data, data, threads=2)
        for _ in training.run():
            pass
        return modelfile.to_bytes(training.model())[1]

    training = Training(recipe, data)
    for _ in training.run():
        pass
    model = modelfile.to_bytes(training.model())[0]
    inputs = samples.short(samples.unlabelled(samples.sentences(40)), 2)  # many: threads take sixteen at a time

    def tag() -> list[list[str]]:
        return samples.load(model).set_params(threads=4).predict(inputs)

    def nbest() -> Any:
        return samples.load(model).set_params(threads=2).predict_nbest(inputs[:3], 3)

    return {"load": lambda: samples.load(model).labels_, "train": train, "tag": tag, "n best": nbest}


def _sweep(tally: Tally, work: Work, name: str, most: int) -> None:
    failing = native.Failing()
    expected = work()
    failing.arm(native.ALLOCATION, 0)
    work()
    total = failing.disarm()
    if not total:
        tally.add(f"{name}: no allocation was seen, so none could fail")
        return
    chosen = sorted({1 + i * total // min(total, most) for i in range(min(total, most))})
    while chosen:
        some, rest = chosen[:BATCH], chosen[BATCH:]
        end = fork(lambda some=some: [_attempt(failing, work, expected, n) for n in some], 300)
        faults = end.value
        if end.fault:  # find out which allocation it was
            ends = [fork(lambda n=n: _attempt(failing, work, expected, n)) for n in some]
            faults = [one.fault or one.value for one in ends]
        for n, fault in zip(some, faults, strict=True):
            if fault != NOT_REACHED:
                tally.add(f"{name}, allocation {n} of {total}: {fault}" if fault else None)
        chosen = rest


def _attempt(failing: native.Failing, work: Work, expected: Any, n: int) -> str | None:
    """Let allocation n fail; every tenth time, do the work again without a failure."""
    fault = None
    failing.arm(native.ALLOCATION, n)
    try:
        found = work()
        fault = None if found == expected else "another result"  # the work did without that memory
    except MemoryError:
        fault = None  # as it should be
    except Exception as error:
        fault = f"{type(error).__name__}: {error}"
    finally:
        calls = failing.disarm()
    if not fault and calls < n:
        return NOT_REACHED
    if n % 10 == 0 and work() != expected:
        fault = "afterwards the result is different"
    return fault


if __name__ == "__main__":
    for found in sweeps("--quick" in sys.argv):
        print(json.dumps(found.to_dict()), flush=True)
