"""Questions to the learner that wait for an answer."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from typing import Any

from perceptag.errors import ModelError
from perceptag.workbench.learning.messages import Answer


class Waiting:
    """Who waits for which answer. An answer may come before its number is known here."""

    def __init__(self) -> None:
        self._questions: dict[int, Future[Any]] = {}
        self._early: dict[int, Answer] = {}
        self._lock = threading.Lock()

    def add(self, number: int) -> Future[Any]:
        """Return what will hold the answer."""
        waiting: Future[Any] = Future()
        with self._lock:
            early = self._early.pop(number, None)
            if early is None:
                self._questions[number] = waiting
        if early is not None:
            _answer(waiting, early)
        return waiting

    def answer(self, event: Answer) -> None:
        """Give an answer to who waits for it."""
        with self._lock:
            waiting = self._questions.pop(event.number, None)
            if waiting is None:
                self._early[event.number] = event
        if waiting is not None:
            _answer(waiting, event)

    def cancel(self) -> None:
        """There will be no more answers."""
        with self._lock:
            left = list(self._questions.values())
            self._questions.clear()
        for waiting in left:
            waiting.cancel()


def failed(error: Exception) -> Future[Any]:
    """Return an answer that is an error."""
    found: Future[Any] = Future()
    found.set_exception(error)
    return found


def _answer(waiting: Future[Any], event: Answer) -> None:
    if waiting.cancelled():
        return
    if event.error:
        waiting.set_exception(ModelError(event.error))
    else:
        waiting.set_result(event.value)
