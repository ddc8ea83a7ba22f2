"""Rules in a browser: as layers of the view "Tag", and as proposals of a project."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from annotating import Workbench, write_words
from perceptag import Pipeline, Rules, Tagger
from rule_toys import PARIS
from serving import serving

pytestmark = pytest.mark.browser
RULES = """
column = "found"

[[rule]]
name = "price"
label = "PRICE"
tokens = '"$" [digit]'
"""
PROPOSED = PARIS.replace("ner", "label") + RULES.replace('column = "found"', "")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    words = [["in", "Paris", "now"], ["Ann", "met", "Bob"]]
    tagger = Tagger("basic-ner", epochs=3, labels_column="ner").fit(
        words, [["O", "B-LOC", "O"], ["B-PER", "O", "B-PER"]]
    )
    path = tmp_path_factory.mktemp("ruled") / "ruled.pipeline"
    Pipeline([Rules.parse(RULES), tagger, Rules.parse(PARIS)]).save(path)
    with serving({"ruled": str(path)}) as found:
        yield found


@pytest.fixture(scope="module")
def ruled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder = tmp_path_factory.mktemp("project")
    (folder / "my.toml").write_text(PROPOSED, encoding="utf-8")
    words = write_words(folder / "words.txt", [["to", "Paris", "for", "$", "5"]])
    options = ["--import", str(words), "--columns", "form", "--labels", "PER,PRICE", "--rules", str(folder / "my.toml")]
    found = Workbench(folder / "ruled.ptag", *options, "--annotator", "boss:admin", learns=False)
    yield found
    found.stop()


def test_a_layer_of_rules_says_which_rule(tag: Callable[..., Any]) -> None:
    page = tag("ruled", "in Paris for $ 5", layer="found")
    page.locator("#w-0-3").click()
    page.locator(".panel .lead", has_text="Because rule price forces PRICE.").wait_for()
    assert page.locator(".bracket", has_text="PRICE").count() == 1


def test_rules_propose_and_are_named(annotate: Callable[..., Any], ruled: Workbench) -> None:
    page = annotate(on=ruled)
    assert page.locator(".front .bracket.first").count() == 2
    page.locator("#w-a-1").click()
    page.keyboard.press("e")
    page.locator(".panel .rule", has_text="Rule ships says PER.").wait_for()
