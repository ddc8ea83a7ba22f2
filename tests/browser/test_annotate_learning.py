"""The model learns while somebody labels: proposals, and how many labels changed elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from annotating import Workbench
from annotating_page import (
    accept,
    clear,
    go_to,
    gone,
    number_of,
    press,
    saved,
    selected,
    shows,
)

pytestmark = pytest.mark.browser
Annotate = Callable[..., Any]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PLACES = ["Harwick", "Paris", "Berlin", "Warsaw"]
SENTENCES = [f"{who} flew to {PLACES[i % 4]} {when} .".split() for i in range(30) for who, when in
             (("She", "on Monday"), ("Peter", "last night"))]  # fmt: skip


@pytest.fixture
def small(own_project: Callable[..., Workbench]) -> Workbench:
    """A project of which a model learns quickly what the right labels are."""
    return own_project(SENTENCES, "--labels", "PER,LOC")


@pytest.fixture
def untaught(own_project: Callable[..., Workbench]) -> Workbench:
    """The same, and nothing learns from it."""
    return own_project(SENTENCES, "--labels", "PER,LOC", learns=False)


def _label_place(page: Any) -> None:
    """Call the fourth word a place, and nothing else."""
    clear(page)
    press(page, "ArrowRight", "ArrowRight", "ArrowRight", "2", "Enter")


def test_a_correction_changes_proposals_and_the_page_says_how_many(annotate: Annotate, small: Workbench) -> None:
    page = annotate(on=small)
    go_to(page, 1)
    clear(page)
    accept(page)  # nothing is a place
    for count, number in enumerate((3, 5, 7, 9), 2):
        go_to(page, number)
        _label_place(page)
        gone(page, number)
        learned = page.locator(".learned[data-changed]", has_text=f"Learned from {count} sentences")
        learned.wait_for()
        if learned.get_attribute("data-changed") != "0":
            break
    page.locator(".status-line", has_text="changed elsewhere").wait_for()


def test_five_sentences_by_touch(annotate: Annotate, untaught: Workbench) -> None:
    page = annotate(on=untaught, **PHONE)
    done = []
    for _ in range(5):
        number = number_of(page)
        page.locator("#w-a-0").tap()
        page.locator("#w-a-2").tap()  # the second tap makes a span
        selected(page, 3)
        page.locator(".label-bar button", has_text="no label").tap()
        page.locator("#w-a-1").tap()
        page.locator("#w-a-2").tap()
        page.locator(".label-bar button", has_text="PER").tap()
        page.locator("#w-a-2[aria-label*='inside PER']").wait_for()
        page.get_by_role("button", name="Accept").tap()
        gone(page, number)
        done.append(number)
    saved(page)
    assert [untaught.labels_of(number)[:3] for number in done] == [["O", "B-PER", "I-PER"]] * 5  # type: ignore[index]
    small_ones = page.locator("button:visible, select:visible, .in-front [role=option]:visible").evaluate_all(
        "all => all.filter(e => Math.min(e.offsetHeight, e.offsetWidth) < 43.5).map(e => e.outerHTML)"
    )
    assert small_ones == []
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_second_reading_hides_what_the_first_said(annotate: Annotate, untaught: Workbench) -> None:
    untaught.label(3, ["O", "O", "O", "B-LOC"])
    page = annotate(on=untaught, who="ben")
    page.get_by_label("Next").select_option("second")
    page.locator(".facts", has_text="second reading").wait_for()
    shows(page, 3)
    assert page.locator(".in-front .bracket.first").count() == 0
    assert page.locator(".best").count() == 0
    before = untaught.call("/sentences/3")
    press(page, "Home", "1", "Enter")
    page.get_by_text("You have read all that others have labelled.").wait_for()
    saved(page)
    assert untaught.call("/sentences/3") == before  # a reading changes nothing
    newest = untaught.call("/history?sentence=3")["revisions"][0]
    assert (newest["kind"], newest["who"]) == ("reading", "ben")
