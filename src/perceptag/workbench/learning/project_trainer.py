"""What the process that learns does, one step after the other: train first, then the rest.

A step is short, so that a new label never waits long. The newest labels win: a training always takes all that have
come. Work for quiet moments (the pool, the estimate, the curve) takes turns, and continues after an interruption where
it was, with the labels that it began with: otherwise it would never end while labels keep coming.
"""

from __future__ import annotations

import os
import queue
import random
import signal
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO

from perceptag.errors import PerceptagError
from perceptag.models.confident import calibrated
from perceptag.models.kinds import make_ready
from perceptag.models.model import Model
from perceptag.models.model_classes import read_known
from perceptag.models.model_file import to_bytes
from perceptag.models.protocol import ReadyModel
from perceptag.system.memory import describe
from perceptag.system.platform.machine import limit_memory, step_back
from perceptag.text.sentence import Sentence
from perceptag.workbench.learning.messages import (
    AddTexts,
    Event,
    Example,
    Forgotten,
    LearningFailed,
    Progressed,
    Request,
    Setup,
    Text,
    Trained,
    TrainingStarted,
    Update,
    in_order,
    read_object,
    write_object,
)
from perceptag.workbench.learning.pool_scoring import SLICE, PoolScoring
from perceptag.workbench.learning.progress import LEAST_FOR_CURVE, PAUSE, Pace, curving, judged
from perceptag.workbench.learning.recipes import Start
from perceptag.workbench.learning.training import Calibrated, Learning, Steps, can_train, sentences_of, train_model

SLOW = 2.0  # seconds of training from which not every label trains
COMPARED = 1_000  # unlabelled sentences, drawn at random, by which the estimate is corrected
MANY = 20  # changed labels after which a slow training starts


class ProjectTrainer:
    """The state of the process that learns.

    `send` gets its events.
    """

    def __init__(
        self,
        setup: Setup,
        send: Callable[[Event], None],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.setup, self._send, self._now = setup, send, now
        classes = read_known(setup.recipe.classes) if setup.recipe.classes else None
        self.learning = Learning(setup.recipe, setup.seed, classes)  # how models are trained
        self.start = Start.load(setup.start, setup.kind) if setup.start else None
        self._texts: dict[int, Text] = {}
        self._with_start: set[int] = set()  # sentences that have the column of the model to start from
        self._examples: dict[int, Example] = {}
        self._left_out: frozenset[int] = frozenset()
        self._upto = 0  # the last revision that is known
        self._changed_at = -1e9
        self._changes = 0  # since the last training
        self._seconds = 0.0  # of the last training
        self._model: Model | None = None
        self._ready: ReadyModel | None = None
        self._trained: Trained | None = None
        self._calibration: Calibrated | None = None
        self._pool = PoolScoring(self.pool_ids, self.sentences, SLICE // 5 if self.start else SLICE)
        self._judge_pace, self._curve_pace = Pace(5, 0.02, PAUSE), Pace(20, 0.05, 2 * PAUSE)
        self._quiet_work: dict[str, Steps[None]] = {}

    # --- requests ---

    def handle(self, request: Request) -> None:
        """Take in what a request says; work is done in steps."""
        if isinstance(request, AddTexts):
            new = [text for text in request.texts if text.id not in self._texts]  # others may have that of the start
            self._texts |= {text.id: text.filled(self.setup.columns) for text in new}
            self._pool.start_round()
        elif isinstance(request, Update):
            self._update(request)

    def _update(self, update: Update) -> None:
        self._add_start([i for i in update.labelled if i in self._texts])
        changed = 0
        for i, label in update.labelled.items():
            before = self._examples.get(i)
            self._examples[i] = Example(self._texts[i], label.labels, label.order, label.in_sample)
            changed += before is None or list(before.labels) != list(label.labels)
        for i in update.unlabelled:
            changed += self._examples.pop(i, None) is not None
        self._upto, self._left_out = update.upto, update.left_out
        if changed:
            self._changed_at = self._now()
            for pace in (self._judge_pace, self._curve_pace):
                pace.changes += changed
            self._changes += changed

    # --- what it knows ---

    @property
    def examples(self) -> list[Example]:
        """The labelled sentences, in the order of training."""
        return in_order(self._examples.values())

    def is_pool(self, i: int) -> bool:
        """Whether a sentence could be labelled next."""
        return i not in self._examples and i not in self._left_out

    def pool_ids(self) -> list[int]:
        """The sentences that could be labelled next."""
        return [i for i in self._texts if self.is_pool(i)]

    def sentences(self, ids: Sequence[int]) -> list[Sentence]:
        """Sentences as the model reads them."""
        self._add_start(ids)
        return [self._texts[i].sentence() for i in ids]

    def _add_start(self, ids: Sequence[int]) -> None:
        missing = [i for i in ids if i not in self._with_start] if self.start else []
        if self.start and missing:
            self._texts |= {text.id: text for text in self.start.add([self._texts[i] for i in missing])}
            self._with_start |= set(missing)

    # --- work ---

    def step(self) -> bool:
        """Do a piece of work; return whether there was any to do."""
        try:
            return self._step()
        except PerceptagError as error:
            self._send(LearningFailed(str(error)))
        except MemoryError:
            self._send(LearningFailed(f"expected to need at most {describe(self.setup.memory)} of memory, found more"))
        except Exception as error:
            self._send(LearningFailed(f"{type(error).__name__}: {error}"))
        return True

    def _step(self) -> bool:
        if self._should_train():
            self._train()
            return True
        self._plan()
        while self._quiet_work:
            name = next(iter(self._quiet_work))
            work = self._quiet_work.pop(name)
            if next(work, True) is None:
                self._quiet_work[name] = work  # the others come first
                return True
        return False

    def wait(self) -> float | None:
        """Return after how many seconds there will be work even without a request; None: never."""
        quiet = self._now() - self._changed_at
        waits = [self._judge_pace.wait(quiet)]  # a curve is part of a judgement
        waits.append(max(0.0, PAUSE - quiet) if self._changes else None)
        return min((wait for wait in waits if wait is not None), default=None)

    # --- training ---

    def _should_train(self) -> bool:
        quiet = self._now() - self._changed_at
        return self._changes > 0 and (self._seconds <= SLOW or self._changes >= MANY or quiet >= PAUSE)

    def _train(self) -> None:
        examples, upto = self.examples, self._upto
        self._changes = 0
        if not can_train(examples):
            self._forget(upto)
            return
        self._send(TrainingStarted(upto, len(examples)))
        started = time.perf_counter()
        recipe, seed, classes = self.learning.recipe, self.learning.seed, self.learning.classes
        self._model = train_model(sentences_of(examples, recipe), recipe, seed, classes)
        self._publish(upto, len(examples), started)
        self._seconds = time.perf_counter() - started

    def _forget(self, upto: int) -> None:
        """Drop a model of labels that have all been taken back."""
        if self._model is not None:
            self._model = self._ready = self._trained = self._calibration = None
            self._send(Forgotten(upto))

    def _publish(self, upto: int, sentences: int, started: float) -> None:
        """Send the newest model, with the newest calibration, and score the pool with it."""
        assert self._model is not None
        known = self._calibration
        model = calibrated(self._model, known.curves, known.data) if known else self._model
        data, digest = to_bytes(model)
        seconds = time.perf_counter() - started
        self._trained = Trained(upto, data, digest, sentences, seconds)
        self._send(self._trained)
        self._ready = make_ready(model)
        self._pool.start_round()

    # --- work for quiet moments ---

    def _plan(self) -> None:
        """Begin what is due."""
        quiet = self._now() - self._changed_at
        if "score" not in self._quiet_work and self._ready is not None:
            self._quiet_work["score"] = self._score()
        if "judge" not in self._quiet_work and self._judge_pace.is_due(len(self._examples), quiet):
            self._quiet_work["judge"] = self._judge()

    def _score(self) -> Steps[None]:
        """Score the pool."""
        while self._ready is not None and self._trained is not None:
            found = self._pool.step(self._ready, self._trained.upto, self.is_pool)
            if found is None:
                return
            self._send(found)
            yield

    def _judge(self) -> Steps[None]:
        """Estimate how good the model is, calibrate it, and draw the learning curve if that is due too."""
        examples, upto = self.examples, self._upto
        self._judge_pace.changes = 0
        with_curve = self._curve_pace.is_due(len(examples), self._now() - self._changed_at)
        pool = self.pool_ids()
        some = random.Random(self.setup.seed).sample(pool, min(COMPARED, len(pool)))
        parts, judgement = yield from judged(examples, self.learning, self.sentences(some))
        self._send(Progressed(upto, parts))
        if judgement is None:
            return
        is_first = self._calibration is None and judgement.calibration is not None
        self._calibration = judgement.calibration
        if is_first and self._trained is not None:
            self._publish(self._trained.upto, self._trained.sentences, time.perf_counter())
        if with_curve:
            self._curve_pace.changes = 0
            curve = (yield from curving(examples, self.learning)) if len(examples) >= LEAST_FOR_CURVE else None
            self._send(Progressed(upto, {"curve": curve.to_dict() if curve else None}))


# It ends when its input ends. The pipe ends with the process that holds the other end, however that one ends, so that
# a child never outlives the server.

NICE = 10  # the server answers first


def main() -> None:
    """Work until the input ends."""
    source, target = _streams()
    try:
        setup = read_object(source)
    except EOFError:
        return  # the server is gone already
    _be_modest(setup)
    requests: queue.SimpleQueue[Request] = queue.SimpleQueue()
    threading.Thread(target=_read_requests, args=(source, requests), daemon=True).start()

    def send(event: Event) -> None:
        write_object(target, event)

    def poll() -> None:
        with suppress(queue.Empty):
            while True:
                worker.handle(requests.get_nowait())

    try:
        worker = ProjectTrainer(setup, send)
        while True:
            poll()
            if not worker.step():
                with suppress(queue.Empty):
                    worker.handle(requests.get(timeout=worker.wait()))
    except BrokenPipeError:
        os._exit(0)  # the server is gone


def _read_requests(source: IO[bytes], requests: queue.SimpleQueue[Request]) -> None:
    """Read all requests. At the end of the input the process ends at once, whatever it is doing."""
    try:
        while True:
            requests.put(read_object(source))
    finally:
        os._exit(0)


def _streams() -> tuple[IO[bytes], IO[bytes]]:
    """Return the pipes; whatever is printed by accident goes to the error stream."""
    source, target = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return source, target


def _be_modest(setup: Setup) -> None:
    """Let others come first, and use no more memory than is allowed. Ctrl-C is for the server, which then ends this."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    step_back(NICE)
    limit_memory(setup.memory)
