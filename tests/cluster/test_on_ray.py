"""Engines on a cluster of Ray, on this machine."""

import pytest

from perceptag.engines.calls import Call, WorkerError
from perceptag.engines.engine_names import engine
from perceptag.errors import DataError
from toy_workers import Squares

pytestmark = [pytest.mark.ray, pytest.mark.filterwarnings("ignore")]
pytest.importorskip("ray", reason="Ray is not installed: make test-all PARTS=ray")


@pytest.fixture(scope="module")
def crew(cluster):
    made = engine("ray", 2).crew(Squares)
    yield made
    made.close()


def test_calls_and_shared_values(crew):
    shared = crew.share([1, 2, 3])
    calls = [Call(n, "square", (n,)) for n in range(10)] + [Call(10, "add", (shared, 1))]
    assert sorted(crew.run(calls)) == [*((n, n * n) for n in range(10)), (10, 7)]
    assert crew.size == 2


def test_errors_arrive_as_themselves(crew):
    with pytest.raises(DataError, match=r"^here:1: found 3$") as caught:
        list(crew.run([Call(0, "refuse", (3,))]))
    assert caught.value.where == "here:1"
    with pytest.raises(WorkerError, match="a bug"):
        list(crew.run([Call(0, "fail")]))


def test_a_killed_worker_is_replaced(crew, tmp_path):
    calls = [Call(0, "die", (str(tmp_path / "flag"),)), *(Call(n, "square", (n,)) for n in range(1, 5))]
    assert sorted(crew.run(calls)) == [(0, "alive"), (1, 1), (2, 4), (3, 9), (4, 16)]
