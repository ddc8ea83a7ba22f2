"""Two people label the same sentences, and a third decides where they disagree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from annotating import LABELS, Workbench, gold, write_words
from annotating_page import accept, clear, focused, number_of, press, saved

pytestmark = pytest.mark.browser
Annotate = Callable[..., Any]
READ = 4  # sentences that both have labelled


@pytest.fixture(scope="module")
def contested(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """Anna gives the first word of each sentence PER, Ben gives it LOC."""
    folder = tmp_path_factory.mktemp("contested")
    words = write_words(folder / "words.txt", [words for words, _ in gold()[:30]])
    options = ["--import", str(words), "--columns", "form", "--labels", ",".join(LABELS)]
    people = ["--annotator", "boss:admin", "--annotator", "anna", "--annotator", "ben"]
    found = Workbench(folder / "contested.ptag", *options, *people)
    for number in range(1, READ + 1):
        for who, label in (("anna", "PER"), ("ben", "LOC")):
            item = found.call(f"/sentences/{number}")
            labels = [f"B-{label}", *["O"] * (len(item["tokens"]) - 1)]
            body = {"labels": labels, "base_revision": item["revision"], "key": f"{who}-reads-{number}"}
            found.call(f"/sentences/{number}/labels", body | {"reading": who == "ben"}, "PUT", who)
    yield found
    found.stop()


def _cards(page: Any, count: int) -> None:
    page.wait_for_function("n => document.querySelectorAll('li.issue').length === n", arg=count)


def test_sides_are_taken_by_keys_undone_and_labelled_otherwise(annotate: Annotate, contested: Workbench) -> None:
    page = annotate("adjudicate", on=contested)
    _cards(page, READ)
    card = page.locator("li.issue").first
    assert card.locator("h2").all_inner_texts() == ["anna", "ben"]
    assert card.locator(".chip small").all_inner_texts() == ["PER", "LOC"]
    card.focus()
    press(page, "2")
    _cards(page, READ - 1)
    page.locator("li.issue:focus").wait_for()  # the next one
    press(page, "1")
    _cards(page, READ - 2)
    assert [contested.labels_of(n)[0] for n in (1, 2)] == ["B-LOC", "B-PER"]  # type: ignore[index]
    page.locator("li.issue:focus").wait_for()
    press(page, "Control+z")
    _cards(page, READ - 1)
    page.locator("li.issue").first.focus()
    press(page, "Enter")  # neither is right
    page.locator(".facts", has_text="Sentence 2").wait_for()
    page.locator(".facts", has_text="what you accept is the decision").wait_for()
    clear(page)
    press(page, "2", "Enter")
    page.get_by_role("heading", level=1, name="Adjudicate").wait_for()
    _cards(page, READ - 2)
    assert contested.labels_of(2)[0] == "B-ORG"  # type: ignore[index]
    page.get_by_role("button", name="Decided (2)").click()
    _cards(page, 2)
    page.locator("li.issue h2", has_text="decided by boss").first.wait_for()
    page.locator(".agreement-tables", has_text="after decisions").wait_for()
    assert contested.call("/disagreements")["agreement"]["with_decided"][1]["who"] == "ben"


def test_who_may_not_decide_sees_no_buttons(annotate: Annotate, contested: Workbench) -> None:
    page = annotate("adjudicate", on=contested, who="ben")
    page.get_by_text("Admins decide").wait_for()
    page.locator("li.issue").first.wait_for()
    assert page.get_by_role("button", name="Take this").count() == 0
    before = page.locator("li.issue").count()
    page.locator("li.issue").first.focus()
    press(page, "1", "ArrowDown")
    assert page.locator("li.issue").count() == before


def test_the_sentence_before_and_one_by_its_number(annotate: Annotate, contested: Workbench) -> None:
    page = annotate(on=contested, who="anna")
    focused(page)
    first = accept(page)
    second = number_of(page)
    press(page, ",")
    page.locator(".facts", has_text=f"Sentence {first} ").wait_for()
    focused(page)
    press(page, "Enter")  # nothing was changed: it goes back to where it was
    page.locator(".facts", has_text=f"Sentence {second} ").wait_for()
    press(page, "#")
    page.locator("dialog input:focus").wait_for()
    page.keyboard.type("99")
    press(page, "Enter")
    page.locator("dialog", has_text="the numbers 1 to 30").wait_for()
    page.locator("dialog input").fill("17")
    press(page, "Enter")
    page.locator(".facts", has_text="Sentence 17 ").wait_for()
    saved(page)


def test_proposals_are_dashed_until_they_are_accepted(annotate: Annotate, contested: Workbench) -> None:
    page = annotate(on=contested)
    focused(page)
    clear(page)
    press(page, "3")
    page.locator(".in-front .bracket.first").wait_for()
    assert page.locator(".in-front .bracket.proposed").count() == 0  # it is one's own
    proposed = [n for n in range(READ + 1, 31) if (found := _proposal(contested, n)) and any("B-" in x for x in found)]
    page.evaluate("n => { location.hash = 'annotate?sentence=' + n; }", proposed[0])
    page.locator(".in-front .bracket.proposed").first.wait_for()
    page.locator(".you", has_text="boss").wait_for()


def _proposal(workbench: Workbench, number: int) -> list[str] | None:
    item = workbench.call(f"/sentences/{number}")
    found: list[str] | None = item["proposal"]["labels"] if item["proposal"] and not item["labels"] else None
    return found
