"""The worked examples of the documentation: one step at a time with mouse and keys, all of them without a script."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from axe_rules import violations
from papers.steps.collins_training import steps
from stepper_html import html_of

pytestmark = pytest.mark.browser
STATIC = Path(__file__).parents[2] / "docs" / "site" / "static"
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Example</title><link rel="stylesheet" href="{0}/stepper.css"><script defer src="{0}/stepper.js"></script>
<style>:root {{ color-scheme: light dark; --color-background-secondary: Canvas; --color-background-primary: Canvas;
--color-foreground-primary: CanvasText; --color-foreground-secondary: CanvasText }}</style>
<body><main><h1>Example</h1>{1}</main></body></html>"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("stepper") / "page.html"
    path.write_text(PAGE.format(STATIC.as_uri(), html_of("Three sentences", steps())), "utf-8")
    return path.as_uri()


@pytest.fixture
def opened(window: Any, address: str) -> Any:
    return partial(window, address)


def shown(page: Any) -> list[int]:
    return [k for k, item in enumerate(page.locator(".stepper-steps > li").all(), 1) if item.is_visible()]


def test_buttons_keys_and_slider_move_and_say_where_one_is(opened: Any) -> None:
    page = opened()
    status, last = page.get_by_role("status"), len(steps())
    assert shown(page) == [1]
    assert status.inner_text() == f"Step 1 of {last}: The data, and weights of zero"
    page.get_by_role("button", name="Next").click()
    page.keyboard.press("ArrowRight")
    assert shown(page) == [3]
    assert status.inner_text() == f"Step 3 of {last}: Pass 1, “the bark”"
    page.keyboard.press("End")
    assert shown(page) == [last]
    page.keyboard.press("ArrowRight")  # nothing comes after it, and the button keeps the focus
    assert shown(page) == [last]
    page.keyboard.press("ArrowLeft")
    page.get_by_role("slider", name="Step").press("ArrowLeft")
    assert shown(page) == [last - 2]


def test_without_scripts_the_steps_are_a_list(opened: Any) -> None:
    page = opened(java_script_enabled=False)
    assert page.locator(".stepper-title:visible").count() == len(steps())
    assert page.get_by_role("button").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_it_fits_and_axe_finds_nothing(opened: Any, scheme: str, width: int) -> None:
    page = opened(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page.get_by_role("button", name="Next").click()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page) == []
