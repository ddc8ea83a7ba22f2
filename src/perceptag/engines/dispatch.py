"""Assign calls to workers, repeat lost calls, and copy slow ones, in the same way for all engines.

A worker carries out one call at a time. The calls of a lost worker go back to the queue, and a new worker takes its
place. Near the end of a run an idle worker may get a copy of a call that takes unusually long.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Protocol

from perceptag.engines.calls import Call, Done, FailedCall, Lost, LostWorkerError, Outcome

PATIENCE = 2.0  # seconds: a call that takes less is never copied
SLOW = 3.0  # a call that takes so many times the median is slow
LOOK = 0.5  # seconds between two looks for slow calls

Worker = Any  # whatever the engine calls a worker; it can be a key of a dictionary


class Hands(Protocol):
    """What an engine does for its dispatcher."""

    copies: bool  # whether a copy of a slow call may be faster elsewhere
    tries: int  # workers that may be lost with the same call, or one after the other before they do anything

    def wanted(self) -> int:
        """How many workers there should be now."""

    def hire(self) -> Worker:
        """Begin to make a worker. Its first outcome says that it is there."""

    def begin(self, worker: Worker, call: Call) -> None:
        """Let a worker carry out a call."""

    def wait(self, busy: Collection[Worker], seconds: float | None) -> list[tuple[Worker, Outcome]]:
        """Wait until some of these workers have an outcome, at most so long."""

    def share(self, value: object) -> object:
        """See `Crew.share`."""

    def dismiss(self, workers: Collection[Worker]) -> None:
        """End workers."""


@dataclass(slots=True)
class _RunningCalls:
    """The calls of one run that have no result yet."""

    queue: deque[Call]
    left: set[int]
    has_homes: bool  # whether calls prefer workers
    lost: Counter[int] = field(default_factory=Counter)
    copied: set[int] = field(default_factory=set)
    seconds: list[float] = field(default_factory=list)  # of calls that are done


@dataclass(slots=True)
class _Busy:
    """What a worker is doing; without a call it is being made."""

    run: _RunningCalls | None = None
    call: Call | None = None
    since: float = 0.0

    @property
    def is_needed(self) -> bool:
        """Whether the result is still needed."""
        return self.run is not None and self.call is not None and self.call.key in self.run.left


class Dispatcher:
    """A crew whose workers are the hands of an engine."""

    def __init__(self, hands: Hands) -> None:
        self.hands = hands
        self._idle: list[Worker] = []
        self._busy: dict[Worker, _Busy] = {}
        self._home: dict[int, Worker] = {}  # which worker has the data of a number
        self._never_there = 0  # workers that were lost before they did anything, one after the other

    @property
    def size(self) -> int:
        return max(1, self.hands.wanted())

    def share(self, value: object) -> object:
        return self.hands.share(value)

    def run(self, calls: Sequence[Call]) -> Iterator[tuple[int, Any]]:
        """Yield keys and results in any order, each key once. After an error, what has been begun is still done."""
        has_homes = any(call.prefers is not None for call in calls)
        run = _RunningCalls(deque(calls), {call.key for call in calls}, has_homes)
        errors: list[BaseException] = []
        try:
            while run.left and not (errors and not self._is_busy(run)):
                if not errors:
                    self._hire(run)
                    self._begin(run)
                may_copy = self.hands.copies and self._idle
                for worker, outcome in self.hands.wait(list(self._busy), LOOK if may_copy else None):
                    doing = self._busy.pop(worker)
                    if error := self._error(worker, doing, outcome):
                        errors.append(error)
                    elif doing.is_needed and isinstance(outcome, Done):
                        yield self._result(doing, outcome)
            if errors:
                raise errors[0]
        finally:
            run.left.clear()  # what is still being done is not needed any more

    def close(self) -> None:
        self.hands.dismiss([*self._idle, *self._busy])
        self._idle.clear()
        self._busy.clear()

    def _hire(self, run: _RunningCalls) -> None:
        """Make as many workers as there should be and can have work."""
        here = len(self._idle) + len(self._busy)
        for _ in range(min(self.hands.wanted(), here + len(run.queue)) - here):
            self._busy[self.hands.hire()] = _Busy()

    def _begin(self, run: _RunningCalls) -> None:
        for worker in list(self._idle):
            if call := self._next(worker, run) or self._slow(run):
                self._idle.remove(worker)
                self._busy[worker] = _Busy(run, call, time.monotonic())
                if call.prefers is not None:
                    self._home.setdefault(call.prefers, worker)
                self.hands.begin(worker, call)

    def _next(self, worker: Worker, run: _RunningCalls) -> Call | None:
        """The next call for a worker: one whose data it has, an unassigned one, or one of an overloaded worker."""
        if not run.has_homes:  # there may be very many calls
            return run.queue.popleft() if run.queue else None
        homes = [self._owner(call) for call in run.queue]
        waiting = Counter(home for home in homes if home is not None)
        mine = [i for i, home in enumerate(homes) if home is not None and home is worker]
        free = [i for i, home in enumerate(homes) if home is None]
        others = [i for i, home in enumerate(homes) if home is not None and waiting[home] > 1]
        for chosen in (mine, free, others[-1:]):
            if chosen:
                call = run.queue[chosen[0]]
                del run.queue[chosen[0]]
                if chosen is not mine and call.prefers is not None:
                    self._home[call.prefers] = worker
                return call
        return None

    def _owner(self, call: Call) -> Worker | None:
        """The worker that has the data of a call, unless it is busy with a call whose result is not needed any more."""
        home = None if call.prefers is None else self._home.get(call.prefers)
        doing = self._busy.get(home) if home is not None else None
        return None if doing is not None and doing.call is not None and not doing.is_needed else home

    def _slow(self, run: _RunningCalls) -> Call | None:
        """A call that takes unusually long and has no copy."""
        if not self.hands.copies or not run.seconds:
            return None
        limit = time.monotonic() - max(PATIENCE, SLOW * median(run.seconds))
        for doing in self._busy.values():
            call = doing.call
            if call and doing.run is run and doing.is_needed and doing.since < limit and call.key not in run.copied:
                run.copied.add(call.key)
                return call
        return None

    def _is_busy(self, run: _RunningCalls) -> bool:
        return any(doing.run is run and doing.is_needed for doing in self._busy.values())

    def _error(self, worker: Worker, doing: _Busy, outcome: Outcome) -> BaseException | None:
        """The error that an outcome means for its run. A worker that is not lost is idle again."""
        if isinstance(outcome, Lost):
            self._home = {number: home for number, home in self._home.items() if home is not worker}
            return self._again(doing, outcome.reason)
        self._idle.append(worker)
        self._never_there = 0
        is_wanted = doing.is_needed or doing.call is None
        return outcome.error if isinstance(outcome, FailedCall) and is_wanted else None

    def _result(self, doing: _Busy, outcome: Done) -> tuple[int, Any]:
        assert doing.run is not None and doing.call is not None
        doing.run.left.discard(doing.call.key)
        doing.run.seconds.append(time.monotonic() - doing.since)
        return doing.call.key, outcome.value

    def _again(self, doing: _Busy, reason: str) -> BaseException | None:
        """Put the call of a lost worker back; if that has happened too often, return an error."""
        if doing.call is None:
            self._never_there += 1
            return _lost(self._never_there, reason) if self._never_there >= self.hands.tries else None
        if not doing.is_needed:
            return None
        run, call = doing.run, doing.call
        assert run is not None and call is not None
        run.lost[call.key] += 1
        if run.lost[call.key] >= self.hands.tries:
            return _lost(self.hands.tries, reason, call.key)
        others = [other.call for other in self._busy.values() if other.is_needed]
        if call not in others and call not in run.queue:
            run.queue.appendleft(call)
        run.copied.discard(call.key)
        return None


def _lost(times: int, reason: str, key: int = -1) -> LostWorkerError:
    error = LostWorkerError(f"{times} workers were lost, one after the other: {reason}")
    error.key = key
    return error
