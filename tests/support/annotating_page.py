"""What tests do in the view "Annotate"."""

from __future__ import annotations

from typing import Any


def press(page: Any, *keys: str) -> None:
    """Press keys, one after the other."""
    for key in keys:
        page.keyboard.press(key)


def number_of(page: Any) -> int:
    """The number of the sentence in front.

    It is read in the page: `page.url` hears of a new address a moment later.
    """
    return int(page.wait_for_function("location.hash.match(/sentence=([0-9]+)/)?.[1]").json_value())


def words_of(page: Any) -> list[str]:
    """The words of the sentence in front."""
    found: list[str] = page.locator(".in-front .word").all_inner_texts()
    return found


def spoken(page: Any) -> list[str]:
    """What is said of each word to those who hear the page."""
    found: list[str] = page.locator(".in-front [role=option]").evaluate_all("all => all.map(o => o.ariaLabel)")
    return found


def focused(page: Any) -> None:
    """Wait until a word has the focus."""
    page.locator(".in-front [role=option]:focus").wait_for()


def go_to(page: Any, number: int) -> None:
    """Open a sentence by its address."""
    page.evaluate("n => { location.hash = 'annotate?sentence=' + n; }", number)
    shows(page, number)


def shows(page: Any, number: int) -> None:
    """Wait until this sentence is in front; the text "Sentence 1" is also a part of "Sentence 12"."""
    page.wait_for_function(
        "n => document.querySelector('.facts')?.innerText.split(' ')[1] === String(n)",
        arg=number,
    )
    focused(page)


def gone(page: Any, number: int) -> None:
    """Wait until another sentence is in front."""
    page.wait_for_function("old => !location.hash.endsWith('=' + old)", arg=number)
    focused(page)


def accept(page: Any) -> int:
    """Accept the sentence in front, and wait for the next; return its number."""
    focused(page)
    number = number_of(page)
    press(page, "Enter")
    gone(page, number)
    return number


def clear(page: Any) -> None:
    """Take all labels away, and go to the first word."""
    focused(page)
    press(page, "Home", "Shift+End", "0", "Home")


def click_when_drawn(page: Any, selector: str) -> None:
    """Click on what is not there yet in the moment in which it is drawn, as a quick person might."""
    page.evaluate(
        """selector => { new MutationObserver((_, observer) => {
             const found = document.querySelector(selector);
             if (found) { observer.disconnect(); found.click(); }
           }).observe(document.body, { subtree: true, childList: true }); }""",
        selector,
    )


def fetched_ahead(page: Any) -> None:
    """Wait until the page has the sentences that come next."""
    page.wait_for_function("performance.getEntriesByType('resource').some(e => e.name.includes('/next?'))")


def saved(page: Any) -> None:
    """Wait until the server has everything."""
    page.locator(".saving[data-state=saved]").wait_for()


def selected(page: Any, count: int) -> None:
    """Wait until this number of words is selected."""
    page.wait_for_function("n => document.querySelectorAll('.in-front [aria-selected=true]').length === n", arg=count)
