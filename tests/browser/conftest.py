"""A server, and a browser whose every page is watched: errors, broken rules and requests to other hosts fail a test."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from annotating import LABELS, Workbench, gold, write_labelled, write_words
from serving import browser_path, serving, train_models

# These have no tests, and need what only `make test-all PARTS=browser` installs.
collect_ignore = ["screenshots.py", "screenshots_annotate.py"]
NO_OTHER_HOST = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
WAIT = 180_000  # milliseconds: long, because a machine may be busy; only a failure waits for it
TAUGHT = 150  # sentences from which a model learns that says how sure it is


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return train_models(tmp_path_factory.mktemp("models"))


@pytest.fixture(scope="session")
def address(models: dict[str, str]) -> Iterator[str]:
    with serving(models) as found:
        yield found


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="no playwright: make test-all PARTS=browser")
    path = browser_path()
    if path is None:
        pytest.skip("no Chromium: make test-all PARTS=browser")
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=path, args=[NO_OTHER_HOST])
        yield chromium
        chromium.close()


@pytest.fixture
def window(browser: Any) -> Iterator[Callable[..., Any]]:
    """Open a page in a window of its own, which has as much patience as all others and is closed after the test."""
    contexts = []

    def opened(address: str, **options: Any) -> Any:
        contexts.append(browser.new_context(**options))
        contexts[-1].set_default_timeout(WAIT)
        page = contexts[-1].new_page()
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()


class Watched:
    """Opens pages and notes what must not happen in them."""

    def __init__(self, window: Callable[..., Any], address: str) -> None:
        self.window, self.address = window, address
        self.faults: list[str] = []
        self.allowed: list[str] = []  # parts of messages that a test expects
        self.sent: list[str] = []  # addresses of all requests
        self.contexts: list[Any] = []

    def open(self, fragment: str = "", address: str = "", **options: Any) -> Any:
        """Open the page in a window of its own, and wait until it has labelled its text."""
        page = self.window("about:blank", **{"viewport": {"width": 1280, "height": 860}} | options)
        self.contexts.append(page.context)
        page.add_init_script(
            "addEventListener('securitypolicyviolation', e => console.error('CSP: ' + e.violatedDirective));"
        )
        page.on("console", self._said)
        page.on("pageerror", lambda e: self.faults.append(str(e)))
        page.on("dialog", lambda d: (self.faults.append(f"dialog {d.message}"), d.dismiss()))
        page.on("request", self._sent)
        page.on("requestfailed", self._failed)
        page.goto((address or self.address) + fragment)
        return page

    def _said(self, message: Any) -> None:
        if message.location.get("url", "").endswith("/v1/project") and "404" in message.text:
            return  # this is how the page learns that the server has no project
        if message.type in ("error", "warning"):
            self.faults.append(message.text)

    def _sent(self, request: Any) -> None:
        self.sent.append(request.url)
        if not request.url.startswith("http://127.0.0.1:"):
            self.faults.append(f"request to {request.url}")

    def _failed(self, request: Any) -> None:
        if "ERR_ABORTED" not in (request.failure or ""):  # the page itself gives up what has become old
            self.faults.append(f"failed {request.url}: {request.failure}")

    def check(self) -> None:
        """Fail if something happened that must not."""
        for context in self.contexts:
            for page in context.pages:
                page.unroute_all(behavior="wait")  # a reply that a test is changing must not meet a closed page
            context.close()  # a second time does nothing
        assert [f for f in self.faults if not any(part in f for part in self.allowed)] == []


@pytest.fixture
def watched(window: Callable[..., Any], address: str) -> Iterator[Watched]:
    found = Watched(window, address)
    yield found
    found.check()


@pytest.fixture(scope="session")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """A project that all tests share: the words of the shipped corpus, without labels, and nothing learns from them."""
    folder = tmp_path_factory.mktemp("project")
    words = write_words(folder / "words.txt", [words for words, _ in gold()])
    options = ["--import", str(words), "--columns", "form", "--labels", ",".join(LABELS)]
    people = ["--annotator", "boss:admin", "--annotator", "anna", "--annotator", "cleo:read", "--annotator", "ben"]
    found = Workbench(folder / "news.ptag", *options, *people, learns=False)
    yield found
    found.stop()


@pytest.fixture(scope="session")
def taught(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """A project with the last model of its labels. Tests that share it save no labels, so that no other model comes."""
    folder = tmp_path_factory.mktemp("taught")
    path = write_labelled(folder / "labelled.txt", gold()[:TAUGHT])
    options = ["--import", str(path), "--columns", "form,ner", "--label", "ner", "--labels", ",".join(LABELS)]
    found = Workbench(folder / "taught.ptag", *options, "--annotator", "boss:admin")
    found.import_words([words for words, _ in gold()[TAUGHT:]])
    found.wait_until_calibrated()
    yield found
    found.stop()


@pytest.fixture
def own_project(tmp_path: Path) -> Iterator[Callable[..., Workbench]]:
    """Begin a project for one test. Its pages are closed before it is stopped: `eyes` asks for this fixture."""
    begun = []

    def begin(sentences: Sequence[Sequence[str]], *options: str, learns: bool = True) -> Workbench:
        words = write_words(tmp_path / "words.txt", sentences)
        given = ["--import", str(words), "--columns", "form", "--annotator", "boss:admin", "--annotator", "ben"]
        begun.append(Workbench(tmp_path / "own.ptag", *given, *options, learns=learns))
        return begun[-1]

    yield begin
    for one in begun:
        one.stop()


@pytest.fixture
def eyes(window: Callable[..., Any], own_project: object) -> Iterator[Watched]:
    """As `watched`, without a server of models."""
    del own_project
    found = Watched(window, "")
    yield found
    found.check()


@pytest.fixture
def annotate(eyes: Watched, workbench: Workbench) -> Callable[..., Any]:
    """Open the page of the project as somebody, and wait until it shows the view."""

    def opened(view: str = "annotate", who: str = "boss", on: Workbench | None = None, **options: Any) -> Any:
        server = on or workbench
        page = eyes.open(server.fragment(who), server.address, **options)
        page.locator(".annotate .front").wait_for()
        if view != "annotate":
            page.evaluate("view => { location.hash = view; }", view)
        if view.startswith("annotate"):
            page.locator("#w-a-0").wait_for()
        return page

    return opened


@pytest.fixture
def tag(watched: Watched) -> Callable[..., Any]:
    """Open the page with a model and a text, and wait for the labels."""

    def opened(model: str, text: str, layer: str = "", **options: Any) -> Any:
        from urllib.parse import urlencode

        page = watched.open("#tag?" + urlencode({"model": model, "layer": layer, "text": text}), **options)
        page.locator("[role=option]").first.wait_for()
        return page

    return opened
