"""Checks the built site: every link, picture and anchor leads somewhere, nothing is loaded from the network, and the
search finds the right pages first.

python docs/site/check.py build/site
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_LOADS = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src", "object": "data"}
_OUTSIDE = re.compile(r"(?:https?:)?//", re.IGNORECASE)
_CSS_URL = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")


@dataclass
class Page(HTMLParser):
    """What a page links to, what it loads, and the anchors in it."""

    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if _LOADS.get(tag) in given:
            self.loads.append(given[_LOADS[tag]])
        self.loads += [one.split()[0] for one in given.get("srcset", "").split(",") if one.strip()]


def problems(site: Path) -> Iterator[str]:
    """What is wrong, one line each."""
    for path in sorted(site.rglob("*.html")):
        page = _read(path)
        where = path.relative_to(site)
        yield from (f"{where}: {link}: loaded from the network" for link in page.loads if _OUTSIDE.match(link))
        for link in page.links + page.loads:
            if complaint := _complaint(link, path):
                yield f"{where}: {link}: {complaint}"
    for path in sorted(site.rglob("*.css")):
        for found in _CSS_URL.findall(path.read_text("utf-8")):
            if _OUTSIDE.match(found[0] or found[1]):
                yield f"{path.relative_to(site)}: {found[0] or found[1]}: loaded from the network"


def not_found(index: str, wanted: dict[str, str]) -> Iterator[str]:
    """Words for which the index of the search (searchindex.js) does not prefer the wanted page."""
    found = json.loads(index[index.index("{") : index.rindex("}") + 1])
    for words, page in wanted.items():
        entries = found["indexentries"].get(words.lower(), [])
        if not any(found["docnames"][number] == page and is_main for number, _, is_main in entries):
            yield f"search: {words}: expected {page} first, found it nowhere among the main entries of the index"


def _complaint(link: str, page: Path) -> str:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return ""
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if not target.is_file():
        return "there is no such file"
    anchor = unquote(parts.fragment)
    is_there = not anchor or target.suffix != ".html" or anchor in _read(target).anchors
    return "" if is_there else "there is no such anchor"


@cache
def _read(path: Path) -> Page:
    page = Page()
    page.feed(path.read_text("utf-8"))
    return page


def main(site: Path) -> int:
    """Print what is wrong; 1 if anything is."""
    found = list(problems(site.resolve()))
    if (index := site / "searchindex.js").exists():
        from navigation import searched

        found += not_found(index.read_text("utf-8"), searched())
    pages = len(list(site.rglob("*.html")))
    for line in found[:100]:
        print(line, file=sys.stderr)
    print(f"{site}: {pages} pages, {len(found)} links that do not work")
    return 1 if found or not pages else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
