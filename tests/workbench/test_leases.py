"""Sentences that were offered are kept for a tab."""

from __future__ import annotations

from perceptag.workbench.bench import Leases
from perceptag.workbench.open_tabs import OVERTAKEN


def test_others_do_not_get_what_a_tab_was_offered_until_time_has_passed() -> None:
    now = [0.0]
    leases = Leases(seconds=10, clock=lambda: now[0])
    leases.take([1, 2], "a")
    leases.take([3], "b")
    assert (leases.own("a"), leases.others("a"), leases.others("c")) == ({1, 2}, {3}, {1, 2, 3})
    now[0] = 6
    leases.take([2], "a")
    now[0] = 11
    assert (leases.own("a"), leases.others("b")) == ({2}, {2})


def test_what_is_labelled_is_kept_no_longer() -> None:
    leases = Leases()
    leases.take([1, 2], "a")
    leases.release(1)
    leases.release(7)
    assert leases.own("a") == {2}


def test_what_an_idle_tab_was_offered_is_free_for_others() -> None:
    leases = Leases()
    leases.take([1], "idle")
    leases.take([2], "slow")
    leases.take([3], "left")
    for number in range(OVERTAKEN - 1):
        leases.release(100 + number, "quick")
    leases.release(200, "slow")
    assert leases.others("quick") == {1, 2, 3}  # two tabs together do not make another one idle
    leases.release(201, "quick")
    assert (leases.others("quick"), leases.own("idle"), leases.own("slow")) == ({2}, set(), {2})
    leases.take([1], "idle")
    assert leases.others("quick") == {1, 2}  # it is at work again
