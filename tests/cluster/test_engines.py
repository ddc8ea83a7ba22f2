"""Engines: every call once in the results, whatever happens to workers."""

import time
from collections import Counter

import pytest

from perceptag.engines.calls import Call, Done, Lost, LostWorkerError, WorkerError
from perceptag.engines.dispatch import Dispatcher
from perceptag.engines.engine_names import engine
from perceptag.errors import DataError, SettingError
from shuffling_engine import ShufflingEngine
from toy_workers import Squares


def squares(numbers):
    return [Call(n, "square", (n,)) for n in numbers]


@pytest.fixture(params=["threads", "shuffling"])
def crew(request):
    some = ShufflingEngine() if request.param == "shuffling" else engine(request.param, 2)
    made = some.crew(Squares)
    yield made
    made.close()


def test_every_call_has_one_result(crew):
    found = list(crew.run(squares(range(20))))
    assert sorted(found) == [(n, n * n) for n in range(20)]
    assert dict(crew.run(squares([5]))) == {5: 25}  # a second run


def test_shared_values_reach_the_calls(crew):
    shared = crew.share([1, 2, 3])
    assert dict(crew.run([Call(0, "add", (shared, 1)), Call(1, "add", (shared, 2))])) == {0: 7, 1: 8}


def test_an_error_of_a_worker_is_raised_as_itself(crew):
    with pytest.raises(DataError, match=r"^here:1: found 3$"):
        list(crew.run([Call(0, "refuse", (3,))]))
    assert dict(crew.run(squares([2]))) == {2: 4}


def test_processes_do_the_same_and_are_replaced_when_they_die(tmp_path):
    crew = engine("processes", 2).crew(Squares)
    try:
        shared = crew.share([1, 2, 3])
        calls = [*squares(range(4)), Call(4, "die", (str(tmp_path / "flag"),)), Call(5, "add", (shared, 1))]
        assert sorted(crew.run(calls)) == [(0, 0), (1, 1), (2, 4), (3, 9), (4, "alive"), (5, 7)]
        with pytest.raises(DataError, match=r"^here:1: found 3$"):
            list(crew.run([Call(0, "refuse", (3,))]))
        with pytest.raises(WorkerError, match=r"a bug"):
            list(crew.run([Call(0, "fail")]))
    finally:
        crew.close()


def test_names_of_engines_are_checked():
    with pytest.raises(SettingError, match=r"--on: expected threads, processes, ray, .*; found 'spark'"):
        engine("spark")


class Script:
    """Hands whose workers are numbers, and whose outcomes a test decides."""

    copies = True
    tries = 3

    def __init__(self, size, decide):
        self.size, self.decide = size, decide
        self.count = 0
        self.doing, self.log = {}, []

    def wanted(self):
        return self.size

    def hire(self):
        self.count += 1
        self.doing[self.count] = None
        return self.count

    def begin(self, worker, call):
        self.doing[worker] = call
        self.log.append((worker, call.key))

    def wait(self, busy, seconds):
        joining = [w for w in busy if self.doing.get(w) is None]
        if joining:
            return [(joining[0], Done(None))]
        return self.decide({w: self.doing[w] for w in busy})

    def share(self, value):
        return value

    def dismiss(self, workers):
        pass


def test_the_call_of_a_lost_worker_is_repeated_by_another():
    lost = Counter()

    def lose_first(busy):
        worker, call = min(busy.items())
        lost[call.key] += 1
        return [(worker, Lost("killed") if lost[call.key] == 1 else Done(call.key))]

    hands = Script(2, lose_first)
    assert sorted(Dispatcher(hands).run(squares(range(3)))) == [(0, 0), (1, 1), (2, 2)]
    assert hands.count == 5  # two, and one for each that was lost


def test_a_call_that_kills_every_worker_is_an_error():
    hands = Script(1, lambda busy: [(w, Lost("killed")) for w in busy])
    with pytest.raises(LostWorkerError, match=r"3 workers were lost, one after the other: killed") as caught:
        list(Dispatcher(hands).run([Call(7, "x")]))
    assert caught.value.key == 7


def test_an_idle_worker_gets_a_copy_of_a_slow_call(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])

    def stuck_is_never_done(busy):
        clock[0] += 1.0
        done = [(w, Done(w)) for w, call in sorted(busy.items()) if not (w == 1 and call.key == 0)]
        return done[:1]

    hands = Script(2, stuck_is_never_done)
    assert dict(Dispatcher(hands).run(squares(range(3)))) == {0: 2, 1: 2, 2: 2}
    assert (2, 0) in hands.log
