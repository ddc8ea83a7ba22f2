"""Two people label the same sentences, and a third decides where they disagree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from annotating import LABELS, Workbench, gold, write_words
from annotating_page import clear, focused, gone, number_of, press, saved, shows
from waiting import wait_until

pytestmark = pytest.mark.browser
Annotate = Callable[..., Any]
READ = 4  # sentences that both have labelled


@pytest.fixture(scope="module")
def contested(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """Anna gives the first word of each sentence PER, Ben gives it LOC."""
    folder = tmp_path_factory.mktemp("contested")
    words = write_words(folder / "words.txt", [words for words, _ in gold()[:30]])
    options = ["--import", str(words), "--columns", "form", "--labels", ",".join(LABELS)]
    people = ["--annotator", "boss:admin", "--annotator", "anna", "--annotator", "ben"]
    found = Workbench(folder / "contested.ptag", *options, *people)
    for number in range(1, READ + 1):
        found.label(number, ["B-PER"], "anna")
        found.label(number, ["B-LOC"], "ben", reading=True)
    yield found
    found.stop()


def _first_labels(workbench: Workbench) -> list[str]:
    return [workbench.labels_of(number)[0] for number in (1, 2)]  # type: ignore[index]


def _cards(page: Any, count: int) -> None:
    page.wait_for_function("n => document.querySelectorAll('li.issue').length === n", arg=count)


def test_sides_are_taken_by_keys_undone_and_labelled_otherwise(annotate: Annotate, contested: Workbench) -> None:
    page = annotate("adjudicate", on=contested)
    _cards(page, READ)
    card = page.locator("li.issue").first
    assert card.locator("h2").all_inner_texts() == ["anna", "ben"]
    assert card.locator(".chip small").all_inner_texts() == ["PER", "LOC"]
    card.focus()
    press(page, "2")
    _cards(page, READ - 1)
    page.locator("li.issue:focus").wait_for()  # the next one
    press(page, "1")
    _cards(page, READ - 2)  # a card goes before its decision is saved
    wait_until(lambda: _first_labels(contested) == ["B-LOC", "B-PER"], "the decisions")
    page.locator("li.issue:focus").wait_for()
    press(page, "Control+z")
    _cards(page, READ - 1)
    page.locator("li.issue").first.focus()
    press(page, "Enter")  # neither is right
    shows(page, 2)
    page.locator(".facts", has_text="what you accept is the decision").wait_for()
    clear(page)
    press(page, "2", "Enter")
    page.get_by_role("heading", level=1, name="Adjudicate").wait_for()
    _cards(page, READ - 2)
    wait_until(lambda: _first_labels(contested)[1] == "B-ORG", "the decision")
    page.get_by_role("button", name="Decided (2)").click()
    _cards(page, 2)
    page.locator("li.issue h2", has_text="decided by boss").first.wait_for()
    page.locator(".agreement-tables", has_text="after decisions").wait_for()
    assert contested.call("/disagreements")["agreement"]["with_decided"][1]["who"] == "ben"


def test_who_may_not_decide_sees_no_buttons(annotate: Annotate, contested: Workbench) -> None:
    page = annotate("adjudicate", on=contested, who="ben")
    page.get_by_text("Admins decide").wait_for()
    page.locator("li.issue").first.wait_for()
    assert page.get_by_role("button", name="Take this").count() == 0
    before = page.locator("li.issue").count()
    page.locator("li.issue").first.focus()
    press(page, "1", "ArrowDown")
    assert page.locator("li.issue").count() == before


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """Two sentences for two people."""
    folder = tmp_path_factory.mktemp("pair")
    words = write_words(folder / "words.txt", [["Anna", "left", "Rome"], ["Ben", "saw", "Paris", "and", "Lyon"]])
    people = ["--annotator", "boss:admin", "--annotator", "anna", "--annotator", "ben"]
    options = ["--import", str(words), "--columns", "form", "--labels", ",".join(LABELS)]
    found = Workbench(folder / "pair.ptag", *options, *people, learns=False)
    yield found
    found.stop()


def test_who_comes_second_is_led_to_a_second_reading(annotate: Annotate, pair: Workbench) -> None:
    first = annotate(on=pair, who="anna")
    for k in range(2):
        clear(first)
        number = number_of(first)
        press(first, "1", "End", "3", "Enter")
        if not k:
            gone(first, number)
    first.get_by_text("All sentences are labelled.").wait_for()
    second = annotate("", on=pair, who="ben")
    second.get_by_role("button", name="Read what others have labelled").click()
    for k in range(2):  # in any order
        focused(second)
        number = second.locator(".facts").inner_text().split()[1]
        clear(second)
        press(second, "1", "End", "2", "Enter")  # he takes towns for organisations
        if not k:
            second.locator(".facts", has_not_text=f"Sentence {number} ").wait_for()
    second.get_by_text("You have read all that others have labelled.").wait_for()
    saved(second)
    boss = annotate("adjudicate", on=pair)
    _cards(boss, 2)
    marked = boss.locator("li.issue").first.locator(".marked").all_inner_texts()
    assert len(marked) == 2 and marked[0].split()[0] in ("Rome", "Lyon")  # only what they disagree about
    boss.locator("li.issue").first.focus()
    press(boss, "1")
    _cards(boss, 1)
    boss.locator("li.issue:focus").wait_for()
    press(boss, "1")
    boss.get_by_text("People agree about everything that was read twice.").wait_for()
    found = wait_until(lambda: _all_agree(pair), "both decisions")  # a card goes before its decision is saved
    assert found["before"]["f1"] < 100
    assert pair.call("/sentences?who=ben")["total"] == 2


def _all_agree(workbench: Workbench) -> dict[str, Any] | None:
    """The agreement before and after decisions, when it has become perfect."""
    found: dict[str, Any] = workbench.call("/disagreements?kind=decided")["agreement"]
    return found if found["after"]["f1"] == 100 else None
