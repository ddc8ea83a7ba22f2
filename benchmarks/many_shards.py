"""Many logical shards in one process: accuracy, and the bytes that workers elsewhere would be sent and would send.

    python -m benchmarks.many_shards --data FOLDER [--shards 1,8,64,256,1000] [--workers 8] [--passes 15]

EWT, first-order features of `collins-pos`, averaged perceptron, shuffled, 16 mixings a pass; the score is that of the
last pass on dev data. Workers share nothing with the driver: every change and every weight goes through bytes. One
part in ten goes to a worker at random, answers are delayed and arrive in any order, and a worker that has missed more
than one mixing is sent all weights. In the end the weights must be those of training in memory, bit for bit.
"""

from __future__ import annotations

import argparse
import pickle
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.shards import CASES, data_of
from perceptag import _core
from perceptag.evaluation import evaluate
from perceptag.learn.shards import MIXES, UNIT, parts_of_pass
from perceptag.recipe.recipe import Recipe, load
from perceptag.training.train import Training

BLOCKS = range(_core.BLOCKS)
MIB = 1 << 20


class FarWorker:
    """Weights that move only by what arrives as bytes."""

    def __init__(self, weights: _core.Weights) -> None:
        self.start, self.own = weights.frozen(), _core.worker_weights(weights)
        self.mixings = 0  # that it has seen

    def learn(self, part: list[_core.Sequence]) -> bytes:
        """Learn from a part; the changes."""
        _core.start_part(self.own)
        _core.perceptron_pass(self.own, part)
        return pickle.dumps(_core.take_changes(self.own, self.start), 5)

    def receive(self, sent: bytes, mixings: int) -> None:
        """Take over what a mixing has changed, if only one was missed; else all weights."""
        found = pickle.loads(sent)
        if self.mixings < mixings - 1:
            found = [(np.arange(len(w), dtype=np.uint32), w) for w in found]
        for weights in (self.start, self.own):
            _core.put_values(weights, found)
        self.mixings = mixings


@dataclass
class Bytes:
    """Moved in one pass."""

    up: int = 0
    down: int = 0  # what changed, to workers that have missed one mixing; else all weights
    down_all: int = 0  # all weights to every worker that has missed a mixing


@dataclass
class Simulation:
    """A driver, and workers that answer late."""

    trainer: Any
    recipe: Recipe
    examples: list[list[int]]  # of each shard
    workers: list[FarWorker]
    random: random.Random
    mixings: int = 0
    values: bytes = b""  # what the last mixing changed
    passes: list[Bytes] = field(default_factory=list)

    def run_pass(self, epoch: int) -> None:
        """Run one pass."""
        parts = [parts_of_pass(own, self.recipe.seed, epoch, shard) for shard, own in enumerate(self.examples)]
        self.passes.append(Bytes())
        for number in range(MIXES):
            self._mix([(shard, own[number]) for shard, own in enumerate(parts) if own[number]])

    def _mix(self, parts: Sequence[tuple[int, list[int]]]) -> None:
        weights, answers = self.trainer.weights, []
        for shard, part in parts:
            worker = self._worker_of(shard)
            self._bring_up_to_date(worker)
            answer = worker.learn([self.trainer.sequences[i] for i in part])
            self.passes[-1].up += len(answer)
            answers.append((self.random.expovariate(1), answer))  # the moment when it arrives
        changes = [pickle.loads(answer) for _, answer in sorted(answers)]
        _core.mix(weights, changes, len(self.examples), UNIT)
        self.values, self.mixings = pickle.dumps(_core.mixed_values(weights, changes), 5), self.mixings + 1

    def _worker_of(self, shard: int) -> FarWorker:
        """The worker that has the data of a shard; one time in ten it is busy, and another one helps out."""
        return (
            self.random.choice(self.workers) if self.random.random() < 0.1 else self.workers[shard % len(self.workers)]
        )

    def _bring_up_to_date(self, worker: FarWorker) -> None:
        if worker.mixings == self.mixings:
            return
        weights, now = self.trainer.weights, self.passes[-1]
        every = pickle.dumps([weights.get(block)[0] for block in BLOCKS], 5)
        sent = self.values if worker.mixings == self.mixings - 1 else every
        worker.receive(sent, self.mixings)
        now.down += len(sent)
        now.down_all += len(every)


def state_of(trainer: Any) -> list[bytes]:
    """Weights and sums."""
    return [array.tobytes() for block in BLOCKS for array in trainer.weights.get(block)]


def simulate(recipe: Recipe, train: Any, dev: Any, workers: int) -> tuple[float, list[Bytes]]:
    """Train in memory and, if there are several shards, by far workers; accuracy and bytes."""
    near = Training(recipe, train, dev)
    for epoch in range(1, recipe.epochs + 1):
        near.trainer.learn_epoch(epoch)
    labels = near.trainer.tag_dev(near.trainer.snapshot("averaged"))
    score = evaluate([s.columns["xpos"] for s in dev], labels, bootstrap=0).main_score[1]
    return score, passes_of_far_workers(near.trainer, recipe, train, workers) if recipe.own["shards"] > 1 else []


def passes_of_far_workers(near: Any, recipe: Recipe, train: Any, workers: int) -> list[Bytes]:
    """What each pass moves. The weights must be those of training in memory."""
    far: Any = Training(recipe, train).trainer
    others = [FarWorker(far.weights) for _ in range(workers)]
    simulation = Simulation(far, recipe, far.mixed.examples, others, random.Random(recipe.seed))
    for epoch in range(1, recipe.epochs + 1):
        simulation.run_pass(epoch)
    assert state_of(near) == state_of(far), "far workers gave other weights"
    return simulation.passes


def row(shards: int, score: float, passes: Sequence[Bytes]) -> str:
    """One row of the table."""
    cells = [
        f"{getattr(passes[0], what) / MIB:.1f} → {getattr(passes[-1], what) / MIB:.1f}" if passes else "–"
        for what in ("up", "down", "down_all")
    ]
    return f"| {shards:,} | {score:.2f} | {' | '.join(cells)} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--shards", default="1,8,64,256,1000")
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--passes", type=int, default=15)
    given = parser.parse_args()
    train, dev = data_of(CASES["EWT pos"], given.data)
    known = load("collins-pos")
    templates = [template for template in known.templates if "y-2" not in template]
    own = {"templates": templates, "labels.column": "xpos", "shuffle": True, "epochs": given.passes}
    print("| shards | accuracy | up, MiB a pass | down, what changed | down, all weights |\n|---|---|---|---|---|")
    for shards in map(int, given.shards.split(",")):
        print(row(shards, *simulate(known.replace({**own, "shards": shards}), train, dev, given.workers)), flush=True)


if __name__ == "__main__":
    main()
