"""What everybody can use: axe in both themes, phones, zoom, long texts, scripts that run to the left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from axe_rules import COLOURED, violations

pytestmark = pytest.mark.browser
TEXT = "Peter Blackburn flew to Harwick on Tuesday .\nIt rained ."
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
Tag = Callable[..., Any]


def _violations_at_all_widths(page: Any) -> list[str]:
    """What axe finds from a phone to a wide window; 640 pixels are a window of 1,280 at 200 %."""
    before, found = page.viewport_size, []
    for width in (390, 640, 768, 1440):
        page.set_viewport_size({"width": width, "height": 860})
        found += [f"{width}: {one}" for one in violations(page, contrast=width in COLOURED)]
    page.set_viewport_size(before)
    return found + violations(page)


def _is_wider_than_the_window(page: Any) -> bool:
    found: bool = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(tag: Tag, scheme: str) -> None:
    # The tool puts its script into the page, which the page's own rules forbid: they are off in this test alone.
    options = {"bypass_csp": True, "color_scheme": scheme, "reduced_motion": "reduce"}
    page = tag("names", TEXT, **options)
    page.locator(".why[aria-busy=false]").wait_for()
    assert _violations_at_all_widths(page) == []
    page.get_by_label("What if it were").select_option("B-ORG")
    page.get_by_role("tab", name="Alternatives").click()
    page.locator(".ranking > li").nth(4).wait_for()
    page.locator(".message span").evaluate("span => span.getAnimations().forEach(a => a.finish())")
    assert violations(page) == []
    page.get_by_role("tab", name="Compare").click()
    page.get_by_label("Compare with").select_option(label="en, ner")
    page.locator(".compared, .lead[role=status]").first.wait_for()
    assert violations(page) == []
    page.get_by_text("Text", exact=True).click()
    page.locator(".entities li").first.wait_for()
    assert _violations_at_all_widths(page) == []
    for view in ("models", "help"):
        page.evaluate(f"location.hash = '{view}'")
        page.get_by_role("heading", level=1, name=view.title()).wait_for()
        assert violations(page) == []
    page = tag("guided", TEXT, **options)
    page.locator("#w-0-0").focus()
    page.keyboard.press("g")
    page.locator("#film:focus").wait_for()
    page.keyboard.press("ArrowRight")
    page.locator(".frame.now").wait_for()
    assert violations(page) == []


def test_phone_by_touch(tag: Tag) -> None:
    page = tag("names", TEXT + "\nIt rained again and again .", **PHONE)
    assert page.locator(".panel").count() == 0  # it would hide the text
    page.locator("#w-0-1").tap()
    page.locator(".panel .head-word", has_text="Blackburn").wait_for()
    for place in ("w-0-1", "w-2-0"):
        page.locator(f"#{place}").tap()
        page.locator(f"#{place}[aria-selected=true]").wait_for()
        page.wait_for_function(
            """id => { const bottom = document.getElementById(id).getBoundingClientRect().bottom;
               return bottom <= document.querySelector('.panel').getBoundingClientRect().top; }""",
            arg=place,
        )  # the word can still be seen
    page.get_by_role("tab", name="Alternatives").tap()
    page.locator(".ranking > li").first.wait_for()
    assert not _is_wider_than_the_window(page)
    small = page.locator("button:visible:not(.plain), select:visible, [role=tab]:visible").evaluate_all(
        "all => all.filter(e => e.getBoundingClientRect().height < 43.5).map(e => e.outerHTML)"
    )
    assert small == []
    page.get_by_role("button", name="Close").tap()
    page.locator(".panel").wait_for(state="detached")


def test_scripts_that_run_to_the_left(tag: Tag) -> None:
    page = tag("guided", "שלום , Peter !\nPeter said שלום .")
    sentences = page.locator(".sentence")
    assert [s.get_attribute("dir") for s in sentences.all()] == ["rtl", "ltr"]
    first = [page.locator(f"#w-0-{t}").bounding_box()["x"] for t in range(4)]
    second = [page.locator(f"#w-1-{t}").bounding_box()["x"] for t in range(4)]
    assert first == sorted(first, reverse=True) and second == sorted(second)
    assert page.locator("#text").get_attribute("dir") == "auto"


def test_typing_with_an_input_method(tag: Tag) -> None:
    page = tag("guided", "a b")
    page.locator("#text").fill("")
    client = page.context.new_cdp_session(page)
    client.send("Input.imeSetComposition", {"text": "にほ", "selectionStart": 2, "selectionEnd": 2})
    client.send("Input.insertText", {"text": "日本"})
    page.locator(".word", has_text="日本").wait_for()
    assert page.locator("#text").input_value() == "日本"


def test_five_thousand_tokens_stay_fluid(tag: Tag) -> None:
    text = "\n".join("Peter Blackburn flew to Harwick on Tuesday night , again ." for _ in range(455))
    page = tag("names", "a b")
    page.locator("#text").fill(text)
    page.locator(".running").wait_for()  # so long a text begins as running text
    page.get_by_text("Words", exact=True).click()
    page.locator("#w-454-10").wait_for(state="attached")
    assert page.locator("[role=option]").count() == 5005
    # What a key costs is counted in changes of the page, not in time: two words, one selected and one not any more.
    page.locator("#w-0-0").focus()
    page.locator(".why[aria-busy=false]").wait_for()
    page.evaluate(
        """() => { window.touched = new Set();
           new MutationObserver(all => all.forEach(m => window.touched.add(m.target.id || m.target.className)))
             .observe(document.querySelector('.sentences'),
                      {subtree: true, childList: true, attributes: true, characterData: true}); }"""
    )
    page.keyboard.press("ArrowRight")
    page.locator(".head-word", has_text="Blackburn").wait_for()
    assert page.evaluate("[...window.touched].sort()") == ["w-0-0", "w-0-1"]
    page.evaluate("window.touched.clear()")
    page.locator("#text").press("End")
    page.locator("#text").press_sequentially(" Yes")
    page.locator(".word", has_text="Yes").wait_for()
    assert len(page.evaluate("[...window.touched]")) < 60  # the sentence that has changed


def test_the_theme_is_a_choice_that_stays(tag: Tag) -> None:
    page = tag("names", TEXT, color_scheme="light")
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.evaluate(paper)
    page.get_by_role("button", name="Theme: system").click()
    page.get_by_role("button", name="Theme: light").click()
    assert page.evaluate(paper) != light
    page.reload()
    page.get_by_role("button", name="Theme: dark").wait_for()
    assert page.evaluate(paper) != light
    page.get_by_role("button", name="Theme: dark").click()
    assert page.evaluate(paper) == light
