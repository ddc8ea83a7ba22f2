"""Pictures of the views of a project."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from annotating import LABELS, Workbench, gold, write_labelled
from annotating_page import go_to, press

LABELLED = 200
PATIENCE = 180_000  # milliseconds
PHONE = {"width": 390, "height": 844}
WINDOW = {"width": 1280, "height": 800}
SPOILT = 9  # in one of so many sentences people are called places


def proposal(page: Any) -> None:
    """A sentence with its proposal."""
    page.locator(".best .take").nth(1).wait_for()


GUIDELINES = """## What to label

Names of **particular** people, organisations and places. Leave out titles (*Mr*, *President*) and articles.

| if it is | it gets |
|---|---|
| a team | ORG, even if it has the name of a town |
| a street, a river | LOC |

1. First decide whether it is a name.
2. Then mark *all* of its words.

> In doubt, flag the sentence with `f` and go on.
"""
MEANINGS = {
    "PER": {"description": "a person, real or not", "examples": ["Mr **Jones** left", "**Ada Lovelace** wrote it"]},
    "ORG": {"description": "a company, team, party or office", "examples": ["**Houston Astros** won"]},
    "LOC": {"description": "a place on the map", "examples": ["rain in **New York**"]},
    "MISC": {"description": "other names: nationalities, events, works", "examples": ["a **German** rival"]},
}


def guidelines(page: Any) -> None:
    """How to label, next to the sentence."""
    press(page, "g")
    page.locator(".label-meanings").wait_for()


def turn_to(view: str, wanted: str) -> Callable[[Any], None]:
    """Another view, once it shows something."""

    def act(page: Any) -> None:
        page.evaluate("view => { location.hash = view; }", view)
        page.locator(wanted).first.wait_for()

    return act


# name of the file, what is done, window, scheme
PICTURES: list[tuple[str, Callable[[Any], None], dict[str, int], str]] = [
    ("annotate", proposal, WINDOW, "light"),
    ("annotate-guidelines", guidelines, WINDOW, "light"),
    ("annotate-sentences", turn_to("sentences", ".row .chip"), WINDOW, "dark"),
    ("annotate-progress", turn_to("progress", ".chart"), {"width": 1280, "height": 1000}, "light"),
    ("annotate-phone", proposal, PHONE, "dark"),
]


def project(folder: Path) -> Workbench:
    """A project with labels, some of them wrong, and unlabelled sentences."""
    spoilt = [
        (words, [label.replace("PER", "LOC") for label in labels] if i % SPOILT == 0 else labels)
        for i, (words, labels) in enumerate(gold()[:LABELLED])
    ]
    path = write_labelled(folder / "labelled.txt", spoilt)
    options = ["--import", str(path), "--columns", "form,ner", "--label", "ner", "--labels", ",".join(LABELS)]
    found = Workbench(folder / "news.ptag", *options, "--annotator", "boss:admin", "--annotator", "ben")
    found.import_words([words for words, _ in gold()[LABELLED:]])
    return found


def take_pictures(browser: Any, folder: Path, save: Callable[[Any, Path], None]) -> None:
    """Take all pictures."""
    with tempfile.TemporaryDirectory() as data:
        workbench = project(Path(data))
        workbench.call("/guidelines", {"text": GUIDELINES, "labels": MEANINGS, "base_version": 0}, "PUT")
        while not workbench.call("/progress")["curve"]:
            time.sleep(1)
        for name, act, window, scheme in PICTURES:
            phone = {"has_touch": True, "is_mobile": True} if window is PHONE else {}
            context = browser.new_context(viewport=window, device_scale_factor=1.5, color_scheme=scheme, **phone)
            context.set_default_timeout(PATIENCE)
            page = context.new_page()
            page.goto(workbench.address + workbench.fragment())
            page.locator("#w-a-0").wait_for()
            go_to(page, 268)
            act(page)
            save(page, folder / f"{name}.webp")
            context.close()
        workbench.stop()
