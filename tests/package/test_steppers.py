"""The worked examples of the papers: their numbers can be worked out by hand, and they stay next to the code."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from markdown import Page
from papers.steps.show import CHANGED, CHOSEN, Cell, Step, Table, number, sum_of
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


def test_what_an_example_says_is_escaped() -> None:
    table = Table("a < b", ["", "<i>"], [["&", Cell("<b>", CHANGED, "+1")]])
    html = html_of('say "x"', [Step("1 < 2", ["`a<b` and **c**"], [table])])
    assert 'aria-label="say &quot;x&quot;"' in html
    assert "<p><code>a&lt;b</code> and <strong>c</strong></p>" in html
    assert '<td class="changed">&lt;b&gt; <small>+1</small></td>' in html
    assert "<td></td><th scope=" in html  # a header without a name is not a header


def test_tables_and_numbers_are_checked() -> None:
    with pytest.raises(ValueError, match="x: expected 2 cells in each row, found 1"):
        Table("x", ["a", "b"], [["only"]])
    with pytest.raises(ValueError, match=r"expected a whole number, found 0\.5"):
        number(0.5)
    assert sum_of([-1, 2, -3]) == "−1 + 2 − 3"


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


def test_the_chunker_blames_filters_first_then_scorers() -> None:
    steps = steps_of("carreras_feedback")
    moved = [{str(row[0]) for row in s.tables[0].rows} for s in steps if s.title.endswith("feedback")]
    assert moved == [{"begin", "inside"}, {"PER", "LOC"}, {"begin", "PER", "LOC"}, {"PER", "LOC"}]
    assert "This is gold" in said(steps[-1])
    assert cells(steps[-1], CHOSEN) == ["4", "1"]


def test_the_margin_perceptron_continues_until_the_leads_are_large() -> None:
    _, *visits = steps_of("kazama_margin")
    assert [bool(cells(step, CHANGED)) for step in visits] == [True, False, True, True, False, False, False]
    assert [re.findall(r"leads by (\d)", said(step)) for step in visits[-3:]] == [["4"], ["2"], ["4"]]


def test_both_parts_of_the_algorithm_act_and_a_candidate_overtakes() -> None:
    _, *visits, new = steps_of("kazama_nonlocal")
    acting = ["".join(re.findall(r"\*\*\((A|B)\)\*\*", said(step))) for step in visits]
    assert acting == ["A", "A", "A", "", "", "B", "", "", ""]
    first, second = new.tables[0].rows
    assert [c.value if isinstance(c, Cell) else c for c in first] == ["L P", "3", "−2", "1", ""]
    assert [c.value if isinstance(c, Cell) else c for c in second] == ["L L", "1", "+2", "3", ""]


def test_the_search_starts_where_it_is_easy() -> None:
    _, *actions = steps_of("shen_search")
    assert [re.findall("“(.+)”", step.title)[0] for step in actions] == [
        "book", "interesting", "found", "that", "Agatha",
    ]  # fmt: skip
    assert [row[0] for row in actions[-1].tables[-1].rows] == ["NNP VBD DT NN JJ", "NN VBD DT NN JJ"]


def test_the_order_is_learned() -> None:
    _, *turns, _ = steps_of("shen_learning")
    assert sum("is wrong" in said(step) for step in turns) == 6
    accepted = [said(step).split("`")[1] for step in turns if step.title.startswith("Pass 3")]
    assert accepted == ["book/N", "that/D", "he/P", "that/C"]


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
