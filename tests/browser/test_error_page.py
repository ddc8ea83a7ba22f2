"""The page of ``perceptag errors``: a file that works without a server, in both themes and on phones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

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
@pytest.mark.parametrize("width", [390, 1280])
def test_it_fits_and_axe_finds_nothing(browser: Any, address: str, scheme: str, width: int) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = browser.new_page(viewport={"width": width, "height": 844}, color_scheme=scheme)
    page.goto(address)
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    found = axe.Axe().run(page).response["violations"]
    assert [f"{one['id']}: {node['html'][:200]}" for one in found for node in one["nodes"]] == []
    page.close()


def test_errors_of_one_kind_can_be_chosen(browser: Any, address: str) -> None:
    page = browser.new_page()
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
    page.close()


def test_without_a_script_everything_is_shown(browser: Any, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    assert page.locator("article:visible").count() == 2
    assert not page.locator("#filter").is_visible()
    context.close()
