"""Pipelines with several layers, column files, and models that read more than words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from command_line import run

pytestmark = pytest.mark.browser
TEXT = "Angela Merkel didn't visit Paris. She stayed in Berlin."
CONLLU = """# text = It rains.
1\tIt\tit\tPRON\tPRP\t_\t2\tnsubj\t_\t_
2-3\trains.\t_\t_\t_\t_\t_\t_\t_\t_
2\trains\train\tVERB\tVBZ\t_\t0\troot\t_\t_
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

"""
Tag = Callable[..., Any]


@pytest.fixture
def english(tag: Tag, models: dict[str, str]) -> Any:
    if "en" not in models:
        pytest.skip("perceptag-en is not installed")
    return tag("en", TEXT, permissions=["clipboard-read", "clipboard-write"])


def test_all_layers_of_a_pipeline(english: Any) -> None:
    page = english
    assert page.locator("#w-0-0 .tag").all_inner_texts() == ["PROPN", "NNP"]
    assert page.locator(".bracket.first .name").first.inner_text().startswith("PER")
    assert page.locator(".token.inside").count() == 4
    page.get_by_label("show all").uncheck()
    page.locator(".tag").first.wait_for(state="detached")
    page.get_by_text("xpos", exact=True).click()
    page.locator(".tag.active", has_text="NNP").first.wait_for()
    page.locator("#w-0-0").click()
    page.locator(".why[aria-busy=false] thead", has_text="NNP").wait_for()
    assert page.locator(".bracket").count() == 0


def test_columns_are_copied_as_the_command_writes_them(english: Any) -> None:
    english.get_by_role("button", name="Copy as CoNLL").click()
    english.locator(".message", has_text="Copied").wait_for()
    written = run("tag", "--model", "en", stdin=TEXT.encode())
    assert english.evaluate("navigator.clipboard.readText()").rstrip("\n") == written.out.rstrip("\n")


def test_a_model_that_reads_columns(tag: Tag) -> None:
    page = tag("guided", "a b")
    page.locator("#text").fill("Peter NNP\nsleeps VBZ\n. .\n")
    page.locator("#model").select_option("chunks")
    assert page.get_by_label("Columns", exact=True).is_checked()
    assert page.get_by_label("Names of the columns").input_value() == "form pos"
    page.locator(".bracket .name", has_text="NP").first.wait_for()
    page.locator("#w-0-1").click()
    page.locator(".why[aria-busy=false] .reasons", has_text="the word is tagged VBZ").wait_for()


def test_missing_columns_are_named(tag: Tag, watched: Any) -> None:
    page = tag("guided", "a b")
    watched.allowed.append("422")
    page.locator("#text").fill("Peter NNP\nsleeps VBZ\n")
    page.locator("#model").select_option("chunks")
    page.get_by_label("Names of the columns").fill("form -")
    page.locator(".result .problem", has_text="expected rows with the columns form, pos").wait_for()


def test_conllu_files(tag: Tag) -> None:
    page = tag("guided", "a b")
    file = {"name": "a.conllu", "mimeType": "text/plain", "buffer": CONLLU.encode()}
    page.locator("input[type=file]").set_input_files(file)
    page.locator(".word", has_text="rains").wait_for()
    assert page.locator(".sentence .word").all_inner_texts() == ["It", "rains", "."]
    assert page.get_by_label("Names of the columns").input_value() == "form - upos xpos"
