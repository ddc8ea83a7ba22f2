"""The view "Annotate" with keys alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from annotating import LABELS, Workbench, gold
from annotating_page import clear, focused, go_to, gone, number_of, press, saved, spoken, words_of
from perceptag.labels.schemes import spans

pytestmark = pytest.mark.browser
Annotate = Callable[..., Any]
GOLD = {tuple(words): labels for words, labels in gold()}


def _label_by_keys(page: Any, labels: list[str]) -> None:
    """Give a sentence its labels: take everything away, then go to each span, extend, and press its key."""
    press(page, "Home", "Shift+End", "0", "Home")
    at = 0
    for span in spans(labels, "IOB2"):
        press(page, *["ArrowRight"] * (span.start - at))
        press(page, *["Shift+ArrowRight"] * (span.end - 1 - span.start))
        press(page, str(LABELS.index(span.label) + 1))
        at = span.end - 1


def test_twenty_sentences_by_keys_alone(annotate: Annotate, own_project: Callable[..., Workbench]) -> None:
    learning = own_project([words for words, _ in gold()], "--labels", ",".join(LABELS))
    page = annotate(on=learning, who="ben")
    done: dict[int, list[str]] = {}
    for _ in range(20):
        focused(page)
        number, labels = number_of(page), GOLD[tuple(words_of(page))]
        _label_by_keys(page, labels)
        done[number] = labels
        press(page, "Enter")
        gone(page, number)
    saved(page)
    assert len(done) == 20
    assert {number: learning.labels_of(number) for number in done} == done
    page.locator(".learned", has_text="Learned from").wait_for()
    revisions = learning.call("/history?limit=200")["revisions"]
    assert sum(one["actions"] for one in revisions) > 60


def test_labels_borders_and_undo(annotate: Annotate) -> None:
    page = annotate()
    go_to(page, next(number for number, (words, _) in enumerate(gold(), 1) if number > 40 and len(words) > 4))
    words = words_of(page)
    clear(page)
    press(page, "ArrowRight", "Shift+ArrowRight", "3")
    assert spoken(page)[1:3] == [f"{words[1]}, LOC", f"{words[2]}, inside LOC"]
    press(page, "]", "[")
    assert [text.partition(", ")[2] for text in spoken(page)[:4]] == ["LOC", "inside LOC", "inside LOC", "inside LOC"]
    press(page, "}", "{")
    assert [text.partition(", ")[2] for text in spoken(page)[:4]] == ["", "LOC", "inside LOC", ""]
    press(page, "2")  # the whole span, not only the word at the cursor
    assert [text.partition(", ")[2] for text in spoken(page)[1:3]] == ["ORG", "inside ORG"]
    press(page, "Control+z")
    assert [text.partition(", ")[2] for text in spoken(page)[1:3]] == ["LOC", "inside LOC"]
    press(page, "Control+Shift+z")
    assert [text.partition(", ")[2] for text in spoken(page)[1:3]] == ["ORG", "inside ORG"]
    press(page, "Backspace")
    assert page.locator(".in-front .bracket.first").count() == 0


def test_best_labellings_by_one_key(annotate: Annotate, taught: Workbench) -> None:
    page = annotate(on=taught)
    go_to(page, taught.with_labellings(3))
    page.locator(".best .take").nth(2).wait_for()
    assert page.locator(".best .take").count() == 3
    expected = page.locator(".best ol > li:nth-child(3) .changes li:not(.lost)").count()
    press(page, "Alt+3")
    page.locator(".best li:nth-child(3).now").wait_for()
    assert page.locator(".in-front .bracket.first").count() == expected
    assert page.locator(".best li:nth-child(1) .changes li").count() > 0  # what the first would change back
    press(page, "Alt+1")
    page.locator(".best li:nth-child(1).now").wait_for()


def test_skip_flag_and_comment(annotate: Annotate, workbench: Workbench) -> None:
    page = annotate()
    number = number_of(page)
    press(page, "f")
    page.locator(".facts", has_text="flagged").wait_for()
    press(page, "c")
    page.locator("dialog textarea:focus").wait_for()
    page.keyboard.type("Is s f this a name?")
    page.get_by_role("button", name="Keep the comment").click()
    page.locator(".facts", has_text="1 comment").wait_for()
    press(page, "s")
    gone(page, number)
    saved(page)
    found = workbench.call(f"/sentences/{number}")
    assert (found["flagged"], found["comments"], found["status"]) == (True, 1, "skipped")
    assert workbench.call(f"/sentences/{number}/comments")["comments"][0]["text"] == "Is s f this a name?"
    press(page, "Control+z")  # on the server: the sentence comes back
    page.wait_for_function("old => location.hash.endsWith('=' + old)", arg=number)
    assert workbench.call(f"/sentences/{number}")["status"] == "new"
    focused(page)
    press(page, "f")  # other tests are offered it again
    saved(page)


def test_keys_are_shown_and_can_be_changed(annotate: Annotate, workbench: Workbench) -> None:
    page = annotate()
    number = number_of(page)
    press(page, "?")
    page.locator("dialog table.keys").wait_for()
    page.get_by_role("button", name="Change the key: flag the sentence").click()
    press(page, "s")  # it skips
    page.locator("dialog", has_text="has another meaning").wait_for()
    page.get_by_role("button", name="Change the key: flag the sentence").click()
    press(page, "F8")
    page.locator("dialog kbd", has_text="F8").wait_for()
    press(page, "Escape")
    page.locator("dialog").wait_for(state="detached")
    press(page, "f")
    press(page, "F8")
    page.locator(".facts", has_text="flagged").wait_for()
    saved(page)
    assert workbench.call(f"/sentences/{number}")["flagged"]
    press(page, "F8")
    saved(page)
