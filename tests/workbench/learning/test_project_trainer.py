"""What the process that learns does, step by step, without a process."""

from __future__ import annotations

from loop_toys import examples, sentence, text
from perceptag.workbench.learning import project_trainer as module
from perceptag.workbench.learning.messages import (
    AddTexts,
    Answer,
    Ask,
    Label,
    LearningFailed,
    PoolScored,
    Progressed,
    Reviewed,
    Setup,
    Trained,
    TrainingStarted,
    Update,
)
from perceptag.workbench.learning.project_trainer import ProjectTrainer
from perceptag.workbench.learning.recipes import loop_recipe
from perceptag.workbench.learning.training import train

RECIPE = loop_recipe("spans", settings={"epochs": 3})
TEXTS = AddTexts([text(i) for i in range(1, 301)])


class Watched:
    """A worker with a clock that the test sets, and all that it said."""

    def __init__(self, poll=lambda: None) -> None:
        self.events, self.time = [], 0.0
        self.worker = ProjectTrainer(Setup("spans", RECIPE), self.events.append, poll, now=lambda: self.time)
        self.worker.handle(TEXTS)

    def label(self, *numbers: int) -> None:
        self.worker.handle(Update(max(numbers), {i: Label(i, sentence(i)[1], in_sample=True) for i in numbers}))

    def run(self, steps: int = 10_000) -> list:
        """Work until there is nothing to do, and return what was said."""
        before = len(self.events)
        for _ in range(steps):
            if not self.worker.step():
                break
        return self.events[before:]

    def of(self, kind: type) -> list:
        return [event for event in self.events if isinstance(event, kind)]


def test_a_label_is_learned_first_and_then_the_pool_is_scored():
    watched = Watched()
    watched.label(*range(1, 11))
    said = watched.run()
    assert [type(event) for event in said[:3]] == [TrainingStarted, Trained, PoolScored]
    assert said[1].data == train(examples(10), RECIPE)
    assert sorted(s.id for event in watched.of(PoolScored) for s in event.scores) == list(range(11, 301))
    assert watched.of(PoolScored)[-1].left == 0


def test_the_newest_labels_win():
    watched = Watched()
    for i in range(1, 12):
        watched.label(i)
    watched.run(1)
    assert [event.upto for event in watched.of(Trained)] == [11]
    watched.run()
    assert len(watched.of(Trained)) == 1


def test_a_label_that_is_taken_back_is_forgotten():
    watched = Watched()
    watched.label(*range(1, 13))
    watched.worker.handle(Update(13, {}, unlabelled=[12, 99]))
    watched.run(1)
    assert watched.of(Trained)[0].data == train(examples(11), RECIPE)


def test_without_work_it_waits_for_a_request():
    watched = Watched()
    watched.label(*range(1, 11))
    for watched.time in (0.0, 4.0, 7.0, 20.0):
        watched.run()
    assert watched.worker.wait() is None


def test_the_estimate_comes_and_the_model_is_calibrated():
    watched = Watched()
    watched.label(*range(1, 161))
    said = watched.run()
    progressed = [event for event in said if isinstance(event, Progressed)]
    assert progressed[0].parts["estimate"]["sentences"] == 160
    assert progressed[1].parts["curve"]["points"] and progressed[1].parts["estimate"]["biased"] is not None
    first, second = watched.of(Trained)
    assert first.upto == second.upto == 160 and first.digest != second.digest
    assert watched.of(Reviewed)[0].issues["scheme"]["items"] == []
    watched.label(161)
    watched.run(1)
    confident = [s.confidence for e in watched.run() if isinstance(e, PoolScored) for s in e.scores]
    assert confident and all(0 < c < 1 for c in confident)


def test_new_labels_are_learned_in_the_middle_of_long_questions():
    waiting = []

    def poll() -> None:
        while waiting:
            watched.label(waiting.pop())

    watched = Watched(poll)
    watched.label(*range(1, 41))
    watched.run()
    watched.worker.handle(Ask(7, "errors"))
    waiting.append(41)
    said = [event for event in watched.run() if isinstance(event, (Trained, Answer))]
    assert [type(event) for event in said[:2]] == [Trained, Answer]
    assert said[1].number == 7 and said[1].value["items"] == []


def test_a_failure_is_told_and_the_next_label_is_learned(monkeypatch):
    watched = Watched()

    def fail(*_):
        raise ValueError("broken")

    with monkeypatch.context() as patched:
        patched.setattr(module, "train_model", fail)
        watched.label(*range(1, 11))
        watched.run(1)
        patched.setattr(module, "train_model", lambda *_: bytearray(1 << 62))
        watched.label(11)
        watched.run(1)
    assert [event.message[:20] for event in watched.of(LearningFailed)] == [
        "ValueError: broken",
        "expected to need at ",
    ]
    watched.label(12)
    watched.run(1)
    assert watched.of(Trained)[0].upto == 12
