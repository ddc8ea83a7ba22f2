"""The process that learns from a project, as the server sees it: it trains on every label and reports what it finds.

    learner = LearnerProcess(setup, texts, on_event)   # texts() yields all sentences that may be labelled or proposed
    learner.submit(project.log(), upto=project.last_revision, left_out=skipped)   # after every change; returns at once
    learner.add_texts(texts)                           # after an import
    learner.close()

`on_event` is called with the events of `messages.py`, one at a time, from a thread of this object. Only changes are
sent to the process. If the process ends, it is restarted with all sentences and labels, and `Restarted` is reported.

The engines of `perceptag.engines` do not fit here: they run independent calls, one per worker, and repeat a call whose
worker has died. This process has a state, takes new labels in the middle of a training, and sends events that answer no
call.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import IO

from perceptag.project.records import LabelledSentence
from perceptag.workbench.learning.messages import (
    AddTexts,
    Event,
    Label,
    LearningFailed,
    Restarted,
    Setup,
    Text,
    Update,
    read_object,
    write_object,
)

AT_ONCE = 5000  # sentences in one message
MOST_RESTARTS = 5  # in a minute: after that, the process stays away until the next label
_RUN = "import sys; sys.path[:] = sys.argv[1:]; from perceptag.workbench.learning.project_trainer import main; main()"


class LearnerProcess:
    """The process that learns, as the server sees it. All methods may be called from any thread."""

    def __init__(self, setup: Setup, texts: Callable[[], Iterable[Text]], on_event: Callable[[Event], None]) -> None:
        self.setup = setup
        self._texts, self._on_event = texts, on_event
        self._lock = threading.RLock()  # of everything below
        self._known: set[int] = set()  # sentences that it has been told of
        self._sent: dict[int, tuple[int, bool]] = {}  # labelled ones: revision, and whether in the random sample
        self._newest: tuple[Sequence[LabelledSentence], int, frozenset[int]] | None = None
        self._ends: list[float] = []  # when the process ended by itself
        self._closed = False
        self._is_away = False  # it ended too often, or cannot be started: the next label tries again
        self._process = self._start()

    # --- what is said to it ---

    def submit(self, labelled: Sequence[LabelledSentence], *, upto: int, left_out: Collection[int] = ()) -> None:
        """Tell it all labels as of a revision, and which sentences are neither labelled nor to be proposed."""
        with self._lock:
            self._newest = labelled, upto, frozenset(left_out)
            self._revive()
            self._send_newest()

    def add_texts(self, texts: Iterable[Text]) -> None:
        """Tell it of further sentences."""
        with self._lock:
            self._send_texts(text for text in texts if text.id not in self._known)

    def close(self) -> None:
        """End the process, which has nothing that is not known here."""
        with self._lock:
            self._closed = True
            self._process.kill()
        if threading.current_thread() is not self._reader:
            self._reader.join()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    # --- the process ---

    def _start(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-c", _RUN, *sys.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        )
        self._process = process
        self._reader = threading.Thread(target=self._read, args=(process,), daemon=True)
        self._reader.start()
        self._sent.clear()
        self._known.clear()
        self._send(self.setup)
        try:
            self._send_texts(self._texts())
        except BaseException:
            self._is_away = True
            process.kill()
            raise
        return process

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        """Pass on the events of a process until it ends."""
        assert process.stdout is not None
        try:
            while True:
                self._on_event(read_object(process.stdout))
        except EOFError:
            self._ended(process)
        except Exception as error:  # what it says cannot be read, so that nothing after it can
            process.kill()
            self._ended(process, f" ({type(error).__name__})")

    def _ended(self, process: subprocess.Popen[bytes], why: str = "") -> None:
        code = process.wait()
        for stream in (process.stdin, process.stdout):
            _shut(stream)
        with self._lock:
            if self._closed or self._is_away or process is not self._process:
                return
            reason = f"the process that learns ended with status {code}{why}"
            event = self._restart(reason)
        self._on_event(event)

    def _restart(self, reason: str) -> Event:
        """Start the process again, unless it ends again and again; return what to report."""
        self._ends = [t for t in self._ends if time.monotonic() - t < 60] + [time.monotonic()]
        if len(self._ends) > MOST_RESTARTS:
            self._is_away = True
            return LearningFailed(f"{reason}, {len(self._ends)} times in a minute; the next label starts it again")
        try:
            self._start()
        except Exception as error:
            self._is_away = True
            return LearningFailed(f"{reason}, and cannot be started: {error}; the next label tries again")
        self._send_newest()
        return Restarted(reason)

    def _revive(self) -> None:
        """Start a process that was left alone because it ended too often, or could not be started."""
        if self._is_away:
            self._start()
            self._ends, self._is_away = [], False

    def _send_texts(self, texts: Iterable[Text]) -> None:
        for part in _parts(texts):
            self._known.update(text.id for text in part)
            self._send(AddTexts(part))

    def _send_newest(self) -> None:
        """Send what has changed since the last update."""
        if self._newest is None:
            return
        labelled, upto, left_out = self._newest
        new = [some for some in labelled if some.sentence_id not in self._known]
        self._send_texts(Text(some.sentence_id, some.tokens, some.columns) for some in new)
        now = {some.sentence_id: (some.revision, some.in_sample) for some in labelled}
        changed = {
            some.sentence_id: Label(some.first_revision, list(some.labels), some.in_sample)
            for some in labelled
            if self._sent.get(some.sentence_id) != now[some.sentence_id]
        }
        gone = [i for i in self._sent if i not in now]
        self._sent = now
        self._send(Update(upto, changed, gone, left_out))

    def _send(self, request: object) -> None:
        try:
            assert self._process.stdin is not None
            write_object(self._process.stdin, request)
        except (OSError, ValueError):
            pass  # it has ended: the thread that reads notices, and sends everything again


def _parts(texts: Iterable[Text]) -> Iterator[list[Text]]:
    each = iter(texts)
    while part := list(islice(each, AT_ONCE)):
        yield part


def _shut(stream: IO[bytes] | None) -> None:
    try:
        if stream is not None:
            stream.close()
    except OSError:
        pass  # what was in the buffer cannot be written any more
