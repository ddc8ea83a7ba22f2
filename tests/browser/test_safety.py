"""Hostile words, labels and features are text; nothing but the server is asked; rules of the page hold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from serving import HOSTILE, serving

pytestmark = pytest.mark.browser
Tag = Callable[..., Any]


def _set_reply(page: Any, path: str, change: Callable[[Any], Any]) -> None:
    """Change what the server replies, as a hostile model would."""

    def fulfil(route: Any) -> None:
        reply = route.fetch()
        route.fulfill(response=reply, json=change(reply.json()))

    page.route(f"**/{path}", fulfil)


def _outcome(page: Any, code: str) -> str:
    """Run code a moment later: while a test runs it itself, the rules of the page do not hold."""
    body = f"setTimeout(async () => {{ try {{ {code}; done('done') }} catch {{ done('refused') }} }}, 0)"
    found: str = page.evaluate(f"new Promise(done => {{ {body} }})")
    return found


def test_hostile_words_labels_and_features_are_text(tag: Tag) -> None:
    page = tag("hostile", " ".join(word.replace(" ", "_") for word in HOSTILE))
    rows = "\n".join(HOSTILE)
    page.get_by_label("Columns", exact=True).check()
    page.get_by_label("Names of the columns").fill("form -")
    page.locator("#text").fill("\n".join(f"{word}\t" for word in rows.split("\n")))
    page.locator(".word", has_text="<img src=x onerror=alert(1)>").first.wait_for()
    assert page.locator(".sentences img, .sentences script, .sentences svg").count() == 0
    for t in range(3):
        page.locator(f"#w-0-{t}").click()
        page.locator(".why[aria-busy=false] .reasons").wait_for()
    assert HOSTILE[0] in page.locator(".panel").inner_text()
    page.get_by_role("tab", name="Alternatives").click()
    page.locator(".ranking > li").nth(1).wait_for()
    page.evaluate("location.hash = 'models'")
    page.locator(".label-list .label", has_text="<img").first.wait_for()
    assert page.locator("main img, main script").count() == 0


def test_hostile_text_in_the_address_is_text(watched: Any) -> None:
    page = watched.open()
    for number, word in enumerate(HOSTILE):
        fragment = f"tag?model={quote(word)}&layer={quote(word)}&text=n{number}+{quote(word)}"
        page.evaluate("fragment => { location.hash = fragment; }", fragment)
        page.wait_for_function(
            "n => [...document.querySelectorAll('.word')].map(w => w.innerText).join('').startsWith(n)",
            arg=f"n{number}",
        )  # a tokeniser may cut it
        assert page.locator("#text").input_value() == f"n{number} {word}"
        assert page.locator("main img, main script").count() == 0


def test_hostile_replies_are_text(tag: Tag) -> None:
    page = tag("guided", "a b c")
    hostile = list(HOSTILE[:3])
    _set_reply(page, "v1/explain", lambda reply: {**reply, "details": [{**reply["details"][0], "label": hostile[0]}]})
    _set_reply(
        page,
        "v1/tag",
        lambda reply: {**reply, "notes": hostile, "sentences": [{**reply["sentences"][0], "labels": hostile}]},
    )
    page.locator("#text").fill("x y z")
    page.locator(".notes", has_text=hostile[1]).wait_for()
    page.locator(".lead", has_text=hostile[0]).wait_for()
    assert page.locator("main img, main script, main svg").count() == 0


def test_rules_of_the_page_hold(tag: Tag, watched: Any) -> None:
    page = tag("guided", "a b c")
    watched.allowed += ["CSP: ", "Content Security Policy", "TrustedHTML", "TrustedScript", "Refused", "violates"]
    assert _outcome(page, "document.body.innerHTML = '<b>x</b>'") == "refused"
    assert _outcome(page, "new Function('return 1')()") == "refused"
    assert _outcome(page, "await fetch('https://example.org/')") == "refused"
    assert _outcome(page, "await fetch('v1/models')") == "done"
    assert not any("example.org" in url for url in watched.sent)
    assert any("CSP: connect-src" in fault for fault in watched.faults)


def test_everything_comes_from_the_server(tag: Tag, watched: Any) -> None:
    page = tag("guided", "a b c")
    page.locator(".why[aria-busy=false]").wait_for()
    assert all(url.startswith(watched.address) for url in watched.sent)
    names = {url.removeprefix(watched.address) for url in watched.sent}
    assert {"", "js/app.js", "vendor/htm-preact.js", "css/base.css", "v1/models", "v1/tag", "v1/explain"} <= names


def test_token_comes_once_and_leaves_the_address(watched: Any, models: dict[str, str], tmp_path: Path) -> None:
    token = tmp_path / "token"
    with serving({"guided": models["guided"]}, "--token-file", str(token)) as address:
        secret = token.read_text("ascii").strip()
        page = watched.open(f"#token={secret}", address)
        page.locator("[role=option]").first.wait_for()
        assert secret and secret not in page.url
        assert not any(secret in url for url in watched.sent)
        watched.allowed.append("401")
        other = watched.open("", address)
        other.get_by_label("Token of the server").fill(secret)
        other.get_by_role("button", name="Open", exact=True).click()
        other.locator("[role=option]").first.wait_for()
        assert other.locator(".problem").count() == 0
        page.context.close()
        other.context.close()
