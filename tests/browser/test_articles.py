"""Texts as long as an article: why, alternatives, running text, entities, exports."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.browser
PARAGRAPH = (
    "Angela Merkel met Emmanuel Macron in Paris. Siemens opened an office in Berlin. "
    "The Washington Post wrote about Washington. It rained, and nobody went out."
)
ARTICLE = "\n\n".join([PARAGRAPH] * 18)  # 72 sentences, more than the server explains at once
Tag = Callable[..., Any]


def _opened(tag: Tag, view: str = "Words") -> Any:
    page = tag("en", PARAGRAPH)
    page.locator("#text").fill(ARTICLE)
    page.locator(".running").wait_for()
    page.get_by_text(view, exact=True).click()
    page.locator("#w-71-0").wait_for(state="attached")
    return page


def test_why_in_a_long_text(tag: Tag) -> None:
    page = _opened(tag)
    page.locator("#w-40-0").click()
    page.locator(".why[aria-busy=false] tfoot").wait_for()
    assert page.locator(".panel .problem").count() == 0
    assert "sentences around the word" in page.locator(".why .part").inner_text()
    page.get_by_label("What if it were").select_option("B-LOC")
    page.locator("#w-40-0.fixed").wait_for()


def test_running_text_keeps_paragraphs_and_marks_spans(tag: Tag) -> None:
    page = _opened(tag, "Text")
    marks = page.locator(".running mark")
    assert marks.first.locator(".in-text").all_inner_texts() == ["Angela", "Merkel"]
    assert marks.first.locator(".kind").inner_text() == "PER"
    assert "person" in marks.first.get_attribute("title")
    page.locator(".running .kind").evaluate_all("all => all.forEach(one => one.remove())")
    assert page.locator(".running").inner_text().strip() == ARTICLE
    marks.nth(1).focus()
    page.keyboard.press("Enter")
    page.locator(".head-word", has_text="Emmanuel").wait_for()


def test_entities_are_counted_filtered_and_found(tag: Tag) -> None:
    page = _opened(tag, "Text")
    merkel = page.locator(".entities li", has_text="Angela Merkel")
    assert "× 18" in merkel.inner_text()
    page.evaluate("scrollTo(0, 0)")
    for place in ("w-0-0", "w-4-0"):  # each click leads to the next one
        merkel.get_by_role("button").click()
        assert page.evaluate("document.activeElement.querySelector('.in-text').id") == place
    page.locator(".filter").get_by_label("PER").uncheck()
    assert page.locator(".entities li", has_text="PER").count() == page.locator(".running mark", has_text="PER").count()
    assert page.locator(".running mark").count() > 0
    page.get_by_label("Sure, at least").select_option("0.95")
    shown = page.locator(".running mark").evaluate_all("all => all.map(one => one.title)")
    assert all(int(title.split()[-3]) >= 95 for title in shown)


def test_the_export_holds_the_marked_text(tag: Tag, tmp_path: Any) -> None:
    page = tag("en", "Angela Merkel <b> & Paris.", accept_downloads=True)
    with page.expect_download() as found:
        page.get_by_role("button", name="Save as HTML").click()
    found.value.save_as(tmp_path / "labels.html")
    text = (tmp_path / "labels.html").read_text("utf-8")
    assert ">Angela Merkel<b>PER</b></mark> &lt;b&gt; &amp; <mark" in text
    assert "light-dark(#014263, #bfe4ff)" in text
