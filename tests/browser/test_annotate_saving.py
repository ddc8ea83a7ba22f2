"""Nothing that somebody has decided is lost: offline, in two tabs, loaded again, with a server that is killed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from annotating import LABELS, Workbench, gold, write_words
from annotating_page import accept, clear, fetched_ahead, focused, go_to, number_of, press, saved, spoken

pytestmark = pytest.mark.browser
Annotate = Callable[..., Any]
SENTENCES = 50  # as many as the server offers at once
NO_CONNECTION = ["Failed to load resource", "net::ERR_"]  # how a request ends depends on what the socket did last


@pytest.fixture(scope="module")
def mortal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """A server that may be killed; nothing learns from its project."""
    folder = tmp_path_factory.mktemp("mortal")
    words = write_words(folder / "words.txt", [words for words, _ in gold()[:SENTENCES]])
    options = ["--import", str(words), "--columns", "form", "--labels", ",".join(LABELS)]
    people = ["--annotator", "boss:admin", "--annotator", "ben"]
    found = Workbench(folder / "mortal.ptag", *options, *people, learns=False)
    yield found
    found.stop()


def _revisions(workbench: Workbench, number: int) -> list[dict[str, Any]]:
    found = workbench.call(f"/history?sentence={number}")["revisions"]
    return [one for one in found if one["kind"] == "label"]


def test_what_is_labelled_offline_is_saved_once(annotate: Annotate, eyes: Any, mortal: Workbench) -> None:
    page = annotate(on=mortal)
    eyes.allowed += NO_CONNECTION
    fetched_ahead(page)
    page.context.set_offline(True)
    numbers = []
    for key in ("1", "2", "3"):
        focused(page)
        clear(page)
        press(page, key)
        numbers.append(accept(page))
    page.locator(".saving[data-state=unsaved]", has_text="3 edits not saved").wait_for()
    assert [mortal.labels_of(number) for number in numbers] == [None] * 3
    page.context.set_offline(False)
    saved(page)
    for number, label in zip(numbers, LABELS, strict=False):
        [revision] = _revisions(mortal, number)
        assert revision["labels"][0] == f"B-{label}"


def test_offline_edits_survive_the_page(annotate: Annotate, eyes: Any, mortal: Workbench) -> None:
    page = annotate(on=mortal)
    eyes.allowed += NO_CONNECTION
    fetched_ahead(page)
    page.route("**/labels", lambda route: route.abort())
    clear(page)
    press(page, "4")
    number = accept(page)
    page.locator(".saving[data-state=unsaved]").wait_for()
    page.unroute("**/labels")
    page.goto(mortal.address + mortal.fragment())
    page.reload()
    page.locator("#w-a-0").wait_for()
    saved(page)
    [revision] = _revisions(mortal, number)
    assert revision["labels"][0] == "B-MISC"


def test_the_same_sentence_in_two_tabs_is_shown_and_nothing_is_lost(
    annotate: Annotate, eyes: Any, workbench: Workbench
) -> None:
    eyes.allowed.append("409")
    first = annotate(who="anna")
    number = number_of(first)
    second = eyes.open(workbench.fragment("ben"), workbench.address)
    second.locator("#w-a-0").wait_for()
    go_to(second, number)
    for page, key in ((first, "1"), (second, "2")):
        focused(page)
        clear(page)
        press(page, key)
    accept(first)
    saved(first)
    accept(second)
    conflict = second.locator(".conflict")
    conflict.wait_for()
    assert "anna" in conflict.inner_text()
    assert conflict.locator(".chip small").all_inner_texts() == ["ORG", "PER"]  # both, side by side
    assert workbench.labels_of(number)[0] == "B-PER"  # type: ignore[index]
    second.reload()
    conflict.wait_for()  # it is still there
    second.get_by_role("button", name="Keep mine").click()
    conflict.wait_for(state="detached")
    saved(second)
    assert workbench.labels_of(number)[0] == "B-ORG"  # type: ignore[index]
    assert [one["who"] for one in _revisions(workbench, number)] == ["ben", "anna"]  # nothing is lost


def test_reload_in_the_middle_of_an_edit(annotate: Annotate) -> None:
    page = annotate()
    number = number_of(page)
    clear(page)
    press(page, "Shift+ArrowRight", "3")
    before = spoken(page)
    page.reload()
    page.locator(".hint", has_text="Your edit was kept").wait_for()
    assert number_of(page) == number
    assert spoken(page) == before
    focused(page)
    assert page.locator(".in-front .bracket.first").count() == 1
    press(page, "Control+z")
    page.locator(".in-front .bracket.first").wait_for(state="detached")


def test_server_is_killed_between_keystrokes(annotate: Annotate, eyes: Any, mortal: Workbench) -> None:
    page = annotate(on=mortal)
    eyes.allowed += NO_CONNECTION
    acknowledged = []
    for key in ("1", "2"):
        focused(page)
        clear(page)
        press(page, key)
        acknowledged.append(accept(page))
    saved(page)
    focused(page)
    press(page, "Home", "Shift+End", "0")
    mortal.kill()
    press(page, "Home", "3")
    late = accept(page)
    page.locator(".saving[data-state=unsaved]").wait_for()
    mortal.start()
    saved(page)
    found = [mortal.labels_of(number)[0] for number in [*acknowledged, late]]  # type: ignore[index]
    assert found == ["B-PER", "B-ORG", "B-LOC"]
    assert len(_revisions(mortal, late)) == 1
    accept(page)  # and it goes on
    saved(page)
    page.locator(".saving", has_text="All saved.").wait_for()


def test_the_next_sentence_comes_when_the_server_is_there_again(
    annotate: Annotate, eyes: Any, mortal: Workbench
) -> None:
    """Also if everything that was fetched before is labelled, and no sentence is in front."""
    page = annotate(on=mortal)
    eyes.allowed += NO_CONNECTION
    fetched_ahead(page)
    mortal.kill()
    moved = "old => location.href !== old || !document.querySelector('.in-front')"
    while page.locator(".in-front").count():
        before = page.evaluate("location.href")
        press(page, "Enter")
        page.wait_for_function(moved, arg=before)
    mortal.start()
    saved(page)
    page.locator(".in-front").wait_for()
    accept(page)


def test_who_opens_a_sentence_that_somebody_labels_is_told(annotate: Annotate, workbench: Workbench) -> None:
    first, second = annotate(who="anna"), annotate(who="ben")
    number = number_of(first)
    assert first.locator(".also-here").count() == 0
    go_to(second, number)
    second.locator(".also-here", has_text="anna has this sentence").wait_for()
    first.locator(".also-here", has_text="ben has this sentence").wait_for()
    accept(second)
    first.locator(".also-here").wait_for(state="detached")


def test_a_link_that_is_not_valid_is_explained_to_people(eyes: Any, workbench: Workbench) -> None:
    eyes.allowed.append("401")
    page = eyes.open("#token=" + "x" * 43, workbench.address)
    page.locator(".problem", has_text="Open the link that you were given again").wait_for()
    assert "Bearer" not in page.locator("main").inner_text()


def test_refused_edits_say_why_and_stay(annotate: Annotate, eyes: Any) -> None:
    eyes.allowed.append("422")
    page = annotate()
    number = number_of(page)
    problem = {"status": 422, "detail": "labels: expected something else"}
    page.route("**/labels", lambda route: route.fulfill(status=422, json=problem))
    clear(page)
    press(page, "1")
    accept(page)
    page.locator(".conflict", has_text="labels: expected something else").wait_for()
    page.unroute("**/labels")
    page.get_by_role("button", name="Try again").click()
    page.locator(".conflict").wait_for(state="detached")
    saved(page)
    assert number != number_of(page)


def test_edits_are_sent_again_when_the_disk_of_the_server_is_not_full_any_more(annotate: Annotate, eyes: Any) -> None:
    eyes.allowed.append("507")
    page = annotate()
    number = number_of(page)
    problem = {"status": 507, "detail": "the server cannot write to its disk, so nothing was saved"}
    page.route("**/labels", lambda route: route.fulfill(status=507, json=problem))
    clear(page)
    press(page, "1")
    accept(page)
    page.locator(".saving[data-state=unsaved]").wait_for()
    assert not page.locator(".conflict").count()  # there is nothing to decide
    page.unroute("**/labels")
    saved(page)
    assert number != number_of(page)


def test_who_may_only_read_cannot_change(workbench: Workbench, eyes: Any) -> None:
    page = eyes.open(workbench.fragment("cleo"), workbench.address)
    page.get_by_text("You can read this project").wait_for()
    page.evaluate("location.hash = 'annotate?sentence=1'")
    page.locator("#w-a-0").wait_for()
    before = workbench.call("/sentences/1")
    press(page, "1", "s", "f", "Enter")
    page.get_by_text("You can read this project").wait_for()
    assert page.locator(".label-bar, .actions").count() == 0
    hints = page.locator(".key-hints").inner_text()
    assert "word" in hints and "border" not in hints and "best labellings" not in hints
    assert page.locator(".best .take, .next-field").count() == 0
    assert workbench.call("/sentences/1") == before
