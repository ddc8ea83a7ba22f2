"""The view "Tag" in a browser: labels, why, alternatives, comparison, copies."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from perceptag import Tagger

pytestmark = pytest.mark.browser
TEXT = "Peter Blackburn flew to Harwick on Tuesday ."
Tag = Callable[..., Any]


def _words(page: Any) -> list[str]:
    found: list[str] = page.locator(".sentence .word").all_inner_texts()
    return found


def _hundredths(text: str) -> int:
    return int(text.replace("−", "-").replace("+", "").replace(".", ""))


def test_first_visit_shows_an_example_with_labels(watched: Any) -> None:
    page = watched.open()
    page.locator("[role=option]").first.wait_for()
    assert "Merkel" in _words(page)
    page.locator(".head-word", has_text="Paris").wait_for()
    page.locator(".reasons tfoot .difference").wait_for()  # and why this is a name
    page.locator("#w-0-0").click()
    page.locator("#text").press("End")
    page.locator("#text").press_sequentially(" Yes.")
    page.locator(".word", has_text="Yes").wait_for()
    assert page.locator(".head-word").inner_text() == "Angela"  # typing does not choose another word


def test_labels_are_those_of_the_tagger(tag: Tag, models: dict[str, str]) -> None:
    page = tag("names", TEXT)
    [labels] = Tagger.load(models["names"]).predict([TEXT.split()])
    spoken = [o.get_attribute("aria-label") for o in page.locator("[role=option]").all()]
    for word, label, said in zip(TEXT.split(), labels, spoken, strict=True):
        kind = label.partition("-")[2]
        assert said.startswith(word) and [name for name in ("PER", "LOC", "ORG") if name in said] == [kind] * bool(kind)
    assert page.locator(".bracket.first").count() == sum(label.startswith("B-") for label in labels) > 0


def test_typing_labels_the_new_text(tag: Tag) -> None:
    page = tag("guided", TEXT)
    page.locator("#text").fill("She slept .")
    page.locator(".word", has_text="slept").wait_for()
    assert _words(page) == ["She", "slept", "."]
    page.locator("#text").fill("")
    page.get_by_text("The labels appear here").wait_for()
    assert page.locator(".problem").count() == 0


def test_bars_add_up_to_the_margin(tag: Tag) -> None:
    for model in ("names", "guided"):
        page = tag(model, TEXT)
        for t in (0, 3, 4):
            page.locator(f"#w-0-{t}").click()
            page.locator(".head-word", has_text=TEXT.split()[t]).wait_for()
            page.locator(".why[aria-busy=false]").wait_for()
            exact = page.locator(".reasons tbody tr").evaluate_all("rows => rows.map(r => Number(r.dataset.value))")
            margin = page.locator(".reasons tfoot tr").evaluate("row => Number(row.dataset.margin)")
            assert sum(exact) == pytest.approx(margin, abs=1e-6)
            shown = page.locator(".reasons tbody .difference").all_inner_texts()
            assert sum(map(_hundredths, shown)) == _hundredths(page.locator(".reasons tfoot .difference").inner_text())


def test_alternatives_say_what_differs(tag: Tag, models: dict[str, str]) -> None:
    page = tag("names", TEXT)
    page.get_by_role("tab", name="Alternatives").click()
    page.locator(".ranking > li").nth(4).wait_for()
    [ranked] = Tagger.load(models["names"]).predict_nbest([TEXT.split()], n=5)
    assert page.locator(".ranking > li").first.inner_text().endswith("the labels that are shown")
    for item, (labels, score) in zip(page.locator(".ranking > li").all(), ranked, strict=True):
        assert f"{score:.2f}" in item.locator(".score").inner_text().replace("−", "-")
        changed = [word for word, a, b in zip(TEXT.split(), labels, ranked[0][0], strict=True) if a != b]
        assert item.locator(".changes button").all_inner_texts() == changed


def test_two_models_on_the_same_words(tag: Tag, models: dict[str, str]) -> None:
    words = ["Colourless", "green", "ideas", "sleep", "furiously", ",", "flew", "Harwick", "and", "duck", "."]
    page = tag("guided", " ".join(words))
    page.get_by_role("tab", name="Compare").click()
    page.get_by_label("Compare with").select_option(label="tags")
    mine, theirs = ([*Tagger.load(models[name]).predict([words])[0]] for name in ("guided", "tags"))
    places = [t for t, (a, b) in enumerate(zip(mine, theirs, strict=True)) if a != b]
    page.get_by_text(f"{len(places)} of {len(words)} words differ.").wait_for()
    assert page.locator(".compared tbody tr").count() == len(places) > 0
    assert page.locator(".note").first.inner_text() == f"≠ {theirs[places[0]]}"
    page.locator(".compared button").last.click()
    assert page.evaluate("document.activeElement.id") == f"w-0-{places[-1]}"


def test_what_if_the_label_were_another(tag: Tag, models: dict[str, str]) -> None:
    page = tag("names", TEXT)
    given = ["B-ORG", *[None] * 7]
    [expected] = Tagger.load(models["names"]).predict([TEXT.split()], given=[given])
    page.locator("#w-0-0").click()
    page.get_by_label("What if it were").select_option("B-ORG")
    page.get_by_role("button", name="Undo the change").wait_for()
    assert page.locator(".token.fixed .word").all_inner_texts() == ["Peter"]
    assert "ORG" in page.locator("#w-0-0").get_attribute("aria-label")
    assert ("ORG" in page.locator("#w-0-1").get_attribute("aria-label")) == expected[1].endswith("ORG")
    page.get_by_role("button", name="Undo the change").click()
    page.locator(".token.fixed").wait_for(state="detached")


def test_a_label_that_cannot_be_is_refused_in_words(tag: Tag, watched: Any) -> None:
    page = tag("names", TEXT)
    watched.allowed.append("422")
    page.locator("#w-0-2").click()
    page.get_by_label("What if it were").select_option("B-PER")
    page.locator("#w-0-2.fixed").wait_for()
    page.locator("#w-0-4").click()
    page.get_by_label("What if it were").select_option("I-ORG")
    page.locator("#w-0-4.fixed, .panel .problem").first.wait_for()
    page.locator("#w-0-3").click()
    page.get_by_label("What if it were").select_option("O")
    page.locator(".panel .problem", has_text="breaks").wait_for()
    assert "token" not in page.locator(".panel .problem").inner_text()  # the place is given once, as the page counts
    assert page.locator("#w-0-3.fixed").count() == 0
    assert page.get_by_label("What if it were").input_value() != "O"


def test_copies(tag: Tag, watched: Any, models: dict[str, str]) -> None:
    page = tag("guided", TEXT, permissions=["clipboard-read", "clipboard-write"])
    [labels] = Tagger.load(models["guided"]).predict([TEXT.split()])

    def copied(name: str) -> str:
        page.get_by_role("button", name=name).click()
        page.locator(".message", has_text=name.replace("Copy", "Copied")).wait_for()
        found: str = page.evaluate("navigator.clipboard.readText()")
        return found

    page.locator("#w-0-0").click()
    page.get_by_label("What if it were").select_option("NN")
    page.locator("#w-0-0.fixed").wait_for()
    assert labels[0] != "NN" and copied("Copy as CoNLL").startswith(f"Peter {labels[0]}\n")  # as `perceptag tag` does
    assert page.locator(".message").inner_text() == "Copied as CoNLL with the model's own labels."
    page.get_by_role("button", name="Undo the change").click()
    page.locator(".token.fixed").wait_for(state="detached")
    page.locator(".message span").evaluate("span => span.remove()")
    assert copied("Copy as CoNLL") == "".join(f"{w} {y}\n" for w, y in zip(TEXT.split(), labels, strict=True))
    assert json.loads(copied("Copy as JSON"))["sentences"][0]["labels"] == labels
    link = copied("Copy a link")
    again = watched.open(link.partition("/#")[2].join(["#", ""]))
    again.locator("[role=option]").first.wait_for()
    assert _words(again) == TEXT.split()
    assert not any("Blackburn" in url for url in watched.sent)  # the fragment is never sent


def test_files_are_opened_and_dropped(tag: Tag) -> None:
    page = tag("guided", TEXT)
    file = {"name": "a.txt", "mimeType": "text/plain", "buffer": b"It rains ."}
    page.locator("input[type=file]").set_input_files(file)
    page.locator(".word", has_text="rains").wait_for()
    columns = "It PRP\nsnows VBZ\n. .\n\nHe PRP\nsleeps VBZ\n. .\n"
    page.evaluate(
        """text => { const data = new DataTransfer(); data.items.add(new File([text], 'b.conll'));
           const drop = new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true});
           document.querySelector('.composer').dispatchEvent(drop); }""",
        columns,
    )
    page.locator(".word", has_text="snows").wait_for()
    assert _words(page) == ["It", "snows", ".", "He", "sleeps", "."]
    assert page.get_by_label("Columns", exact=True).is_checked()


def test_a_server_that_is_gone_is_said(tag: Tag, watched: Any) -> None:
    page = tag("guided", TEXT)
    page.locator(".why[aria-busy=false]").wait_for()
    watched.allowed += ["Failed to load resource", "ERR_INTERNET_DISCONNECTED"]
    page.context.set_offline(True)
    page.locator("#text").fill("Is anybody there ?")
    page.get_by_text("The server does not answer").wait_for()
    assert _words(page) == TEXT.split()  # the last labels, drawn as old
    assert page.locator(".result.old").count() == page.locator(".panel .reasons").count() == 1
    page.locator("#w-0-1").click()
    page.locator(".panel .problem").wait_for()
    page.context.set_offline(False)  # it asks again by itself
    page.locator(".word", has_text="anybody").wait_for()
    page.locator(".panel .problem").wait_for(state="detached")
    page.locator(".panel .reasons").wait_for()
    assert page.locator(".result.old").count() == page.get_by_text("The server does not answer").count() == 0
