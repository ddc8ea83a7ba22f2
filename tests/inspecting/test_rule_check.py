"""Figures of rules: those that match nothing, and those that only repeat the model."""

import pytest

from perceptag.inspecting.rule_check import RuleFigures, RuleReport


@pytest.mark.parametrize(
    ("figures", "is_never", "is_repeating"),
    [
        (RuleFigures("A", "A", 1), True, False),
        (RuleFigures("A", "A", 1, fires=2), False, False),
        (RuleFigures("A", "A", 1, fires=2, chosen=2, repeats=1), False, False),
        (RuleFigures("A", "A", 1, fires=2, chosen=2, repeats=2), False, True),
    ],
)
def test_rules_that_do_nothing_are_listed(figures: RuleFigures, is_never: bool, is_repeating: bool) -> None:
    report = RuleReport([figures], 1, gold=False, model=True)
    assert (report.never == [figures], report.repeating == [figures]) == (is_never, is_repeating)
    assert RuleReport([figures], 1, gold=False, model=False).repeating == []
