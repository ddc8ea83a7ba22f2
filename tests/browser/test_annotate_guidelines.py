"""The pane "Guidelines": safe Markdown, what labels mean, versions, who may write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from annotating import Workbench
from annotating_page import focused, press
from serving import HOSTILE

pytestmark = pytest.mark.browser
Annotate = Callable[..., Any]
TEXT = """# People

Label **full names**, with *titles* left out. See [the rules](https://example.org/rules),
not [this](javascript:alert(1)) and not <img src=x onerror=alert(2)>.

1. first
2. second
   - below `it`

> quoted

| word | label |
|---|---|
| Anna | PER |

```
<script>alert(3)</script>
```
"""
READING = """async text => {
    const { Markdown } = await import("/js/annotate/markdown.js");
    return Boolean(Markdown({ text }));
}"""


@pytest.fixture
def guided(own_project: Callable[..., Workbench]) -> Workbench:
    sentences = [["Anna", "left", f"town{i}"] for i in range(40)]
    return own_project(sentences, "--labels", "PER,LOC", learns=False)


def _write(guided: Workbench, text: str, labels: dict[str, Any], base: int = 0) -> None:
    guided.call("/guidelines", {"text": text, "labels": labels, "base_version": base}, "PUT")


def test_an_admin_writes_and_annotators_read(annotate: Annotate, guided: Workbench) -> None:
    page = annotate(on=guided)
    reader = annotate(on=guided, who="ben")
    focused(reader)
    press(reader, "g")
    pane = reader.locator(".guidelines")
    pane.get_by_text("Nothing has been written yet. Admins can write guidelines here.").wait_for()
    focused(page)
    press(page, "g")
    page.get_by_role("button", name="Write guidelines").click()
    page.get_by_label("Text, in Markdown").fill(TEXT)
    page.get_by_label("What it means").first.fill("a **person**, alive or not")
    page.get_by_label("Examples, one on each line").first.fill("**Anna** left\n\n**Dr. Smith** came")
    page.get_by_role("button", name="Close").click()  # what was written is not lost
    page.get_by_role("button", name="Guidelines").click()
    page.get_by_role("button", name="Save").click()
    pane.get_by_role("heading", name="People", level=3).wait_for()  # the other page hears of it
    assert pane.locator("strong").all_inner_texts() == ["full names", "person", "Anna", "Dr. Smith"]
    assert pane.locator(".markdown > ol > li").count() == 2 and pane.locator("ol ul code").inner_text() == "it"
    assert pane.locator("td").all_inner_texts() == ["Anna", "PER"]
    assert pane.locator("blockquote").inner_text().strip() == "quoted"
    assert pane.locator("a").evaluate_all("all => all.map(a => [a.href, a.rel])") == [
        ["https://example.org/rules", "noopener noreferrer"]
    ]
    text = pane.inner_text()
    assert "[this](javascript:alert(1))" in text and "<img src=x onerror=alert(2)>" in text
    assert "<script>alert(3)</script>" in pane.locator("pre").inner_text()
    assert pane.locator("img, script").count() == 0
    assert pane.get_by_role("button", name="Edit").count() == 0
    button = reader.locator(".label-bar .label-button[title*=alive]").first
    button.wait_for()
    assert button.get_attribute("title") == "a person, alive or not\n· Anna left\n· Dr. Smith came"


def test_a_change_by_another_admin_is_not_overwritten(annotate: Annotate, guided: Workbench, eyes: Any) -> None:
    eyes.allowed.append("409")
    _write(guided, TEXT, {})
    page = annotate(on=guided)
    page.get_by_role("button", name="Guidelines").click()
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("Text, in Markdown").fill("mine")
    _write(guided, "theirs", {}, 1)
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Another person has changed the guidelines meanwhile").wait_for()
    assert page.get_by_label("Text, in Markdown").input_value() == "mine"
    page.get_by_role("button", name="Cancel").click()
    page.locator(".markdown", has_text="theirs").wait_for()
    page.get_by_label("Version").select_option("1")
    page.get_by_role("heading", name="People", level=3).wait_for()
    assert guided.call("/guidelines")["text"] == "theirs"


def test_hostile_guidelines_are_text_and_take_no_time(annotate: Annotate, guided: Workbench) -> None:
    marks = [
        "**a " * 4_000,
        "[" * 4_000,
        "`" * 4_001,
        "_a" * 4_000,
        "> " * 400 + "deep",
        "- " * 400 + "deep",
        "|-" * 2_000,
    ]
    hostile = {"description": HOSTILE[0], "examples": list(HOSTILE[:5])}
    _write(guided, "\n\n".join([*HOSTILE, *marks]), {"PER": hostile})
    page = annotate(on=guided)
    page.get_by_role("button", name="Guidelines").click()
    page.locator(".label-meanings dd").wait_for()
    assert page.locator(".guidelines :is(img, script, iframe, svg)").count() == 0
    assert HOSTILE[0] in page.locator(".markdown").inner_text()
    # Where steps grow with the square of the length, this takes longer than a test waits.
    page.wait_for_function(READING, arg=f"a | b\n|-{' ' * 3_000_000}x")
