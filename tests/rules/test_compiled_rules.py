"""Compiled rules as data: what is read matches as what was compiled, and anything else is refused."""

from __future__ import annotations

import copy
import json
from array import array
from typing import Any

import pytest

from perceptag.errors import ModelError
from perceptag.rules.compiled_rules import compile_rules, from_data, to_data
from perceptag.rules.rule_file import RuleFile, parse_rule_file, read_rule_file
from perceptag.rules.rules import Rules

TEXT = """
[lists]
months = ["may", "june"]
days = {monday = "1"}

[[rule]]
label = "A"
tokens = ['(?<! "no"i) [shape ~ /d+/ & !(lower in months | upper)] []? $', '[days = "1"]']

[[rule]]
label = "B"
text = '(?i)\\b(?&months) [\\p{Lu}-]+'
"""


def refuse(name: str) -> str:
    raise AssertionError(name)


@pytest.fixture(name="file")
def _file() -> RuleFile:
    return parse_rule_file(TEXT, "rules", refuse)


def stored(file: RuleFile) -> tuple[Any, array[int]]:
    about, nodes = to_data(compile_rules(file), file)
    return json.loads(json.dumps(about)), nodes


def nested(condition: list[Any]) -> list[Any]:
    """Return a condition inside as many others as would be too much for the stack when it is tested."""
    for _ in range(400):
        condition = ["both", condition]
    return condition


def test_the_deepest_conditions_that_are_written_can_be_stored() -> None:
    condition = "upper"
    for _ in range(25):
        condition = f"!(digit & {condition} | hyphen & upper)"
    file = parse_rule_file(f"[[rule]]\nlabel = 'A'\ntokens = ['[{condition}]']", "rules", refuse)
    about, nodes = stored(file)
    assert from_data(about, memoryview(nodes), file) == compile_rules(file)


def test_what_is_read_is_what_was_compiled() -> None:
    file = read_rule_file("en")
    about, nodes = stored(file)
    found = from_data(about, memoryview(nodes), file)
    assert found == compile_rules(file) and len(nodes) > 10_000


def test_rules_match_the_same(file: RuleFile) -> None:
    about, nodes = stored(file)
    rules, again = Rules(file), Rules(file, from_data(about, memoryview(nodes), file))
    for words in (["no", "12", "."], ["In", "12", "May", "A-B"], ["Monday", "monday"], ["5"]):
        assert rules(words) == again(words)
    assert [span.label for span in again(["In", "12", "May", "A-B"])] == ["B"]


def test_other_rules_and_other_forms_are_compiled_again(file: RuleFile) -> None:
    about, nodes = stored(file)
    for change in ({"form": 0}, {"sha256": "0"}):
        assert from_data(about | change, memoryview(nodes), file) is None
    assert from_data([], memoryview(nodes), file) is None


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["conditions"], None),
        (["conditions", 0], ["among", "form", ["no-such-attribute"], ["a"]]),
        (["sets", 0], [[5, 3]]),
        (["programs", 0, 0], -1),
        (["programs", 0, 2], [0, 3, 0]),
        (["programs", 0, 2], [0, 9, 7]),
        (["programs", 0, 2, 3], [[0, 3, 0], True]),
        (["expressions", 0, 4], []),
        (["expressions"], []),
        (["expressions", 0, 2, 0], ["d+"]),
        (["conditions", 0], ["among", ["form"], [], ["a"]]),
        (["conditions", 0], ["among", "form", [{}], ["a"]]),
        (["conditions", 3], ["like", "form", ["lower"], "d+"]),
        (["sets", 0], [[0.5, 3]]),
        (["programs", 0, 2, 2], 1 << 40),
        (["conditions", 3], nested(["among", "form", ["days"], ["1"]])),
    ],
)
def test_anything_else_is_refused(file: RuleFile, path: list[Any], value: Any) -> None:
    about, nodes = stored(file)
    changed = copy.deepcopy(about)
    *above, last = path
    place = changed
    for key in above:
        place = place[key]
    place[last] = value
    with pytest.raises((ModelError, ValueError), match=r"compiled rules|a program"):
        Rules(file, from_data(changed, memoryview(nodes), file))


def test_a_program_that_asks_for_a_missing_look_around_is_refused(file: RuleFile) -> None:
    about, nodes = stored(file)
    del about["programs"][0][2][3:]
    with pytest.raises(ModelError, match="compiled rules"):
        from_data(about, memoryview(nodes), file)
