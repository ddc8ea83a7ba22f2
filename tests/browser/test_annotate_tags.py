"""A project in which every word has a tag."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from annotating import Workbench
from annotating_page import accept, focused, go_to, press, saved, spoken

pytestmark = pytest.mark.browser
Annotate = Callable[..., Any]
TAGS = ("DT", "NN", "VBZ", "IN", "JJ", "RB", "PRP", "CC", "CD", "MD", "TO", "UH")
SENTENCES = [f"The {noun} sleeps .".split() for noun in ("cat", "dog", "man", "boat", "bird")] * 8


@pytest.fixture
def tagged(own_project: Callable[..., Workbench]) -> Workbench:
    return own_project(SENTENCES, "--tags", ",".join((*TAGS, ".")))


def _tags(page: Any) -> list[str]:
    return [text.split(", ")[1] for text in spoken(page)]


def test_tags_by_keys(annotate: Annotate, tagged: Workbench) -> None:
    page = annotate(on=tagged)
    go_to(page, 1)
    press(page, "Home", "1", "2", "a")  # after the ninth label come letters: a is MD, the tenth
    page.locator("#w-a-3:focus").wait_for()  # the cursor goes on by itself
    assert _tags(page) == ["DT", "NN", "MD", "?"]
    press(page, "Enter")
    page.locator(".message", has_text="A word has no label yet.").wait_for()
    assert tagged.labels_of(1) is None
    press(page, "0")
    page.locator(".message", has_text="every word has a label").wait_for()
    press(page, "/")
    page.locator("dialog input:focus").wait_for()
    page.keyboard.type(".")
    press(page, "Enter")
    page.locator("dialog").wait_for(state="detached")
    focused(page)
    press(page, "ArrowLeft", "3")
    assert _tags(page) == ["DT", "NN", "VBZ", "."]
    press(page, "Control+z", "Control+Shift+z")
    accept(page)
    saved(page)
    assert tagged.labels_of(1) == ["DT", "NN", "VBZ", "."]


def test_a_model_of_tags_proposes_and_says_why(annotate: Annotate, tagged: Workbench) -> None:
    for number in (2, 3, 4):
        tagged.label(number, ["DT", "NN", "VBZ", "."])
    tagged.wait_until_learned(3)
    page = annotate(on=tagged)
    go_to(page, 10)
    assert _tags(page)[:1] == ["DT"]
    press(page, "Home", "e")
    page.locator(".annotate .why[aria-busy=false] .lead", has_text="DT").wait_for()
    page.evaluate("location.hash = 'tag'")
    page.locator(".sentence .tag.active").first.wait_for()
    assert page.locator("#model").input_value() == "project"
