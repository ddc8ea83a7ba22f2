"""XML from a network: without document types and entities, and not nested deep."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree
from xml.parsers import expat

from perceptag.server.problems import HttpProblem

DEEPEST = 64  # elements in each other
MOST = 1_000_000  # elements


def parse_xml(text: str, name: str) -> ElementTree.Element:
    """Return the tree of a document; refuse one that could grow while it is read."""
    check_xml(text, name)
    try:  # the text is decoded already, so that an encoding which it declares means nothing
        return ElementTree.fromstring(text.encode("utf-8"), ElementTree.XMLParser(encoding="utf-8"))
    except (ElementTree.ParseError, LookupError, ValueError) as error:
        raise HttpProblem(422, f"{name}: expected XML, found a mistake: {error}") from None


def check_xml(text: str, name: str) -> None:
    """Refuse a document that is not XML, has a document type or entities, or is nested too deep."""
    parser = expat.ParserCreate("utf-8")
    depth = count = 0

    def begin(*_: Any) -> None:
        nonlocal depth, count
        depth, count = depth + 1, count + 1
        if depth > DEEPEST or count > MOST:
            raise HttpProblem(
                422, f"{name}: expected at most {DEEPEST} elements in each other and {MOST} in all, found more"
            )

    def end(*_: Any) -> None:
        nonlocal depth
        depth -= 1

    def refuse(*_: Any) -> None:
        raise HttpProblem(422, f"{name}: expected XML without a document type, found one")

    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.StartDoctypeDeclHandler, parser.EntityDeclHandler = refuse, refuse
    try:
        parser.Parse(text.encode("utf-8"), True)
    except expat.ExpatError as error:
        place = {"line": error.lineno, "column": error.offset + 1}
        raise HttpProblem(
            422, f"{name}: expected XML, found a mistake: {expat.ErrorString(error.code)}", where=place
        ) from None
    except UnicodeEncodeError:
        raise HttpProblem(422, f"{name}: expected Unicode text, found half a pair of surrogates") from None
