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


def test_why_in_a_long_text(tag: Tag) -> None:
    page = tag("en", ARTICLE)
    page.locator("#w-40-0").click()
    page.locator(".why[aria-busy=false] tfoot").wait_for()
    assert page.locator(".panel .problem").count() == 0
    assert "sentences around the word" in page.locator(".why .part").inner_text()
    page.get_by_label("What if it were").select_option("B-LOC")
    page.locator("#w-40-0.fixed").wait_for()


def test_alternatives_begin_with_the_labels_that_are_shown(tag: Tag) -> None:
    page = tag("en", ARTICLE)
    for sentence in (0, 5, 38):  # the first labelling is that of the whole text, not of the sentence alone
        page.locator(f"#w-{sentence}-0").click()
        page.get_by_role("tab", name="Alternatives").click()
        page.locator(".ranking > li").nth(4).wait_for()
        said = page.locator(".ranking > li").all_inner_texts()
        assert [one.endswith("the labels that are shown") for one in said] == [True, *[False] * (len(said) - 1)]
        assert said[0][0].isdigit() and "same here" not in " ".join(said)  # it is in the ranking, with its score
