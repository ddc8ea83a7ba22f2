"""The worked examples of the papers: their numbers can be worked out by hand, and they stay next to the code."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from markdown import Page
from papers.steps.show import CHANGED, CHOSEN, Cell, Step
from stepper_html import html_of

ROOT = Path(__file__).parents[2]
PAPERS = ROOT / "docs" / "papers"
PAGES = [PAPERS / f"{name}.md" for name in ("collins2002", "carreras2003", "kazama2007", "shen2007")]
EXAMPLES = [path.stem for path in sorted((PAPERS / "steps").glob("*_*.py")) if path.stem != "tiny_corpus"]


def steps_of(name: str) -> list[Step]:
    found: list[Step] = importlib.import_module(f"papers.steps.{name}").steps()
    return found


def said(step: Step) -> str:
    return " ".join(step.text)


def cells(step: Step, mark: str) -> list[object]:
    return [
        c.value for table in step.tables for row in table.rows for c in row if isinstance(c, Cell) and c.mark == mark
    ]


def test_every_example_is_on_a_page() -> None:
    shown = [name for page in PAGES for name in re.findall(r"^```\{stepper\} (\w+)$", page.read_text("utf-8"), re.M)]
    assert sorted(shown) == EXAMPLES


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_is_well_formed_html(name: str) -> None:
    steps = steps_of(name)
    tree = ElementTree.fromstring(html_of("An example", steps))
    items = tree.findall("./ol/li")
    assert len(items) == len(steps) > 4
    assert all(item.findtext("p", "").startswith(f"Step {k} of {len(steps)}: ") for k, item in enumerate(items, 1))


def test_viterbi_finds_the_path_that_is_behind_in_the_middle() -> None:
    *_, last = steps_of("collins_viterbi")
    assert cells(last, CHOSEN) == ["3", "6", "9"]
    assert "`D N V`" in said(last)


def test_the_perceptron_makes_four_mistakes() -> None:
    _, *visits, average, new = steps_of("collins_training")
    assert [bool(cells(step, CHANGED)) for step in visits] == [True] * 4 + [False] * 5
    assert "was 1, 0, 0, 1, 1, 1, 1, 1, 1; the sum is 7, the mean 7/9." in said(average)
    assert "both have 2 for “the bark”" in said(new)
    assert "17 to 14" in said(new)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_pseudo_code_is_tied_to_our_loop(page: Path) -> None:
    """What a page quotes as a line of our loop is in a function that it shows."""
    included = re.findall(
        r"^```\{literalinclude\} (\S+)\n:pyobject: (\S+)\n:language: python\n```$", page.read_text("utf-8"), re.M
    )
    shown = "\n".join(source(page.parent / path, name) for path, name in included)
    tables = Page(page).prose().split("| line | in our loop |")[1:]
    quoted = [span for table in tables for span in re.findall("`([^`]+)`", table.partition("\n\n")[0])]
    assert len(included) >= 2
    assert len(quoted) >= 5
    assert not [span for span in quoted if span not in shown]


def source(path: Path, name: str) -> str:
    code = path.read_text("utf-8")
    (found,) = (n for n in ast.parse(code).body if isinstance(n, ast.FunctionDef) and n.name == name)
    return ast.get_source_segment(code, found) or ""
