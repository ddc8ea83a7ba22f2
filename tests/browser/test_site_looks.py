"""The site of the documentation in a browser: a few of its pages, built as `make docs` builds all of them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from axe_rules import violations

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("default")]  # warnings of other libraries
ROOT = Path(__file__).parents[2]
GUIDES = ["docs/guide/quickstart", "docs/guide/serve", "docs/guide/data-tools"]
PAGES = ["README", *GUIDES, "docs/tutorials/names-in-documents", "docs/papers/rivals", "docs/measurements/benchmarks"]
NOT_NEEDED = {"tutorials", "stepper", "verbs", "api", "crosslinks"}  # they run or read all pages
Open = Callable[..., Any]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("furo", reason="no furo: make docs")
    from sphinx.application import Sphinx

    if sys.version_info < (3, 11):
        pytest.skip("the site needs Python 3.11")
    sys.path.insert(0, str(ROOT / "docs" / "site"))
    import conf

    out = tmp_path_factory.mktemp("site")
    changes: dict[str, Any] = {
        "extensions": [name for name in conf.extensions if name not in NOT_NEEDED],
        "include_patterns": [f"{page}.md" for page in PAGES],
    }
    Sphinx(ROOT, conf.SITE, out / "html", out / "trees", "html", changes, status=None, warning=None).build()
    return out / "html"


@pytest.fixture
def opened(window: Open, site: Path) -> Open:
    def open_page(name: str, width: int, **options: Any) -> Any:
        return window(f"{site.as_uri()}/{name}", viewport={"width": width, "height": 900}, **options)

    return open_page


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pages_are_accessible(opened: Open, theme: str) -> None:
    # 640 pixels are a window of 1,280 at 200 %. The second page is long, which takes axe its time.
    for name, widths in (("index.html", (390, 640, 768, 1280, 1440)), ("docs/guide/serve.html", (390, 1280))):
        page = opened(name, 1280, color_scheme=theme)
        for width in widths:
            page.set_viewport_size({"width": width, "height": 900})
            assert violations(page) == [], width
