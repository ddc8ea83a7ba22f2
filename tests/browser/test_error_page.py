"""The page of ``perceptag eval --errors --html``: a file that works without a server, in both themes and on phones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from axe_rules import violations
from perceptag.evaluation import evaluate
from perceptag.inspecting.error_analysis import analyse
from perceptag.inspecting.error_page import page as written
from perceptag.text import Sentence

pytestmark = pytest.mark.browser

WORDS = [["Anna", "Berg", "left", "O" * 60], ["<b>", "in", "تهران"]]
GOLD = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "O", "B-LOC"]]
FOUND = [["B-PER", "O", "O", "B-LOC"], ["B-ORG", "O", "O"]]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    sentences = [Sentence({"form": words}, "some/folder/news.txt", 9) for words in WORDS]
    found = analyse(sentences, GOLD, FOUND, evaluate(GOLD, FOUND, bootstrap=0), {"in"})
    path: Path = tmp_path_factory.mktemp("page") / "errors.html"
    facts = {"data": "a/very/long/path/" * 9}
    path.write_text(written("Errors", facts, found, sentences), encoding="utf-8")
    return path.as_uri()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_and_axe_finds_nothing(window: Any, address: str, scheme: str) -> None:
    page = window(address, color_scheme=scheme)
    for width in (390, 640, 768, 1280, 1440):  # 640: 1280 at 200 %
        page.set_viewport_size({"width": width, "height": 844})
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
        assert violations(page) == []


def test_errors_of_one_kind_can_be_chosen(window: Any, address: str) -> None:
    page = window("about:blank")
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(address)
    shown = page.locator("article:visible")
    assert shown.count() == 2
    page.select_option("#filter", "boundary")
    assert (shown.count(), page.locator("output").inner_text()) == (1, "1 of 2 sentences")
    page.select_option("#filter", "O → ORG")
    assert "<b>" in shown.inner_text()
    page.select_option("#filter", "")
    assert (shown.count(), faults) == (2, [])


def test_without_a_script_everything_is_shown(window: Any, address: str) -> None:
    page = window(address, java_script_enabled=False)
    assert page.locator("article:visible").count() == 2
    assert not page.locator("#filter").is_visible()
