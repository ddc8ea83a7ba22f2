"""The page with keys alone, and the film."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from perceptag import Tagger

pytestmark = pytest.mark.browser
TEXT = "The old man the boats near the harbour ."
Tag = Callable[..., Any]


def _focus(page: Any) -> str:
    found: str = page.evaluate("document.activeElement.id")
    return found


def _press(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_tab_reaches_the_words_and_arrows_move(tag: Tag) -> None:
    page = tag("guided", f"{TEXT}\nIt rains .")
    page.locator("#text").focus()
    for _ in range(20):
        _press(page, "Tab")
        if _focus(page).startswith("w-"):
            break
    assert page.locator(f"#{_focus(page)}").get_attribute("aria-selected") == "true"  # the word that is explained
    _press(page, "Home")
    assert _focus(page) == "w-0-0"
    _press(page, "ArrowRight", "l", "ArrowLeft")
    assert _focus(page) == "w-0-1"
    _press(page, "End")
    assert _focus(page) == "w-0-8"
    _press(page, "ArrowRight")
    assert _focus(page) == "w-1-0"
    _press(page, "ArrowUp", "Home", "ArrowDown", "ArrowLeft")
    assert _focus(page) == "w-0-8"
    assert page.locator("#w-0-8").get_attribute("aria-selected") == "true"
    assert page.locator("[aria-selected=true][role=option]").count() == 1


def test_film_by_keys(tag: Tag, models: dict[str, str]) -> None:
    page = tag("guided", TEXT)
    order = Tagger.load(models["guided"]).inference_order(TEXT.split())
    page.locator("#w-0-0").focus()
    _press(page, "g")
    page.locator("#film:focus").wait_for()
    assert page.locator(".frame.known").count() == 0
    for number, step in enumerate(order.steps, 1):
        _press(page, "ArrowRight")
        page.locator(".count", has_text=f"{number} / {len(order.steps)}").wait_for()
        assert page.locator(".frame.now .word").inner_text() == step.token
        assert page.locator(".frame.now .tag").inner_text() == step.label
        assert page.locator(".frame.known").count() == number
    _press(page, "Home")
    assert page.locator(".frame.known").count() == 0
    _press(page, "End", "ArrowLeft")
    page.locator(".count", has_text=f"{len(order.steps) - 1} / ").wait_for()
    _press(page, "Escape")
    assert _focus(page) == "w-0-0"


def test_change_a_label_and_watch_the_rest_follow(tag: Tag, models: dict[str, str]) -> None:
    page = tag("guided", TEXT)
    tagger = Tagger.load(models["guided"])
    [before] = tagger.predict([TEXT.split()])
    given: list[str | None] = [None, "NN", "VBP", *[None] * 6]
    [after] = tagger.predict([TEXT.split()], given=[given])
    page.locator("#w-0-1").focus()
    for token, label in ((1, "NN"), (2, "VBP")):
        page.locator(f"#w-0-{token}").focus()
        _press(page, "w")
        page.locator("#what-if:focus").wait_for()
        page.locator("#what-if").select_option(label)  # what the keys of a list do differs between systems
        page.locator(f"#w-0-{token}.fixed").wait_for()
        _press(page, "Escape")
        assert _focus(page) == f"w-0-{token}"
    shown = [t.inner_text() for t in page.locator(".sentence .tag.active").all()]
    assert [text.split()[0] for text in shown] == after != before
    _press(page, "g")
    page.locator("#film:focus").wait_for()
    _press(page, "End")
    assert [text.split()[0] for text in page.locator(".frame .tag").all_inner_texts()] == after
    _press(page, "Escape", "u")
    page.locator(".token.fixed").first.wait_for(state="detached")


def test_keys_of_the_panel(tag: Tag) -> None:
    page = tag("names", TEXT)
    page.locator("#w-0-2").focus()
    for key, tab in (("n", "Alternatives"), ("c", "Compare"), ("e", "Why")):
        _press(page, key)
        page.get_by_role("tab", name=tab, selected=True).wait_for()
        page.locator("#tabpanel:focus").wait_for()
        _press(page, "Escape")
        assert _focus(page) == "w-0-2"
    page.get_by_role("tab", name="Why").focus()
    _press(page, "ArrowRight")
    assert _focus(page) == "tab-alternatives"
    _press(page, "?")
    page.get_by_role("heading", name="Help").wait_for()
