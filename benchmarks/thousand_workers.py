"""Simulated passes of up to 1,000 workers, from measured costs: messages, slow workers, workers that die.

    python -m benchmarks.thousand_workers [--tokens 1000000000] [--passes 5] [--seed 0]
    python -m benchmarks.thousand_workers --measure        # learning, messages and mixing on this machine

The other costs are assumed, or come from the tables that docs/measurements/many-workers.md names. `--measure` leaves
out that workers look features up again in every pass, which the time of learning in `Costs` includes.

Three ways to learn from shards are compared on the same machines:

    perceptag    what `train --on` does: 4 shards a worker in a queue, 16 mixings a pass, changes to and from one driver
    McDonald     McDonald, Hall and Mann (2010): a shard a worker, all weights to one driver, once in a pass
    allreduce    a shard a worker, all weights summed along a ring of workers, 16 times a pass

A mixing waits for the last worker. An engine gives the part of a worker that dies to another one, and copies a part
that takes unusually long (`engines/dispatch.py` has the same rule). A ring has no other worker to ask: if one dies, the
pass begins again. Only time is simulated; `benchmarks.shards` measures how accurate mixing is.
"""

from __future__ import annotations

import argparse
import heapq
import math
import pickle
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any

from benchmarks.generate import sentences
from perceptag.engines.dispatch import PATIENCE, SLOW
from perceptag.system.plot import Series, both_themes, lines

SHARDS, MIXES = 4, 16  # shards of a worker; mixings of a pass
TOKENS, PASSES = 10**9, 5
WORKERS = (1, 2, 4, 8, 16, 32, 64, 125, 250, 500, 1000)


@dataclass(frozen=True, slots=True)
class Costs:
    """What one core needs, and how large messages are. Sizes are powers of the number of tokens."""

    learn: float = 1.8e-6  # seconds a token
    read: float = 3.7e-6  # seconds a token: reading, numbering and listing the features of a shard again
    changes: float = 5_500.0  # bytes that a part of one token would send
    changes_power: float = 0.505
    values: float = 0.46  # bytes sent back, as a share of what one part with all tokens of the mixing would send
    weights: float = 846.0  # bytes of all weights of a model of one token
    weights_power: float = 0.536
    decay: float = 0.6  # changes in pass p are p^-decay of those in the first
    mix: float = 3e-10  # seconds a byte of changes
    call: float = 6e-4  # seconds a call, on the driver

    def sent(self, tokens: float, number: int) -> float:
        """Bytes that a part sends in a pass."""
        return float(self.changes * tokens**self.changes_power * number**-self.decay)

    def every(self, tokens: float) -> float:
        """Bytes of all weights of a model."""
        return float(self.weights * tokens**self.weights_power)


@dataclass(frozen=True, slots=True)
class Machines:
    """A cluster: its network, how much its workers differ, and how often they die."""

    bandwidth: float = 1.25e9  # bytes a second of each machine, the driver's too: 10 Gbit/s
    latency: float = 5e-4  # seconds of a message
    spread: float = 0.1  # standard deviation of the logarithm of the time that a part takes
    slow: float = 0.01  # share of the workers that are slow
    slowness: float = 5.0
    hours: float = 1000.0  # between two deaths of one worker
    restart: float = 5.0  # seconds until another worker is there


class Cluster:
    """Workers with their speeds, and chance."""

    def __init__(self, workers: int, machines: Machines, seed: int) -> None:
        self.workers, self.machines = workers, machines
        self.chance = random.Random(f"{seed} {workers}")
        is_slow = [self.chance.random() < machines.slow and w > 0 for w in range(workers)]  # a single one is not
        self.factor = [machines.slowness if slow else 1.0 for slow in is_slow]

    def durations(self, seconds: float, number: int) -> list[float]:
        """How long each of some parts takes on a worker that is not slow."""
        return [seconds * self.chance.lognormvariate(0.0, self.machines.spread) for _ in range(number)]

    def slowest(self, seconds: float) -> float:
        """How long the last worker takes, if each has one part."""
        each = zip(self.durations(seconds, self.workers), self.factor, strict=True)
        return max(duration * factor for duration, factor in each)

    def has_death(self, seconds: float) -> bool:
        """Whether a worker dies in a stretch of time."""
        return self.chance.random() < -math.expm1(-seconds * self.workers / (3600 * self.machines.hours))


def queue(cluster: Cluster, parts: Sequence[float]) -> float:
    """The time until all parts are done, by workers that take the next one when they are free."""
    free = [(0.0, w) for w in range(cluster.workers)]
    heapq.heapify(free)
    limit = max(PATIENCE, SLOW * median(parts))
    last = 0.0
    for part in parts:
        begin, w = heapq.heappop(free)
        end = begin + part * cluster.factor[w]
        if end - begin > limit and cluster.workers > 1:  # an idle worker gets a copy
            end = min(end, begin + limit + part)
        heapq.heappush(free, (end, w))
        last = max(last, end)
    return last


def perceptag(cluster: Cluster, tokens: int, number: int, costs: Costs, mixes: int = MIXES) -> float:
    """Seconds of a pass: parts in a queue, changes to one driver and from it."""
    net, shards = cluster.machines, SHARDS * cluster.workers
    part = tokens / (shards * mixes)
    up = shards * costs.sent(part, number)
    back = min(costs.every(tokens), costs.values * costs.sent(tokens / mixes, number))
    driver = (up + cluster.workers * back) / net.bandwidth + costs.mix * up + costs.call * shards + 2 * net.latency
    if cluster.workers == 1:
        driver = costs.mix * up
    seconds = 0.0
    for _ in range(mixes):
        learning = queue(cluster, cluster.durations(costs.learn * part, shards))
        read_again = net.restart + costs.read * tokens / cluster.workers + costs.learn * part
        again = read_again if cluster.has_death(learning) else 0.0
        seconds += learning + again + driver
    return seconds


def mcdonald(cluster: Cluster, tokens: int, number: int, costs: Costs) -> float:
    """Seconds of a pass: one part a worker, all weights to one driver and back, once."""
    del number
    net, own = cluster.machines, tokens / cluster.workers
    learning = cluster.slowest(costs.learn * own)
    again = net.restart + (costs.read + costs.learn) * own if cluster.has_death(learning) else 0.0
    if cluster.workers == 1:
        return learning + again
    moved = cluster.workers * costs.every(tokens)
    return learning + again + 2 * moved / net.bandwidth + costs.mix * moved + 2 * net.latency


def allreduce(cluster: Cluster, tokens: int, number: int, costs: Costs) -> float:
    """Seconds of a pass: one part a worker, all weights around a ring at each mixing. A death begins it again."""
    del number
    net, n = cluster.machines, cluster.workers
    part = tokens / (n * MIXES)
    ring = 2 * (n - 1) * (costs.every(tokens) / n / net.bandwidth + net.latency) if n > 1 else 0.0

    def once() -> float:
        return sum(cluster.slowest(costs.learn * part) + ring for _ in range(MIXES))

    seconds = last = once()
    while cluster.has_death(last):
        last = once()
        seconds += net.restart + costs.read * tokens / n + last
    return seconds


WAYS: dict[str, Callable[[Cluster, int, int, Costs], float]] = {
    "perceptag": perceptag,
    "perceptag, 2 mixings": partial(perceptag, mixes=2),
    "McDonald": mcdonald,
    "allreduce": allreduce,
}


def simulate(
    way: str, workers: int, tokens: int, passes: int, seed: int = 0, costs: Costs | None = None,
    machines: Machines | None = None,
) -> list[float]:  # fmt: skip
    """The seconds of each pass; which workers are slow differs from pass to pass."""
    clusters = (Cluster(workers, machines or Machines(), seed + number) for number in range(passes))
    return [WAYS[way](one, tokens, number, costs or COSTS) for number, one in enumerate(clusters, 1)]


def speedups(tokens: int, passes: int, seed: int, machines: Machines | None = None) -> dict[str, list[float]]:
    """How many times as fast as one worker each number of workers is, by the way."""
    alone = COSTS.learn * tokens * passes
    return {
        way: [alone / sum(simulate(way, n, tokens, passes, seed, machines=machines)) for n in WORKERS] for way in WAYS
    }


def measure() -> Costs:
    """The costs of learning and of messages on this machine, with the templates of `benchmarks.large_corpus`."""
    from benchmarks.large_corpus import LABELS, TEMPLATES
    from benchmarks.many_shards import FarWorker
    from perceptag import Sentence, _core
    from perceptag.learn.shards import UNIT
    from perceptag.recipe.recipe import load
    from perceptag.training.train import Training

    made = [list(zip(*s, strict=True)) for s in sentences(200_000, LABELS, 1)]
    data = [Sentence({"form": list(words), "tag": list(tags)}) for words, tags in made]
    own = {"templates": TEMPLATES, "support": "gold", "cutoff": 2, "shards": 8}
    trainer: Any = Training(load("collins-pos").replace(own), data).trainer
    far, found = FarWorker(trainer.weights), {}
    for size in (64, 512, 4096):
        part = trainer.sequences[:size]
        began = time.process_time()
        answer = far.learn(part)
        found[sum(len(x) for x in part)] = len(answer), time.process_time() - began
        far = FarWorker(trainer.weights)
    (first, (least, _)), *_, (last, (most, seconds)) = found.items()
    power = math.log(most / least) / math.log(last / first)
    changes = [
        pickle.loads(FarWorker(trainer.weights).learn(trainer.sequences[i : i + 512])) for i in range(0, 4096, 512)
    ]
    began = time.process_time()
    _core.mix(trainer.weights, changes, 8, UNIT)
    mixing = time.process_time() - began
    up = sum(len(pickle.dumps(one, 5)) for one in changes)
    values = len(pickle.dumps(_core.mixed_values(trainer.weights, changes), 5)) / most
    return Costs(
        learn=seconds / last, changes=least / first**power, changes_power=power, values=values, mix=mixing / up
    )


COSTS = Costs()


def table(found: Mapping[str, Sequence[float]]) -> str:
    """Speed-ups as a table."""
    rows = [f"| workers | {' | '.join(found)} |", "|---:|" + "---:|" * len(found)]
    for i, n in enumerate(WORKERS):
        rows.append(f"| {n:,} | " + " | ".join(f"{some[i]:.1f}" for some in found.values()) + " |")
    return "\n".join(rows)


def picture() -> str:
    """The speed-ups on a billion tokens."""
    found = speedups(TOKENS, PASSES, 0)
    series = [Series(way, list(zip(map(float, WORKERS), some, strict=True))) for way, some in found.items()]
    ideal = Series("as many times as workers", [(1.0, 1.0), (100.0, 100.0)], dashed=True)
    title = f"A pass over {TOKENS / 1e9:g} billion tokens, simulated: times as fast as one worker"
    return both_themes(lines([*series, ideal], title=title, x="workers", y="speed-up", log_x=True, log_y=True))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tokens", type=int, default=TOKENS)
    parser.add_argument("--passes", type=int, default=PASSES)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--measure", action="store_true")
    given = parser.parse_args()
    print(measure() if given.measure else table(speedups(given.tokens, given.passes, given.seed)))


if __name__ == "__main__":
    main()
