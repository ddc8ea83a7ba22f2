"""The report of ``perceptag reproduce``: every table and every name fits, in both themes and on phones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from axe_rules import violations
from perceptag.reproduce import collins2002
from perceptag.reproduce.html import ReportPage, Section, page
from perceptag.reproduce.report import PAPERS
from perceptag.reproduce.schedule import RunOutcomes
from perceptag.reproduce.tables import PaperTable
from perceptag.reproduce.views import NOTHING, ShownTable, view_table
from perceptag.system.plot import bars, dots

pytestmark = pytest.mark.browser
CUT = "boxes => boxes.filter(b => b.scrollWidth > b.clientWidth + 1).map(b => b.textContent.slice(0, 80))"
OUTSIDE = """drawings => drawings.flatMap(drawing => {
  const frame = drawing.getBoundingClientRect();
  const isOut = box => box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1;
  return [...drawing.querySelectorAll("text")].filter(t => isOut(t.getBoundingClientRect())).map(t => t.textContent);
})"""


def filled(table: PaperTable) -> ShownTable:
    """A table of a paper with figures in all its cells."""
    view = view_table(table, RunOutcomes())
    figures = [[row[0], *("88.88 (87.77–89.99)" if cell == NOTHING else cell for cell in row[1:])] for row in view.rows]
    return replace(view, rows=figures)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    tables = [table for paper in PAPERS.values() for table in paper.tables()]
    views = [filled(table) for table in tables] + [view_table(tables[0], RunOutcomes())]
    names = list(collins2002.NP)
    long = {f"{name}, a longer name of a row": (90.0, 91.0) for name in names}
    plots = [bars(names, [5.0] * len(names), title="t", x="x"), dots(long, ("paper", "ours"), title="t", x="x")]
    section = Section("all", "All", ["a departure"], views, [[]] * len(views), plots)
    nothing = ShownTable("", [], [], [])
    facts = {"data": "d", "kind of run": "k", "digest": "0123456789abcdef" * 8}
    path: Path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(page(ReportPage("Report", facts, nothing, nothing, [section], nothing)), encoding="utf-8")
    return path.as_uri()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_clipped_and_axe_finds_nothing(window: Any, address: str, scheme: str) -> None:
    opened = window(address, color_scheme=scheme)
    for width in (390, 640, 768, 1280, 1440):  # 640: 1280 at 200 %
        opened.set_viewport_size({"width": width, "height": 844})
        assert not opened.evaluate("document.documentElement.scrollWidth > innerWidth")
        assert opened.locator(".wide, figure").evaluate_all(CUT) == []
        assert opened.locator("svg").evaluate_all(OUTSIDE) == []
    assert violations(opened, runOnly=["wcag2a", "wcag2aa"]) == []


def test_a_table_without_figures_of_ours_is_folded(window: Any, address: str) -> None:
    opened = window(address)
    (folded,) = opened.locator("details:has(h3)").all()
    assert not folded.locator("table").is_visible()
    folded.locator("summary").first.click()
    assert folded.locator("table").is_visible()
