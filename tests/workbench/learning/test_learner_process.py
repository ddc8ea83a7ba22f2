"""The process that learns, from outside."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from loop_toys import examples, logged, sentence, text
from perceptag.project.records import LabelledSentence
from perceptag.workbench.learning.learner_process import MOST_RESTARTS, LearnerProcess
from perceptag.workbench.learning.messages import LearningFailed, Restarted, Setup, Trained
from perceptag.workbench.learning.recipes import loop_recipe
from perceptag.workbench.learning.training import train
from waiting import PATIENCE, wait_until

RECIPE = loop_recipe("spans", settings={"epochs": 3})
SUPPORT = Path(__file__).parents[2] / "support"


class Listening:
    """A learner and what it says."""

    def __init__(self, **settings) -> None:
        self.events: queue.Queue = queue.Queue()
        self.learner = LearnerProcess(
            Setup("spans", RECIPE, **settings), lambda: map(text, range(1, 101)), self.events.put
        )

    def submit(self, some: list[LabelledSentence]) -> None:
        self.learner.submit(some, upto=max(one.revision for one in some))

    def next(self, kind: type, **wanted):
        """The next event of a kind with these values."""
        while True:
            event = self.events.get(timeout=PATIENCE)
            if isinstance(event, kind) and all(getattr(event, k) == v for k, v in wanted.items()):
                return event


@pytest.fixture
def listening():
    found = Listening()
    yield found
    found.learner.close()


def has_ended(pid: int) -> bool:
    """Whether a process is gone, or dead and not yet collected by its new parent."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def test_labels_become_a_model(listening):
    listening.submit([logged(i) for i in range(1, 11)])
    assert listening.next(Trained, upto=10).data == train(examples(10), RECIPE)


def test_only_changes_are_sent_and_all_of_them(listening):
    some = [logged(i) for i in range(1, 11)]
    listening.submit(some)
    listening.next(Trained, upto=10)
    other = ["O"] * len(sentence(2)[1])
    some = [*some[:1], logged(2, other, revision=12), *some[2:-1], logged(200)]  # one changed, one gone, one unknown
    listening.learner.submit(some, upto=12)
    expected = train(
        [e if e.text.id != 2 else e.__class__(e.text, other, 2) for e in examples(9)]
        + [e for e in examples(200) if e.text.id == 200],
        RECIPE,
    )
    assert listening.next(Trained, upto=12).data == expected


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_it_lets_others_come_first_and_has_a_limit_of_memory(listening):
    listening.submit([logged(i) for i in range(1, 11)])
    listening.next(Trained, upto=10)
    assert os.getpriority(os.PRIO_PROCESS, listening.learner.pid) >= min(19, 10 + os.getpriority(os.PRIO_PROCESS, 0))
    limits = Path(f"/proc/{listening.learner.pid}/limits").read_text()
    assert str(Setup("spans", RECIPE).memory) in next(x for x in limits.splitlines() if x.startswith("Max address"))


def test_a_process_that_is_killed_starts_again_with_all_labels(listening):
    listening.submit([logged(i) for i in range(1, 11)])
    first = listening.next(Trained, upto=10)
    pid = listening.learner.pid
    os.kill(pid, signal.SIGKILL)
    assert "ended with status -9" in listening.next(Restarted).reason
    assert listening.next(Trained, upto=10).digest == first.digest
    assert listening.learner.pid != pid


def test_a_process_that_ends_again_and_again_waits_for_the_next_label(listening):
    listening.submit([logged(i) for i in range(1, 11)])
    for _ in range(MOST_RESTARTS):
        os.kill(listening.learner.pid, signal.SIGKILL)
        listening.next(Restarted)
    os.kill(listening.learner.pid, signal.SIGKILL)
    assert "the next label starts it again" in listening.next(LearningFailed).message
    listening.submit([logged(i) for i in range(1, 12)])
    assert listening.next(Trained, upto=11).sentences == 11


def test_it_ends_with_the_learner():
    listening = Listening()
    pid = listening.learner.pid
    listening.learner.close()
    wait_until(lambda: has_ended(pid))
    assert not [e for e in list(listening.events.queue) if isinstance(e, (LearningFailed, Restarted))]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_it_ends_with_the_process_that_started_it_however_that_ends(how):
    program = (
        f"import sys, time; sys.path[:0] = [{str(SUPPORT)!r}, {str(Path(__file__).parent)!r}]\n"
        "from test_learner_process import Listening, Trained, logged\n"
        "listening = Listening(); listening.submit([logged(i) for i in range(1, 60)]); listening.next(Trained)\n"
        "print(listening.learner.pid, flush=True); time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert not has_ended(pid)
        parent.send_signal(how)
        parent.wait()
        wait_until(lambda: has_ended(pid))
