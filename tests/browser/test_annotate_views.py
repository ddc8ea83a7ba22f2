"""The views "Sentences" and "Progress"."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from annotating import LABELS, Workbench, gold, write_labelled
from annotating_page import focused, press
from waiting import wait_until

pytestmark = pytest.mark.browser
Annotate = Callable[..., Any]
LABELLED = 220
SPOILT = 7  # one sentence in so many has PER and LOC exchanged


def _spoil(label: str) -> str:
    return label.replace("PER", "?").replace("LOC", "PER").replace("?", "LOC")


@pytest.fixture(scope="module")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """A project with labels, some of them wrong."""
    folder = tmp_path_factory.mktemp("labelled")
    spoilt = [
        (words, [_spoil(label) for label in labels] if i % SPOILT == 0 else labels)
        for i, (words, labels) in enumerate(gold()[:LABELLED])
    ]
    path = write_labelled(folder / "labelled.txt", spoilt)
    options = ["--import", str(path), "--columns", "form,ner", "--label", "ner", "--labels", ",".join(LABELS)]
    found = Workbench(folder / "labelled.ptag", *options, "--annotator", "boss:admin", "--annotator", "ben")
    found.import_words([words for words, _ in gold()[LABELLED:]])
    found.wait_until_calibrated()
    yield found
    found.stop()


def _filter(page: Any, name: str, value: str) -> None:
    page.locator(".filters select").nth(("Status", "Label", "Order").index(name)).select_option(value)


def _hundred_thousand(route: Any) -> None:
    """Answer as a large project would."""
    query = dict(pair.split("=") for pair in route.request.url.partition("?")[2].split("&"))
    first, count = int(query.get("offset", 0)), int(query.get("limit", 100))
    item = {"revision": 0, "source": 1, "document": 0, "columns": {}, "labels": None, "draft": None, "status": "new"}
    item |= {"flagged": False, "comments": 0, "who": None, "proposal": None, "why": {"kind": "asked"}}
    rows = [{**item, "id": n + 1, "tokens": ["sentence", f"number{n + 1}"]} for n in range(first, first + count)]
    route.fulfill(json={"total": 100_000, "sentences": rows})


def test_a_hundred_thousand_sentences_scroll(annotate: Annotate, workbench: Workbench) -> None:
    page = annotate()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/sentences?" in request.url else None)
    page.route("**/v1/project/sentences?*", _hundred_thousand)
    page.evaluate("location.hash = 'sentences'")
    page.get_by_text("100,000 sentences").wait_for()
    page.locator(".row", has_text="number1").first.focus()
    press(page, "End")
    page.locator(".row:focus", has_text="number100000").wait_for()
    page.locator(".virtual").evaluate("box => { box.scrollTop = 50_000 * 56; }")
    page.locator(".row", has_text="number50001").wait_for()
    assert page.locator(".row").count() < 60  # only those in sight
    assert len(asked) < 8  # and only those were asked for


def test_sentences_are_filtered_and_opened(annotate: Annotate, labelled: Workbench) -> None:
    page = annotate("sentences", on=labelled)
    count = labelled.call("/sentences")["total"]
    assert count >= len(gold())  # another test may have imported more
    page.get_by_text(f"{count} sentences", exact=True).wait_for()
    _filter(page, "Status", "new")
    page.get_by_text(f"{count - LABELLED} sentences", exact=True).wait_for()
    _filter(page, "Status", "labelled")
    _filter(page, "Label", "MISC")
    total = labelled.call("/sentences?label=MISC&status=labelled")["total"]
    page.get_by_text(f"{total} sentences", exact=True).wait_for()
    _filter(page, "Label", "")
    _filter(page, "Status", "draft")
    page.get_by_text("0 sentences", exact=True).wait_for()
    _filter(page, "Status", "new")
    with page.expect_response(lambda reply: "doubtful=" in reply.url) as reply:
        page.get_by_role("checkbox", name="model in doubt").check()
    total = reply.value.json()["total"]
    page.get_by_text(f"{total} sentence", exact=False).first.wait_for()
    assert 0 < total < count - LABELLED
    page.get_by_role("checkbox", name="model in doubt").uncheck()
    word = gold()[30][0][0]
    page.get_by_role("textbox", name="Words").fill(word)
    _filter(page, "Status", "labelled")  # chosen before the words are searched, it stays chosen
    total = labelled.call(f"/sentences?q={word}&status=labelled")["total"]
    page.get_by_text(f"{total} sentence", exact=False).first.wait_for()
    page.locator(".row").first.filter(has_text=word).wait_for()  # until then the rows are those of the old words
    page.locator(".row").first.focus()
    press(page, "Enter")
    focused(page)
    page.locator(".in-front").filter(has_text=word).wait_for()


Figures = tuple[str, list[str], list[str], int]


def _shown_progress(page: Any) -> Figures:
    quality, correction = (" ".join(page.locator(part).inner_text().split()) for part in (".quality", ".correction"))
    between = re.findall(r"between \S+ and \S+", quality)[:1]
    alone = re.findall(r"those models alone reach \S+", correction)
    points = page.get_by_role("img", name="Learning curve").locator("circle.dot:not(.expected)")
    return page.locator(".figure b").inner_text(), between, alone, points.count()


def _known_progress(workbench: Workbench) -> Figures:
    """What the page should show soon: estimates are made again in quiet moments."""
    found = workbench.call("/progress")
    estimate = found["estimate"]
    between = f"between {estimate['low']:.1f} and {estimate['high']:.1f}"
    alone = f"those models alone reach {estimate['raw']['score']:.1f}"
    return f"{estimate['score']:.1f}", [between], [alone], len(found["curve"]["points"])


def test_progress(annotate: Annotate, labelled: Workbench) -> None:
    page = annotate("progress", on=labelled)
    page.locator(".figure b").wait_for()
    page.get_by_role("img", name="Learning curve").wait_for()
    page.locator(".correction").wait_for()
    wait_until(lambda: _shown_progress(page) == _known_progress(labelled), "the figures of the server")
    page.get_by_text("The next 100 sentences").wait_for()
    for heading in (
        "How good is the model?",
        "Is it worth labelling more?",
        "Do people agree?",
    ):
        page.get_by_role("heading", name=heading).wait_for()
    with page.expect_download() as file:
        page.get_by_role("button", name="JSON lines").click()
    lines = Path(file.value.path()).read_text(encoding="utf-8").splitlines()
    assert len(lines) == LABELLED
    assert json.loads(lines[0])["tokens"] == gold()[0][0]
    with page.expect_download() as file:
        page.get_by_role("button", name="The model", exact=True).click()
    assert Path(file.value.path()).stat().st_size > 1_000


def test_import_from_the_page(annotate: Annotate, labelled: Workbench) -> None:
    page = annotate("progress", on=labelled)
    page.get_by_label("File").set_input_files(
        {"name": "more.txt", "mimeType": "text/plain", "buffer": b"A\nnew\nsentence\n\nAnother\none\n"}
    )
    page.get_by_label("Format").select_option("columns")
    page.get_by_role("textbox", name="Columns").fill("form")
    page.get_by_role("button", name="Import").click()
    page.get_by_text("2 sentences imported").wait_for()
    assert labelled.call("/sentences?q=Another")["sentences"][-1]["tokens"] == ["Another", "one"]
