"""Pictures of the page for the documentation: python tests/browser/screenshots.py FOLDER."""

from __future__ import annotations

import base64
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import sync_playwright
from screenshots_annotate import take_pictures

from serving import browser_path, serving, train_models

LARGEST = 150_000  # bytes
PATIENCE = 180_000  # milliseconds
ARTICLE = (
    "Angela Merkel didn't visit Paris last spring. She stayed in Berlin, where Siemens opened a new office. "
    "Friends of Marie Curie met in Warsaw."
)
REPORT = (
    "Voters in Harwick elected Denise Carlow, a retired nurse, as their first woman mayor on Thursday. Carlow "
    "beat Roger Aldermoor, who had held the office for sixteen years.\n\n"
    "She promised cheaper buses and a new look at the contract with Northern Rail. Her first guest will be "
    "Angela Merkel, who flies to London from Berlin. Siemens, which builds trains in Munich, did not comment.\n\n"
    "The result was close. Aldermoor asked for a recount, and the Harwick Town Council must decide within five "
    "days. The BBC in London called it a surprise; Carlow called it a start."
)
GARDEN_PATH = "The old man the boats near the harbour."
DUCK = "I saw her duck. Time flies like an arrow; fruit flies like a banana."
PHONE = {"width": 390, "height": 844}
WINDOW = {"width": 1280, "height": 800}


def why(page: Any) -> None:
    """Why a name is one."""
    page.locator(".word", has_text="Paris").first.click()
    page.locator(".head-word", has_text="Paris").wait_for()
    page.locator(".why[aria-busy=false] tfoot").wait_for()


def alternatives(page: Any) -> None:
    """The n best labellings."""
    page.locator(".word", has_text="Siemens").click()
    page.get_by_role("tab", name="Alternatives").click()
    page.locator(".ranking > li").nth(4).wait_for()


def film(page: Any) -> None:
    """The order of a guided model after some steps."""
    page.locator("#w-0-0").focus()
    page.keyboard.press("g")
    page.locator("#film:focus").wait_for()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    page.evaluate("document.activeElement.blur()")


def what_if(page: Any) -> None:
    """Labels that are set, and those that follow."""
    page.get_by_text("xpos", exact=True).click()
    page.locator("#w-0-3").click()
    page.get_by_label("What if it were").select_option("VB")
    page.locator("#w-0-3.fixed").wait_for()
    page.locator(".why[aria-busy=false] tfoot").wait_for()
    page.evaluate("document.activeElement.blur()")


def compare(page: Any) -> None:
    """Two models on the same words."""
    page.locator("#w-0-0").click()
    page.get_by_role("tab", name="Compare").click()
    page.get_by_label("Compare with").select_option(label="en, xpos")
    page.locator(".compared").wait_for()
    page.evaluate("document.activeElement.blur()")


def article(page: Any) -> None:
    """Running text with its entities."""
    page.get_by_text("Text", exact=True).click()
    page.locator(".running mark", has_text="Merkel").click()
    page.get_by_role("button", name="Close").click()
    page.evaluate("scrollTo(0, document.querySelector('.result').offsetTop - 12)")


def as_it_is(page: Any) -> None:
    """The view as it opens."""


# name of the file, model, text or view, what is done, window, scheme
PICTURES: list[tuple[str, str, str, Callable[[Any], None], dict[str, int], str]] = [
    ("page", "en", ARTICLE, why, WINDOW, "light"),
    ("page-dark", "en", ARTICLE, why, WINDOW, "dark"),
    ("page-article", "en", REPORT, article, WINDOW, "light"),
    ("page-article-dark", "en", REPORT, article, WINDOW, "dark"),
    ("page-alternatives", "en", ARTICLE, alternatives, WINDOW, "light"),
    ("page-film", "guided", GARDEN_PATH, film, WINDOW, "light"),
    ("page-what-if", "en", DUCK, what_if, WINDOW, "light"),
    ("page-compare", "guided", f"{ARTICLE} {GARDEN_PATH}", compare, WINDOW, "light"),
    ("page-models", "en", "#models", as_it_is, WINDOW, "light"),
    ("page-phone", "en", ARTICLE, why, PHONE, "light"),
    ("page-phone-dark", "guided", GARDEN_PATH, film, PHONE, "dark"),
]


def main(folder: Path) -> None:
    """Take all pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as models, sync_playwright() as driver:
        files = {name: file for name, file in train_models(Path(models)).items() if name in ("en", "guided")}
        browser = driver.chromium.launch(executable_path=browser_path())
        with serving(files) as address:
            for name, model, text, act, window, scheme in PICTURES:
                context = browser.new_context(viewport=window, device_scale_factor=1.5, color_scheme=scheme)
                context.set_default_timeout(PATIENCE)
                page = context.new_page()
                fragment = text if text.startswith("#") else "#tag?" + urlencode({"model": model, "text": text})
                page.goto(address + fragment)
                page.locator("[role=option], .page").first.wait_for(state="attached")
                act(page)
                page.locator(".message span").evaluate("span => span.remove()")
                save(page, folder / f"{name}.webp")
                context.close()
        take_pictures(browser, folder, save)
        browser.close()


def save(page: Any, path: Path) -> None:
    """Write a picture that is small enough."""
    page.wait_for_timeout(400)  # colours fade
    for quality in (88, 75, 60):
        asked = {"format": "webp", "quality": quality}
        reply = page.context.new_cdp_session(page).send("Page.captureScreenshot", asked)
        data = base64.b64decode(reply["data"])
        if len(data) < LARGEST:
            break
    path.write_bytes(data)
    print(f"{path}: {len(data)} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
