"""What the process that learns does, one step after the other: train first, then score the pool, then the rest.

A step is short, so that a new label never waits long. The newest labels win: a training always takes all that have
come. Work that is done when nothing else is to be done continues after an interruption where it was.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from perceptag.errors import PerceptagError
from perceptag.models.kinds import make_ready
from perceptag.models.protocol import ReadyModel
from perceptag.models.word_classes import read_known
from perceptag.store.file import to_bytes
from perceptag.text.sentence import Sentence
from perceptag.workbench.learning.changes import Change
from perceptag.workbench.learning.examples import Example, Text, in_order
from perceptag.workbench.learning.messages import (
    AddTexts,
    Event,
    Failed,
    PoolScore,
    PoolScored,
    Request,
    Setup,
    Trained,
    Training,
    Update,
)
from perceptag.workbench.learning.scoring import SLICE, score_pool
from perceptag.workbench.learning.training import can_train, sentences_of, train_model

SLOW = 2.0  # seconds of training from which not every label trains
MANY = 20  # changed labels after which a slow training starts
PAUSE = 3.0  # seconds without a change after which a slow training starts


class Worker:
    """The state of the process that learns. `send` gets its events, `now` tells the time in seconds."""

    def __init__(self, setup: Setup, send: Callable[[Event], None], now: Callable[[], float] = time.monotonic) -> None:
        self.setup = setup
        self.send, self.now = send, now
        self.classes = read_known(setup.recipe.classes) if setup.recipe.classes else None
        self.texts: dict[int, Text] = {}
        self.examples: dict[int, Example] = {}
        self.left_out: frozenset[int] = frozenset()
        self.upto = 0  # the last revision that is known
        self.trained_upto = 0
        self.changes = 0  # labels that changed since the last training
        self.changed_at = -PAUSE
        self.seconds = 0.0  # of the last training
        self.ready: ReadyModel | None = None
        self.pool = PoolScoring(self)

    # --- requests ---

    def handle(self, request: Request) -> None:
        """Take in what a request says; work is done in steps."""
        if isinstance(request, AddTexts):
            self.texts |= {text.id: text for text in request.texts}
            self.pool.start_again()
        elif isinstance(request, Update):
            self._update(request)

    def _update(self, update: Update) -> None:
        for i, label in update.labelled.items():
            self.examples[i] = Example(self.texts[i], label.labels, label.order, label.in_sample)
        for i in update.unlabelled:
            self.examples.pop(i, None)
        self.upto, self.left_out = update.upto, update.left_out
        self.changes += len(update.labelled) + len(update.unlabelled)
        self.changed_at = self.now()

    # --- work ---

    def step(self) -> bool:
        """Do a piece of work; return whether there was any to do."""
        if self._should_train():
            self._train()
            return True
        return self.pool.step()

    def wait(self) -> float | None:
        """Return after how many seconds there will be work even without a request; None: never."""
        return max(0.0, self.changed_at + PAUSE - self.now()) if self.changes else None

    def _should_train(self) -> bool:
        if not self.changes:
            return False
        is_quick = self.seconds <= SLOW
        return is_quick or self.changes >= MANY or self.now() - self.changed_at >= PAUSE

    def _train(self) -> None:
        examples, upto = in_order(self.examples.values()), self.upto
        self.changes = 0
        if not can_train(examples):
            return
        self.send(Training(upto, len(examples)))
        started = time.perf_counter()
        try:
            model = train_model(sentences_of(examples), self.setup.recipe, self.setup.seed, self.classes)
        except PerceptagError as error:
            self.send(Failed(f"training on {len(examples)} sentences: {error}"))
            return
        data, digest = to_bytes(model)
        self.seconds = time.perf_counter() - started
        self.trained_upto = upto
        self.send(Trained(upto, 0, data, digest, len(examples), self.seconds))
        self.ready = make_ready(model)
        self.pool.start_again()

    def sentence(self, i: int) -> Sentence:
        """Return a sentence as the model reads it."""
        return self.texts[i].sentence()

    def pool_ids(self) -> list[int]:
        """Return the sentences that could be labelled next."""
        return [i for i in self.texts if i not in self.examples and i not in self.left_out]


class PoolScoring:
    """Scores the pool in slices. A new model starts the round again, at the place where the last one was left."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self.labels: dict[int, list[str]] = {}  # what each sentence got when it was last scored
        self._last = 0  # the sentence that was scored last
        self._round: Iterator[list[int]] | None = None
        self._left = 0

    def start_again(self) -> None:
        """Score the whole pool again."""
        self._round = self._slices()

    def _slices(self) -> Iterator[list[int]]:
        ids = sorted(self.worker.pool_ids())
        later = [i for i in ids if i > self._last]
        ids = later + ids[: len(ids) - len(later)]
        for start in range(0, len(ids), SLICE):
            self._left = max(0, len(ids) - start - SLICE)
            yield ids[start : start + SLICE]

    def step(self) -> bool:
        """Score a slice; return whether there was one."""
        ready = self.worker.ready
        part = next(self._round, None) if ready is not None and self._round is not None else None
        if part is None:
            self._round = None
            return False
        assert ready is not None
        ids = [i for i in part if i not in self.worker.examples]
        scored = score_pool(ready, ids, [self.worker.sentence(i) for i in ids])
        changed = [
            Change(s.id, self.labels[s.id], s.labels)
            for s in scored
            if s.id in self.labels and self.labels[s.id] != s.labels
        ]
        self.labels |= {s.id: s.labels for s in scored}
        self._last = part[-1]
        scores = [PoolScore(s.id, s.margin, s.confidence) for s in scored]
        self.worker.send(PoolScored(self.worker.trained_upto, scores, changed, self._left))
        return True
