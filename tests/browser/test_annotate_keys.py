"""The view "Annotate" with keys alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from annotating import LABELS, Workbench, gold
from perceptag.labels.schemes import spans

pytestmark = pytest.mark.browser
Annotate = Callable[..., Any]
GOLD = {tuple(words): labels for words, labels in gold()}


def _number(page: Any) -> int:
    return int(page.url.partition("sentence=")[2])


def _words(page: Any) -> list[str]:
    found: list[str] = page.locator(".in-front .word").all_inner_texts()
    return found


def _press(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def _cursor(page: Any) -> int:
    return int(page.locator(".in-front [tabindex='0']").get_attribute("data-token"))


def _label_by_keys(page: Any, labels: list[str]) -> None:
    """Give a sentence its labels: take everything away, then go to each span, extend, and press its key."""
    _press(page, "Home", "Shift+End", "0", "Home")
    at = 0
    for span in spans(labels, "IOB2"):
        _press(page, *["ArrowRight"] * (span.start - at))
        _press(page, *["Shift+ArrowRight"] * (span.end - 1 - span.start))
        _press(page, str(LABELS.index(span.label) + 1))
        at = span.end - 1


def _spoken(page: Any) -> list[str]:
    return [one.get_attribute("aria-label") for one in page.locator(".in-front [role=option]").all()]


def _go_to(page: Any, words: str) -> int:
    """Open a sentence by its words."""
    page.evaluate(
        """async words => {
             const token = sessionStorage.getItem('perceptag.token');
             const query = new URLSearchParams({q: words, limit: 1});
             const reply = await fetch('v1/project/sentences?' + query, {headers: {Authorization: 'Bearer ' + token}});
             location.hash = 'annotate?sentence=' + (await reply.json()).sentences[0].id; }""",
        words,
    )
    page.locator(".in-front .word", has_text=words.split(maxsplit=1)[0]).first.wait_for()
    page.wait_for_function(
        "words => [...document.querySelectorAll('.in-front .word')].map(w => w.innerText).join(' ').includes(words)",
        arg=words,
    )
    page.locator(".in-front [role=option]:focus").wait_for()
    return _number(page)


def test_twenty_sentences_by_keys_alone(annotate: Annotate, workbench: Workbench) -> None:
    page = annotate(who="anna")
    done: dict[int, list[str]] = {}
    for _ in range(20):
        page.locator(".in-front [role=option]:focus").wait_for()
        number, labels = _number(page), GOLD[tuple(_words(page))]
        _label_by_keys(page, labels)
        done[number] = labels
        _press(page, "Enter")
        page.wait_for_function("old => !location.hash.endsWith('=' + old)", arg=number)
    page.locator(".saving[data-state=saved]").wait_for()
    assert len(done) == 20
    assert {number: workbench.labels_of(number) for number in done} == done
    page.locator(".learned", has_text="Learned from").wait_for()
    costs = workbench.call("/progress")["cost"]
    assert costs["actions"] > 60


def test_keys_move_and_select(annotate: Annotate) -> None:
    page = annotate()
    _press(page, "Home", "ArrowRight", "l", "h")
    assert _cursor(page) == 1
    _press(page, "Shift+ArrowRight", "L")
    page.wait_for_function("document.querySelectorAll('.in-front [aria-selected=true]').length === 3")
    _press(page, "End")
    assert _cursor(page) == len(_words(page)) - 1
    assert page.locator(".in-front [role=listbox]").get_attribute("aria-multiselectable") == "true"


def test_labels_borders_and_undo(annotate: Annotate) -> None:
    page = annotate()
    words = _words(page)
    assert len(words) > 4
    _press(page, "Home", "Shift+End", "0", "Home", "ArrowRight", "Shift+ArrowRight", "3")
    assert _spoken(page)[1:3] == [f"{words[1]}, LOC", f"{words[2]}, inside LOC"]
    _press(page, "]", "[")
    assert [text.partition(", ")[2] for text in _spoken(page)[:4]] == ["LOC", "inside LOC", "inside LOC", "inside LOC"]
    _press(page, "}", "{")
    assert [text.partition(", ")[2] for text in _spoken(page)[:4]] == ["", "LOC", "inside LOC", ""]
    _press(page, "2")  # the whole span, not only the word at the cursor
    assert [text.partition(", ")[2] for text in _spoken(page)[1:3]] == ["ORG", "inside ORG"]
    _press(page, "Control+z")
    assert [text.partition(", ")[2] for text in _spoken(page)[1:3]] == ["LOC", "inside LOC"]
    _press(page, "Control+Shift+z")
    assert [text.partition(", ")[2] for text in _spoken(page)[1:3]] == ["ORG", "inside ORG"]
    _press(page, "Backspace")
    assert page.locator(".in-front .bracket.first").count() == 0


def test_search_finds_a_label(annotate: Annotate) -> None:
    page = annotate()
    _press(page, "Home", "Shift+End", "0", "Home", "/")
    page.locator("dialog input:focus").wait_for()
    page.keyboard.type("mi")
    page.locator("dialog [role=option]", has_text="MISC").wait_for()
    _press(page, "Enter")
    page.locator("#w-a-0[aria-label$=MISC]").wait_for()
    page.locator("#w-a-0:focus").wait_for()


def test_best_labellings_by_one_key(annotate: Annotate, workbench: Workbench) -> None:
    page = annotate()
    _go_to(page, " ".join(gold()[40][0][:6]))
    page.locator(".best li").nth(2).wait_for()
    nbest = workbench.call(f"/sentences/{_number(page)}")["proposal"]["nbest"]
    _press(page, "Alt+3")
    page.locator(".best li:nth-child(3).now").wait_for()
    assert page.locator(".in-front .bracket.first").count() == len(spans(nbest[2]["labels"], "IOB2"))
    assert page.locator(".best li:nth-child(1) .changes li").count() > 0  # what the first would change back
    _press(page, "Alt+1")
    page.locator(".best li:nth-child(1).now").wait_for()


def test_skip_flag_and_comment(annotate: Annotate, workbench: Workbench) -> None:
    page = annotate()
    number = _number(page)
    _press(page, "f")
    page.locator(".facts", has_text="flagged").wait_for()
    _press(page, "c")
    page.locator("dialog textarea:focus").wait_for()
    page.keyboard.type("Is s f this a name?")
    page.get_by_role("button", name="Keep the comment").click()
    page.locator(".facts", has_text="1 comment").wait_for()
    _press(page, "s")
    page.wait_for_function("old => !location.hash.endsWith('=' + old)", arg=number)
    page.locator(".saving[data-state=saved]").wait_for()
    found = workbench.call(f"/sentences/{number}")
    assert (found["flagged"], found["comments"], found["status"]) == (True, 1, "skipped")
    assert workbench.call(f"/sentences/{number}/comments")["comments"][0]["text"] == "Is s f this a name?"
    _press(page, "Control+z")  # on the server: the sentence comes back
    page.wait_for_function("old => location.hash.endsWith('=' + old)", arg=number)
    assert workbench.call(f"/sentences/{number}")["status"] == "new"


def test_why(annotate: Annotate) -> None:
    page = annotate()
    _press(page, "Home", "e")
    page.locator(".panel .head-word", has_text=_words(page)[0]).wait_for()
    page.locator(".annotate .why[aria-busy=false] .lead").wait_for()
    _press(page, "ArrowRight")
    page.locator(".panel .head-word", has_text=_words(page)[1]).wait_for()
    _press(page, "e")
    page.locator(".panel").wait_for(state="detached")


def test_keys_are_shown_and_can_be_changed(annotate: Annotate, workbench: Workbench) -> None:
    page = annotate()
    number = _number(page)
    _press(page, "?")
    page.locator("dialog table.keys").wait_for()
    page.get_by_role("button", name="Change the key: flag the sentence").click()
    _press(page, "s")  # it skips
    page.locator("dialog", has_text="has another meaning").wait_for()
    page.get_by_role("button", name="Change the key: flag the sentence").click()
    _press(page, "F8")
    page.locator("dialog kbd", has_text="F8").wait_for()
    _press(page, "Escape")
    page.locator("dialog").wait_for(state="detached")
    _press(page, "f")
    _press(page, "F8")
    page.locator(".facts", has_text="flagged").wait_for()
    page.locator(".saving[data-state=saved]").wait_for()
    assert workbench.call(f"/sentences/{number}")["flagged"]
    _press(page, "F8")
    page.locator(".saving[data-state=saved]").wait_for()


def test_keys_are_ignored_while_composing_and_in_fields(annotate: Annotate) -> None:
    page = annotate()
    before = _number(page)
    composing = """key => document.activeElement.dispatchEvent(
        new KeyboardEvent('keydown', {key, isComposing: true, bubbles: true, cancelable: true}))"""
    for key in ("Enter", "s", "1"):
        page.evaluate(composing, key)
    page.evaluate(
        """() => document.activeElement.dispatchEvent(
             new KeyboardEvent('keydown', {key: 'Process', keyCode: 229, bubbles: true}))"""
    )
    assert _number(page) == before
    page.evaluate("location.hash = 'sentences'")
    words = page.get_by_role("textbox", name="Words")
    words.fill("s")
    _press(page, "Enter", "1")
    assert words.input_value() == "s1"


def test_tab_goes_to_doubtful_words_and_then_leaves(annotate: Annotate) -> None:
    page = annotate()
    _press(page, "Home")
    for _ in range(len(_words(page)) + 1):
        if page.locator(".in-front [role=option]:focus").count() == 0:
            break
        _press(page, "Tab")
    assert page.locator(".in-front [role=option]:focus").count() == 0
    assert page.locator(".bottom :focus").count() == 1


def test_letters_of_another_alphabet_reach_the_same_keys(annotate: Annotate) -> None:
    page = annotate()
    page.evaluate(
        """() => document.activeElement.dispatchEvent(
             new KeyboardEvent('keydown', {key: 'с', code: 'KeyC', bubbles: true, cancelable: true}))"""
    )
    page.locator("dialog textarea").wait_for()
