"""The navigation: navigation.toml becomes the contents of the front page, and each of its parts can be folded.

Its table `search` names the page that a search for some words shows first.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tomllib

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag
    from sphinx.application import Sphinx

FILE = Path(__file__).with_suffix(".toml")
_TITLE = re.compile(r"^# .*\n", re.MULTILINE)


def parts() -> list[dict[str, Any]]:
    """The parts, each with its title and its pages."""
    found: list[dict[str, Any]] = tomllib.loads(FILE.read_text("utf-8"))["part"]
    return found


def names(part: dict[str, Any]) -> list[str]:
    """The pages of a part, without the names that they have in the navigation."""
    return [page if isinstance(page, str) else page[0] for page in part["pages"]]


def searched() -> dict[str, str]:
    """The page that a search for some words should show first."""
    found: dict[str, str] = tomllib.loads(FILE.read_text("utf-8"))["search"]
    return found


def _contents(part: dict[str, Any]) -> str:
    lines = [page if isinstance(page, str) else f"{page[1]} </{page[0]}>" for page in part["pages"]]
    return "\n".join(["```{toctree}", ":hidden:", f":caption: {part['title']}", "", *lines, "```", ""])


def _add_contents(app: Sphinx, docname: str, source: list[str]) -> None:
    """Markdown on a forge does not know tables of contents, so they are not in the page itself."""
    if docname == app.config.root_doc:
        source[0] += "\n" + "\n".join(_contents(part) for part in parts() if part["pages"])


def add_searched(_app: Sphinx, docname: str, source: list[str]) -> None:
    """Put main entries of the index below the title: the search prefers them to titles and text."""
    entries = "".join(f":::{{index}} ! {words}\n:::\n" for words, page in searched().items() if page == docname)
    if entries:
        source[0] = _TITLE.sub(lambda title: f"{title[0]}\n{entries}", source[0], count=1)


def _fold(_app: Sphinx, pagename: str, _template: str, context: dict[str, Any], _doctree: object) -> None:
    """Show the pages of the part that is being read, on the front page those of the first; of others only the title."""
    from bs4 import BeautifulSoup

    tree = BeautifulSoup(context.get("furo_navigation_tree", ""), "html.parser")
    for number, caption in enumerate(tree.find_all("p", class_="caption")):
        pages = caption.find_next_sibling("ul")
        is_first = pagename == context["root_doc"] and number == 0
        _wrap(tree, caption, pages, is_open=is_first or pages.find(class_="current") is not None)
    context["furo_navigation_tree"] = str(tree)


def _wrap(tree: BeautifulSoup, caption: Tag, pages: Tag, *, is_open: bool) -> None:
    details = tree.new_tag("details", attrs={"open": ""} if is_open else {})
    caption.insert_before(details)
    caption.name = "summary"
    del caption["role"]  # of a heading
    details.extend([caption, pages])


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("source-read", _add_contents)
    app.connect("source-read", add_searched, priority=900)  # after tutorials have run
    app.connect("html-page-context", _fold, priority=900)  # after the theme has made the tree
    app.add_config_value("navigation_digest", FILE.read_text("utf-8"), "env")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
