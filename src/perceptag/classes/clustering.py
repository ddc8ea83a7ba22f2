"""Cluster the words of a text by exchange, into several numbers of classes at once.

Martin, Liermann and Ney (1998), "Algorithms for bigram and trigram word clustering", figure 2:

    start with some initial mapping                            `deal`
    for each word w of the vocabulary:                         `Exchange.visit`
        for each class k: tentatively move w to k, compute the likelihood
        move w to the class with the highest likelihood
    until the stopping criterion is met                        `_is_done`

Here words come in the order of their frequency, and each is dealt to the next class at the start. Words that are too
rare to be clustered share a class apart, and so does the border of a sentence; nothing moves there. The passes end
when fewer than one word in a thousand moves, or after the number of passes that is asked for.

Counts are whole numbers, and so is the likelihood (`cpp/include/perceptag/classes/information.hpp`). So the result
does not depend on threads, which work on one size each.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Event
from typing import Any

import numpy as np
import numpy.typing as npt

from perceptag import _core
from perceptag.arrays import Ints
from perceptag.classes.counting import Counted
from perceptag.features.class_table import WordClassTable
from perceptag.system import memory

PASSES = 30
UNIT = 2.0**-20  # bits: what the core counts likelihoods in
_CELL = 8  # bytes for each pair of classes: its count, twice
_BLOCK = 512  # words that are visited before an interrupt is looked for


@dataclass(frozen=True, slots=True)
class ClassPass:
    """One pass over all words."""

    size: int
    number: int  # from 1
    moved: int
    likelihood: float  # the logarithm for each word and each end of a sentence, in bits
    is_last: bool


@dataclass(frozen=True, slots=True)
class ClusteringProgress:
    """The state of the clustering into one number of classes after its last complete pass."""

    classes: Ints  # of each word
    passes: tuple[ClassPass, ...] = ()


Message = tuple[ClassPass, Ints] | BaseException | None  # of a thread: a pass and its classes, an error, its end


def deal(words: int, size: int) -> Ints:
    """Return the first classes: words in order of frequency, dealt like cards.

    >>> deal(5, 2).tolist()
    [0, 1, 0, 1, 0]
    """
    dealt: Ints = (np.arange(words) % size).astype(np.int32)
    return dealt


class Clustering:
    """Clusters the words of a text into several numbers of classes."""

    def __init__(self, counted: Counted, sizes: Sequence[int], passes: int = PASSES) -> None:
        counted.check(sizes)
        self.counted = counted
        self.sizes = tuple(sizes)
        self.most_passes = passes
        self.progress = {size: ClusteringProgress(deal(len(counted.counts), size)) for size in sizes}

    def run(self, threads: int = 1) -> Generator[ClassPass, None, None]:
        """Run the remaining passes; yield each once `progress` has it. An interrupt leaves `progress` consistent."""
        waiting = [size for size in reversed(self.sizes) if not self._is_done(size)]  # the slowest first
        largest = waiting[0] if waiting else 0
        together = sum(_CELL * size * size for size in waiting[:threads])
        memory.require(together, f"{largest} word classes")
        ended: SimpleQueue[Message] = SimpleQueue()
        stop = Event()
        with ThreadPoolExecutor(max(1, min(threads, len(waiting)))) as pool:
            for size in waiting:
                pool.submit(self._cluster, size, ended, stop)
            try:
                yield from self._collect(len(waiting), ended)
            finally:
                stop.set()

    def _collect(self, running: int, ended: SimpleQueue[Message]) -> Iterator[ClassPass]:
        while running:
            event = ended.get()
            if isinstance(event, BaseException):
                raise event
            if event is None:
                running -= 1
                continue
            report, classes = event
            passes = (*self.progress[report.size].passes, report)
            self.progress[report.size] = ClusteringProgress(classes, passes)  # one step, which no interrupt can cut
            yield report

    def _cluster(self, size: int, ended: SimpleQueue[Message], stop: Event) -> None:
        """Run the passes of one size, in a thread of its own."""
        try:
            done, facts = self.progress[size], self.counted.facts
            exchange = _core.Exchange(self.counted.counts, size, done.classes)
            for number in range(len(done.passes) + 1, self.most_passes + 1):
                moved = self._visit_all(exchange, stop)
                if stop.is_set():
                    break
                likelihood = exchange.likelihood * UNIT / (facts["tokens"] + facts["sentences"])
                report = self.report(size, number, moved, likelihood)
                ended.put((report, exchange.classes))
                if report.is_last:
                    break
            ended.put(None)
        except BaseException as error:
            ended.put(error)

    def _visit_all(self, exchange: _core.Exchange, stop: Event) -> int:
        words, moved = len(self.counted.counts), 0
        for first in range(0, words, _BLOCK):
            if stop.is_set():
                break
            moved += exchange.visit(first, min(first + _BLOCK, words))
        return moved

    def report(self, size: int, number: int, moved: int, likelihood: float) -> ClassPass:
        """Summarise a pass, and decide whether it is the last one."""
        is_last = 1000 * moved < len(self.counted.counts) or number == self.most_passes
        return ClassPass(size, number, moved, likelihood, is_last)

    def _is_done(self, size: int) -> bool:
        passes = self.progress[size].passes
        return bool(passes) and passes[-1].is_last

    def result(self) -> WordClassTable:
        """Return the classes after the passes so far."""
        counts = self.counted.counts
        numbers = [by_frequency(self.progress[size].classes, size, counts.counts) for size in self.sizes]
        return WordClassTable(
            self.sizes,
            tuple(counts.words),
            counts.counts.astype(np.int64),
            np.stack(numbers, axis=1),
            self.counted.folding,
        )

    def facts(self) -> dict[str, Any]:
        """Return the manifest: facts about the text and the clustering."""
        last: Mapping[int, ClassPass] = {size: self.progress[size].passes[-1] for size in self.sizes}
        return {
            **self.counted.facts,
            "passes": [last[size].number for size in self.sizes],
            "likelihood": [last[size].likelihood for size in self.sizes],
        }


def by_frequency(classes: Ints, size: int, counts: npt.ArrayLike) -> Ints:
    """Number classes by their tokens, the most frequent first; of equally frequent ones by their first words.

    >>> by_frequency(np.array([0, 1, 1, 2], np.int32), 3, [4, 3, 3, 3]).tolist()
    [1, 0, 0, 2]
    """
    tokens = np.bincount(classes, weights=counts, minlength=size)
    first = np.full(size, len(classes))
    np.minimum.at(first, classes, np.arange(len(classes)))
    new = np.empty(size, np.int32)
    new[np.lexsort((first, -tokens))] = np.arange(size)
    renumbered: Ints = new[classes]
    return renumbered
