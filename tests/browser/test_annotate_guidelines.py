"""The pane "Guidelines": safe Markdown, what labels mean, versions, who may write."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from annotating import Workbench, write_words
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
    const began = performance.now();
    Markdown({ text });
    return performance.now() - began;
}"""


@pytest.fixture(scope="module")
def guided(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """A project of its own: what is written stays."""
    folder = tmp_path_factory.mktemp("guided")
    words = write_words(folder / "words.txt", [["Anna", "left", f"town{i}"] for i in range(40)])
    people = ["--annotator", "boss:admin", "--annotator", "anna"]
    found = Workbench(
        folder / "a.ptag", "--import", str(words), "--columns", "form", "--labels", "PER,LOC", "--sealed", "0", *people
    )
    yield found
    found.stop()


def test_an_admin_writes_and_annotators_read(annotate: Annotate, guided: Workbench) -> None:
    page = annotate(on=guided)
    reader = annotate(on=guided, who="anna")
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
    page = annotate(on=guided)
    page.get_by_role("button", name="Guidelines").click()
    page.locator(".guidelines .options-row button").first.click()
    page.get_by_label("Text, in Markdown").fill("mine")
    base = guided.call("/guidelines")["version"]
    guided.call("/guidelines", {"text": "theirs", "labels": {}, "base_version": base}, "PUT")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Another person has changed the guidelines meanwhile").wait_for()
    assert page.get_by_label("Text, in Markdown").input_value() == "mine"
    page.get_by_role("button", name="Cancel").click()
    page.locator(".markdown", has_text="theirs").wait_for()
    if base:
        page.get_by_label("Version").select_option(str(base))
        page.get_by_role("heading", name="People", level=3).wait_for()
    assert guided.call("/guidelines")["text"] == "theirs"


def test_hostile_guidelines_are_text_and_take_no_time(annotate: Annotate, guided: Workbench) -> None:
    base = guided.call("/guidelines")["version"]
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
    body = {"text": "\n\n".join([*HOSTILE, *marks]), "labels": {"PER": hostile}, "base_version": base}
    guided.call("/guidelines", body, "PUT")
    page = annotate(on=guided)
    page.get_by_role("button", name="Guidelines").click()
    page.locator(".label-meanings dd").wait_for()
    assert page.locator(".guidelines :is(img, script, iframe, svg)").count() == 0
    assert HOSTILE[0] in page.locator(".markdown").inner_text()
    took = page.evaluate(READING, f"a | b\n|-{' ' * 95_000}x")
    assert took < 1_000  # ms; it is a matter of seconds if steps grow with the square of the length
