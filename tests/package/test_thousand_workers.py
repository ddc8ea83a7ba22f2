"""The simulation of many workers: the same figures from the same seed, and what must hold of any costs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.thousand_workers import COSTS, WAYS, Cluster, Machines, queue, simulate, speedups, table

pytestmark = pytest.mark.every

TOKENS = 10**8
QUIET = Machines(spread=0.0, slow=0.0, hours=1e12)
FREE = replace(COSTS, changes=0.0, weights=0.0, mix=0.0, call=0.0)


def test_a_seed_gives_the_same_figures() -> None:
    assert speedups(TOKENS, 2, 1) == speedups(TOKENS, 2, 1)
    assert speedups(TOKENS, 2, 1) != speedups(TOKENS, 2, 2)


@pytest.mark.parametrize("way", WAYS)
def test_without_messages_and_chance_workers_add_up(way: str) -> None:
    alone = COSTS.learn * TOKENS
    machines = replace(QUIET, latency=0.0)
    for workers in (1, 8, 1000):
        found = simulate(way, workers, TOKENS, 2, costs=FREE, machines=machines)
        assert found == pytest.approx([alone / workers] * 2)


@pytest.mark.parametrize("way", WAYS)
def test_deaths_and_slow_workers_cost_time(way: str) -> None:
    quiet = sum(simulate(way, 64, TOKENS, 5, machines=QUIET))
    assert sum(simulate(way, 64, TOKENS, 5, machines=replace(QUIET, hours=0.01))) > quiet
    assert sum(simulate(way, 64, TOKENS, 5, machines=replace(QUIET, slow=0.2))) > quiet


def test_a_queue_goes_around_a_slow_worker_and_copies_its_part() -> None:
    cluster = Cluster(4, replace(QUIET, slowness=100.0), 0)
    cluster.factor = [1.0, 1.0, 1.0, 100.0]
    parts = [10.0] * 16
    assert queue(cluster, parts) <= 10.0 * (3 + 1) + 30.0  # not 1,000, which the slow one would take for one part
    assert queue(Cluster(1, QUIET, 0), parts) == pytest.approx(160.0)


def test_a_table_has_a_row_for_each_number_of_workers() -> None:
    lines = table(speedups(TOKENS, 1, 0)).splitlines()
    assert lines[0] == "| workers | perceptag | perceptag, 2 mixings | McDonald | allreduce |"
    assert lines[-1].startswith("| 1,000 | ")
