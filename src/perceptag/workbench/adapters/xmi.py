"""UIMA's XMI, as far as INCEpTION's recommenders need it: text, sentences, tokens and one layer of spans.

UIMA counts characters in units of UTF-16, Python in code points; `Offsets` turns one into the other.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from perceptag.server.problems import HttpProblem
from perceptag.workbench.adapters.safe_xml import parse_xml

XMI, CAS = "http://www.omg.org/XMI", "http:///uima/cas.ecore"
for _prefix, _space in (("xmi", XMI), ("cas", CAS)):
    ElementTree.register_namespace(_prefix, _space)  # UIMA looks for "xmi:id" by this name
SEGMENTS = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type"
SENTENCE, TOKEN = f"{SEGMENTS}.Sentence", f"{SEGMENTS}.Token"
PREDICTED = "inception_internal_predicted"
SCORE = "_score"  # after the name of a feature


class Offsets:
    """Places in a text, in units of UTF-16 and in code points."""

    def __init__(self, text: str) -> None:
        self._units = [0, *accumulate(2 if c > "\uffff" else 1 for c in text)]

    def points(self, units: int) -> int:
        """Return a place in code points."""
        found = bisect_left(self._units, units)
        if found >= len(self._units) or self._units[found] != units:
            raise HttpProblem(422, f"xmi: expected a place in the text, found {units}")
        return found

    def units(self, points: int) -> int:
        """Return a place in units of UTF-16."""
        return self._units[points]


@dataclass(frozen=True, slots=True)
class Annotation:
    """A span of the text with a label; places are in code points."""

    begin: int
    end: int
    label: str = ""
    score: float | None = None


class XmiDocument:
    """A document in XMI."""

    def __init__(self, text: str) -> None:
        self._root = parse_xml(text, "xmi")
        sofas = self._root.findall(f"{{{CAS}}}Sofa")
        views = self._root.findall(f"{{{CAS}}}View")
        if self._root.tag != f"{{{XMI}}}XMI" or len(sofas) != 1 or len(views) != 1:
            raise HttpProblem(422, f"xmi: expected XMI with one text and one view, found {len(sofas)} and {len(views)}")
        self._sofa, self._view = sofas[0], views[0]
        self.text = self._sofa.get("sofaString", "")
        self._offsets = Offsets(self.text)

    def annotations(self, name: str, feature: str = "") -> list[Annotation]:
        """Return all annotations of a type, in the order of the text."""
        tag = tag_of(name)
        found = [self._annotation(one, feature) for one in self._root if one.tag == tag]
        return sorted(found, key=lambda a: (a.begin, -a.end))

    def _annotation(self, element: Element, feature: str) -> Annotation:
        begin, end = (element.get(name, "") for name in ("begin", "end"))
        if not all(text.isascii() and text.isdigit() and len(text) < 16 for text in (begin, end)):
            raise HttpProblem(
                422, f"xmi: expected an annotation with begin and end, found {begin[:20]!r} and {end[:20]!r}"
            )
        places = self._offsets.points(int(begin)), self._offsets.points(int(end))
        if places[0] > places[1]:
            raise HttpProblem(422, f"xmi: expected an end behind the begin {begin}, found {end}")
        return Annotation(*places, element.get(feature, "") if feature else "")

    def add(self, name: str, feature: str, predicted: Iterable[Annotation]) -> None:
        """Put what a model predicts into the document, marked as such."""
        numbers = [int(n) for e in self._root if (n := e.get(f"{{{XMI}}}id", "")).isdecimal() and len(n) < 16]
        number, members = max(numbers, default=0), self._view.get("members", "").split()
        for one in predicted:
            number += 1
            places = {"begin": str(self._offsets.units(one.begin)), "end": str(self._offsets.units(one.end))}
            names = {f"{{{XMI}}}id": str(number), "sofa": self._sofa.get(f"{{{XMI}}}id", "1")}
            marks = {feature: one.label, PREDICTED: "true"}
            marks |= {f"{feature}{SCORE}": f"{one.score:.6f}"} if one.score is not None else {}
            self._root.append(Element(tag_of(name), names | places | marks))
            members.append(str(number))
        self._view.set("members", " ".join(members))

    def to_text(self) -> str:
        """Return the document as XMI."""
        found = ElementTree.tostring(self._root, encoding="unicode")
        return f'<?xml version="1.0" encoding="UTF-8"?>{found}'


def tag_of(name: str) -> str:
    """Return how XMI calls a type.

    >>> tag_of("webanno.custom.Span")
    '{http:///webanno/custom.ecore}Span'
    """
    package, _, last = name.rpartition(".")
    return f"{{http:///{package.replace('.', '/') or 'uima/noNamespace'}.ecore}}{last}"
