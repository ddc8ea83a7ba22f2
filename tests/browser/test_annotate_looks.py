"""What everybody can use in the views of a project: axe in both themes, zoom, scripts, long and hostile text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from annotating import Workbench
from annotating_page import accept, clear, focused, go_to, press, saved, spoken
from axe_rules import COLOURED, violations
from serving import HOSTILE

pytestmark = pytest.mark.browser
Annotate = Callable[..., Any]
VIEWS = ("annotate", "sentences", "adjudicate", "progress")
# A name, the width of the window, the size of letters. 640 pixels are a window of 1,280 at 200 %.
SIZES = [("phone", 390, ""), ("tablet", 768, ""), ("window", 1280, ""), ("wide", 1440, ""), ("zoom", 640, "")]
SIZES.append(("large letters", 1280, "200%"))
HOSTILE_LABEL = '"><svg/onload=alert(1)>'
STRANGE = [
    list(HOSTILE),
    ["שלום", "עולם", ",", "Peter", "!"],
    ["cafe\u0301", "n\u0303o", "👩\u200d👧", "👍🏽", "pay\u200bpal", "\u202egnp.exe", "日本"],
    [f"word{i}" for i in range(5_000)],
    *[["short", f"one{i}"] for i in range(60)],  # each tab that was open keeps some for itself
]


@pytest.fixture(scope="module")
def strange(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """A project with words that no page should trip over."""
    folder = tmp_path_factory.mktemp("strange")
    path = folder / "strange.jsonl"
    path.write_text("".join(json.dumps({"tokens": words}) + "\n" for words in STRANGE), encoding="utf-8")
    options = ["--import", str(path), "--labels", f"PER,{HOSTILE_LABEL}"]
    people = ["--annotator", "boss:admin", "--annotator", "ben"]
    found = Workbench(folder / "<img src=x>.ptag", *options, *people, learns=False)
    yield found
    found.stop()


def _is_wider_than_the_window(page: Any) -> bool:
    found: bool = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return found


def _turn_to(page: Any, view: str) -> None:
    page.evaluate("view => { location.hash = view; }", view)
    page.get_by_role("heading", level=1, name=view.title()).wait_for()
    if view == "sentences":
        page.locator(".row").first.wait_for()
    if view == "progress":
        page.get_by_role("heading", name="Export").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(annotate: Annotate, taught: Workbench, scheme: str) -> None:
    # The tool puts its script into the page, which the page's own rules forbid: they are off in this test alone.
    page = annotate(on=taught, bypass_csp=True, color_scheme=scheme, reduced_motion="reduce")
    go_to(page, taught.with_labellings(3))
    page.locator(".best .take").nth(2).wait_for()
    clear(page)
    press(page, "1")
    for width in (390, 640, 768, 1440, 1280):  # 640: 1280 at 200 %
        page.set_viewport_size({"width": width, "height": 860})
        assert violations(page, contrast=width in COLOURED) == [], width
    for key in ("?", "/", "c"):
        press(page, key)
        page.locator("dialog[open]").wait_for()
        assert violations(page, "dialog") == [], key
        press(page, "Escape")
        page.locator("dialog").wait_for(state="detached")
        focused(page)
    press(page, "e")
    page.locator(".annotate .panel .head-word").wait_for()
    assert violations(page) == []
    press(page, "g")
    page.get_by_role("button", name="Write guidelines").click()
    page.get_by_label("Text, in Markdown").wait_for()
    for view in VIEWS:
        _turn_to(page, view)
        for name, width, letters in SIZES:
            page.set_viewport_size({"width": width, "height": 800})
            page.evaluate("size => { document.documentElement.style.fontSize = size; }", letters)
            contrast = width in COLOURED and not letters
            assert name == "zoom" or violations(page, contrast=contrast) == [], (view, name)
            assert not _is_wider_than_the_window(page), (view, name)


def test_text_that_runs_to_the_left(annotate: Annotate, strange: Workbench) -> None:
    page = annotate(on=strange)
    go_to(page, 2)
    assert page.locator(".in-front [role=listbox]").get_attribute("dir") == "rtl"
    clear(page)
    press(page, "ArrowLeft", "Shift+ArrowLeft", "1")  # arrows go where they point
    assert [text.partition(", ")[2] for text in spoken(page)][:4] == ["", "PER", "inside PER", ""]
    places = [page.locator(f"#w-a-{t}").bounding_box()["x"] for t in range(5)]
    assert places == sorted(places, reverse=True)
    accept(page)
    saved(page)
    assert strange.labels_of(2) == ["O", "B-PER", "I-PER", "O", "O"]


def test_hostile_words_labels_and_comments_are_text(annotate: Annotate, strange: Workbench) -> None:
    for number, text in enumerate(HOSTILE[:8]):
        strange.call("/sentences/1/comment", {"text": text, "key": f"hostile-{number}"})
    page = annotate(on=strange)
    go_to(page, 1)
    clear(page)
    press(page, "2")
    page.locator(".in-front .bracket .name", has_text="svg").wait_for()
    press(page, "c")
    page.locator(".comments li", has_text=HOSTILE[0]).wait_for()
    press(page, "Escape")
    page.locator("dialog").wait_for(state="detached")
    focused(page)
    accept(page)
    saved(page)
    assert strange.labels_of(1)[0] == f"B-{HOSTILE_LABEL}"  # type: ignore[index]
    for view in VIEWS[1:]:
        _turn_to(page, view)
    page.evaluate("words => { location.hash = 'annotate?sentence=' + encodeURIComponent(words); }", HOSTILE[0])
    page.get_by_role("heading", level=1, name="Annotate").wait_for(state="attached")
    assert page.locator("main img, main script, main iframe, main svg:not(.chart)").count() == 0
