"""XML from a network: how deep, how much, and what is refused."""

from __future__ import annotations

import pytest

from perceptag.server.problems import HttpProblem
from perceptag.workbench.adapters import safe_xml
from perceptag.workbench.adapters.safe_xml import DEEPEST, parse_xml


def nested(depth: int) -> str:
    return "<a>" * depth + "</a>" * depth


def test_elements_may_be_nested_up_to_the_limit() -> None:
    assert DEEPEST == 64
    assert len(list(parse_xml(nested(64), "x").iter())) == 64
    assert len(parse_xml(f"<r>{'<a/>' * 100}</r>", "x")) == 100  # beside each other
    with pytest.raises(HttpProblem, match="x: expected at most 64 elements in each other"):
        parse_xml(nested(65), "x")


def test_all_elements_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safe_xml, "MOST", 3)
    assert len(parse_xml("<r><a/><a/></r>", "x")) == 2
    with pytest.raises(HttpProblem, match="and 3 in all, found more"):
        parse_xml("<r><a/><a/><a/></r>", "x")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<!DOCTYPE r><r/>", "without a document type"),
        ('<!DOCTYPE r [<!ENTITY e "e">]><r>&e;</r>', "without a document type"),
        ("<r>\n<a></r>", "found a mistake: mismatched tag"),
        ("<r>\ud800</r>", "half a pair of surrogates"),
    ],
)
def test_other_documents_are_refused(text: str, message: str) -> None:
    with pytest.raises(HttpProblem, match=message):
        parse_xml(text, "x")


def test_a_mistake_has_a_line_and_a_column() -> None:
    with pytest.raises(HttpProblem) as found:
        parse_xml("<r>\n  <a></b></r>", "x")
    assert found.value.more["where"] == {"line": 2, "column": 8}
