"""Figures of rules: those that match nothing, and those that only repeat the model."""

import pytest

from perceptag.inspecting.rule_check import RuleFigures, RuleReport


@pytest.mark.parametrize(
    ("figures", "is_never"), [(RuleFigures("A", "A", 1), True), (RuleFigures("A", "A", 1, fires=2), False)]
)
def test_rules_that_do_nothing_are_listed(figures: RuleFigures, is_never: bool) -> None:
    report = RuleReport([figures], 1, gold=False, model=True)
    assert (report.never == [figures]) == is_never
