"""An engine that does what an engine may do: any order, twice, in other workers, after workers were lost."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from perceptag.engines.calls import Call


class ShufflingEngine:
    """Carries every call out twice, in a random order, and makes some workers again in between."""

    name = "shuffling"

    def __init__(self, seed: int = 0, workers: int = 3) -> None:
        self.random = random.Random(seed)
        self.workers = workers

    def crew(self, make: Callable[[], object]) -> ShufflingCrew:
        return ShufflingCrew(self.random, pickle.dumps(make), self.workers)


class ShufflingCrew:
    def __init__(self, chance: random.Random, make: bytes, size: int) -> None:
        self.random = chance
        self.make = make
        self.size = size
        self.workers: list[Any] = [None] * size
        self.lost = 0

    def share(self, value: object) -> object:
        return copy.deepcopy(value)

    def run(self, calls: Sequence[Call]) -> Iterator[tuple[int, Any]]:
        twice = [*calls, *calls]
        self.random.shuffle(twice)
        done: set[int] = set()
        for call in twice:
            place = self.random.randrange(self.size)
            if self.workers[place] is None or self.random.random() < 0.2:
                self.workers[place] = pickle.loads(self.make)()
                self.lost += 1
            result = getattr(self.workers[place], call.method)(*copy.deepcopy(call.arguments))
            if call.key not in done:
                done.add(call.key)
                yield call.key, pickle.loads(pickle.dumps(result))

    def close(self) -> None:
        self.workers = []
