"""Code in running text that names a command or a public name leads to its place in the reference.

On a page of the guide that happens once for each name; in the reference itself, always.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx

import perceptag
from api import PAGE as API
from perceptag.cli import COMMANDS
from verbs import PAGE as REFERENCE

_COMMAND = re.compile(r"perceptag (\w+)(?: .*)?", re.DOTALL)
_NAME = re.compile(r"(?:perceptag\.)?([A-Za-z]\w*(?:\.\w+)?)(?:\(.*\))?", re.DOTALL)
_OF_OTHERS_TOO = {"Span"}  # spaCy has one


def place_of(code: str, ids: frozenset[str]) -> tuple[str, str] | None:
    """The page and the anchor that describe a piece of code; `ids`: of all public names."""
    if (command := _COMMAND.fullmatch(code)) and command[1] in COMMANDS:
        return REFERENCE, command[1]
    name = _NAME.fullmatch(code)
    if name is None or not (name[1][0].isupper() or code.startswith("perceptag.")):
        return None
    is_public = name[1].split(".")[0] in set(perceptag.__all__) - _OF_OTHERS_TOO
    return (API, f"perceptag.{name[1]}") if is_public and f"perceptag.{name[1]}" in ids else None


def _in_running_text(doctree: nodes.document) -> Iterator[nodes.literal]:
    for code in list(doctree.findall(nodes.literal)):
        above: nodes.Node | None = code.parent
        while above is not None and not isinstance(above, (nodes.reference, nodes.title, nodes.document)):
            above = above.parent
        if isinstance(above, nodes.document):
            yield code


def _link(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    ids = frozenset(app.env.domains.python_domain.objects)
    seen = set()
    for code in _in_running_text(doctree):
        place = place_of(code.astext(), ids)
        if place is not None and (place not in seen or place[0] == docname):
            seen.add(place)
            uri = f"{app.builder.get_relative_uri(docname, place[0])}#{place[1]}"
            code.replace_self(nodes.reference("", "", code.deepcopy(), internal=True, refuri=uri))


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-resolved", _link)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
